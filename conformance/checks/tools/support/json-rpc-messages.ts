import type { McpExchange, McpReceived } from '../../../wire/index.ts'

/** Everything that came with an exchange, in order. */
export const messagesOf = ({
  responses,
  notifications,
  requests,
  late,
}: McpExchange): readonly McpReceived[] => [
  ...notifications,
  ...requests,
  ...responses,
  ...(late === undefined ? [] : [late]),
]

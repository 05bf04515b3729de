import type { McpExchange, McpReceived } from '../../../wire/index.ts'

/** All messages received in an exchange: notifications, requests, responses. */
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

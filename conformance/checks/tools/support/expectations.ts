import { type Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpSendOptions } from '../../../wire/index.ts'
import { isJsonText } from './comparison.ts'
import { isRefusal, textsOf } from './results.ts'

/**
 * Whether there is a response with the id of the request. An error without an id does not count,
 * because it can refer to any message.
 */
export const hasMatchingResponse = ({ id, response, answer: message }: McpExchange): boolean =>
  response !== undefined && JSON.stringify(message?.json['id']) === JSON.stringify(id)

/** The origin of a page on another site. */
export const foreignOrigin = 'http://touchstone-foreign.example'

export const refusesWith = (status: number): Expectation<McpExchange> => ({
  name: `refuses with ${status}`,
  expected: `HTTP status ${status}`,
  test: ({ httpStatus }) => httpStatus === status,
})

export const refused: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'a JSON-RPC error, or a result with isError true',
  test: isRefusal,
}

export const notJson: Expectation<McpExchange> = {
  name: 'is not JSON',
  expected: 'text that is not JSON',
  test: (exchange) => !textsOf(exchange).some(isJsonText),
}

/**
 * Sends a message that is not a valid request. Over HTTP+SSE and stdio, the server may never
 * respond, so this waits at most `timeout` milliseconds.
 */
export const sendInvalidMessage = (
  connection: McpConnection,
  message: unknown,
  timeout: number,
  options: McpSendOptions = {},
): Promise<McpExchange> =>
  connection.send(message, {
    ...options,
    ...(connection.transport === 'http' ? {} : { timeout: timeout }),
  })

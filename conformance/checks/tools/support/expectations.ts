import { type Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpSendOptions } from '../../../wire/index.ts'
import { isRefusal } from './results.ts'

// Expectations that checks of the protocol share.

/** Whether a request was answered under its own id. An error without an id may be about anything. */
export const hasMatchingResponse = ({ id, response, answer: message }: McpExchange): boolean =>
  response !== undefined && JSON.stringify(message?.json['id']) === JSON.stringify(id)

export const refusesWith = (status: number): Expectation<McpExchange> => ({
  name: `refuses with ${status}`,
  expected: `HTTP status ${status}`,
  test: ({ httpStatus }) => httpStatus === status,
})

export const refused: Expectation<McpExchange> = {
  name: 'is refused',
  expected: 'an error, or a result that is marked as one',
  test: isRefusal,
}

/** Sends something that is no proper request. Who waits for messages on a stream that is always open may wait in vain: silence is an answer too. */
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

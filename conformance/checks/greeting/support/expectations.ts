import type { Expectation } from '../../../engine/index.ts'
import { joinGreetings } from './messages.ts'
import { findNames } from './names.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusName, statusOf } from '../../../wire/grpc.ts'

export const hasResponse = ({ receivedCount }: GrpcExchange): boolean => receivedCount > 0
export const isOk = ({ end }: GrpcExchange): boolean => end?.grpcStatus === statusOf.OK

/**
 * Whether all responses are copies of requests. They cannot be greetings: a response contains the
 * server's time.
 */
export const isEcho = ({ sent, received }: GrpcExchange): boolean =>
  received.every(({ bytes }) =>
    sent.some(({ message }) => message !== undefined && bytes.equals(message)),
  )

export const responds: Expectation<GrpcExchange> = {
  name: 'responds',
  expected: 'at least one response',
  test: hasResponse,
}
export const endsOk: Expectation<GrpcExchange> = {
  name: 'ends with OK',
  expected: 'status OK (0), sent by the server',
  test: isOk,
}

/** The stream ends with a status that the server itself sent. */
export function endsWith(status: number): Expectation<GrpcExchange> {
  return {
    name: 'ends with the status',
    expected: `status ${statusName(status)}, sent by the server`,
    test: ({ end }) => end?.grpcStatus === status,
  }
}

/**
 * Whether the server ended the stream, with a status or a reset. A timeout of the client proves
 * nothing.
 */
export const isEndedByServer = ({ end }: GrpcExchange): boolean =>
  end?.grpcStatus !== undefined || end?.rstCode !== undefined

/**
 * The greetings of a stream contain each of these names. Composed and decomposed letters are equal.
 */
export function containsNames(names: readonly string[]): Expectation<GrpcExchange> {
  const missing = (exchange: GrpcExchange) => {
    const greetings = joinGreetings(exchange).normalize('NFC')
    const known = new Set(findNames(greetings))
    return names.filter((name) => !known.has(name) && !greetings.includes(name))
  }
  const received = (exchange: GrpcExchange) => {
    const missingNames = missing(exchange)
    return `${missingNames.length} of ${names.length} names are missing: ${missingNames.slice(0, 5).join(', ')}; ${exchange.summary}`
  }
  return {
    name: 'contains every name',
    expected: `greetings that contain ${names.length === 1 ? names[0] : `all ${names.length} names`}`,
    test: (exchange) => missing(exchange).length === 0,
    received,
  }
}

import type { Expectation } from '../../../engine/index.ts'
import { decodeResponses, joinGreetings } from './messages.ts'
import { findNames } from './names.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'

export const hasResponse = ({ receivedCount }: GrpcExchange): boolean => receivedCount > 0
export const isOk = ({ end }: GrpcExchange): boolean => end?.grpcStatus === statusOf.OK

/**
 * Whether all responses are copies of requests. A copy cannot be a greeting, because a greeting
 * contains the server's time.
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

/**
 * Whether the server ended the stream, with a status or a reset. A timeout of the client does not
 * count, because it proves nothing about the server.
 */
export const isEndedByServer = ({ end }: GrpcExchange): boolean =>
  end?.grpcStatus !== undefined || end?.rstCode !== undefined

/**
 * Returns the names that the greetings of a stream do not contain. Composed and decomposed letters
 * count as equal.
 */
export function findMissingNames(exchange: GrpcExchange, names: readonly string[]): string[] {
  const greetings = joinGreetings(exchange).normalize('NFC')
  const known = new Set(findNames(greetings))
  return names.filter((name) => !known.has(name) && !greetings.includes(name))
}

/** Expects the greetings of a stream to contain each of these names. */
export function containsNames(names: readonly string[]): Expectation<GrpcExchange> {
  return {
    name: 'contains every name',
    expected: `greetings that contain ${names.length === 1 ? names[0] : `all ${names.length} names`}`,
    test: (exchange) => findMissingNames(exchange, names).length === 0,
    received: (exchange) => {
      const missing = findMissingNames(exchange, names)
      return `${missing.length} of ${names.length} names are missing: ${missing.slice(0, 5).join(', ')}; ${exchange.summary}`
    },
  }
}

/**
 * Expects the greetings of a stream to contain each of these strings, in upper or lower case.
 * Also searches the concatenated responses, because a server may split one greeting over several.
 */
export function containsIgnoringCase(
  strings: readonly string[],
): Expectation<GrpcExchange> & { received: (exchange: GrpcExchange) => string } {
  const missingIn = (exchange: GrpcExchange) => {
    const messages = decodeResponses(exchange).map(({ message }) => message)
    const greetings = `${messages.join('\n')}\n${messages.join('')}`.normalize('NFC').toLowerCase()
    return strings.filter((one) => !greetings.includes(one.normalize('NFC').toLowerCase()))
  }
  return {
    name: 'contains every name',
    expected: `greetings that contain ${strings.map(quote).join(', ')}`,
    test: (exchange) => missingIn(exchange).length === 0,
    received: (exchange) =>
      `missing: ${missingIn(exchange).map(quote).join(', ')}; ${exchange.summary}`,
  }
}

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

import type { Expectation } from '../../../engine/index.ts'
import { joinGreetings } from './messages.ts'
import { findNames } from './names.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { statusName, statusOf } from '../../../wire/grpc.ts'

export const isAnswered = ({ receivedCount }: GrpcExchange): boolean => receivedCount > 0
export const isOk = ({ end }: GrpcExchange): boolean => end?.grpcStatus === statusOf.OK

/** Bytes that come back as they went out are nobody's greeting: a response tells the server's time, and no request does. */
export const isEcho = ({ sent, received }: GrpcExchange): boolean =>
  received.every(({ bytes }) =>
    sent.some(({ message }) => message !== undefined && bytes.equals(message)),
  )

export const answered: Expectation<GrpcExchange> = {
  name: 'is answered',
  expected: 'at least one response',
  test: isAnswered,
}
export const endsOk: Expectation<GrpcExchange> = {
  name: 'ends with OK',
  expected: 'OK (0), sent by the server',
  test: isOk,
}

/** A status that the server itself sent. */
export function endsWith(status: number): Expectation<GrpcExchange> {
  return {
    name: 'ends with the status',
    expected: `${statusName(status)}, sent by the server`,
    test: ({ end }) => end?.grpcStatus === status,
  }
}

/** Whether the server said how it ends, or broke it off. That a client gave up says nothing. */
export const isEndedByServer = ({ end }: GrpcExchange): boolean =>
  end?.grpcStatus !== undefined || end?.rstCode !== undefined

/** That the greetings of a stream tell each of these names. Letters may come composed or not: to Unicode that is the same text. */
export function containsNames(names: readonly string[]): Expectation<GrpcExchange> {
  const missing = (exchange: GrpcExchange) => {
    const greetings = joinGreetings(exchange).normalize('NFC')
    const known = new Set(findNames(greetings))
    return names.filter((name) => !known.has(name) && !greetings.includes(name))
  }
  const received = (exchange: GrpcExchange) => {
    const lost = missing(exchange)
    return `${lost.length} of ${names.length} are not told: ${lost.slice(0, 5).join(', ')}; ${exchange.summary}`
  }
  return {
    name: 'tells every name',
    expected: `greetings that tell ${names.length === 1 ? names[0] : `all ${names.length} names`}`,
    test: (exchange) => missing(exchange).length === 0,
    received,
  }
}

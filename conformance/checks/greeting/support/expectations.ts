import { expectation, type Expectation } from '../../../engine/index.ts'
import { statusName, statusOf, type GrpcExchange } from '../../../wire/index.ts'

const summary = (exchange: GrpcExchange) => exchange.summary

export const isAnswered = ({ receivedCount }: GrpcExchange): boolean => receivedCount > 0
export const isOk = ({ end }: GrpcExchange): boolean => end?.grpcStatus === statusOf.OK

/** Bytes that come back as they went out are nobody's greeting: a response tells the server's time, and no request does. */
export const isEcho = ({ sent, received }: GrpcExchange): boolean =>
  received.every(({ bytes }) =>
    sent.some(({ message }) => message !== undefined && bytes.equals(message)),
  )

export const answered = expectation<GrpcExchange>(
  'is answered',
  'at least one response',
  isAnswered,
  summary,
)
export const endsOk = expectation<GrpcExchange>(
  'ends with OK',
  'OK (0), sent by the server',
  isOk,
  summary,
)

/** A status that the server itself sent. */
export function endsWith(status: number): Expectation<GrpcExchange> {
  return expectation(
    'ends with the status',
    `${statusName(status)}, sent by the server`,
    ({ end }) => end?.grpcStatus === status,
    summary,
  )
}

/** Whether the server said how it ends, or broke it off. That a client gave up says nothing. */
export const isSettled = ({ end }: GrpcExchange): boolean =>
  end?.grpcStatus !== undefined || end?.rstCode !== undefined

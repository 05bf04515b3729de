import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { GrpcCallOptions, GrpcChannel, GrpcExchange, GrpcStream } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'
import { bytesOf, type GreetingInput } from './messages.ts'
import type { GreetingTarget, GreetingNeed } from '../target.ts'

/** How a stream differs from a normal one. */
export interface GreetingStreamOptions extends Pick<
  GrpcCallOptions,
  'metadata' | 'timeout' | 'idle' | 'isBare'
> {
  /** A connection other than that of the check. */
  channel?: GrpcChannel
  /** A method other than the judged one. */
  path?: string
  operation?: string
  gzip?: boolean
}

/** Sends all requests while reading responses, half-closes, and waits for the end of the stream. */
export async function sendAll(
  stream: GrpcStream,
  requests: readonly GreetingInput[],
  { gzip = false }: GreetingStreamOptions = {},
): Promise<GrpcExchange> {
  const end = stream.drain()
  for (const request of requests) if (!(await stream.send(bytesOf(request), { gzip }))) break
  stream.halfClose()
  await end
  return stream.exchange
}

/** The maximum number of retries of a stream. */
const maxRetries = 3

/**
 * Returns the milliseconds to wait before a retry; undefined if the result is final. `stale` means
 * that the connection ended before any response.
 */
export function retryDelay(
  { end, receivedCount }: GrpcExchange,
  attempt: number,
  stale: boolean,
): number | undefined {
  if (receivedCount > 0 || attempt >= maxRetries) return undefined
  // REFUSED_STREAM means that the server processed nothing (RFC 9113 §8.7). A connection can also
  // end just when the client uses it again. In both cases, the stream is retried once, and the
  // second result is final.
  if (end?.rstCode === refusedStream || stale) return attempt === 0 ? 0 : undefined
  return retryableStatuses.has(end?.grpcStatus) ? 250 * 2 ** attempt : undefined
}

const refusedStream = 7
/** Statuses after which a later attempt may succeed. */
const retryableStatuses = new Set<number | undefined>([
  statusOf.RESOURCE_EXHAUSTED,
  statusOf.UNAVAILABLE,
])

/**
 * Statuses with which a server can refuse a stream because of a limit. The document states neither
 * limits nor statuses. UNKNOWN and INTERNAL are errors, not limits.
 */
const limitStatuses = new Set<number | undefined>([
  statusOf.INVALID_ARGUMENT,
  statusOf.DEADLINE_EXCEEDED,
  statusOf.RESOURCE_EXHAUSTED,
  statusOf.FAILED_PRECONDITION,
  statusOf.ABORTED,
  statusOf.OUT_OF_RANGE,
  statusOf.UNAVAILABLE,
])

/** Every server must be able to handle a stream of this many requests. */
const smallStream = 3

/**
 * Returns the exchange if it can be judged. Ends the check if a limit, missing credentials or an
 * endless stream prevents that.
 */
export function requireJudgeable(exchange: GrpcExchange, target: GreetingTarget): GrpcExchange {
  const { end, sentCount, received, receivedCount, summary } = exchange
  const status = end?.grpcStatus
  if (end?.gaveUp === 'flood') throw new Blocked('GRT-GRPC-02', summary)
  // If responses still arrive when the client stops reading, the stream is too long for the suite,
  // which is not a failure.
  if (end?.gaveUp === 'time' || end?.gaveUp === 'bytes' || receivedCount > received.length)
    throw new NotCovered(
      `the stream lasted longer, or returned more data, than the suite reads of one stream: ${summary}`,
    )
  if (isCrowded(exchange)) throw newCrowded(summary)
  if (sentCount > smallStream) requireWithinLimits(exchange)
  if (lacksCredentials(status, target))
    throw new NotCovered<GreetingNeed>(`the server requires credentials: ${summary}`, [
      'greeting.metadata',
    ])
  return exchange
}

/** A stream of at most this many bytes is small. */
const smallBytes = 1000

/**
 * Whether the server refused a small stream with RESOURCE_EXHAUSTED, which only the number or
 * frequency of streams can explain. The document leaves open how many a server accepts.
 */
export const isCrowded = ({ end, sent, sentCount }: GrpcExchange): boolean =>
  end?.grpcStatus === statusOf.RESOURCE_EXHAUSTED &&
  sentCount <= smallStream &&
  sent.reduce((sum, { frame }) => sum + frame.length, 0) <= smallBytes

/** Ends the check as not covered if the server refused one of several streams that were open. */
export function requireNotCrowded(exchanges: readonly GrpcExchange[]): void {
  const refused = exchanges.find(isCrowded)
  if (refused !== undefined) throw newCrowded(refused.summary)
}

const newCrowded = (summary: string) =>
  new NotCovered<GreetingNeed>(`the server refuses a stream while others are open: ${summary}`, [
    'suite.pace',
  ])

/** Ends the check as not covered if the server ended the stream because of a limit. */
export function requireWithinLimits(exchange: GrpcExchange): void {
  if (limitStatuses.has(exchange.end?.grpcStatus)) throw newLimitReached(exchange)
}

/** Returns the error that ends a check because a stream is longer than the server accepts. */
export const newLimitReached = ({ sentCount, summary }: GrpcExchange): NotCovered =>
  new NotCovered(`a stream of ${sentCount} requests exceeds the limits of the server: ${summary}`)

/** Whether a server requires credentials, and the target file contains none. */
export function lacksCredentials(
  status: number | undefined,
  { metadata, tls }: GreetingTarget,
): boolean {
  return (
    (status === statusOf.UNAUTHENTICATED || status === statusOf.PERMISSION_DENIED) &&
    metadata === undefined &&
    tls?.cert === undefined
  )
}

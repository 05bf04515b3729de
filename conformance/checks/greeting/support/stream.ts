import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { GrpcCallOptions, GrpcChannel, GrpcExchange, GrpcStream } from '../../../wire/index.ts'
import { statusOf } from '../../../wire/grpc.ts'
import { bytesOf, type GreetingInput } from './messages.ts'
import type { GreetingTarget, GreetingNeed } from '../target.ts'

/** How a stream is held that is not held as usual. */
export interface GreetOptions extends Pick<
  GrpcCallOptions,
  'metadata' | 'timeout' | 'idle' | 'isBare'
> {
  /** Over another connection than the check's own. */
  channel?: GrpcChannel
  /** Another method than the one that is judged. */
  path?: string
  operation?: string
  gzip?: boolean
}

/** Sends all requests while it reads, half-closes, and waits for the end. */
export async function sendAll(
  stream: GrpcStream,
  requests: readonly GreetingInput[],
  { gzip = false }: GreetOptions = {},
): Promise<GrpcExchange> {
  const end = stream.drain()
  for (const request of requests) if (!(await stream.send(bytesOf(request), { gzip }))) break
  stream.halfClose()
  await end
  return stream.exchange
}

/** Times that a stream is tried again which the server put off. */
const maxRetries = 3

/** Milliseconds after which a stream is to be tried again; undefined where it counts. `stale` says that the connection ended before anything came. */
export function retryDelay(
  { end, receivedCount }: GrpcExchange,
  attempt: number,
  stale: boolean,
): number | undefined {
  if (receivedCount > 0 || attempt >= maxRetries) return undefined
  // Nothing was taken up, so nothing was done (RFC 9113 §8.7). A connection may end in the moment in which it is used again; one that always does says something.
  if (end?.rstCode === refusedStream || stale) return attempt === 0 ? 0 : undefined
  return retryableStatuses.has(end?.grpcStatus) ? 250 * 2 ** attempt : undefined
}

const refusedStream = 7
/** By their meaning, what was asked may do better later. */
const retryableStatuses = new Set<number | undefined>([
  statusOf.RESOURCE_EXHAUSTED,
  statusOf.UNAVAILABLE,
])

/** Streams of so many requests are no burden to anybody. */
const smallStream = 3

/** Gives a stream on that says something about what was asked. A limit does not, nor does a caller who is not known. */
export function requireJudgeable(exchange: GrpcExchange, access: GreetingTarget): GrpcExchange {
  const { end, sentCount, received, receivedCount, summary } = exchange
  const status = end?.grpcStatus
  // Work that goes on may take its time, and only a silence is a failure.
  if (end?.gaveUp === 'time' || end?.gaveUp === 'bytes' || receivedCount > received.length)
    throw new NotCovered(`more comes, or for longer, than the suite takes: ${summary}`)
  if (status === statusOf.RESOURCE_EXHAUSTED) {
    if (sentCount <= smallStream)
      throw new Blocked(
        'GRT-LIMIT-01',
        `a stream of ${sentCount} was refused, again and again: ${summary}`,
      )
    throw new NotCovered(`a stream of so many requests goes beyond the server's limits: ${summary}`)
  }
  if (lacksCredentials(status, access))
    throw new NotCovered<GreetingNeed>(`the server wants to know who calls: ${summary}`, [
      'greeting.metadata',
    ])
  return exchange
}

/** Whether a server turned away somebody of whom the target file tells it nothing. */
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

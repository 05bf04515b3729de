import { Unreachable, type Clock } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { Reachability } from '../../../wire/reachability.ts'

/** Tracks whether a server still accepts connections and responds to streams. */
export class StreamResponses {
  private readonly reachability: Reachability<Pick<GrpcExchange, 'url' | 'number'>>
  private readonly url: string
  private open: GrpcExchange[] = []

  /** `timeout` is the timeout that the user sets for every stream, in milliseconds. */
  constructor(clock: Clock, url: string, timeout: number) {
    this.url = url
    this.reachability = new Reachability(clock, [url], timeout, ({ number }) => `stream ${number}`)
  }

  add(exchange: GrpcExchange): void {
    this.open.push(exchange)
  }

  /** Ends the check if the server no longer responds. */
  requireResponding(): void {
    this.recordEnded()
    const reason = this.reachability.reasonNotToSend(this.url)
    if (reason !== undefined) throw new Unreachable(reason)
  }

  /** Ends the check if one of these streams failed because the server accepts no connections. */
  async requireReachable(streams: readonly GrpcExchange[]): Promise<void> {
    this.recordEnded()
    const lost = streams.find(
      ({ end }) =>
        end?.failure !== undefined && end.gaveUp === undefined && end.grpcStatus === undefined,
    )
    if (lost === undefined) return
    const reason = await this.reachability.explain(lost, {
      failure: lost.end!.failure!,
      isRefused: lost.sentCount === 0,
    })
    if (reason !== undefined) throw new Unreachable(reason)
  }

  private recordEnded(): void {
    const ended = this.open.filter(({ end }) => end !== undefined)
    this.open = this.open.filter(({ end }) => end === undefined)
    for (const stream of ended.sort((one, other) => one.end!.at - other.end!.at))
      if (hasResponded(stream)) this.reachability.answered(stream)
      else if (hasTimedOut(stream))
        this.reachability.timedOut(stream, { sentAt: stream.startedAt, endedAt: stream.end!.at })
  }
}

const hasResponded = ({ receivedCount, end }: GrpcExchange): boolean =>
  receivedCount > 0 || end?.grpcStatus !== undefined || end?.httpStatus !== undefined

/**
 * Counts only half-closed streams, because a server may wait for the half-close before it sends the
 * first greeting.
 */
const hasTimedOut = ({ isInterrupted, isConnectionTimedOut, halfClosedAt }: GrpcExchange) =>
  isInterrupted && (isConnectionTimedOut || halfClosedAt !== undefined)

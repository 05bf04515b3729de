import type { GrpcExchange } from '../../../wire/index.ts'
import { Silence } from '../../../wire/silence.ts'

/** Knows whether a server still responds to streams. */
export class StreamResponses {
  private readonly silence = new Silence()
  private open: GrpcExchange[] = []

  add(exchange: GrpcExchange): void {
    this.open.push(exchange)
  }

  get haveStopped(): boolean {
    const ended = this.open.filter(({ end }) => end !== undefined)
    this.open = this.open.filter(({ end }) => end === undefined)
    for (const exchange of ended.sort((one, other) => one.end!.at - other.end!.at))
      if (hasResponded(exchange)) this.silence.responded()
      else if (hasTimedOut(exchange))
        this.silence.timedOut({ sentAt: exchange.startedAt, endedAt: exchange.end!.at })
    return this.silence.isLasting
  }
}

const hasResponded = ({ receivedCount, end }: GrpcExchange): boolean =>
  receivedCount > 0 || end?.grpcStatus !== undefined || end?.httpStatus !== undefined

/** A server may wait for the half-close before it sends the first greeting. */
const hasTimedOut = ({ isInterrupted, isConnectionTimedOut, halfClosedAt }: GrpcExchange) =>
  isInterrupted && (isConnectionTimedOut || halfClosedAt !== undefined)

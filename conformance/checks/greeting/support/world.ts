import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotApplicable, labelled, type Expectation } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { GreetingCheckContext } from './context.ts'
import { newLimitReached, sendAll, requireJudgeable, type GreetingStreamOptions } from './stream.ts'
import {
  containsNames,
  responds,
  endsOk,
  findMissingNames,
  hasResponse,
  isOk,
} from './expectations.ts'
import { runPausedStreams, type PausedStreams } from './paused-streams.ts'
import { bytesOf, findFlaw, joinGreetings, type GreetingInput } from './messages.ts'

/** If no response arrives for this many milliseconds, the server has sent all responses. */
const quietMs = 1000

/** The operations that a check of the greeting contract can use. Checks can destructure them. */
export class GreetingWorld extends GreetingCheckContext {
  /** A stream of ten thousand requests, run once for all checks that examine it. */
  readonly streamTenThousand = (): Promise<{ names: readonly string[]; exchange: GrpcExchange }> =>
    this.context.shared('ten thousand', async () => {
      const requests = this.newRequests(10_000)
      const path = await this.methodPath()
      const exchange = await this.runThroughGate(async () =>
        sendAll(
          this.startCall(await this.openChannel(), {
            path,
            timeout: 6 * this.timeout,
            idle: this.timeout,
          }),
          requests,
        ),
      )
      return { names: requests.map(({ name }) => name), exchange }
    })

  /** Runs a stream that the check depends on. If it fails, the check is blocked. */
  readonly sendOrBlock = async (
    requests: readonly GreetingInput[],
    options?: GreetingStreamOptions,
  ): Promise<GrpcExchange> => {
    const exchange = await this.greet(requests, options)
    if (!hasResponse(exchange)) throw new Blocked('GRT-SERVICE-02', exchange.summary)
    if (!isOk(exchange)) throw new Blocked('GRT-GRPC-03', exchange.summary)
    return exchange
  }

  /**
   * Returns the exchange. Blocks the check if a response is malformed, or if every stream fails.
   * Ends the check if the stream cannot be judged.
   */
  readonly blockIfOperationBroken = async (exchange: GrpcExchange): Promise<GrpcExchange> => {
    requireJudgeable(exchange, this.target)
    const flaw = findFlaw(exchange)
    if (flaw !== undefined) throw new Blocked(flaw, exchange.summary)
    if (hasResponse(exchange) && isOk(exchange)) return exchange
    for (const root of ['GRT-SERVICE-02', 'GRT-GRPC-03'] satisfies RequirementId[]) {
      await this.requireMet(root, exchange.summary)
    }
    return exchange
  }

  /** Runs a stream and expects a response, the status OK, and the expectations in `more`. */
  readonly expectSuccess = async (
    requests: readonly GreetingInput[],
    { label, ...options }: GreetingStreamOptions & { label?: string } = {},
    ...more: Expectation<GrpcExchange>[]
  ): Promise<GrpcExchange> => {
    const exchange = await this.blockIfOperationBroken(await this.greet(requests, options))
    this.expect(
      exchange,
      ...[responds, endsOk, ...more].map((one) =>
        label === undefined ? one : labelled(label, one),
      ),
    )
    return exchange
  }

  /**
   * Ends the check as not covered if the server ends a stream before the client has sent this many
   * requests and half-closed it. The document states no maximum length.
   */
  readonly requireLongStreams = async (count: number): Promise<void> => {
    const path = await this.methodPath()
    const { exchange } = await this.runThroughGate(async () => {
      const stream = this.startCall(await this.openChannel(), { path, timeout: 6 * this.timeout })
      void stream.drain()
      for (const request of this.newRequests(count))
        if (!(await stream.send(bytesOf(request)))) break
      // If no response arrives during one of these waits, the server has sent all of them.
      for (let before = -1; !stream.isOver && before < stream.exchange.receivedCount;) {
        before = stream.exchange.receivedCount
        await this.wait(Math.min(quietMs, this.timeout))
      }
      stream.cancel()
      return stream
    })
    if (exchange.end?.gaveUp === undefined) throw newLimitReached(exchange)
  }

  /**
   * Expects the greetings of a stream to contain all its names. If the server limits the length of
   * streams, ends the check as not covered, whatever the status of the stream.
   */
  readonly expectEveryName = async (
    exchange: GrpcExchange,
    names: readonly string[],
  ): Promise<void> => {
    const judged = await this.blockIfOperationBroken(exchange)
    if (isOk(judged) && judged.halfClosedAt === undefined) throw newLimitReached(judged)
    if (isOk(judged) && findMissingNames(judged, names).length > 0)
      await this.requireLongStreams(names.length)
    this.expect(judged, responds, endsOk, containsNames(names))
  }

  /** Streams on which the client paused, run once for all checks that examine them. */
  readonly pausedStreams = (): Promise<PausedStreams> =>
    this.context.shared('paused streams', () => runPausedStreams(this))

  /** Whether greetings contain the names of their requests, tested with two names. */
  readonly includesNames = (): Promise<boolean> =>
    this.context.shared('includes names', async () => {
      const names = this.newRequests(2)
      const greetings = joinGreetings(await this.sendOrBlock(names))
      return names.every(({ name }) => greetings.includes(name))
    })

  /**
   * Ends the check as not applicable if greetings do not contain names, because they then do not
   * show to which request they belong.
   */
  readonly requireNames = async (): Promise<void> => {
    if (!(await this.includesNames()))
      throw new NotApplicable('the greetings do not contain the names')
  }
}

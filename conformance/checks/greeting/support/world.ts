import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotApplicable, labelled, type Expectation } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { GreetingClient } from './client.ts'
import { sendAll, requireJudgeable, type GreetOptions } from './stream.ts'
import { answered, endsOk, isAnswered, isOk } from './expectations.ts'
import { findFlaw, joinGreetings, type GreetingInput } from './messages.ts'

/** What a check of the greeting contract acts with. Its functions can be taken out of it one by one. */
export class GreetingWorld extends GreetingClient {
  /** A stream of ten thousand requests; held once in a run, for whoever wants to see what comes of it. */
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

  /** Sends what the check builds on. Where that is not greeted the check is blocked by the row that says it must be. */
  readonly sendOrBlock = async (
    requests: readonly GreetingInput[],
    conversation?: GreetOptions,
  ): Promise<GrpcExchange> => {
    const exchange = await this.greet(requests, conversation)
    if (!isAnswered(exchange)) throw new Blocked('GRT-SERVICE-02', exchange.summary)
    if (!isOk(exchange)) throw new Blocked('GRT-GRPC-03', exchange.summary)
    return exchange
  }

  /** Gives a stream on, unless it went wrong as all streams do: then the check is blocked by the row that tells of it. */
  readonly blockIfOperationBroken = async (exchange: GrpcExchange): Promise<GrpcExchange> => {
    requireJudgeable(exchange, this.target)
    const flaw = findFlaw(exchange)
    if (flaw !== undefined) throw new Blocked(flaw, exchange.summary)
    if (isAnswered(exchange) && isOk(exchange)) return exchange
    for (const root of ['GRT-SERVICE-02', 'GRT-GRPC-03'] satisfies RequirementId[]) {
      await this.requireMet(root, exchange.summary)
    }
    return exchange
  }

  /** Sends, and expects a response, an end with OK, and whatever else is given. */
  readonly expectSuccess = async (
    requests: readonly GreetingInput[],
    { label, ...conversation }: GreetOptions & { label?: string } = {},
    ...more: Expectation<GrpcExchange>[]
  ): Promise<GrpcExchange> => {
    const exchange = await this.blockIfOperationBroken(await this.greet(requests, conversation))
    this.expect(
      exchange,
      ...[answered, endsOk, ...more].map((one) =>
        label === undefined ? one : labelled(label, one),
      ),
    )
    return exchange
  }

  /** Whether greetings tell the names: both of two do. */
  readonly includesNames = (): Promise<boolean> =>
    this.context.shared('tells names', async () => {
      const names = this.newRequests(2)
      const greetings = joinGreetings(await this.sendOrBlock(names))
      return names.every(({ name }) => greetings.includes(name))
    })

  /** Ends the check where greetings do not tell names: whom they greet is then seen by nobody. */
  readonly requireNames = async (): Promise<void> => {
    if (!(await this.includesNames()))
      throw new NotApplicable('its greetings do not tell the names')
  }
}

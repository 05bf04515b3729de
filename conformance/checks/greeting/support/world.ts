import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotApplicable, labelled, type Expectation } from '../../../engine/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { Calls } from './calls.ts'
import { converse, judgeable, type Conversation } from './conversation.ts'
import { answered, endsOk, isAnswered, isOk } from './expectations.ts'
import { flawOf, greetingsOf, type GreetingInput } from './messages.ts'

/** What a check of the greeting contract acts with. Its functions can be taken out of it one by one. */
export class GreetingWorld extends Calls {
  /** A stream of ten thousand requests; held once in a run, for whoever wants to see what comes of it. */
  readonly tenThousand = (): Promise<{ names: readonly string[]; exchange: GrpcExchange }> =>
    this.context.shared('ten thousand', async () => {
      const requests = this.asked(10_000)
      const path = await this.path()
      const exchange = await this.runThroughGate(async () =>
        converse(
          this.begin(await this.channel(), { path, timeout: 6 * this.timeout, idle: this.timeout }),
          requests,
        ),
      )
      return { names: requests.map(({ name }) => name), exchange }
    })

  /** Sends what the check builds on. Where that is not greeted the check is blocked by the row that says it must be. */
  readonly given = async (
    requests: readonly GreetingInput[],
    conversation?: Conversation,
  ): Promise<GrpcExchange> => {
    const exchange = await this.greet(requests, conversation)
    if (!isAnswered(exchange)) throw new Blocked('GRT-SERVICE-02', exchange.summary)
    if (!isOk(exchange)) throw new Blocked('GRT-GRPC-03', exchange.summary)
    return exchange
  }

  /** Gives a stream on, unless it went wrong as all streams do: then the check is blocked by the row that tells of it. */
  readonly blockIfOperationBroken = async (exchange: GrpcExchange): Promise<GrpcExchange> => {
    judgeable(exchange, this.access)
    const flaw = flawOf(exchange)
    if (flaw !== undefined) throw new Blocked(flaw, exchange.summary)
    if (isAnswered(exchange) && isOk(exchange)) return exchange
    for (const root of ['GRT-SERVICE-02', 'GRT-GRPC-03'] satisfies RequirementId[]) {
      await this.requireMet(root, exchange.summary)
    }
    return exchange
  }

  /** Sends, and expects a response, an end with OK, and whatever else is given. */
  readonly succeeds = async (
    requests: readonly GreetingInput[],
    { label, ...conversation }: Conversation & { label?: string } = {},
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
  readonly tellsNames = (): Promise<boolean> =>
    this.context.shared('tells names', async () => {
      const names = this.asked(2)
      const greetings = greetingsOf(await this.given(names))
      return names.every(({ name }) => greetings.includes(name))
    })

  /** Ends the check where greetings do not tell names: whom they greet is then seen by nobody. */
  readonly telling = async (): Promise<void> => {
    if (!(await this.tellsNames())) throw new NotApplicable('its greetings do not tell the names')
  }
}

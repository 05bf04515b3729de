import { CheckContext } from '../../shared/check-context.ts'
import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { type Context } from '../../../engine/index.ts'
import type {
  GrpcCallOptions,
  GrpcChannel,
  GrpcDoor,
  GrpcExchange,
  GrpcStream,
  Reflection,
} from '../../../wire/index.ts'
import { converse, judgeable, pauseAfter, type Conversation } from './conversation.ts'
import { tell, type GreetingInput } from './messages.ts'
import { reflectionOf, serviceIn, type Service } from './service.ts'
import type { GreetingTarget } from '../target.ts'

interface GreetingOptions {
  access: GreetingTarget
  door: GrpcDoor
  /** Milliseconds that one call may be silent. */
  timeout: number
  /** A name that nobody else has. */
  name: () => string
}

/** What calls the greeting RPC for a check, and knows where it is. */
export class Calls extends CheckContext<GrpcExchange> {
  readonly access: GreetingTarget
  readonly door: GrpcDoor
  readonly timeout: number
  readonly name: () => string
  private own: Promise<GrpcChannel> | undefined

  constructor(context: Context<GrpcExchange>, { access, door, timeout, name }: GreetingOptions) {
    super(context)
    this.access = access
    this.door = door
    this.timeout = timeout
    this.name = name
  }

  /** So many requests with ordinary names. */
  readonly asked = (count: number): GreetingInput[] =>
    Array.from({ length: count }, () => ({ name: this.name() }))

  /** The connection of this check: no other check's troubles reach it. A new one where the server has ended the last. */
  readonly channel = async (): Promise<GrpcChannel> => {
    if (this.own === undefined || (await this.own).failure !== undefined)
      this.own = this.door.channel()
    return this.own
  }

  /** Ends what this check has opened. */
  readonly leave = async (): Promise<void> => (await this.own)?.close()

  /** What the server tells of itself by reflection; asked once in a run. */
  readonly reflection = (): Promise<Reflection> =>
    this.context.shared('reflection', (context) =>
      this.runThroughGate(async () => {
        const channel = await this.door.channel()
        const found = await reflectionOf(channel, (exchange) => context.ledger.record(exchange))
        channel.close()
        return found
      }),
    )

  /** The service that is judged. Where nobody names it, nothing can be. */
  readonly service = async (): Promise<Service> =>
    this.access.service === undefined
      ? serviceIn(await this.reflection(), this.access)
      : { name: this.access.service, source: 'the target file' }

  /** The path of the method that is judged. */
  readonly path = async (): Promise<string> =>
    `/${(await this.service()).name}/${bidirectionalGreeting.name}`

  /** Begins a call, within a `pass`; it is shown to the checks that watch. */
  readonly begin = (
    channel: GrpcChannel,
    options: Omit<GrpcCallOptions, 'operation' | 'tell'> & { operation?: string },
  ): GrpcStream => {
    const stream = channel.call({ operation: 'greet', tell, ...options })
    this.context.ledger.record(stream.exchange)
    return stream
  }

  /**
   * A whole stream: all requests, the half-close, everything that comes back. One that the server did not take up, or put off, is tried again; a target that
   * wants what the target file does not give cannot be judged.
   */
  readonly greet = async (
    requests: readonly GreetingInput[],
    conversation: Conversation = {},
  ): Promise<GrpcExchange> => {
    const path = conversation.path ?? (await this.path())
    for (let attempt = 0; ; attempt += 1) {
      const { exchange, stale } = await this.runThroughGate(async () => {
        const channel = conversation.channel ?? (await this.channel())
        const usable = channel.failure === undefined
        const exchange = await converse(
          this.begin(channel, { ...conversation, path }),
          requests,
          conversation,
        )
        return {
          exchange,
          stale:
            usable &&
            channel.failure !== undefined &&
            exchange.httpStatus === undefined &&
            conversation.channel === undefined,
        }
      })
      const pause = pauseAfter(exchange, attempt, stale)
      if (pause === undefined) return judgeable(exchange, this.access)
      await this.clock.sleep(pause, this.context.signal)
    }
  }
}

import { CheckContext } from '../../shared/check-context.ts'
import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { type Context } from '../../../engine/index.ts'
import type {
  GrpcCallOptions,
  GrpcChannel,
  GrpcClient,
  GrpcExchange,
  GrpcStream,
  Reflection,
} from '../../../wire/index.ts'
import { sendAll, requireJudgeable, retryDelay, type GreetOptions } from './stream.ts'
import { tell, type GreetingInput } from './messages.ts'
import { readReflection, findService, type JudgedService } from './service.ts'
import type { GreetingTarget } from '../target.ts'

interface GreetingClientOptions {
  target: GreetingTarget
  door: GrpcClient
  /** Milliseconds that one call may be silent. */
  timeout: number
  /** A name that nobody else has. */
  newName: () => string
}

/** What calls the greeting RPC for a check, and knows where it is. */
export class GreetingClient extends CheckContext<GrpcExchange> {
  readonly target: GreetingTarget
  readonly door: GrpcClient
  readonly timeout: number
  readonly newName: () => string
  private ownChannel: Promise<GrpcChannel> | undefined

  constructor(
    context: Context<GrpcExchange>,
    { target, door, timeout, newName }: GreetingClientOptions,
  ) {
    super(context)
    this.target = target
    this.door = door
    this.timeout = timeout
    this.newName = newName
  }

  /** So many requests with ordinary names. */
  readonly newRequests = (count: number): GreetingInput[] =>
    Array.from({ length: count }, () => ({ name: this.newName() }))

  /** The connection of this check: no other check's troubles reach it. A new one where the server has ended the last. */
  readonly openChannel = async (): Promise<GrpcChannel> => {
    if (this.ownChannel === undefined || (await this.ownChannel).failure !== undefined)
      this.ownChannel = this.door.openChannel()
    return this.ownChannel
  }

  /** Ends what this check has opened. */
  readonly cleanUp = async (): Promise<void> => (await this.ownChannel)?.close()

  /** What the server tells of itself by reflection; asked once in a run. */
  readonly readReflection = (): Promise<Reflection> =>
    this.context.shared('reflection', (context) =>
      this.runThroughGate(async () => {
        const channel = await this.door.openChannel()
        const found = await readReflection(channel, (exchange) => context.ledger.record(exchange))
        channel.close()
        return found
      }),
    )

  /** The service that is judged. Where nobody names it, nothing can be. */
  readonly findService = async (): Promise<JudgedService> =>
    this.target.service === undefined
      ? findService(await this.readReflection(), this.target)
      : { name: this.target.service, source: 'the target file' }

  /** The path of the method that is judged. */
  readonly methodPath = async (): Promise<string> =>
    `/${(await this.findService()).name}/${bidirectionalGreeting.name}`

  /** Begins a call, within a `pass`; it is shown to the checks that watch. */
  readonly startCall = (
    channel: GrpcChannel,
    options: Omit<GrpcCallOptions, 'operation' | 'format'> & { operation?: string },
  ): GrpcStream => {
    const stream = channel.call({ operation: 'greet', format: tell, ...options })
    this.context.ledger.record(stream.exchange)
    return stream
  }

  /**
   * A whole stream: all requests, the half-close, everything that comes back. One that the server did not take up, or put off, is tried again; a target that
   * wants what the target file does not give cannot be judged.
   */
  readonly greet = async (
    requests: readonly GreetingInput[],
    conversation: GreetOptions = {},
  ): Promise<GrpcExchange> => {
    const path = conversation.path ?? (await this.methodPath())
    for (let attempt = 0; ; attempt += 1) {
      const { exchange, stale } = await this.runThroughGate(async () => {
        const channel = conversation.channel ?? (await this.openChannel())
        const usable = channel.failure === undefined
        const exchange = await sendAll(
          this.startCall(channel, { ...conversation, path }),
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
      const pause = retryDelay(exchange, attempt, stale)
      if (pause === undefined) return requireJudgeable(exchange, this.target)
      await this.clock.sleep(pause, this.context.signal)
    }
  }
}

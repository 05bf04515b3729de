import { CheckContext } from '../../shared/check-context.ts'
import { bidirectionalGreeting } from '../../../../generated/greeting/index.ts'
import { Blocked, type Context } from '../../../engine/index.ts'
import type {
  GrpcCallOptions,
  GrpcChannel,
  GrpcClient,
  GrpcExchange,
  GrpcStream,
  Reflection,
} from '../../../wire/index.ts'
import {
  sendAll,
  isCrowded,
  requireJudgeable,
  retryDelay,
  type GreetingStreamOptions,
} from './stream.ts'
import { messageFormat, type GreetingInput } from './messages.ts'
import { rememberIssued } from './issued-names.ts'
import type { NameGenerator } from './names.ts'
import { readReflection, findService, type JudgedService } from './service.ts'
import type { StreamResponses } from './stream-responses.ts'
import type { StreamTurns } from './turns.ts'
import type { GreetingTarget } from '../target.ts'

interface GreetingCheckOptions {
  target: GreetingTarget
  grpc: GrpcClient
  /** The maximum time without a message in a call, in milliseconds. */
  timeout: number
  newName: NameGenerator
  turns: StreamTurns
  responses: StreamResponses
}

/** Finds and calls the greeting RPC for a check. */
export class GreetingCheckContext extends CheckContext<GrpcExchange> {
  readonly target: GreetingTarget
  readonly grpc: GrpcClient
  readonly timeout: number
  readonly newName: NameGenerator
  private readonly turns: StreamTurns
  private readonly responses: StreamResponses
  /** The streams that were started since `afterSending` was called last. */
  private readonly started: GrpcExchange[] = []
  private ownChannel: Promise<GrpcChannel> | undefined

  constructor(
    context: Context<GrpcExchange>,
    { target, grpc, timeout, newName, turns, responses }: GreetingCheckOptions,
  ) {
    super({ ...context, gate: turns.gateOf(context.gate) })
    this.turns = turns
    this.responses = responses
    this.target = target
    this.grpc = grpc
    this.timeout = timeout
    this.newName = newName
  }

  protected override beforeSending(): void {
    this.responses.requireResponding()
  }

  protected override afterSending(): Promise<void> {
    return this.responses.requireReachable(this.started.splice(0))
  }

  /** Creates this many requests with ordinary names. */
  readonly newRequests = (count: number): GreetingInput[] =>
    Array.from({ length: count }, () => ({ name: this.newName() }))

  /**
   * Returns the connection of this check, which errors of other checks do not affect. Opens a new
   * one if the server has closed it.
   */
  readonly openChannel = async (): Promise<GrpcChannel> => {
    if (this.ownChannel === undefined || (await this.ownChannel).failure !== undefined)
      this.ownChannel = this.grpc.openChannel()
    return this.ownChannel
  }

  /** Closes the connection of this check. */
  readonly cleanUp = async (): Promise<void> => (await this.ownChannel)?.close()

  /** The result of server reflection, read once in a run. */
  readonly readReflection = (): Promise<Reflection> =>
    this.context.shared('reflection', (context) =>
      this.runThroughGate(async () => {
        const channel = await this.grpc.openChannel()
        const found = await readReflection(channel, (exchange) => context.ledger.record(exchange))
        channel.close()
        return found
      }),
    )

  /**
   * The service to judge. Ends the check as not covered if neither the target file nor reflection
   * names it.
   */
  readonly findService = async (): Promise<JudgedService> =>
    this.target.service === undefined
      ? findService(await this.readReflection(), this.target)
      : { name: this.target.service, source: 'greeting.service' }

  /** The path of the method to judge. */
  readonly methodPath = async (): Promise<string> =>
    `/${(await this.findService()).name}/${bidirectionalGreeting.name}`

  /**
   * Starts a call, and records it for the checks that examine all streams. Use only within
   * `runThroughGate`.
   */
  readonly startCall = (
    channel: GrpcChannel,
    options: Omit<GrpcCallOptions, 'operation' | 'format'> & { operation?: string },
  ): GrpcStream => {
    const stream = channel.call({ operation: 'greet', format: messageFormat, ...options })
    rememberIssued(stream.exchange, this.newName.issued)
    this.context.ledger.record(stream.exchange)
    this.responses.add(stream.exchange)
    this.started.push(stream.exchange)
    return stream
  }

  /**
   * Runs a whole stream: all requests, the half-close, and all responses. Retries a stream that the
   * server did not process, or refused with a status after which a later attempt may succeed. Ends
   * the check if the result cannot be judged.
   */
  readonly greet = async (
    requests: readonly GreetingInput[],
    options: GreetingStreamOptions = {},
  ): Promise<GrpcExchange> => {
    const path = options.path ?? (await this.methodPath())
    for (let attempt = 0; ; attempt += 1) {
      const { exchange, stale } = await this.runThroughGate(async () => {
        const channel = options.channel ?? (await this.openChannel())
        const usable = channel.failure === undefined
        const exchange = await sendAll(
          this.startCall(channel, { ...options, path }),
          requests,
          options,
        )
        return {
          exchange,
          stale:
            usable &&
            channel.failure !== undefined &&
            exchange.httpStatus === undefined &&
            options.channel === undefined,
        }
      })
      if (isCrowded(exchange)) this.turns.takeTurns()
      const pause = retryDelay(exchange, attempt, stale)
      if (pause === undefined) {
        if (isCrowded(exchange))
          throw new Blocked('GRT-LIMIT-01', `refused repeatedly: ${exchange.summary}`)
        return requireJudgeable(exchange, this.target)
      }
      await this.clock.sleep(pause, this.context.signal)
    }
  }
}

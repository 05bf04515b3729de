import { CheckContext } from './check-context.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import {
  Blocked,
  CalledOff,
  labelled,
  type Context,
  type Expectation,
  type Message,
} from '../../engine/index.ts'
import {
  differences,
  type HttpDoor,
  type HttpExchange,
  type HttpRequest,
} from '../../wire/index.ts'

/** What the checks of one subject understand by an answer. */
export interface ResponseRules {
  /** Whether the target says that it did what was asked. */
  succeeded: Expectation<HttpExchange>
  isSuccess(exchange: HttpExchange): boolean
  /** The row that an operation itself stands in: its check fails first where the operation does not work. */
  rootOf(operation: string): RequirementId
  /** The row that is told where the target limits the rate, again and again. */
  rateLimitRequirement: RequirementId
}

/** What a refusal is compared with. */
export interface Contrast {
  /** The same request but for one factor, which must succeed. */
  contrast: HttpRequest
  /** The row that blocks where the contrast does not succeed; its operation's own where it is not given. */
  root?: RequirementId | undefined
  label?: string | undefined
}

export interface HttpWorldOptions {
  door: HttpDoor
  /** Begins every name that the run makes up: letters and digits only. */
  prefix: string
  /** Told of every answer. */
  onExchange?: (exchange: HttpExchange) => void
}

/** What a check acts with that asks something of a target over HTTP. Its functions can be taken out of it one by one. */
export class HttpWorld<M extends Message> extends CheckContext<M> {
  private readonly rules: ResponseRules
  private readonly httpOptions: HttpWorldOptions
  private readonly contrasts = new WeakMap<HttpRequest, Promise<HttpExchange>>()

  constructor(context: Context<M>, rules: ResponseRules, httpOptions: HttpWorldOptions) {
    super(context)
    this.rules = rules
    this.httpOptions = httpOptions
  }

  readonly send = async (request: HttpRequest): Promise<HttpExchange> =>
    this.recordOrBlock(await this.sendUnrecorded(request))

  /** Sends a request. The exchange is no evidence until it is noted. */
  private async sendUnrecorded(request: HttpRequest): Promise<HttpExchange> {
    if (this.context.signal.aborted) throw new CalledOff()
    const { ledger, priority, signal } = this.context
    const exchange = await ledger.track(this.httpOptions.door.send(request, priority, signal))
    this.httpOptions.onExchange?.(exchange)
    return exchange
  }

  private recordOrBlock(exchange: HttpExchange): HttpExchange {
    this.context.ledger.record(exchange as Message as M)
    if (exchange.status === 429)
      throw new Blocked(
        this.rules.rateLimitRequirement,
        `${exchange.operation} was answered 429, again and again`,
        'rate-limited',
      )
    return exchange
  }

  /** Sends what the check builds on. Where it does not succeed the check is blocked by `root`: by default the operation's own row. */
  readonly sendOrBlock = async (
    request: HttpRequest,
    root = this.rules.rootOf(request.operation),
  ): Promise<HttpExchange> => {
    const exchange = await this.send({ ...request, meaning: 'success' })
    if (this.rules.isSuccess(exchange)) return exchange
    // Where the operation does not work at all, that is what blocks, whatever was built on top of it.
    if (root !== this.rules.rootOf(request.operation)) await this.blockIfOperationBroken(exchange)
    throw new Blocked(root, `${request.operation} gave ${exchange.summary}`)
  }

  /**
   * Gives an answer on, unless it is no success and the operation does not work at all: then the check is blocked by the operation's own row, so that
   * one broken operation is one failure.
   */
  readonly blockIfOperationBroken = async (exchange: HttpExchange): Promise<HttpExchange> => {
    const root = this.rules.rootOf(exchange.operation)
    if (this.rules.isSuccess(exchange) || (await this.isRequirementMet(root))) return exchange
    throw new Blocked(root, `${exchange.operation} gave ${exchange.summary}`)
  }

  /** Sends, and expects a success and whatever else is given. */
  readonly expectSuccess = async (
    request: HttpRequest,
    label?: string,
    ...more: Expectation<HttpExchange>[]
  ): Promise<HttpExchange> => {
    const exchange = await this.blockIfOperationBroken(
      await this.send({ ...request, meaning: 'success' }),
    )
    this.expect(
      exchange,
      ...[this.rules.succeeded, ...more].map((one) =>
        label === undefined ? one : labelled(label, one),
      ),
    )
    return exchange
  }

  /** Sends requests of one operation that differ in a value, by the value's name, and expects each to succeed. Blocked where none does. */
  readonly expectEachSuccess = async (
    requests: Readonly<Record<string, HttpRequest>>,
  ): Promise<void> => {
    const answers = await Promise.all(
      Object.entries(requests).map(async ([label, request]) => ({
        label,
        exchange: await this.send({ ...request, meaning: 'success' }),
      })),
    )
    if (!answers.some(({ exchange }) => this.rules.isSuccess(exchange)))
      for (const { exchange } of answers.slice(0, 1)) await this.blockIfOperationBroken(exchange)
    for (const { label, exchange } of answers)
      this.expect(exchange, labelled(label, this.rules.succeeded))
  }

  /** A value in which whatever the run makes up reads the same: what differs only in that does not differ. */
  protected maskGenerated(value: string): string {
    return value.replace(new RegExp(`${this.httpOptions.prefix}[a-z0-9]+`, 'g'), '…')
  }

  /** The factor in which a request differs from one that succeeds. That it is not a single one is the suite's own mistake. */
  protected onlyDifference(request: HttpRequest, contrast: HttpRequest): string {
    const found = differences(request, contrast, (value) => this.maskGenerated(value))
    const [factor] = found
    if (factor === undefined || found.length > 1)
      throw new Error(
        `a refusal must differ in one factor from its contrast, not in ${found.length}: ${found.join(', ')}`,
      )
    return factor
  }

  /**
   * Sends a request that must be refused, beside one that differs from it in a single factor and must
   * succeed: only the two together show the rule. Where the second does not succeed, the first is no
   * evidence. A request that is the contrast of several is sent once.
   */
  protected async expectRefusedWithContrast(
    request: HttpRequest,
    refused: Expectation<HttpExchange>,
    { contrast, root, label }: Contrast,
  ): Promise<HttpExchange> {
    const factor = this.onlyDifference(request, contrast)
    const accepted = this.contrasts.get(contrast) ?? this.sendOrBlock(contrast, root)
    this.contrasts.set(contrast, accepted)
    const [succeeded, answered] = await Promise.allSettled([accepted, this.sendUnrecorded(request)])
    if (succeeded.status === 'rejected') throw succeeded.reason
    if (answered.status === 'rejected') throw answered.reason
    const refusal = this.recordOrBlock(answered.value)
    this.context.ledger.difference = `only in ${factor} from a request that succeeds`
    this.expect(refusal, label === undefined ? refused : labelled(label, refused))
    return refusal
  }
}

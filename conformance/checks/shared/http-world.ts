import { CheckContext } from './check-context.ts'
import { RunValues } from './run-values.ts'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import {
  Blocked,
  Cancelled,
  RateLimited,
  Unreachable,
  labelled,
  type Context,
  type Expectation,
  type Message,
} from '../../engine/index.ts'
import {
  findDifferences,
  type HttpClient,
  type HttpExchange,
  type HttpRequest,
} from '../../wire/index.ts'

/** How the checks of a subject interpret responses. */
export interface ResponseRules {
  /** Expects that the target reports success. */
  succeeded: Expectation<HttpExchange>
  isSuccess(exchange: HttpExchange): boolean
  /**
   * Returns the requirement that an operation works. If its check fails, checks that depend on the
   * operation are blocked.
   */
  rootOf(operation: string): RequirementId
}

/**
 * A request that must succeed. It shows that the target does not refuse every request that is
 * similar to the one that it must refuse.
 */
export interface Contrast {
  /** The request that must succeed. It differs from the refused request in one point. */
  contrast: HttpRequest
  /**
   * The requirement that blocks the check if `contrast` fails; by default, the requirement that the
   * operation of `contrast` works.
   */
  root?: RequirementId | undefined
  label?: string | undefined
  /** Whether `contrast` addresses a different resource with the same content. */
  isTwin?: boolean | undefined
}

export interface HttpWorldOptions {
  client: HttpClient
  /** A regular expression for the prefix of every name that the run generates. */
  prefix: string
  /** Called with every exchange. */
  onExchange?: (exchange: HttpExchange) => void
}

/** The values of each run, by its HTTP client. */
const valuesOfRuns = new WeakMap<HttpClient, RunValues>()

function runValuesOf({ client, prefix }: HttpWorldOptions): RunValues {
  const values = valuesOfRuns.get(client) ?? new RunValues(prefix)
  valuesOfRuns.set(client, values)
  return values
}

/** The operations of checks that send HTTP requests. Checks can destructure them. */
export class HttpWorld<M extends Message> extends CheckContext<M> {
  private readonly rules: ResponseRules
  private readonly httpOptions: HttpWorldOptions
  private readonly contrasts = new WeakMap<HttpRequest, Promise<HttpExchange>>()

  constructor(context: Context<M>, rules: ResponseRules, httpOptions: HttpWorldOptions) {
    super(context)
    this.rules = rules
    this.httpOptions = httpOptions
  }

  readonly send = async (request: HttpRequest): Promise<HttpExchange> => {
    const exchange = this.recordIfJudgeable(await this.sendUnrecorded(request))
    if (request.meaning === 'success') await this.requirePossible(exchange)
    return exchange
  }

  /**
   * Ends the check if a request that must succeed was refused for a reason that the document
   * allows, such as a limit. By default, does nothing: subclasses override it.
   */
  protected requirePossible(_exchange: HttpExchange): Promise<void> {
    return Promise.resolve()
  }

  /** Sends a request without adding the exchange to the check. */
  protected async sendUnrecorded(
    request: HttpRequest,
    { isRefusal = false } = {},
  ): Promise<HttpExchange> {
    if (this.context.signal.aborted) throw new Cancelled()
    await this.beforeRequest()
    const { ledger, priority, signal } = this.context
    const { client } = this.httpOptions
    const values = runValuesOf(this.httpOptions)
    // A refusal does not depend on earlier requests, unless the request refers to them.
    const isSelfContained = (isRefusal || !ledger.hasHistory) && this.canBeRepeated(request)
    values.addRequest(request)
    const exchange = await ledger.track(
      client.send(isSelfContained ? { ...request, isSelfContained } : request, priority, signal),
    )
    values.addResponse(exchange)
    this.httpOptions.onExchange?.(exchange)
    return exchange
  }

  /**
   * Waits until the requests that must be sent before all others of the run have been sent. By
   * default, there are none.
   */
  protected beforeRequest(): Promise<void> {
    return Promise.resolve()
  }

  /**
   * Whether a request can be sent again after the run: it contains no value that this run generated
   * or received.
   */
  protected canBeRepeated(request: HttpRequest): boolean {
    return !runValuesOf(this.httpOptions).occurIn(request)
  }

  protected recordIfJudgeable(exchange: HttpExchange): HttpExchange {
    if (exchange.unreachable !== undefined) throw new Unreachable(exchange.unreachable)
    this.context.ledger.record(exchange as Message as M)
    if (exchange.status === 429) throw new RateLimited(exchange.operation)
    return exchange
  }

  /**
   * Sends a request that the check depends on. If it does not succeed, the check is blocked by
   * `root`.
   */
  readonly sendOrBlock = async (
    request: HttpRequest,
    root = this.rules.rootOf(request.operation),
  ): Promise<HttpExchange> => {
    const exchange = await this.send({ ...request, meaning: 'success' })
    if (this.rules.isSuccess(exchange)) return exchange
    // If the operation does not work at all, its requirement blocks the check instead of `root`.
    if (root !== this.rules.rootOf(request.operation)) await this.blockIfOperationBroken(exchange)
    throw new Blocked(root, `${request.operation} returned ${exchange.summary}`)
  }

  /**
   * Blocks the check if the exchange failed because its operation does not work at all, so that a
   * broken operation causes one failure. Otherwise returns the exchange.
   */
  readonly blockIfOperationBroken = async (exchange: HttpExchange): Promise<HttpExchange> => {
    const root = this.rules.rootOf(exchange.operation)
    if (this.rules.isSuccess(exchange) || (await this.isRequirementMet(root))) return exchange
    throw new Blocked(root, `${exchange.operation} returned ${exchange.summary}`)
  }

  /** Sends a request. Expects that it succeeds, and that the response meets `more`. */
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

  /**
   * Sends requests of one operation, by label, and expects each to succeed. If none succeeds
   * because the operation itself does not work, the check is blocked.
   */
  readonly expectEachSuccess = async (
    requests: Readonly<Record<string, HttpRequest>>,
  ): Promise<void> => {
    const responses = await Promise.all(
      Object.entries(requests).map(async ([label, request]) => ({
        label,
        exchange: await this.send({ ...request, meaning: 'success' }),
      })),
    )
    if (!responses.some(({ exchange }) => this.rules.isSuccess(exchange)))
      for (const { exchange } of responses.slice(0, 1)) await this.blockIfOperationBroken(exchange)
    for (const { label, exchange } of responses)
      this.expect(exchange, labelled(label, this.rules.succeeded))
  }

  /** Masks generated names, so that values that differ only in them compare as equal. */
  protected maskGenerated(value: string): string {
    return value.replace(new RegExp(`${this.httpOptions.prefix}[a-z0-9]+`, 'g'), '…')
  }

  /**
   * The only difference between a refused request and its `contrast`. Any other number of
   * differences is an error of the suite, so this throws.
   */
  protected onlyDifference(request: HttpRequest, contrast: HttpRequest): string {
    const found = findDifferences(request, contrast, (value) => this.maskGenerated(value))
    const [difference] = found
    if (difference === undefined || found.length > 1)
      throw new Error(
        `a refused request must differ from the accepted one in exactly one point, but it differs in ${found.length}: ${found.join(', ') || 'none'}`,
      )
    return difference
  }

  /**
   * Sends a request that must be refused, and `contrast`, which must succeed: a refusal proves
   * nothing if the target refuses both. If `contrast` fails, the check is blocked. If several
   * refused requests have the same `contrast`, it is sent once.
   */
  protected async expectRefusedWithContrast(
    request: HttpRequest,
    refused: Expectation<HttpExchange>,
    { contrast, root, label, isTwin = false }: Contrast,
  ): Promise<HttpExchange> {
    const compared = isTwin ? { ...contrast, url: request.url } : contrast
    const difference = this.onlyDifference(request, compared)
    const sentContrast = this.contrasts.get(contrast) ?? this.sendOrBlock(contrast, root)
    this.contrasts.set(contrast, sentContrast)
    const [accepted, sent] = await Promise.allSettled([
      sentContrast,
      this.sendUnrecorded(request, { isRefusal: true }),
    ])
    if (accepted.status === 'rejected') throw accepted.reason
    if (sent.status === 'rejected') throw sent.reason
    const refusal = this.recordIfJudgeable(sent.value)
    this.context.ledger.noteDifference(`only in ${difference}`, refusal.number)
    this.expect(refusal, label === undefined ? refused : labelled(label, refused))
    return refusal
  }
}

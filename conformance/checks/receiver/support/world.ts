import type { EventName } from '../../../../generated/events/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  NotApplicable,
  labelled,
  type Context,
  type Expectation,
} from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import { Deliveries } from './deliveries.ts'
import type { ReceiverTarget } from '../target.ts'

/** The rows by which deliveries are acknowledged. */
export const acknowledgementRequirements: { readonly [Name in EventName]: RequirementId } = {
  push: 'EVT-RECEIVER-01',
  tag_push: 'EVT-RECEIVER-02',
  issue: 'EVT-RECEIVER-03',
  merge_request: 'EVT-RECEIVER-04',
  pipeline: 'EVT-RECEIVER-05',
  job: 'EVT-RECEIVER-06',
  deployment: 'EVT-RECEIVER-07',
  wiki_page: 'EVT-RECEIVER-08',
  release: 'EVT-RECEIVER-09',
}

const isSuccess = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300
/** No answer at all acknowledges nothing either: a receiver may hang up on strangers. One that broke off may have begun with anything. */
const isRefusal = ({ status, headers }: HttpExchange) =>
  status === undefined ? headers.length === 0 : status >= 300 && status !== 429

/** A delivery that is turned away for its token says nothing about what it carries. */
const isUnauthorized = ({ status }: HttpExchange) => status === 401 || status === 403

export const acknowledged: Expectation<HttpExchange> = {
  name: 'is acknowledged',
  expected: 'a status of the 200s',
  test: isSuccess,
  received: (exchange) =>
    isUnauthorized(exchange)
      ? `${exchange.summary}   (is receiver.secret the right one?)`
      : exchange.summary,
}

const refused: Expectation<HttpExchange> = {
  name: 'is not acknowledged',
  expected: 'no status of the 200s',
  test: isRefusal,
}

const responseRules: ResponseRules = {
  succeeded: acknowledged,
  isSuccess,
  rootOf: (operation) =>
    acknowledgementRequirements[operation.replace('deliver ', '') as EventName],
  rateLimitRequirement: 'EVT-FAILURE-05',
}

/** Answered, and not in the way of a server that broke. */
const isHandled = ({ status = 0 }: HttpExchange) => status > 0 && status < 500
const handled: Expectation<HttpExchange> = {
  name: 'withstands it',
  expected: 'an answer that is none of the 500s',
  test: isHandled,
}

/** A token that resembles no secret. */
export const foreignToken = 'touchstone-made-this-token-up'

interface ReceiverWorldOptions extends HttpWorldOptions {
  target: ReceiverTarget
  /** Makes a happening of its own of a payload. */
  makeUnique: (text: string) => string
  /** Waits until all who came before have left; gives the way to leave. */
  acquireTurn: () => Promise<() => void>
}

/** What a check of a receiver acts with. */
export class ReceiverWorld extends HttpWorld<HttpExchange> {
  readonly target: ReceiverTarget
  readonly makeUnique: (text: string) => string
  readonly defaultEvent: EventName
  readonly buildDelivery: Deliveries['buildDelivery']
  readonly withToken: Deliveries['withToken']
  readonly goldenDeliveries: Deliveries['goldenDeliveries']
  private readonly options: ReceiverWorldOptions

  constructor(context: Context<HttpExchange>, options: ReceiverWorldOptions) {
    super(context, responseRules, options)
    const deliveries = new Deliveries(options.target, options.makeUnique)
    this.target = options.target
    this.makeUnique = options.makeUnique
    this.defaultEvent = deliveries.defaultEvent
    this.buildDelivery = deliveries.buildDelivery
    this.withToken = deliveries.withToken
    this.goldenDeliveries = deliveries.goldenDeliveries
    this.options = options
  }

  /** Ends the check where the receiver is said to acknowledge what it drops: nothing from outside tells the two apart. */
  readonly requireRefusingTarget = (): void => {
    if (this.target.onMismatch === 'drop')
      throw new NotApplicable(
        'by the target file it acknowledges deliveries with a wrong token, and drops them',
      )
  }

  /**
   * That the receiver tells one delivery from another at all. A server that says 200 to whatever comes acknowledges nothing: where there is a secret, what it
   * does with a foreign token shows whether it reads.
   */
  readonly requireTokenCheck = async (): Promise<void> => {
    if (this.target.secret === undefined || this.target.onMismatch === 'drop') return
    const answer = await this.sendOnce(
      'a foreign token',
      ({ send, withToken, buildDelivery, defaultEvent }) =>
        send(withToken(buildDelivery(defaultEvent), foreignToken)),
    )
    if (isSuccess(answer))
      throw new Blocked('EVT-RECEIVER-11', 'it acknowledges deliveries whatever their token is')
  }

  /** Ends the check where not even a plain delivery is acknowledged: a receiver that takes nothing shows nothing by what it does not take. */
  readonly requireAcknowledging = async (): Promise<void> => {
    const answer = await this.sendOnce(
      'a plain delivery',
      ({ send, buildDelivery, defaultEvent }) => send(buildDelivery(defaultEvent)),
    )
    if (!isSuccess(answer))
      throw new Blocked(
        acknowledgementRequirements[this.defaultEvent],
        `${answer.operation} gave ${answer.summary}`,
      )
  }

  /** Ends the check of another event than the first where a plain delivery is turned away for its token: a wrong secret is one failure, not nine. */
  readonly requireValidSecret = async (event: EventName): Promise<void> => {
    if (event === this.defaultEvent) return
    const answer = await this.sendOnce(
      'a plain delivery',
      ({ send, buildDelivery, defaultEvent: first }) => send(buildDelivery(first)),
    )
    if (isUnauthorized(answer))
      throw new Blocked(
        acknowledgementRequirements[this.defaultEvent],
        `${answer.operation} gave ${answer.summary}`,
      )
  }

  /** Asks something once for the whole run. */
  private sendOnce(
    what: string,
    ask: (world: ReceiverWorld) => Promise<HttpExchange>,
  ): Promise<HttpExchange> {
    return this.context.ledger.track(
      this.context.shared(what, (context) => ask(new ReceiverWorld(context, this.options))),
    )
  }

  /** Sends a delivery that must not be acknowledged, beside its contrast. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast(request, refused, contrast)

  /** Waits for the verdicts on a row. */
  readonly awaitVerdict = async (row: RequirementId): Promise<void> => {
    await this.context.ledger.track(this.context.isMet(row))
  }

  /**
   * Sends what must be withstood, beside a delivery that is acknowledged. In the end and one check after the other, since a receiver that breaks may take
   * nothing any more.
   */
  readonly expectHandled = async (
    requests: Readonly<Record<string, HttpRequest>>,
    { before = this.buildDelivery(this.defaultEvent) } = {},
  ): Promise<void> => {
    await this.requireAcknowledging()
    await this.waitForStage('final')
    const leave = await this.context.ledger.track(this.options.acquireTurn())
    try {
      await this.sendOrBlock(before)
      const answers = await Promise.all(
        Object.entries(requests).map(async ([label, request]) => ({
          label,
          exchange: await this.send(request),
        })),
      )
      for (const { label, exchange } of answers) {
        // Where such deliveries are not acknowledged at all, it is not this that is not withstood.
        if (!isHandled(exchange)) await this.blockIfOperationBroken(exchange)
        this.expect(exchange, labelled(label, handled))
      }
    } finally {
      leave()
    }
    await this.requireTokenCheck()
  }
}

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

/** For each event, the requirement that its deliveries are acknowledged. */
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
/**
 * A closed connection without a response counts as a refusal. An incomplete response does not,
 * because its status is unknown.
 */
const isRefusal = ({ status, headers }: HttpExchange) =>
  status === undefined ? headers.length === 0 : status >= 300 && status !== 429

/** A response to the token alone, which proves nothing about the payload. */
const isUnauthorized = ({ status }: HttpExchange) => status === 401 || status === 403

export const acknowledged: Expectation<HttpExchange> = {
  name: 'is acknowledged',
  expected: 'status 2xx',
  test: isSuccess,
  received: (exchange) =>
    isUnauthorized(exchange)
      ? `${exchange.summary}   (check receiver.secret of the target file)`
      : exchange.summary,
}

const refused: Expectation<HttpExchange> = {
  name: 'is not acknowledged',
  expected: 'a refusal (any status except 2xx and 429)',
  test: isRefusal,
}

const responseRules: ResponseRules = {
  succeeded: acknowledged,
  isSuccess,
  rootOf: (operation) =>
    acknowledgementRequirements[operation.replace('deliver ', '') as EventName],
}

/** A response that is not a server error. */
const isHandled = ({ status = 0 }: HttpExchange) => status > 0 && status < 500
const handled: Expectation<HttpExchange> = {
  name: 'handles it',
  expected: 'a response with any status below 500',
  test: isHandled,
}

/** A wrong token that does not resemble the secret. */
export const foreignToken = 'touchstone-wrong-token'

interface ReceiverWorldOptions extends HttpWorldOptions {
  target: ReceiverTarget
  /** Changes the ids of a payload, so that it describes a new event. */
  makeUnique: (payload: string) => string
  /** Waits until the earlier callers have finished. The returned function ends the turn. */
  acquireTurn: () => Promise<() => void>
}

/** The operations that a check of a receiver can use. */
export class ReceiverWorld extends HttpWorld<HttpExchange> {
  readonly target: ReceiverTarget
  readonly makeUnique: (payload: string) => string
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

  /**
   * Ends the check as not applicable if the receiver acknowledges deliveries that it drops: the
   * suite cannot observe that.
   */
  readonly requireRefusingTarget = (): void => {
    if (this.target.onMismatch === 'drop')
      throw new NotApplicable(
        'according to the target file, the receiver acknowledges deliveries with a wrong token and drops them',
      )
  }

  /**
   * Blocks the check if the receiver acknowledges a wrong token: the acknowledgements of a server
   * that returns 200 to every request prove nothing. Only if there is a secret and the receiver
   * refuses.
   */
  readonly requireTokenCheck = async (): Promise<void> => {
    if (this.target.secret === undefined || this.target.onMismatch === 'drop') return
    const response = await this.sendOnce(
      'a foreign token',
      ({ send, withToken, buildDelivery, defaultEvent }) =>
        send(withToken(buildDelivery(defaultEvent), foreignToken)),
    )
    if (isSuccess(response))
      throw new Blocked('EVT-RECEIVER-11', 'the receiver acknowledges deliveries with any token')
  }

  /**
   * Blocks the check if the receiver does not acknowledge a normal delivery: its refusals prove
   * nothing then.
   */
  readonly requireAcknowledging = async (): Promise<void> => {
    const response = await this.sendOnce(
      'a normal delivery',
      ({ send, buildDelivery, defaultEvent }) => send(buildDelivery(defaultEvent)),
    )
    if (!isSuccess(response))
      throw new Blocked(
        acknowledgementRequirements[this.defaultEvent],
        `${response.operation} returned ${response.summary}`,
      )
  }

  /**
   * Blocks the check of any event but the default one if the secret is wrong, so that a wrong
   * secret is one failure, not nine.
   */
  readonly requireValidSecret = async (event: EventName): Promise<void> => {
    if (event === this.defaultEvent) return
    const response = await this.sendOnce(
      'a normal delivery',
      ({ send, buildDelivery, defaultEvent: first }) => send(buildDelivery(first)),
    )
    if (isUnauthorized(response))
      throw new Blocked(
        acknowledgementRequirements[this.defaultEvent],
        `${response.operation} returned ${response.summary}`,
      )
  }

  /** Sends a delivery once in a run. */
  private sendOnce(
    name: string,
    send: (world: ReceiverWorld) => Promise<HttpExchange>,
  ): Promise<HttpExchange> {
    return this.context.ledger.track(
      this.context.shared(name, (context) => send(new ReceiverWorld(context, this.options))),
    )
  }

  /** Sends a delivery that must not be acknowledged, together with its contrast. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast(request, refused, contrast)

  /** Waits for the verdicts on a requirement. */
  readonly awaitVerdict = async (requirement: RequirementId): Promise<void> => {
    await this.context.ledger.track(this.context.isMet(requirement))
  }

  /**
   * Sends unusual deliveries, after one that must be acknowledged, and expects that the receiver
   * handles them. In the final stage and one check at a time, because a broken receiver may stop
   * responding.
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
      const responses = await Promise.all(
        Object.entries(requests).map(async ([label, request]) => ({
          label,
          exchange: await this.send(request),
        })),
      )
      for (const { label, exchange } of responses) {
        // If normal deliveries are not acknowledged either, that is the failure.
        if (!isHandled(exchange)) await this.blockIfOperationBroken(exchange)
        this.expect(exchange, labelled(label, handled))
      }
    } finally {
      leave()
    }
    await this.requireTokenCheck()
  }
}

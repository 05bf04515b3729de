import type { EventName } from '../../../../generated/events/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  NotApplicable,
  NotCovered,
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
import { sendInHalves } from '../../shared/send-together.ts'
import { Deliveries } from './deliveries.ts'
import type { ReceiverNeed, ReceiverTarget } from '../target.ts'

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
 * A connection that is closed without a response counts as a refusal. An incomplete response does
 * not, because its status is unknown.
 */
const isRefusal = ({ status, headers }: HttpExchange) =>
  status === undefined ? headers.length === 0 : status >= 300 && status !== 429

/** Whether the receiver refused the token, which proves nothing about the payload. */
const isUnauthorized = ({ status }: HttpExchange) => status === 401 || status === 403

const isClientError = ({ status = 0 }: HttpExchange) => status >= 400 && status < 500

export const acknowledged: Expectation<HttpExchange> = {
  name: 'is acknowledged',
  expected: 'status 2xx',
  test: isSuccess,
  received: (exchange) =>
    isUnauthorized(exchange)
      ? `${exchange.summary}   (check the secret: --receiver-secret, the variable RECEIVER_SECRET, or receiver.secret of the target file)`
      : isClientError(exchange)
        ? `${exchange.summary}   (if the receiver does not accept this event, list the events that it accepts: --receiver-events, or receiver.events of the target file)`
        : exchange.summary,
}

export const refused: Expectation<HttpExchange> = {
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

/** Whether there is a response, and it is not a server error. */
const isHandled = ({ status = 0 }: HttpExchange) => status > 0 && status < 500
const handled: Expectation<HttpExchange> = {
  name: 'returns no server error',
  expected: 'a response with any status below 500',
  test: isHandled,
}

/** How long a half-sent delivery is held, in milliseconds. */
const longestHoldMs = 3000

/** Sends the second half of a body at once. */
const whenSent = () => Promise.resolve()

/** As `handled`, but 501 is allowed too: the receiver does not implement the event. */
export const handledOrNotImplemented: Expectation<HttpExchange> = {
  name: 'returns no server error except 501',
  expected: 'a response with any status below 500, or 501',
  test: (exchange) => isHandled(exchange) || exchange.status === 501,
}

/** A wrong token that does not resemble the secret. */
export const foreignToken = 'touchstone-wrong-token'

interface ReceiverWorldOptions extends HttpWorldOptions {
  target: ReceiverTarget
  /** Changes the ids of a payload, so that it describes a new event. */
  makeUnique: (payload: string) => string
  /** Returns such a function that changes equal ids of several payloads in the same way. */
  newSeries: () => (payload: string) => string
  /** Whether this world sends the first deliveries of the run, for which all others wait. */
  isFirst?: boolean
}

/** The operations that a check of a receiver can use. */
export class ReceiverWorld extends HttpWorld<HttpExchange> {
  readonly target: ReceiverTarget
  readonly makeUnique: ReceiverWorldOptions['makeUnique']
  readonly newSeries: ReceiverWorldOptions['newSeries']
  readonly defaultEvent: EventName
  readonly buildDelivery: Deliveries['buildDelivery']
  readonly withToken: Deliveries['withToken']
  readonly sampleDeliveries: Deliveries['sampleDeliveries']
  private readonly options: ReceiverWorldOptions

  constructor(context: Context<HttpExchange>, options: ReceiverWorldOptions) {
    super(context, responseRules, options)
    const deliveries = new Deliveries(options.target, options.makeUnique)
    this.target = options.target
    this.makeUnique = options.makeUnique
    this.newSeries = options.newSeries
    this.defaultEvent = deliveries.defaultEvent
    this.buildDelivery = deliveries.buildDelivery
    this.withToken = deliveries.withToken
    this.sampleDeliveries = deliveries.sampleDeliveries
    this.options = options
  }

  /**
   * Ends the check as not applicable if the target file says that the receiver acknowledges and
   * drops deliveries with a wrong token. The suite cannot observe whether it drops them.
   */
  readonly requireRefusingTarget = (): void => {
    if (this.target.onMismatch === 'drop')
      throw new NotApplicable(
        'according to the target file, the receiver acknowledges deliveries with a wrong token and drops them',
      )
  }

  /** Whether the target file contains a secret and says that the receiver refuses other tokens. */
  get refusesTokens(): boolean {
    return this.target.secret !== undefined && this.target.onMismatch !== 'drop'
  }

  /**
   * Sends the first two deliveries of the run. The first has a wrong token, because a broken
   * receiver might accept a wrong token only in its first delivery. The second has the secret,
   * because a broken receiver might refuse even the secret after a refusal. Every other request of
   * the run waits for these two.
   */
  readonly sendFirstDeliveries = (): Promise<{ wrong: HttpExchange; next: HttpExchange }> =>
    this.sendOnce(
      'the first deliveries',
      async ({ send, withToken, buildDelivery, defaultEvent }) => ({
        wrong: await send(withToken(buildDelivery(defaultEvent), foreignToken)),
        next: await send(buildDelivery(defaultEvent)),
      }),
      true,
    )

  protected override async beforeRequest(): Promise<void> {
    if (this.refusesTokens && this.options.isFirst !== true) await this.sendFirstDeliveries()
  }

  /**
   * Ends the check if the receiver seems to acknowledge every request, because then its
   * acknowledgements prove nothing. The check is blocked if the target file says that the receiver
   * refuses wrong tokens, but the receiver acknowledges a wrong token. Otherwise, the check is not
   * covered if the receiver acknowledges both GET and a malformed body.
   */
  readonly requireTokenCheck = async (): Promise<void> => {
    if (this.refusesTokens) {
      if (isSuccess((await this.sendFirstDeliveries()).wrong))
        throw new Blocked('EVT-RECEIVER-11', 'the receiver acknowledges deliveries with any token')
      return
    }
    if (isSuccess(await this.sendGet()) && isSuccess(await this.sendMalformed()))
      throw new NotCovered<ReceiverNeed>(
        'the receiver returns a 2xx status even to GET and to a body that is not JSON, so its acknowledgements prove nothing; if it refuses wrong tokens, set RECEIVER_SECRET, --receiver-secret or receiver.secret',
        ['receiver.secret'],
      )
  }

  /** Sends a GET request to the URL of the receiver, once for all checks. */
  sendGet(): Promise<HttpExchange> {
    return this.sendOnce('a GET request', ({ send, buildDelivery, defaultEvent }) => {
      const { body: _, ...post } = buildDelivery(defaultEvent)
      return send({ ...post, method: 'GET' })
    })
  }

  private sendMalformed(): Promise<HttpExchange> {
    return this.sendOnce('a malformed body', ({ send, buildDelivery, defaultEvent }) =>
      send(buildDelivery(defaultEvent, { body: '{"object_kind": ' })),
    )
  }

  /**
   * Blocks the check if the receiver refuses even a normal delivery, because its refusals then
   * prove nothing.
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
   * Blocks the check of an event if the receiver refuses the secret. The check of the default event
   * is not blocked, so that a wrong secret in the target file causes one failure, not nine.
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

  /**
   * Sends requests only once in a run, for all checks that use this name. Returns what `send`
   * returns.
   */
  private sendOnce<T>(
    name: string,
    send: (world: ReceiverWorld) => Promise<T>,
    isFirst = false,
  ): Promise<T> {
    return this.context.ledger.track(
      this.context.shared(name, (context) =>
        send(new ReceiverWorld(context, { ...this.options, isFirst })),
      ),
    )
  }

  /**
   * Sends the first halves of these requests, waits for `meanwhile`, and sends the rest. First
   * sends a whole delivery on a new connection. When this one is answered, the receiver has usually
   * read the headers of the earlier connections. A receiver that handles one delivery at a time
   * answers nothing meanwhile, so the rest is sent after a while in any case.
   */
  readonly sendDuring = async (
    requests: readonly HttpRequest[],
    meanwhile: () => Promise<unknown>,
  ): Promise<HttpExchange[]> => {
    // Requests of other checks, for which these would wait, could take longer than the hold.
    await this.waitForStage('late-writes')
    let ended: Promise<void> = Promise.resolve()
    const exchanges = await sendInHalves(this.send, requests, async (allSent) => {
      await allSent
      ended = this.send({
        ...this.buildDelivery(this.defaultEvent),
        betweenHalves: whenSent,
      }).then(async () => void (await meanwhile()))
      await this.waitAtMost(longestHoldMs, ended)
    })
    await ended
    return exchanges
  }

  /** Sends a delivery that must not be acknowledged, and `contrast`, which must be acknowledged. */
  readonly expectRefusal = (request: HttpRequest, contrast: Contrast): Promise<HttpExchange> =>
    this.expectRefusedWithContrast(request, refused, contrast)

  /** Runs the checks of a requirement if necessary, and waits for their verdicts. */
  readonly awaitVerdict = async (requirement: RequirementId): Promise<void> => {
    await this.context.ledger.track(this.context.isMet(requirement))
  }

  /**
   * Sends the delivery `before`, which must be acknowledged, and then unusual deliveries, of which
   * it expects `expectation`: by default, any response except a server error. Runs in the final
   * stage, in one check at a time, because a broken receiver may stop responding.
   */
  readonly expectHandled = async (
    requests: Readonly<Record<string, HttpRequest>>,
    { before = this.buildDelivery(this.defaultEvent), expectation = handled } = {},
  ): Promise<void> => {
    await this.requireAcknowledging()
    await this.waitForStage('final')
    await this.context.withLock('handled deliveries', async () => {
      await this.sendOrBlock(before)
      const responses = await Promise.all(
        Object.entries(requests).map(async ([label, request]) => ({
          label,
          exchange: await this.send(request),
        })),
      )
      for (const { label, exchange } of responses) {
        // Blocks the check if normal deliveries are not acknowledged either.
        if (!expectation.test(exchange)) await this.blockIfOperationBroken(exchange)
        this.expect(exchange, labelled(label, expectation))
      }
    })
    await this.requireTokenCheck()
  }
}

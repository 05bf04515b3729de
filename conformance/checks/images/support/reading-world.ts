import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, type Context, type Stage } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { HttpWorld, type HttpWorldOptions, type ResponseRules } from '../../shared/http-world.ts'
import type { ImagesTarget } from '../target.ts'
import { isSuccess, jsonAt, succeeded } from './expectations.ts'
import type { ImageStates } from './image-states.ts'
import { ImagesRequests, isFetched } from './requests.ts'
import { rootOf } from './roots.ts'

export interface ReadingOptions extends HttpWorldOptions {
  target: ImagesTarget
  /** Milliseconds within which a read must reflect an earlier write. */
  settleMs: number
  reads: {
    /** Whether a read of the run has returned old data. */
    areStale: boolean
    /** URLs of the images that the service fetched, possibly after its response. */
    fetched: Set<string>
  }
  /** Which images of the run are stored, and which are drafts. */
  states: ImageStates
}

const responseRules: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
}

function isRedirect(exchange: HttpExchange): boolean {
  return (
    [301, 302, 303, 307, 308].includes(exchange.status ?? 0) &&
    exchange.header('location') !== undefined
  )
}

/** What the settle time is for, as in `PendingWait`. */
const settling = 'reads to show earlier writes'

/**
 * If a service has not fetched an image this many milliseconds after an upload from its URL, the
 * image counts as missing. The document does not say that it is fetched before the response.
 */
export const fetchWaitMs = 10_000

/** If an image has not been delivered after this many milliseconds, it counts as missing. */
const deliveryWaitMs = 5000
/** An image counts as missing only after at least this many requests. */
const deliveryAttempts = 5

/**
 * Sends the requests of a check of the image contract, and reads what it has written. Services may
 * show writes later, so reads are repeated.
 */
export class ReadingWorld extends HttpWorld<HttpExchange> {
  readonly target: ImagesTarget
  readonly request: ImagesRequests
  protected readonly options: ReadingOptions

  constructor(context: Context<HttpExchange>, options: ReadingOptions) {
    super(context, responseRules, options)
    this.options = options
    this.target = options.target
    this.request = new ImagesRequests(options.target, options.prefix)
  }

  protected override async sendUnrecorded(
    request: HttpRequest,
    options?: { isRefusal?: boolean },
  ): Promise<HttpExchange> {
    const { states, reads, settleMs } = this.options
    const sentAt = this.clock.now()
    const exchange = await super.sendUnrecorded(request, options)
    states.track(exchange, { sentAt, now: this.clock.now(), settleMs })
    const id = jsonAt(exchange, 'result', 'id')
    if (isFetched(request) && isSuccess(exchange) && typeof id === 'string')
      reads.fetched.add(this.request.get(id).url)
    return exchange
  }

  /**
   * Waits until the run reaches a stage. For the stage `stable-reads`, also waits for the settle
   * time if the target has returned old data, so that reads show all writes.
   */
  override readonly waitForStage = async (stage: Stage): Promise<void> => {
    const { reads, settleMs } = this.options
    await this.context.waitForStage(stage)
    if (stage === 'stable-reads' && reads.areStale)
      await this.clock.sleep(settleMs, this.context.signal, settling)
  }

  /** Waits for the time within which a read must reflect an earlier write. */
  readonly settle = (): Promise<void> =>
    this.clock.sleep(this.options.settleMs, this.signal, settling)

  /**
   * Repeats a read until `isReady` accepts the response or the settle time is over; for an image
   * uploaded from a URL, at least `fetchWaitMs`. Returns the last exchange. Blocks the check if the
   * operation does not work at all.
   */
  readonly readUntil = async (
    request: HttpRequest,
    isReady: (exchange: HttpExchange) => boolean,
  ): Promise<HttpExchange> => {
    const { settleMs, reads } = this.options
    const wait = reads.fetched.has(request.url) ? Math.max(settleMs, fetchWaitMs) : settleMs
    const exchange = await this.sendUntil(request, isReady, wait)
    return isReady(exchange) ? exchange : this.blockIfOperationBroken(exchange)
  }

  /**
   * Reads a resource once, to verify that refused requests did not change it. If the target has
   * returned old data before, first waits for the settle time, so that a change would be visible.
   */
  readonly readAfterRefusal = async (
    request: HttpRequest,
    isChanged: (exchange: HttpExchange) => boolean,
  ): Promise<HttpExchange> => {
    const { reads, settleMs } = this.options
    if (reads.areStale) await this.clock.sleep(settleMs, this.context.signal, settling)
    const exchange = await this.send(request)
    return isChanged(exchange) ? exchange : this.blockIfOperationBroken(exchange)
  }

  /**
   * Repeats a request until `isReady` accepts the response, or until this many milliseconds have
   * passed. Sends at least `attempts` requests, because a busy machine can send only a few in that
   * time.
   */
  private async sendUntil(
    request: HttpRequest,
    isReady: (exchange: HttpExchange) => boolean,
    milliseconds: number,
    attempts = 1,
  ): Promise<HttpExchange> {
    const { reads } = this.options
    const end = this.clock.now() + milliseconds
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.send(request)
      if (isReady(exchange)) {
        reads.areStale ||= attempt > 0
        return exchange
      }
      if (attempt + 1 >= attempts && this.clock.now() >= end) return exchange
      await this.pauseBeforeRead(attempt, end)
    }
  }

  /** Pauses before the next read: twice as long as before the last one, but not beyond `end`. */
  protected async pauseBeforeRead(attempt: number, end: number): Promise<void> {
    const pause = Math.min(50 * 2 ** attempt, Math.max(0, end - this.clock.now()))
    await this.clock.sleep(pause, this.context.signal)
  }

  /** Reads a stored image. Blocks the check if no read succeeds within the settle time. */
  readonly readImage = async (id: string): Promise<HttpExchange> =>
    this.requireSuccess(await this.readUntil(this.request.get(id), isSuccess), 'IMG-GET-01')

  /**
   * Reads the image of a completed direct upload. Works like `readImage`, but repeats the read as
   * long as the image is a draft.
   */
  readonly readCompleted = async (id: string): Promise<HttpExchange> => {
    const isStored = (exchange: HttpExchange) =>
      isSuccess(exchange) && jsonAt(exchange, 'result', 'draft') !== true
    return this.requireSuccess(await this.readUntil(this.request.get(id), isStored), 'IMG-GET-01')
  }

  /** Reads a variant. Blocks the check if no read succeeds within the settle time. */
  readonly readVariant = async (id: string): Promise<HttpExchange> =>
    this.requireSuccess(
      await this.readUntil(this.request.getVariant(id), isSuccess),
      'IMG-VARIANTS-03',
    )

  /**
   * Waits until a deleted image can no longer be read, because reads may still return it for a
   * while. Blocks the check if the settle time does not suffice.
   */
  readonly waitUntilImageGone = (id: string): Promise<void> =>
    this.waitUntilGone(this.request.get(id), 'IMG-DELETE-02')

  /** The same for a variant. */
  readonly waitUntilVariantGone = (id: string): Promise<void> =>
    this.waitUntilGone(this.request.getVariant(id), 'IMG-VARIANTS-07')

  private async waitUntilGone(request: HttpRequest, root: RequirementId): Promise<void> {
    const read = await this.readUntil(request, (exchange) => !isSuccess(exchange))
    if (isSuccess(read)) throw new Blocked(root, `${read.operation} returned ${read.summary}`)
  }

  private requireSuccess(exchange: HttpExchange, root: RequirementId): HttpExchange {
    if (isSuccess(exchange)) return exchange
    throw new Blocked(root, `${exchange.operation} returned ${exchange.summary}`)
  }

  /**
   * Requests an image as a browser does. Follows up to five redirects, because the document does
   * not forbid them. Repeats each request until `isReady` accepts the response or a time limit is
   * over, because the document does not say how soon images are delivered.
   */
  readonly fetchDelivered = async (
    url: string,
    isReady: (exchange: HttpExchange) => boolean = () => true,
  ): Promise<HttpExchange> => {
    const fetch = (address: string) =>
      this.sendUntil(
        this.request.deliver(address),
        (exchange) => isRedirect(exchange) || isReady(exchange),
        Math.max(this.options.settleMs, deliveryWaitMs),
        deliveryAttempts,
      )
    let response = await fetch(url)
    for (let hop = 0; hop < 5 && isRedirect(response); hop += 1) {
      const next = URL.canParse(response.header('location')!, response.request.url)
        ? new URL(response.header('location')!, response.request.url).href
        : ''
      if (!/^https?:/.test(next)) return response
      response = await fetch(next)
    }
    return response
  }
}

import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  NotCovered,
  type Context,
  type Expectation,
  type Stage,
} from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest, ImageServer } from '../../../wire/index.ts'
import {
  HttpWorld,
  type Contrast,
  type HttpWorldOptions,
  type ResponseRules,
} from '../../shared/http-world.ts'
import { jsonAt, isSuccess, refused, refusedOr, succeeded } from './expectations.ts'
import { ifRefused, type Meaning } from './meanings.ts'
import { findOnPages } from './search.ts'
import { pixelFile, ImagesRequests, type ApiHost, type UploadFields } from './requests.ts'
import { rootOf } from './roots.ts'
import type { ImagesCleanup } from './cleanup.ts'
import type { ImagesTarget, ImagesNeed } from '../target.ts'

export interface ImagesWorldOptions extends HttpWorldOptions {
  target: ImagesTarget
  cleanup: ImagesCleanup
  /** Milliseconds within which a read must reflect an earlier write. */
  settleMs: number
  /** What is known about the reads of the run. */
  reads: { areStale: boolean }
  imageServer: () => Promise<ImageServer>
  /** Whether the target file declares that the target can fetch from the suite. */
  isImageServerDeclared: boolean
  /** The target is discarded after the run, so nothing needs to be deleted. */
  isThrowaway: boolean
}

const responseRules: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
}

export interface StoredImage {
  id: string
  upload: HttpExchange
}

function isRedirect(exchange: HttpExchange): boolean {
  return (
    [301, 302, 303, 307, 308].includes(exchange.status ?? 0) &&
    exchange.header('location') !== undefined
  )
}

/** The operations that a check of the image contract can use. Checks can destructure them. */
export class ImagesWorld extends HttpWorld<HttpExchange> {
  readonly target: ImagesTarget
  readonly request: ImagesRequests
  private readonly options: ImagesWorldOptions
  private readonly created: HttpExchange[] = []
  private readonly cleanupTasks: Promise<unknown>[] = []

  constructor(context: Context<HttpExchange>, options: ImagesWorldOptions) {
    super(context, responseRules, {
      ...options,
      onExchange: (exchange) =>
        void (options.cleanup.track(exchange) && this.created.push(exchange)),
    })
    this.options = options
    this.target = options.target
    this.request = new ImagesRequests(options.target)
  }

  /** Generates a name of letters and digits, for ids, variants and files. */
  readonly newName = (): string => {
    return this.options.cleanup.newName()
  }

  /** An upload by URL depends on the image server of the suite, which ends with the run. */
  protected override canBeRepeated(request: HttpRequest): boolean {
    const isFetched =
      request.body?.kind === 'form' &&
      request.body.parts.some(
        ({ name, value }) => name === 'url' && /^https?:/i.test(String(value)),
      )
    return !isFetched && super.canBeRepeated(request)
  }

  /** Adds an exchange that another check sent to those of this check. */
  readonly record = (exchange: HttpExchange): void => {
    this.context.ledger.record(exchange)
  }

  /**
   * Waits until the run reaches a stage. Before stable reads, a target that has returned old data
   * gets time to make all writes readable.
   */
  override readonly waitForStage = async (stage: Stage): Promise<void> => {
    const { reads, settleMs } = this.options
    await this.context.waitForStage(stage)
    if (stage === 'stable-reads' && reads.areStale)
      await this.clock.sleep(settleMs, this.context.signal)
  }

  /**
   * Deletes what the check created. Variants at once: every image of the account lists them, and
   * accounts may limit their number. Images when no other check reads lists, because deletions
   * shift pages; those created later stay until the end of the run.
   */
  readonly cleanUp = async (): Promise<void> => {
    const { client, cleanup, isThrowaway } = this.options
    const remove = (created: HttpExchange[], priority?: number) =>
      Promise.all(created.map((one) => cleanup.deleteCreated(one, client, priority)))
    await Promise.all([
      ...this.cleanupTasks,
      remove(
        this.created.filter(({ operation }) => operation === 'createVariant'),
        this.context.priority,
      ),
    ])
    if (isThrowaway || this.created.length === 0 || !(await this.context.waitForStage('final')))
      return
    // Yield first, so that checks of this stage send before the deletions.
    await this.clock.sleep(1)
    await remove(this.created)
  }

  /** Adds work to the cleanup of the check. No verdict waits for it. */
  readonly addCleanup = (work: Promise<unknown>): void => {
    this.cleanupTasks.push(work)
  }

  /**
   * Sends a request that must be refused with that meaning, together with its contrast. If the
   * document also permits a success, `or` is what such a success must meet.
   */
  readonly expectRefusal = (
    request: HttpRequest,
    meaning: Meaning,
    { or, ...contrast }: Contrast & { or?: Expectation<HttpExchange> },
  ): Promise<HttpExchange> =>
    or === undefined
      ? this.expectRefusedWithContrast({ ...request, meaning }, refused(meaning), contrast)
      : this.expectRefusedWithContrast(
          { ...request, meaning: ifRefused(meaning) },
          refusedOr(meaning, or),
          contrast,
        )

  /**
   * Repeats a read until it is ready, or until the settle time is over. Returns the last exchange.
   */
  readonly readUntil = async (
    request: HttpRequest,
    isReady: (exchange: HttpExchange) => boolean,
  ): Promise<HttpExchange> => {
    const { reads, settleMs } = this.options
    const end = this.clock.now() + settleMs
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.send(request)
      if (isReady(exchange)) {
        reads.areStale ||= attempt > 0
        return exchange
      }
      if (this.clock.now() >= end) return this.blockIfOperationBroken(exchange)
      await this.pauseBeforeRead(attempt, end)
    }
  }

  /** Pauses between two reads: the longer, the more reads have returned old data. */
  private async pauseBeforeRead(attempt: number, end: number): Promise<void> {
    const pause = Math.min(50 * 2 ** attempt, Math.max(0, end - this.clock.now()))
    await this.clock.sleep(pause, this.context.signal)
  }

  /** Reads a stored image. Blocks the check if that fails until the settle time is over. */
  readonly readImage = async (id: string): Promise<HttpExchange> =>
    this.requireSuccess(await this.readUntil(this.request.get(id), isSuccess), 'IMG-GET-01')

  /** The same for a variant. */
  readonly readVariant = async (id: string): Promise<HttpExchange> =>
    this.requireSuccess(
      await this.readUntil(this.request.getVariant(id), isSuccess),
      'IMG-VARIANTS-03',
    )

  private requireSuccess(exchange: HttpExchange, root: RequirementId): HttpExchange {
    if (isSuccess(exchange)) return exchange
    throw new Blocked(root, `${exchange.operation} returned ${exchange.summary}`)
  }

  /**
   * Requests an image as a browser does, and follows up to five redirects, because the document
   * does not forbid them. Repeats until the response is ready or the settle time is over.
   */
  readonly fetchDelivered = async (
    url: string,
    holds: (exchange: HttpExchange) => boolean = () => true,
  ): Promise<HttpExchange> => {
    let response = await this.readUntil(
      this.request.deliver(url),
      (exchange) => isRedirect(exchange) || holds(exchange),
    )
    for (let hop = 0; hop < 5 && isRedirect(response); hop += 1) {
      const next = URL.canParse(response.header('location')!, response.request.url)
        ? new URL(response.header('location')!, response.request.url).href
        : ''
      if (!/^https?:/.test(next)) return response
      response = await this.readUntil(
        this.request.deliver(next),
        (exchange) => isRedirect(exchange) || holds(exchange),
      )
    }
    return response
  }

  /** The id in a response. Blocks the check if there is none. */
  readonly idOf = (exchange: HttpExchange): string => {
    const id = jsonAt(exchange, 'result', 'id')
    if (typeof id === 'string' && id !== '') return id
    throw new Blocked(
      exchange.operation === 'createDirectUpload' ? 'IMG-TICKET-02' : 'IMG-IMAGE-01',
      'the response contains no id',
    )
  }

  /** Stores an image for this check only. */
  readonly storeImage = async (
    fields: UploadFields = {},
    root?: RequirementId,
  ): Promise<StoredImage> => {
    const upload = await this.sendOrBlock(this.request.upload({ file: pixelFile, ...fields }), root)
    return { id: this.idOf(upload), upload }
  }

  /** An image that all checks share. They may read it, but not change it. */
  readonly sharedImage = (): Promise<StoredImage> => {
    return this.context.shared('image', async (context) => {
      const world = new ImagesWorld(context, this.options)
      const image = await world.storeImage()
      // Every check that reads it must find it.
      if (this.options.settleMs > 0) await world.readUntil(world.request.get(image.id), isSuccess)
      return image
    })
  }

  /** A variant that all checks share. They may read it, but not change it. */
  readonly sharedVariant = (): Promise<string> => {
    return this.context.shared('variant', async (context) => {
      const world = new ImagesWorld(context, this.options)
      const id = world.newName()
      await world.sendOrBlock(world.request.createVariant({ id, options: variantOptions }))
      if (this.options.settleMs > 0) await world.readUntil(world.request.getVariant(id), isSuccess)
      return id
    })
  }

  /** Creates a ticket for a direct upload. */
  readonly createTicket = async (
    body: Record<string, unknown> = {},
    root?: RequirementId,
  ): Promise<{ id: string; uploadURL: string; exchange: HttpExchange }> => {
    const exchange = await this.sendOrBlock(this.request.ticket(body), root)
    const uploadURL = jsonAt(exchange, 'result', 'uploadURL')
    if (typeof uploadURL !== 'string' || !/^https?:\/\/./i.test(uploadURL))
      throw new Blocked('IMG-TICKET-04', 'the ticket has no upload URL')
    return { id: this.idOf(exchange), uploadURL, exchange }
  }

  /** The number of images of this run that a host stores. */
  readonly countStored = (host: ApiHost): number => {
    return this.options.cleanup.countStored(host)
  }

  /** A value that is made once for all checks. */
  readonly shared = <T>(name: string, make: (world: ImagesWorld) => Promise<T>): Promise<T> => {
    return this.context.shared(name, (context) => make(new ImagesWorld(context, this.options)))
  }

  /**
   * Whether any page lists an image with that id. Writes of other checks shift pages, and reads may
   * lag behind: if the result is not the `isExpected` one, the search is repeated at least twice,
   * and until the settle time is over.
   */
  readonly isListed = async (
    id: string,
    isExpected?: boolean,
    host: ApiHost = 'account',
  ): Promise<boolean> => (await this.findEntry(id, isExpected, host)) !== undefined

  /** The entry with that id on any page. `isExpected` as for `isListed`. */
  readonly findEntry = async (
    id: string,
    isExpected?: boolean,
    host: ApiHost = 'account',
  ): Promise<unknown> => {
    const { reads, settleMs } = this.options
    const end = this.clock.now() + settleMs
    for (let attempt = 1; ; attempt += 1) {
      const found = await findOnPages(this, id, host)
      const isReady = (found !== undefined) === isExpected
      // The second and the third search exclude that pages were shifted.
      if (isReady && attempt > 3) reads.areStale = true
      if (isExpected === undefined || isReady || (attempt >= 3 && this.clock.now() >= end))
        return found
      if (attempt >= 3) await this.pauseBeforeRead(attempt - 3, end)
    }
  }

  /**
   * Runs an action that changes the target, and sends `undo` afterwards, even if the action fails
   * or the run is cancelled.
   */
  readonly withUndo = async <T>(undo: HttpRequest, action: () => Promise<T>): Promise<T> => {
    const { client, cleanup } = this.options
    cleanup.registerUndo(undo)
    try {
      return await action()
    } finally {
      this.record(
        await this.context.ledger.track(cleanup.undo(undo, client, this.context.priority)),
      )
    }
  }

  readonly imageServer = (): Promise<ImageServer> => {
    return this.options.imageServer()
  }

  /**
   * Ends the check as not covered if the target never fetched the URL and the target file does not
   * declare that it can.
   */
  readonly requireFetched = async (url: string): Promise<void> => {
    if (this.options.isImageServerDeclared || (await this.imageServer()).countRequests(url) > 0)
      return
    throw new NotCovered<ImagesNeed>(
      'the target did not fetch the image from the suite: it may refuse private addresses',
      ['suite.pictures'],
    )
  }
}

/** Options that are valid for every variant. */
export const variantOptions = { fit: 'scale-down', width: 320, height: 240, metadata: 'none' }

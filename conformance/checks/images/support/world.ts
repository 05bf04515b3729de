import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  Blocked,
  NotCovered,
  type Context,
  type Expectation,
  type Stage,
} from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest, Pictures } from '../../../wire/index.ts'
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
  /** Milliseconds within which a read must show an earlier write. */
  settleMs: number
  imageServer: () => Promise<Pictures>
  /** Whether the target file says that the target can fetch from the suite. */
  isImageServerDeclared: boolean
  /** The target ends with the run: nothing needs to be deleted. */
  isThrowaway: boolean
}

const responseRules: ResponseRules = {
  succeeded,
  isSuccess,
  rootOf,
  rateLimitRequirement: 'IMG-STATUS-07',
}

export interface StoredImage {
  id: string
  upload: HttpExchange
}

/** Whether an answer sends on to another URL. */
function isRedirect(exchange: HttpExchange): boolean {
  return (
    [301, 302, 303, 307, 308].includes(exchange.status ?? 0) &&
    exchange.header('location') !== undefined
  )
}

/** What a check of the image contract acts with. Its functions can be taken out of it one by one. */
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

  /** A new name of letters and digits: for ids, variants and files. */
  readonly newName = (): string => {
    return this.options.cleanup.newName()
  }

  /** Shows an exchange among those of the check, though another one sent it. */
  readonly record = (exchange: HttpExchange): void => {
    this.context.ledger.record(exchange)
  }

  /** Waits until the run has come to a stage. Where nobody writes any more, all that was written is there to be read: the target may take its time for that. */
  override readonly waitForStage = async (stage: Stage): Promise<void> => {
    await this.context.waitForStage(stage)
    if (stage === 'stable-reads') await this.clock.sleep(this.options.settleMs, this.context.signal)
  }

  /**
   * Deletes what was made here. Variants at once: each of them is shown in every image of the account, and accounts may bound their number. Images once
   * nobody reads lists any more, since pages shift; what is made later than that stays until the end of the run.
   */
  readonly cleanUp = async (): Promise<void> => {
    const { door, cleanup, isThrowaway } = this.options
    const remove = (made: HttpExchange[], priority?: number) =>
      Promise.all(made.map((one) => cleanup.deleteCreated(one, door, priority)))
    await Promise.all([
      ...this.cleanupTasks,
      remove(
        this.created.filter(({ operation }) => operation === 'createVariant'),
        this.context.priority,
      ),
    ])
    if (isThrowaway || this.created.length === 0 || !(await this.context.waitForStage('final')))
      return
    // Whoever plays in this stage shall not find the way full of deletions.
    await this.clock.sleep(1)
    await remove(this.created)
  }

  /** Says of something that it belongs to tidying up: no verdict waits for it. */
  readonly addCleanup = (work: Promise<unknown>): void => {
    this.cleanupTasks.push(work)
  }

  /**
   * Sends a request that must be refused for that reason, beside its contrast. Where the document lets a service succeed without doing what was asked, `or`
   * says what such a success shows.
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

  /** Repeats a read until it holds or until the target's time to settle is over; gives the last answer. */
  readonly readUntil = async (
    request: HttpRequest,
    isReady: (exchange: HttpExchange) => boolean,
  ): Promise<HttpExchange> => {
    const end = this.clock.now() + this.options.settleMs
    for (;;) {
      const exchange = await this.send(request)
      if (isReady(exchange)) return exchange
      if (this.clock.now() >= end) return this.blockIfOperationBroken(exchange)
      await this.clock.sleep(Math.min(250, end - this.clock.now()), this.context.signal)
    }
  }

  /** Reads an image that was stored; blocked where it cannot be read once the target had its time to settle. */
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
    throw new Blocked(root, `${exchange.operation} gave ${exchange.summary}`)
  }

  /**
   * Asks for a picture as a browser does: redirects are followed, a few of them, since the document forbids none. Repeated until it `holds`, or until
   * the target's time to settle is over.
   */
  readonly fetchDelivered = async (
    url: string,
    holds: (exchange: HttpExchange) => boolean = () => true,
  ): Promise<HttpExchange> => {
    let answer = await this.readUntil(
      this.request.deliver(url),
      (exchange) => isRedirect(exchange) || holds(exchange),
    )
    for (let hop = 0; hop < 5 && isRedirect(answer); hop += 1) {
      const next = URL.canParse(answer.header('location')!, answer.request.url)
        ? new URL(answer.header('location')!, answer.request.url).href
        : ''
      if (!/^https?:/.test(next)) return answer
      answer = await this.readUntil(
        this.request.deliver(next),
        (exchange) => isRedirect(exchange) || holds(exchange),
      )
    }
    return answer
  }

  /** The id in an answer, or a block by the row that demands it. */
  readonly idOf = (exchange: HttpExchange): string => {
    const id = jsonAt(exchange, 'result', 'id')
    if (typeof id === 'string' && id !== '') return id
    throw new Blocked(
      exchange.operation === 'createDirectUpload' ? 'IMG-TICKET-02' : 'IMG-IMAGE-01',
      'the answer names no id',
    )
  }

  /** Stores an image for this check alone. */
  readonly storeImage = async (
    fields: UploadFields = {},
    root?: RequirementId,
  ): Promise<StoredImage> => {
    const upload = await this.sendOrBlock(this.request.upload({ file: pixelFile, ...fields }), root)
    return { id: this.idOf(upload), upload }
  }

  /** An image that all checks share: to be read, never changed. */
  readonly sharedImage = (): Promise<StoredImage> => {
    return this.context.shared('image', async (context) => {
      const world = new ImagesWorld(context, this.options)
      const image = await world.storeImage()
      // Whoever reads it shall find it.
      if (this.options.settleMs > 0) await world.readUntil(world.request.get(image.id), isSuccess)
      return image
    })
  }

  /** A variant that all checks share: to be read, never changed. */
  readonly sharedVariant = (): Promise<string> => {
    return this.context.shared('variant', async (context) => {
      const world = new ImagesWorld(context, this.options)
      const id = world.newName()
      await world.sendOrBlock(world.request.createVariant({ id, options: variantOptions }))
      if (this.options.settleMs > 0) await world.readUntil(world.request.getVariant(id), isSuccess)
      return id
    })
  }

  /** Obtains a ticket: its id, and the URL for the upload. */
  readonly createTicket = async (
    body: Record<string, unknown> = {},
    root?: RequirementId,
  ): Promise<{ id: string; uploadURL: string; exchange: HttpExchange }> => {
    const exchange = await this.sendOrBlock(this.request.ticket(body), root)
    const uploadURL = jsonAt(exchange, 'result', 'uploadURL')
    if (typeof uploadURL !== 'string' || !/^https?:\/\/./i.test(uploadURL))
      throw new Blocked('IMG-TICKET-04', 'the ticket has no URL to upload to')
    return { id: this.idOf(exchange), uploadURL, exchange }
  }

  /** How many images are there that the run has stored at a host. */
  readonly countStored = (host: ApiHost): number => {
    return this.options.cleanup.countStored(host)
  }

  /** Anything else that is made once for all checks. */
  readonly shared = <T>(name: string, make: (world: ImagesWorld) => Promise<T>): Promise<T> => {
    return this.context.shared(name, (context) => make(new ImagesWorld(context, this.options)))
  }

  /**
   * Whether some page shows an image of that id. Pages shift while others write, and a read may lag behind: where the answer is not the
   * `wanted` one, the walk is repeated twice, and until the target's time to settle is over.
   */
  readonly isListed = async (
    id: string,
    wanted?: boolean,
    host: ApiHost = 'account',
  ): Promise<boolean> => (await this.findEntry(id, wanted, host)) !== undefined

  /** The entry of that id on some page. */
  readonly findEntry = async (
    id: string,
    wanted?: boolean,
    host: ApiHost = 'account',
  ): Promise<unknown> => {
    const end = this.clock.now() + this.options.settleMs
    for (let attempt = 1; ; attempt += 1) {
      const found = await findOnPages(this, id, host)
      if (
        wanted === undefined ||
        (found !== undefined) === wanted ||
        (attempt >= 3 && this.clock.now() >= end)
      )
        return found
      if (attempt >= 3) await this.clock.sleep(250, this.context.signal)
    }
  }

  /** Changes something at the target, and puts it back by `undo` whatever happens meanwhile: also where the run is called off. */
  readonly withUndo = async <T>(undo: HttpRequest, action: () => Promise<T>): Promise<T> => {
    const { door, cleanup } = this.options
    cleanup.registerUndo(undo)
    try {
      return await action()
    } finally {
      this.record(await this.context.ledger.track(cleanup.undo(undo, door, this.context.priority)))
    }
  }

  readonly imageServer = (): Promise<Pictures> => {
    return this.options.imageServer()
  }

  /** Where a target never came to fetch, the ingestion is not covered, unless the target file says that it can come. */
  readonly requireFetched = async (url: string): Promise<void> => {
    if (this.options.isImageServerDeclared || (await this.imageServer()).fetches(url) > 0) return
    throw new NotCovered<ImagesNeed>(
      'the target did not come to fetch the picture: it may refuse private addresses',
      ['suite.pictures'],
    )
  }
}

/** Options that are legal for every variant. */
export const variantOptions = { fit: 'scale-down', width: 320, height: 240, metadata: 'none' }

import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Blocked, NotCovered, type Context, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest, ImageServer, PngKind } from '../../../wire/index.ts'
import type { Contrast } from '../../shared/http-world.ts'
import { jsonAt, isSuccess, refused, refusedOr } from './expectations.ts'
import { ifRefused, type Meaning } from './meanings.ts'
import { findOnPages } from './search.ts'
import { ReadingWorld, type ReadingOptions } from './reading-world.ts'
import type { Painter, TestImage } from './test-images.ts'
import { isFetched, pixelFile, type ApiHost, type UploadFields } from './requests.ts'
import type { ImagesCleanup } from './cleanup.ts'
import type { ImagesNeed } from '../target.ts'

export interface ImagesWorldOptions extends ReadingOptions {
  cleanup: ImagesCleanup
  painter: Painter
  /** Milliseconds by which the clock of the target is ahead of real time; negative if behind. */
  targetClock: { aheadMs?: number }
  imageServer: () => Promise<ImageServer>
  /** Whether the target file states that the target can fetch images from the suite. */
  isImageServerDeclared: boolean
  /** Whether the target is discarded after the run, so that nothing needs to be deleted. */
  isThrowaway: boolean
}

/** A difference between the clocks below this can be due to the duration of an exchange. */
const minSkewMs = 30_000
/** If the difference is larger than this, the Date header does not come from a running clock. */
const maxSkewMs = 24 * 3_600_000

/** Reads a resource to verify that refused requests did not change it. */
export type ReadBack = (world: ImagesWorld) => Promise<void>

export interface StoredImage {
  id: string
  upload: HttpExchange
}

/**
 * Whether the check expected a refusal, and the request could have changed something. Deleting a
 * missing resource changes nothing.
 */
const isRefusalWithPossibleEffect = ({
  request: { method },
  meanings: [meaning, alternative],
}: HttpExchange) =>
  method !== 'GET' &&
  meaning !== undefined &&
  meaning !== 'success' &&
  alternative === undefined &&
  !(method === 'DELETE' && meaning === 'absent')

/** The operations that a check of the image contract can use. Checks can destructure them. */
export class ImagesWorld extends ReadingWorld {
  protected override readonly options: ImagesWorldOptions
  private readonly created: HttpExchange[] = []
  private readonly cleanupTasks: Promise<unknown>[] = []
  private readonly readBacks = new Set<ReadBack>()
  private hasRefusals = false

  constructor(context: Context<HttpExchange>, options: ImagesWorldOptions) {
    super(context, {
      ...options,
      onExchange: (exchange) => {
        if (options.cleanup.track(exchange)) this.created.push(exchange)
        this.compareClocks(exchange)
        this.hasRefusals ||= isRefusalWithPossibleEffect(exchange)
      },
    })
    this.options = options
  }

  /** Compares the first Date header of the run, which has whole seconds, with real time. */
  private compareClocks(exchange: HttpExchange): void {
    const { targetClock } = this.options
    const date = Date.parse(exchange.header('date') ?? '')
    if (Number.isNaN(date) || targetClock.aheadMs !== undefined) return
    const ahead = date - this.clock.realTime()
    const isClock = Math.abs(ahead) > minSkewMs && Math.abs(ahead) < maxSkewMs
    targetClock.aheadMs = isClock ? ahead : 0
  }

  /**
   * The time on the target's clock, in milliseconds since the epoch. It is estimated from the first
   * Date header of the run.
   */
  readonly targetTime = (): number =>
    this.clock.realTime() + (this.options.targetClock.aheadMs ?? 0)

  /** Generates a name of letters and digits, for ids, variants and files. */
  readonly newName = (): string => {
    return this.options.cleanup.newName(this.context.random)
  }

  /** A valid image file whose name is unique in the run. */
  readonly newFile = () => ({ ...pixelFile, filename: `${this.newName()}.png` })

  /**
   * Draws a test image whose colours and bytes differ from those of other recent test images. If
   * the file is shorter than `bytes`, it is padded to this length.
   */
  readonly drawTestImage = (width: number, height: number, bytes?: number): TestImage =>
    this.options.painter.draw(width, height, bytes)

  /**
   * Draws two test images to compare: their colours differ, even if other checks draw images at the
   * same time.
   */
  readonly drawTwoImages = (width: number, height: number): [TestImage, TestImage] => [
    this.drawTestImage(width, height),
    this.drawTestImage(width, height),
  ]

  /** Draws a test image as a PNG of this kind. */
  readonly drawTestImageOf = (kind: PngKind, width: number, height: number): TestImage =>
    this.options.painter.drawKind(kind, width, height)

  /**
   * An upload by URL cannot be repeated after the run, because the image server of the suite stops
   * when the run ends.
   */
  protected override canBeRepeated(request: HttpRequest): boolean {
    return !isFetched(request) && super.canBeRepeated(request)
  }

  /** Records an exchange of another check as an exchange of this check. */
  readonly record = (exchange: HttpExchange): void => {
    this.context.ledger.record(exchange)
  }

  /**
   * Deletes what the check created. Variants are deleted at once, because every image lists them,
   * and accounts may limit their number. Images are deleted in the stage `final`, because deletions
   * shift the pages of lists. If that stage has already begun, images are deleted at the end of the
   * run.
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
    // Yields first, so that checks of this stage send their requests before the deletions.
    await this.clock.sleep(1)
    await remove(this.created)
  }

  /** Adds work to the cleanup of the check. The verdict does not wait for this work. */
  readonly addCleanup = (work: Promise<unknown>): void => {
    this.cleanupTasks.push(work)
  }

  /**
   * Sends a request that must be refused with this meaning, and a similar request that must
   * succeed. If the document also permits the first request to succeed, `or` is the expectation
   * that the success must meet.
   */
  readonly expectRefusal = (
    request: HttpRequest,
    meaning: Meaning,
    {
      or,
      readBack,
      ...contrast
    }: Contrast & {
      or?: Expectation<HttpExchange>
      /** Verifies, after the last request of the check, that the refused request had no effect. */
      readBack?: ReadBack
    },
  ): Promise<HttpExchange> => {
    if (readBack !== undefined) this.readBack(readBack)
    return or === undefined
      ? this.expectRefusedWithContrast({ ...request, meaning }, refused(meaning), contrast)
      : this.expectRefusedWithContrast(
          { ...request, meaning: ifRefused(meaning) },
          refusedOr(meaning, or),
          contrast,
        )
  }

  /**
   * Adds reads that run after the last request of the check, to verify that refused requests had no
   * effect. A `ReadBack` that is added several times runs once.
   */
  readonly readBack = (...readBacks: ReadBack[]): void => {
    for (const one of readBacks) this.readBacks.add(one)
  }

  /**
   * Runs the reads that the check has added. Throws if the check expects refusals but has added no
   * read, because that is a mistake in the suite.
   */
  readonly verifyReadBacks = async (): Promise<void> => {
    if (this.hasRefusals && this.readBacks.size === 0)
      throw new Error('a check that expects refusals must say what they leave unchanged')
    if (this.target.state !== false)
      await Promise.all([...this.readBacks].map((verify) => verify(this)))
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
      // Waits until the image can be read, because checks may read it immediately.
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

  /**
   * Runs work that creates several variants. Accounts may limit the number of variants, so only one
   * check at a time runs such work. To avoid a deadlock, the work must not wait for a check that
   * calls this method.
   */
  readonly withManyVariants = <T>(work: () => Promise<T>): Promise<T> =>
    this.context.withLock('many variants', work)

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

  /** Whether this run created the image with that id in the account, and has not deleted it. */
  readonly isOwnImage = (id: string): boolean => {
    return this.options.cleanup.hasImage(id)
  }

  /** The ids of the images that checks of this run stored from a file and have not deleted. */
  readonly storedImages = (host: ApiHost): string[] => {
    return this.options.cleanup.storedImages(host)
  }

  /** Whether reads must show the image with this id as stored, because this run uploaded it. */
  readonly isStoredImage = (id: string, host: ApiHost): boolean => {
    return this.options.states.isStored(this.request.list({}, host).url, id, this.clock.now())
  }

  /** Whether a name was generated by this run. */
  readonly isNameOfRun = (name: string): boolean => name.startsWith(this.options.prefix)

  /** The number of images of this run that a host stores. */
  readonly countStored = (host: ApiHost): number => {
    return this.options.cleanup.countStored(host)
  }

  /**
   * Returns a value that all checks share. The first check that uses the name creates the value.
   */
  readonly shared = <T>(name: string, make: (world: ImagesWorld) => Promise<T>): Promise<T> => {
    return this.context.shared(name, (context) => make(new ImagesWorld(context, this.options)))
  }

  /**
   * Whether any page lists an image with this id. If the result differs from `isExpected`, repeats
   * the search at least twice, and until the settle time is over, because other checks shift pages
   * and reads may return old data.
   */
  readonly isListed = async (
    id: string,
    isExpected?: boolean,
    host: ApiHost = 'account',
  ): Promise<boolean> => (await this.findEntry(id, isExpected, host)) !== undefined

  /** The entry with this id on any page. `isExpected` has the same meaning as for `isListed`. */
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
      // Shifted pages can explain two failed searches, but only old data explains three.
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
   * Ends the check as not covered if the target never fetched the URL. Does nothing if the target
   * file states that the target can fetch images from the suite.
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

/** Valid options of a variant. */
export const variantOptions = { fit: 'scale-down', width: 320, height: 240, metadata: 'none' }

/**
 * A variant for delivery that all checks share. Its maximum width and height exceed those of the
 * test images of all upload methods. A private image needs a signature in this variant.
 */
export const deliveryVariant = (world: ImagesWorld): Promise<string> =>
  world.shared('variant for delivery', async (common) => {
    const id = common.newName()
    await common.sendOrBlock(
      common.request.createVariant({ id, options: variantOptions, neverRequireSignedURLs: false }),
      'IMG-VARIANT-08',
    )
    await common.readUntil(common.request.getVariant(id), isSuccess)
    return id
  })

import { percentDecode, type HttpExchange, type HttpRequest } from '../../../wire/index.ts'
import { imagesOf, isSuccess, jsonAt } from './expectations.ts'
import { isFetched } from './requests.ts'

/** `stored` if the upload of an image has succeeded, `draft` if its ticket was not used yet. */
type ImageState = 'stored' | 'draft'

interface KnownImage {
  readonly state: ImageState
  /** From when on reads show the image in this state, in milliseconds of the clock of the run. */
  readonly since: number
}

/** The states of the images in a response, as the run knew them when it sent the request. */
const statesInResponses = new WeakMap<HttpExchange, ReadonlyMap<string, ImageState>>()

/**
 * The state of an image in a response. Undefined if the run does not know it: another client, or an
 * earlier run, may have uploaded the image or obtained its ticket.
 */
export const stateOf = (exchange: HttpExchange, id: unknown): ImageState | undefined =>
  typeof id === 'string' ? statesInResponses.get(exchange)?.get(id) : undefined

/** Operations whose responses contain images. */
const reads: readonly string[] = ['getImage', 'listImages', 'batchListImages']
const uploads: readonly string[] = ['uploadImage', 'batchUploadImage']

/**
 * The URL below which a host stores images: that of an account, or of the batch host. The two can
 * store different images under one id.
 */
const scopeOf = (url: string): string => url.slice(0, url.lastIndexOf('/images/v'))

/**
 * Which images the run has stored, and which are drafts, because their direct upload is pending.
 * The field `draft` of a response does not show that: a broken server can return it wrongly, and
 * lists need not contain it.
 */
export class ImageStates {
  /** By id, and by the scope of the id. */
  private readonly known = new Map<string, Map<string, KnownImage>>()
  /** The draft of each ticket, by the upload URL. */
  private readonly tickets = new Map<string, { readonly scope: string; readonly id: string }>()

  /**
   * Call this before a request is sent. A service may use the id of a deleted image again, so
   * nothing is known about the image as soon as its deletion begins.
   */
  readonly announce = ({ method, url }: HttpRequest): void => {
    if (method === 'DELETE') this.known.delete(percentDecode(url.slice(url.lastIndexOf('/') + 1)))
  }

  /**
   * Learns from an exchange, and records which states the images of the response have. `sentAt` and
   * `now` are milliseconds of the clock of the run. A direct upload or an upload by URL counts only
   * for requests that were sent at least `settleMs` later, because until then, reads may show that
   * the image was not uploaded or fetched yet. The image of an uploaded file never was a draft.
   */
  track(
    exchange: HttpExchange,
    { sentAt, now, settleMs }: { sentAt: number; now: number; settleMs: number },
  ): void {
    if (!isSuccess(exchange)) return
    const { operation, request } = exchange
    const scope = scopeOf(request.url)
    const id = jsonAt(exchange, 'result', 'id')
    if (operation === 'completeDirectUpload') {
      const draft = this.tickets.get(request.url)
      if (draft !== undefined && this.get(draft.scope, draft.id)?.state === 'draft')
        this.set(draft.scope, draft.id, { state: 'stored', since: now + settleMs })
    } else if (typeof id === 'string' && operation === 'createDirectUpload') {
      this.add(scope, id, { state: 'draft', since: now })
      this.tickets.set(String(jsonAt(exchange, 'result', 'uploadURL')), { scope, id })
    } else if (typeof id === 'string' && uploads.includes(operation)) {
      const since = isFetched(request) ? now + settleMs : now
      this.add(scope, id, { state: 'stored', since })
      statesInResponses.set(exchange, this.statesOf(scope, [id], since))
    } else if (reads.includes(operation)) {
      const ids = operation === 'getImage' ? [id] : imagesOf(exchange).map((image) => image['id'])
      statesInResponses.set(exchange, this.statesOf(scope, ids, sentAt))
    }
  }

  /** Whether reads show an image as stored at `moment`, on the host of this URL. */
  isStored(url: string, id: string, moment: number): boolean {
    const image = this.get(scopeOf(url), id)
    return image?.state === 'stored' && image.since <= moment
  }

  private get(scope: string, id: string): KnownImage | undefined {
    return this.known.get(id)?.get(scope)
  }

  private set(scope: string, id: string, image: KnownImage): void {
    this.known.set(id, (this.known.get(id) ?? new Map()).set(scope, image))
  }

  /**
   * Adds an image. If its id is that of an image in the other state, nothing is known about it any
   * more, because the document does not say how a server handles an id that is in use.
   */
  private add(scope: string, id: string, image: KnownImage): void {
    const old = this.get(scope, id)
    if (old === undefined) this.set(scope, id, image)
    else if (old.state !== image.state) this.known.get(id)?.delete(scope)
  }

  /** The known states of images, for a request that shows every upload until `moment`. */
  private statesOf(
    scope: string,
    ids: readonly unknown[],
    moment: number,
  ): ReadonlyMap<string, ImageState> {
    const states = new Map<string, ImageState>()
    for (const id of ids) {
      const image = typeof id === 'string' ? this.get(scope, id) : undefined
      if (image?.state === 'draft' || (image !== undefined && image.since <= moment))
        states.set(String(id), image.state)
    }
    return states
  }
}

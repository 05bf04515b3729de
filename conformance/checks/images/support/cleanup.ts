import { randomBytes } from 'node:crypto'
import type { Random } from '../../../engine/index.ts'
import type { HttpClient, HttpExchange, HttpRequest } from '../../../wire/index.ts'
import {
  Creations,
  notOfTarget,
  type Journal,
  type Leftovers,
  type Undo,
} from '../../shared/journal.ts'
import { findOwned } from '../../shared/ownership.ts'
import { outcomeOf, type LastRequest, type LastRequests } from '../../shared/last-requests.ts'
import { jsonAt, isSuccess } from './expectations.ts'
import { ImagesRequests, type ApiHost } from './requests.ts'
import type { ImagesTarget } from '../target.ts'
import { findMarked } from './marked-images.ts'

/** Something that the run created. */
interface CreatedResource {
  /** The request that deletes the resource. */
  readonly deletion: HttpRequest
  /**
   * The host that stores the image. Undefined for a variant, for an unused ticket, and for an image
   * of the other account.
   */
  storedAt?: ApiHost | undefined
  /** The id of the image, if it was uploaded as a PNG file: every service stores such files. */
  imageId?: string | undefined
}

/**
 * Tracks what the run created and changed on the target, and undoes it. Never deletes anything that
 * the run did not create.
 */
export class ImagesCleanup {
  readonly prefix: string
  private readonly created = new Map<string, CreatedResource>()
  /** Tickets, by their upload URLs. */
  private readonly tickets = new Map<string, CreatedResource>()
  private readonly pendingUndos = new Set<HttpRequest>()
  /** The URLs of images of the account whose deletion succeeded. */
  private readonly deleted = new Set<string>()
  /** Deletions and undo requests that are in progress. */
  private readonly inProgress = new Set<Promise<unknown>>()
  private readonly requests: ImagesRequests
  private readonly journal: Journal
  private readonly creations: Creations
  private count = 0

  constructor(target: ImagesTarget, journal: Journal) {
    this.prefix = `ts${randomBytes(4).toString('hex')}`
    this.requests = new ImagesRequests(target, this.prefix)
    this.journal = journal
    this.creations = new Creations(journal)
  }

  /**
   * Records a request in the journal if it may create something. Call this before the request is
   * sent.
   */
  readonly announce = (request: HttpRequest): void => {
    if (creatingOperations.has(request.operation)) this.creations.begin(request, this.prefix)
  }

  /**
   * Adds the resources and changes that earlier runs left. Returns a line for each of these that
   * does not belong to the target, or that the runs possibly did not create.
   */
  async restore(
    { undos, unanswered }: Leftovers,
    options: { last: LastRequests; force: boolean },
  ): Promise<string[]> {
    const foreign: string[] = []
    const doubtful: Undo[] = []
    const addDeletion = (deletion: HttpRequest) => this.created.set(keyOf(deletion), { deletion })
    for (const undo of undos) {
      const request = this.requests.ofUndo(undo)
      if (request === undefined) foreign.push(`${undo.method} ${undo.url}: ${notOfTarget}`)
      else if (undo.method !== 'DELETE') this.pendingUndos.add(request)
      else if (undo.mark === undefined || undo.url.includes(undo.mark)) addDeletion(request)
      else doubtful.push(undo)
    }
    const { own, gone, kept } = await findOwned(
      doubtful,
      (undo) => ({ ...this.requests.ofUndo(undo)!, operation: 'getImage', method: 'GET' }),
      { ...options, isNameless: isDraft },
    )
    for (const undo of own) addDeletion(this.requests.ofUndo(undo)!)
    for (const undo of gone) this.journal.undone(undo)
    foreign.push(...kept.map(({ undo, reason }) => `${undo.method} ${undo.url}: ${reason}`))
    for (const [key, creation] of unanswered)
      if (this.requests.ofUndo(creation) === undefined)
        foreign.push(`what ${creation.method} ${creation.url} possibly created: ${notOfTarget}`)
      else this.creations.unanswered.set(key, creation)
    return foreign
  }

  /**
   * Generates a name of letters and digits that is unique in the run. The lengths of names differ.
   */
  newName(random: Random): string {
    this.count += 1
    return `${this.prefix}n${this.count}${random.letters(random.int(1, 14))}`
  }

  /** Tracks what an exchange created or deleted. Returns whether it created something. */
  track(exchange: HttpExchange): boolean {
    const { operation, request } = exchange
    if (request.method === 'DELETE') {
      if (isSuccess(exchange) && this.created.delete(keyOf(request))) this.addDeleted(request)
      return false
    }
    if (!isSuccess(exchange)) {
      this.creations.end(exchange)
      return false
    }
    const ticket = this.tickets.get(request.url)
    if (operation === 'completeDirectUpload' && ticket !== undefined) ticket.storedAt = 'account'
    const deletion = this.deletionOf(operation, exchange)
    if (deletion === undefined) return false
    this.creations.end(exchange, deletion)
    const created: CreatedResource = {
      deletion,
      storedAt:
        operation === 'uploadImage' && !this.requests.isOfOther(request.url)
          ? 'account'
          : operation === 'batchUploadImage'
            ? 'batch'
            : undefined,
      imageId: hasImageFile(exchange) ? String(jsonAt(exchange, 'result', 'id')) : undefined,
    }
    this.created.set(keyOf(deletion), created)
    if (operation === 'createDirectUpload')
      this.tickets.set(String(jsonAt(exchange, 'result', 'uploadURL')), created)
    return true
  }

  /**
   * Deletes the resource that an exchange created, unless it was already deleted. If the deletion
   * fails, it is repeated at the end of the run.
   */
  async deleteCreated(
    creation: HttpExchange,
    client: HttpClient,
    priority: number = lowestPriority,
  ): Promise<void> {
    const deletion = this.deletionOf(creation.operation, creation)
    if (deletion === undefined || !this.created.delete(keyOf(deletion))) return
    const exchange = await this.trackWork(client.send(deletion, priority))
    if (isSuccess(exchange)) this.addDeleted(deletion)
    else this.created.set(keyOf(deletion), { deletion })
  }

  /** Whether this run created the image with that id in the account, and has not deleted it. */
  hasImage(id: string): boolean {
    return this.created.has(keyOf(this.requests.delete(id)))
  }

  /** The number of images of this run that a host stores. */
  countStored(host: ApiHost): number {
    return [...this.created.values()].filter(({ storedAt }) => storedAt === host).length
  }

  /** The ids of the images of this run that a host stores. */
  storedImages(host: ApiHost): string[] {
    return [...this.created.values()].flatMap(({ storedAt, imageId }) =>
      storedAt === host && imageId !== undefined ? [imageId] : [],
    )
  }

  /** Registers a request that undoes a change. Call this before the change. */
  registerUndo(undo: HttpRequest): void {
    this.pendingUndos.add(undo)
    const { method, url, body } = undo
    this.journal.change({ method, url, body: body?.kind === 'json' ? body.value : undefined })
  }

  /**
   * Sends a request that undoes a change. If the request fails, it is repeated at the end of the
   * run.
   */
  async undo(undo: HttpRequest, client: HttpClient, priority: number): Promise<HttpExchange> {
    this.pendingUndos.delete(undo)
    const exchange = await this.trackWork(client.send(undo, priority))
    if (isSuccess(exchange)) this.journal.undone(undo)
    else this.pendingUndos.add(undo)
    return exchange
  }

  /**
   * Sends all deletions and undo requests that remain. Sends a request a second time if it failed.
   * Returns a line for each request that failed again, and for each image that still exists.
   */
  async deleteRemaining(last: LastRequests): Promise<string[]> {
    const inProgress = [...this.inProgress]
    const failed = await this.sendAll(this.takePending(), last)
    await Promise.all(inProgress)
    const unfound = await this.addUnanswered(last)
    const still = await this.sendAll(
      [...failed.map(({ request }) => request), ...this.takePending()],
      last,
    )
    return [
      ...still.map((one) => `${one.request.method} ${one.request.url} ${outcomeOf(one)}`),
      ...unfound,
      ...(await this.findSurvivors(last)),
    ]
  }

  /**
   * Finds what requests without a complete response created, so that it is deleted. Searches for
   * names with the prefix of the run, so it misses a resource if the service chose all names of the
   * resource. Returns a line if the search failed.
   */
  private async addUnanswered(last: LastRequests): Promise<string[]> {
    const { unanswered } = this.creations
    if (unanswered.size === 0) return []
    const marks = [...new Set([...unanswered.values()].map(({ mark }) => mark))]
    const { deletions, failure } = await findMarked(this.requests, marks, last)
    for (const deletion of deletions) {
      this.created.set(keyOf(deletion), { deletion })
      this.journal.change(deletion)
    }
    if (failure !== undefined)
      return [
        `what ${unanswered.size} ${unanswered.size === 1 ? 'request' : 'requests'} without a complete response possibly created: ${failure}`,
      ]
    for (const key of [...unanswered.keys()]) this.creations.endOf(key)
    return []
  }

  /** Finds images that still exist although their deletion succeeded. */
  private async findSurvivors(last: LastRequests): Promise<string[]> {
    const reads = [...this.deleted].map((url) => ({
      ...this.requests.get(''),
      url,
    }))
    // If the first image is gone, the others count as gone.
    const [first] = await last.send(reads.slice(0, 1))
    if (first?.exchange === undefined || !isSuccess(first.exchange)) return []
    return (await last.send(reads)).flatMap(({ request, exchange }) =>
      exchange !== undefined && isSuccess(exchange)
        ? [`${request.url} still exists, although DELETE succeeded`]
        : [],
    )
  }

  private takePending(): HttpRequest[] {
    const all = [
      ...this.pendingUndos,
      ...[...this.created.values()].map(({ deletion }) => deletion),
    ]
    this.created.clear()
    this.pendingUndos.clear()
    return all
  }

  /**
   * Sends the requests and returns those that failed. Status 404 does not count as a failure,
   * because the resource is gone then.
   */
  private async sendAll(
    requests: readonly HttpRequest[],
    last: LastRequests,
  ): Promise<LastRequest[]> {
    const sent = await last.send(requests)
    const isGone = ({ exchange }: LastRequest) =>
      exchange !== undefined && (isSuccess(exchange) || exchange.status === 404)
    for (const { request } of sent.filter(isGone)) this.addDeleted(request)
    return sent.filter((one) => !isGone(one))
  }

  private addDeleted(request: HttpRequest): void {
    const { operation, url } = request
    this.journal.undone(request)
    if (operation === 'deleteImage' && url.startsWith(`${this.requests.account}/`))
      this.deleted.add(url)
  }

  private trackWork<T>(work: Promise<T>): Promise<T> {
    this.inProgress.add(work)
    void work.finally(() => this.inProgress.delete(work))
    return work
  }

  private deletionOf(operation: string, exchange: HttpExchange): HttpRequest | undefined {
    const id = jsonAt(exchange, 'result', 'id')
    if (operation === 'uploadImage' || operation === 'createDirectUpload')
      return typeof id === 'string' ? this.requests.of(exchange.request.url).delete(id) : undefined
    if (operation === 'batchUploadImage')
      return typeof id === 'string' ? this.requests.delete(id, 'batch') : undefined
    const { body } = exchange.request
    if (operation !== 'createVariant' || body?.kind !== 'json') return undefined
    const name = (body.value as { id?: unknown }).id
    return typeof name === 'string'
      ? this.requests.of(exchange.request.url).deleteVariant(name)
      : undefined
  }
}

const creatingOperations = new Set([
  'uploadImage',
  'batchUploadImage',
  'createDirectUpload',
  'createVariant',
])

/**
 * Whether a request contains a PNG file. Every service stores PNG files, but a service may refuse
 * other files.
 */
const hasImageFile = ({ request: { body } }: HttpExchange) =>
  body?.kind === 'form' &&
  body.parts.some(({ name, type }) => name === 'file' && type === 'image/png')

/** Whether an image is a draft. A draft of the run has no name. */
const isDraft = (exchange: HttpExchange) => jsonAt(exchange, 'result', 'draft') === true

/** A priority that is lower than the priority of every check. */
const lowestPriority = Number.MAX_SAFE_INTEGER
const keyOf = ({ url }: HttpRequest) => url

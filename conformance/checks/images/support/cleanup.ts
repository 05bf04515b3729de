import { randomBytes } from 'node:crypto'
import type { Random } from '../../../engine/index.ts'
import type { HttpClient, HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { outcomeOf, type LastRequest, type LastRequests } from '../../shared/last-requests.ts'
import { jsonAt, isSuccess } from './expectations.ts'
import type { ApiHost, ImagesRequests } from './requests.ts'

/** Something that the run created. */
interface CreatedResource {
  /** The request that deletes the resource. */
  readonly deletion: HttpRequest
  /**
   * The host that stores the image; undefined if the resource is not a stored image of the account.
   */
  storedAt?: ApiHost | undefined
  /** The id of an image that was uploaded as a PNG file, a format that every service stores. */
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
  private readonly other: ImagesRequests | undefined
  private count = 0

  /** `other` are requests for the other account of the target file. */
  constructor(requests: ImagesRequests, other?: ImagesRequests) {
    this.requests = requests
    this.other = other
    this.prefix = `ts${randomBytes(4).toString('hex')}`
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
    if (!isSuccess(exchange)) return false
    const ticket = this.tickets.get(request.url)
    if (operation === 'completeDirectUpload' && ticket !== undefined) ticket.storedAt = 'account'
    const deletion = this.deletionOf(operation, exchange)
    if (deletion === undefined) return false
    const created: CreatedResource = {
      deletion,
      storedAt:
        operation === 'uploadImage' && this.requestsOf(exchange) === this.requests
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

  /** Registers a request that undoes a change. Call it before the change. */
  registerUndo(undo: HttpRequest): void {
    this.pendingUndos.add(undo)
  }

  /**
   * Sends a request that undoes a change. If the request fails, it is repeated at the end of the
   * run.
   */
  async undo(undo: HttpRequest, client: HttpClient, priority: number): Promise<HttpExchange> {
    this.pendingUndos.delete(undo)
    const exchange = await this.trackWork(client.send(undo, priority))
    if (!isSuccess(exchange)) this.pendingUndos.add(undo)
    return exchange
  }

  /**
   * Sends all deletions and undo requests that remain, and repeats those that failed once. Returns
   * a line for each request that failed again, and for each image that still exists.
   */
  async deleteRemaining(last: LastRequests): Promise<string[]> {
    const inProgress = [...this.inProgress]
    const failed = await this.sendAll(this.takePending(), last)
    await Promise.all(inProgress)
    const still = await this.sendAll(
      [...failed.map(({ request }) => request), ...this.takePending()],
      last,
    )
    return [
      ...still.map((one) => `${one.request.method} ${one.request.url} ${outcomeOf(one)}`),
      ...(await this.findSurvivors(last)),
    ]
  }

  /** Finds images that still exist although their deletion succeeded. */
  private async findSurvivors(last: LastRequests): Promise<string[]> {
    const reads = [...this.deleted].map((url) => ({
      ...this.requests.get(''),
      url,
    }))
    // If the first image is gone, the others are too.
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
    for (const { request, exchange } of sent)
      if (exchange !== undefined && isSuccess(exchange)) this.addDeleted(request)
    return sent.filter(
      ({ exchange }) => exchange === undefined || (!isSuccess(exchange) && exchange.status !== 404),
    )
  }

  private addDeleted({ operation, url }: HttpRequest): void {
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
      return typeof id === 'string' ? this.requestsOf(exchange).delete(id) : undefined
    if (operation === 'batchUploadImage')
      return typeof id === 'string' ? this.requests.delete(id, 'batch') : undefined
    const { body } = exchange.request
    if (operation !== 'createVariant' || body?.kind !== 'json') return undefined
    const name = (body.value as { id?: unknown }).id
    return typeof name === 'string' ? this.requestsOf(exchange).deleteVariant(name) : undefined
  }

  /** The requests for the account of an exchange. */
  private requestsOf({ request }: HttpExchange): ImagesRequests {
    return this.other !== undefined && request.url.startsWith(`${this.other.account}/`)
      ? this.other
      : this.requests
  }
}

/**
 * Whether a request contains a PNG file. Every service stores PNG files, but not every other type.
 */
const hasImageFile = ({ request: { body } }: HttpExchange) =>
  body?.kind === 'form' &&
  body.parts.some(({ name, type }) => name === 'file' && type === 'image/png')

/** A priority that is lower than the priority of every check. */
const lowestPriority = Number.MAX_SAFE_INTEGER
const keyOf = ({ url }: HttpRequest) => url

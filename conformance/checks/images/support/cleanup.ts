import { randomBytes } from 'node:crypto'
import type { HttpDoor, HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { jsonAt, isSuccess } from './expectations.ts'
import type { ApiHost, ImagesRequests } from './requests.ts'

/** Something that the run made: what takes it away, and where it is an image that was stored. */
interface CreatedResource {
  readonly deletion: HttpRequest
  storedAt?: ApiHost | undefined
}

/** Remembers what the run made at the target, and takes it away again: nothing else is ever deleted. */
export class ImagesCleanup {
  readonly prefix: string
  private readonly created = new Map<string, CreatedResource>()
  /** What was made with a ticket, by the URL that an upload completes it at. */
  private readonly tickets = new Map<string, CreatedResource>()
  private readonly pendingUndos = new Set<HttpRequest>()
  /** What is being taken away or put back at the moment. */
  private readonly inProgress = new Set<Promise<unknown>>()
  private readonly requests: ImagesRequests
  private count = 0

  constructor(requests: ImagesRequests) {
    this.requests = requests
    this.prefix = `ts${randomBytes(4).toString('hex')}`
  }

  newName(): string {
    this.count += 1
    return `${this.prefix}n${this.count}`
  }

  /** Notes what an exchange made or took away; says whether it made something. */
  track(exchange: HttpExchange): boolean {
    const { operation, request } = exchange
    if (request.method === 'DELETE') {
      if (isSuccess(exchange)) this.created.delete(keyOf(request))
      return false
    }
    if (!isSuccess(exchange)) return false
    const ticket = this.tickets.get(request.url)
    if (operation === 'completeDirectUpload' && ticket !== undefined) ticket.storedAt = 'account'
    const deletion = this.deletionOf(operation, exchange)
    if (deletion === undefined) return false
    const made: CreatedResource = {
      deletion,
      storedAt:
        operation === 'uploadImage'
          ? 'account'
          : operation === 'batchUploadImage'
            ? 'batch'
            : undefined,
    }
    this.created.set(keyOf(deletion), made)
    if (operation === 'createDirectUpload')
      this.tickets.set(String(jsonAt(exchange, 'result', 'uploadURL')), made)
    return true
  }

  /** Deletes what an exchange made, if that is still there. What cannot be deleted is tried once more at the end. */
  async deleteCreated(
    made: HttpExchange,
    door: HttpDoor,
    priority: number = lowestPriority,
  ): Promise<void> {
    const deletion = this.deletionOf(made.operation, made)
    if (deletion === undefined || !this.created.delete(keyOf(deletion))) return
    const exchange = await this.trackWork(door.send(deletion, priority))
    if (!isSuccess(exchange)) this.created.set(keyOf(deletion), { deletion })
  }

  /** How many images are there that the run has stored at a host. */
  countStored(host: ApiHost): number {
    return [...this.created.values()].filter(({ storedAt }) => storedAt === host).length
  }

  /** Notes what puts a change of the target back, before the change is made. */
  registerUndo(undo: HttpRequest): void {
    this.pendingUndos.add(undo)
  }

  /** Puts the change back. What cannot be put back is tried once more at the end. */
  async undo(undo: HttpRequest, door: HttpDoor, priority: number): Promise<HttpExchange> {
    this.pendingUndos.delete(undo)
    const exchange = await this.trackWork(door.send(undo, priority))
    if (!isSuccess(exchange)) this.pendingUndos.add(undo)
    return exchange
  }

  /**
   * Takes away everything that is left, at once with what is being put back; then once more what could not be taken away meanwhile. Gives a line for each
   * thing that could not be taken away at all.
   */
  async deleteRemaining(door: HttpDoor): Promise<string[]> {
    const before = [...this.inProgress]
    const failed = await this.sendAll(this.takePending(), door)
    await Promise.all(before)
    const still = await this.sendAll(
      [...failed.map(({ request }) => request), ...this.takePending()],
      door,
    )
    return still.map(
      ({ request, exchange }) => `${request.method} ${request.url} gave ${exchange.summary}`,
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

  /** Sends what takes things away, and gives what did not succeed. */
  private async sendAll(
    requests: readonly HttpRequest[],
    door: HttpDoor,
  ): Promise<{ request: HttpRequest; exchange: HttpExchange }[]> {
    const answers = await Promise.all(
      requests.map(async (request) => ({
        request,
        exchange: await door.send(request, lowestPriority),
      })),
    )
    return answers.filter(({ exchange }) => !isSuccess(exchange) && exchange.status !== 404)
  }

  private trackWork<T>(work: Promise<T>): Promise<T> {
    this.inProgress.add(work)
    void work.finally(() => this.inProgress.delete(work))
    return work
  }

  private deletionOf(operation: string, exchange: HttpExchange): HttpRequest | undefined {
    const id = jsonAt(exchange, 'result', 'id')
    if (operation === 'uploadImage' || operation === 'createDirectUpload')
      return typeof id === 'string' ? this.requests.delete(id) : undefined
    if (operation === 'batchUploadImage')
      return typeof id === 'string' ? this.requests.delete(id, 'batch') : undefined
    const { body } = exchange.request
    if (operation !== 'createVariant' || body?.kind !== 'json') return undefined
    const name = (body.value as { id?: unknown }).id
    return typeof name === 'string' ? this.requests.deleteVariant(name) : undefined
  }
}

/** A priority behind that of all checks. */
const lowestPriority = Number.MAX_SAFE_INTEGER
const keyOf = ({ url }: HttpRequest) => url

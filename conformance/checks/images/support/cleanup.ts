import { randomBytes } from 'node:crypto'
import type { HttpDoor, HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { at, isSuccess } from './expectations.ts'
import type { ApiHost, ImagesRequests } from './requests.ts'

/** Something that the run made: what takes it away, and where it is an image that was stored. */
interface Made {
  readonly removal: HttpRequest
  stored?: ApiHost | undefined
}

/** Remembers what the run made at the target, and takes it away again: nothing else is ever deleted. */
export class ImagesCleanup {
  readonly prefix: string
  private readonly made = new Map<string, Made>()
  /** What was made with a ticket, by the URL that an upload completes it at. */
  private readonly tickets = new Map<string, Made>()
  private readonly owed = new Set<HttpRequest>()
  /** What is being taken away or put back at the moment. */
  private readonly underWay = new Set<Promise<unknown>>()
  private readonly requests: ImagesRequests
  private count = 0

  constructor(requests: ImagesRequests) {
    this.requests = requests
    this.prefix = `ts${randomBytes(4).toString('hex')}`
  }

  name(): string {
    this.count += 1
    return `${this.prefix}n${this.count}`
  }

  /** Notes what an exchange made or took away; says whether it made something. */
  follow(exchange: HttpExchange): boolean {
    const { operation, request } = exchange
    if (request.method === 'DELETE') {
      if (isSuccess(exchange)) this.made.delete(keyOf(request))
      return false
    }
    if (!isSuccess(exchange)) return false
    const ticket = this.tickets.get(request.url)
    if (operation === 'completeDirectUpload' && ticket !== undefined) ticket.stored = 'account'
    const removal = this.removalOf(operation, exchange)
    if (removal === undefined) return false
    const made: Made = {
      removal,
      stored:
        operation === 'uploadImage'
          ? 'account'
          : operation === 'batchUploadImage'
            ? 'batch'
            : undefined,
    }
    this.made.set(keyOf(removal), made)
    if (operation === 'createDirectUpload')
      this.tickets.set(String(at(exchange, 'result', 'uploadURL')), made)
    return true
  }

  /** Deletes what an exchange made, if that is still there. What cannot be deleted is tried once more at the end. */
  async remove(made: HttpExchange, door: HttpDoor, priority: number = last): Promise<void> {
    const removal = this.removalOf(made.operation, made)
    if (removal === undefined || !this.made.delete(keyOf(removal))) return
    const exchange = await this.track(door.send(removal, priority))
    if (!isSuccess(exchange)) this.made.set(keyOf(removal), { removal })
  }

  /** How many images are there that the run has stored at a host. */
  stored(host: ApiHost): number {
    return [...this.made.values()].filter(({ stored }) => stored === host).length
  }

  /** Notes what puts a change of the target back, before the change is made. */
  owe(undo: HttpRequest): void {
    this.owed.add(undo)
  }

  /** Puts the change back. What cannot be put back is tried once more at the end. */
  async putBack(undo: HttpRequest, door: HttpDoor, priority: number): Promise<HttpExchange> {
    this.owed.delete(undo)
    const exchange = await this.track(door.send(undo, priority))
    if (!isSuccess(exchange)) this.owed.add(undo)
    return exchange
  }

  /**
   * Takes away everything that is left, at once with what is being put back; then once more what could not be taken away meanwhile. Gives a line for each
   * thing that could not be taken away at all.
   */
  async clear(door: HttpDoor): Promise<string[]> {
    const before = [...this.underWay]
    const failed = await this.cleared(this.takeAll(), door)
    await Promise.all(before)
    const still = await this.cleared(
      [...failed.map(({ request }) => request), ...this.takeAll()],
      door,
    )
    return still.map(
      ({ request, exchange }) => `${request.method} ${request.url} gave ${exchange.summary}`,
    )
  }

  private takeAll(): HttpRequest[] {
    const all = [...this.owed, ...[...this.made.values()].map(({ removal }) => removal)]
    this.made.clear()
    this.owed.clear()
    return all
  }

  /** Sends what takes things away, and gives what did not succeed. */
  private async cleared(
    requests: readonly HttpRequest[],
    door: HttpDoor,
  ): Promise<{ request: HttpRequest; exchange: HttpExchange }[]> {
    const answers = await Promise.all(
      requests.map(async (request) => ({ request, exchange: await door.send(request, last) })),
    )
    return answers.filter(({ exchange }) => !isSuccess(exchange) && exchange.status !== 404)
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work)
    void work.finally(() => this.underWay.delete(work))
    return work
  }

  private removalOf(operation: string, exchange: HttpExchange): HttpRequest | undefined {
    const id = at(exchange, 'result', 'id')
    if (operation === 'uploadImage' || operation === 'createDirectUpload')
      return typeof id === 'string' ? this.requests.remove(id) : undefined
    if (operation === 'batchUploadImage')
      return typeof id === 'string' ? this.requests.remove(id, 'batch') : undefined
    const { body } = exchange.request
    if (operation !== 'createVariant' || body?.kind !== 'json') return undefined
    const name = (body.value as { id?: unknown }).id
    return typeof name === 'string' ? this.requests.deleteVariant(name) : undefined
  }
}

/** A priority behind that of all checks. */
const last = Number.MAX_SAFE_INTEGER
const keyOf = ({ url }: HttpRequest) => url

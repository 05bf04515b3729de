import { randomBytes } from 'node:crypto'
import type { HttpDoor, HttpExchange, HttpRequest } from '../../wire/index.ts'
import { at, isSuccess } from './expectations.ts'
import type { Requests } from './requests.ts'

/** Remembers what the run made at the target, and takes it away again: nothing else is ever deleted. */
export class Left {
  readonly prefix: string
  private readonly made = new Map<string, HttpRequest>()
  private readonly owed = new Set<HttpRequest>()
  private readonly requests: Requests
  private count = 0

  constructor(requests: Requests) {
    this.requests = requests
    this.prefix = `ts${randomBytes(4).toString('hex')}`
  }

  name(): string {
    this.count += 1
    return `${this.prefix}n${this.count}`
  }

  /** Notes what an exchange made or took away. */
  follow(exchange: HttpExchange): void {
    const { operation, request } = exchange
    if (request.method === 'DELETE') {
      if (isSuccess(exchange)) this.made.delete(keyOf(request))
      return
    }
    if (!isSuccess(exchange)) return
    const removal = this.removalOf(operation, exchange)
    if (removal !== undefined) this.made.set(keyOf(removal), removal)
  }

  /** Deletes what an exchange made, if that is still there. What cannot be deleted is tried once more at the end. */
  async remove(made: HttpExchange, door: HttpDoor): Promise<void> {
    const removal = this.removalOf(made.operation, made)
    if (removal !== undefined && this.made.has(keyOf(removal))) this.follow(await door.send(removal, Number.MAX_SAFE_INTEGER))
  }

  /** Notes what puts a change of the target back, before the change is made. */
  owe(undo: HttpRequest): void {
    this.owed.add(undo)
  }

  /** The change was put back. */
  settle(undo: HttpRequest): void {
    this.owed.delete(undo)
  }

  /** Deletes everything that is left. Gives a line for each thing that could not be deleted. */
  async clear(door: HttpDoor): Promise<string[]> {
    const left = [...this.owed, ...this.made.values()]
    this.made.clear()
    this.owed.clear()
    const answers = await Promise.all(left.map(async (request) => ({ request, exchange: await door.send(request, Number.MAX_SAFE_INTEGER) })))
    return answers
      .filter(({ exchange }) => !isSuccess(exchange) && exchange.status !== 404)
      .map(({ request, exchange }) => `${request.method} ${request.url} gave ${exchange.summary}`)
  }

  private removalOf(operation: string, exchange: HttpExchange): HttpRequest | undefined {
    const id = at(exchange, 'result', 'id')
    if (operation === 'uploadImage' || operation === 'createDirectUpload') return typeof id === 'string' ? this.requests.remove(id) : undefined
    if (operation === 'batchUploadImage') return typeof id === 'string' ? this.requests.remove(id, 'batch') : undefined
    const { body } = exchange.request
    if (operation !== 'createVariant' || body?.kind !== 'json') return undefined
    const name = (body.value as { id?: unknown }).id
    return typeof name === 'string' ? this.requests.deleteVariant(name) : undefined
  }
}

const keyOf = ({ url }: HttpRequest) => url

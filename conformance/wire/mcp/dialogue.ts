import type { Clock } from '../../engine/index.ts'
import { keyOf, type Errand } from './errand.ts'
import { receivedOf, type McpExchange, type McpReceived, type McpStream } from './exchange.ts'
import { flawsOf, problemOf, shown, type McpProblem } from './jsonrpc.ts'

/** Where a message came, and of which errand that stream is. */
export interface Where {
  stream: McpStream
  errand?: Errand | undefined
  /** The exchange of the stream, where that is no errand's. */
  exchange?: McpExchange | undefined
  eventId?: string | undefined
  /** The line, or the data of the event: of a stream that all share, where no exchange has the body. */
  text?: string | undefined
  batch?: boolean | undefined
}

/** What is kept of one connection at most. */
const kept = { messages: 100_000, problems: 1000 }

/** Everything that comes on one connection, whatever the stream: it finds out to which errand each message belongs. */
export class Dialogue {
  readonly received: McpReceived[] = []
  readonly strays: McpReceived[] = []
  readonly problems: McpProblem[] = []
  /** Told of each request of the server. */
  asked: (request: McpReceived) => void = () => {}
  /** Told after each message. */
  moved: () => void = () => {}
  private readonly clock: Clock
  private readonly underWay = new Set<Errand>()
  private readonly past = new Map<string, Errand>()
  /** Problems that came while nothing was under way: the next exchange is told of them. */
  private unclaimed: McpProblem[] = []
  private order = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  begin(errand: Errand, ids: readonly unknown[]): void {
    this.underWay.add(errand)
    for (const id of ids) this.past.set(keyOf(id), errand)
    errand.exchange.problems.push(...this.unclaimed.splice(0))
    void errand.over.then(() => this.underWay.delete(errand))
  }

  get errands(): readonly Errand[] {
    return [...this.underWay]
  }

  /** A fact that breaks the framing: of one errand, where it is known which, else of all that are under way. */
  problem(problem: McpProblem, exchange?: McpExchange): void {
    if (exchange !== undefined) return add(exchange.problems, problem)
    add(this.problems, problem)
    const open = this.errands.filter(({ isOver }) => !isOver)
    for (const errand of open) add(errand.exchange.problems, problem)
    if (open.length === 0) add(this.unclaimed, problem)
  }

  /** Takes what was parsed: a message, or an array of them. */
  take(value: unknown, where: Where): void {
    const own = where.errand?.exchange ?? where.exchange
    if (Array.isArray(value)) {
      if (value.length === 0) this.problem(problemOf('empty-batch', 'an empty batch came'), own)
      for (const one of value) this.one(one, { ...where, batch: true })
    } else this.one(value, where)
    this.moved()
  }

  private one(value: unknown, where: Where): void {
    const { stream, errand, eventId, batch = false } = where
    const own = errand?.exchange ?? where.exchange
    // The stream of a connection belongs to nobody: what is wrong there concerns all.
    for (const flaw of flawsOf(value)) this.problem(flaw, errand?.exchange)
    const message = receivedOf(value, {
      stream,
      exchange: own?.number,
      at: this.clock.now(),
      order: (this.order += 1),
      eventId,
      batch,
    })
    if (message.kind === 'none') return
    if (message.kind === 'response') return this.response(message, errand, where.text)
    add(this.received, message, kept.messages)
    const exchanges =
      errand === undefined
        ? this.errands.filter(({ isOver }) => !isOver).map(({ exchange }) => exchange)
        : [errand.exchange]
    for (const exchange of exchanges) {
      exchange.receivedCount += 1
      add(
        message.kind === 'request' ? exchange.requests : exchange.notifications,
        message,
        kept.messages,
      )
    }
    if (message.kind === 'request') this.asked(message)
  }

  private response(message: McpReceived, own: Errand | undefined, text: string | undefined): void {
    const key = keyOf(message.json.id)
    const errand = this.ownerOf(key, own)
    if (errand === undefined) return this.stray(message, key, own)
    if (own !== undefined && errand !== own)
      this.problem(
        problemOf(
          'wrong-stream',
          `the response with the id ${key} came on the stream of another request`,
        ),
        errand.exchange,
      )
    errand.exchange.receivedCount += 1
    errand.exchange.responses.push(message)
    if (text !== undefined) errand.exchange.text = text
    errand.settle(key)
  }

  private ownerOf(key: string, own: Errand | undefined): Errand | undefined {
    const open = this.errands.filter(({ isOver }) => !isOver)
    if (own?.any === true || own?.left.has(key) === true)
      return own.isOver && !own.any ? undefined : own
    const named = open.find(({ left }) => left.has(key))
    if (named !== undefined || key !== 'null') return named
    // An error that has no id is about what was sent on this stream; on one that all share, it can be told only where one thing is under way.
    if (own !== undefined)
      return own.exchange.responses.length === 0 && !own.isOver ? own : undefined
    return open.length === 1 ? open[0] : undefined
  }

  private stray(message: McpReceived, key: string, own: Errand | undefined): void {
    add(this.strays, message, kept.messages)
    const before = this.past.get(key)
    if (
      before?.isOver === true &&
      before.exchange.responses.length === 0 &&
      before.exchange.failure !== undefined
    ) {
      before.exchange.late ??= message
      return
    }
    if (before !== undefined && before.exchange.responses.length > 0) {
      before.exchange.responses.push(message)
      const problem = problemOf('second-response', `a second response with the id ${key} came`)
      this.problem(problem, before.exchange)
      if (own !== before) this.problem(problem, own?.exchange)
      return
    }
    const like = this.errands.find(({ left }) =>
      [...left].some((one) => one.replaceAll('"', '') === key.replaceAll('"', '')),
    )
    const what =
      like === undefined
        ? 'with which nothing was asked'
        : `which is of another type than the id ${shown(like.exchange.id)} that was sent`
    const code =
      key === 'null' ? 'unknown-null-id' : like === undefined ? 'unknown-id' : 'wrong-id-type'
    const problem = problemOf(code, `a response came with the id ${key}, ${what}`)
    this.problem(problem, own?.exchange ?? like?.exchange)
    if (own !== undefined || like !== undefined) add(this.problems, problem)
  }
}

function add<T>(list: T[], one: T, most: number = kept.problems): void {
  list.push(one)
  if (list.length > most) list.shift()
}

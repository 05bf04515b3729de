import type { Redactor } from '../secrets.ts'
import { isObject, type Clock } from '../../engine/index.ts'
import type { McpAccess, McpEndInRequests, ShortenTimeout } from './api.ts'
import {
  McpExchange,
  type McpFailure,
  type McpReceived,
  type McpStream,
  type McpTransport,
} from './exchange.ts'
import type { ByteBudget } from '../byte-budget.ts'
import { afterCancel } from '../wait.ts'
import { measureJson } from '../json.ts'
import {
  flawsOf,
  kindOfMessage,
  parseJson,
  problemOf,
  shown,
  type McpProblem,
  type RpcId,
} from './framing.ts'

/** The settings that a connection gets from its client. */
export interface McpSettings {
  readonly access: McpAccess
  readonly clock: Clock
  /** Default timeout of an exchange in milliseconds. */
  readonly timeout: number
  readonly shortenTimeout?: ShortenTimeout | undefined
  /** Maximum size in bytes of one HTTP body, one line or one event. */
  readonly maxBytes: number
  /** The memory of all messages that the client receives. */
  readonly budget: ByteBudget
  /** Returns the number of the next exchange. */
  readonly nextNumber: () => number
  readonly redact: Redactor
  /** Called when a subprocess has ended by itself while requests had no response. */
  readonly onEndInRequests?: ((end: McpEndInRequests) => void) | undefined
  /** Aborts when the run is cancelled. Pending exchanges are then soon given up. */
  readonly signal?: AbortSignal | undefined
}

/** Where a message was received. */
export interface MessageOrigin {
  stream: McpStream
  /** The request to which the stream is the response, if the stream belongs to one request. */
  pending?: PendingRequest | undefined
  /** The exchange of a stream that all requests share. */
  exchange?: McpExchange | undefined
  eventId?: string | undefined
  /** On a stream that all requests share: the line, or the data of the event. */
  text?: string | undefined
}

interface PendingOptions {
  /** The ids of the awaited responses; none by default. */
  awaits?: readonly RpcId[]
  /** Milliseconds for the whole exchange; the connection's timeout by default. */
  timeout?: number | undefined
  /** Maximum milliseconds in which nothing is received; `timeout` by default. */
  idle?: number | undefined
  /**
   * Whether every response on the stream of the request counts as its response. True for the
   * requests of `McpClient.http`.
   */
  acceptsAnyResponse?: boolean
  /** What the exchange is, for the progress of the run. Streams have none: they may last long. */
  purpose?: string | undefined
  /** Whether the exchange awaits the HTTP response to its POST as well as the JSON-RPC response. */
  awaitsPostResponse?: boolean
  /** Calls that were sent before, and have no response yet. */
  earlierCalls?: readonly PendingRequest[]
}

type NewExchange = Pick<McpExchange, 'operation' | 'sent' | 'id'>

const isCall = (operation: string): boolean => operation.startsWith('tools/call')

/** A connection keeps this many messages and problems: the latest ones. */
const limits = { messages: 100_000, problems: 1000, withoutResult: 100 }

/** Returns a key for an id. Ids of different types have different keys. */
const keyOf = (id: unknown): string => JSON.stringify(id) ?? 'null'

/** An exchange in progress, with the responses that it still awaits and its timeouts. */
export class PendingRequest {
  readonly exchange: McpExchange
  readonly acceptsAnyResponse: boolean
  /** Resolves when the response was received, or the exchange was given up. */
  readonly over: Promise<McpExchange>
  /** The keys of the ids whose responses are still awaited. */
  readonly left: Set<string>
  /** Called when the exchange is given up. A transport sets it to abort its HTTP request. */
  onGiveUp = () => {}
  private readonly clock: Clock
  private readonly timeout: number
  private readonly idle: number
  private readonly purpose: string | undefined
  private readonly isAwaiting: boolean
  private readonly awaitsPostResponse: boolean
  private readonly earlierCalls: readonly PendingRequest[]
  private isSent = false
  private touchedAt: number
  private stopTimer = () => {}
  private readonly stopCancelTimer: () => void
  private resolve!: (exchange: McpExchange | Promise<McpExchange>) => void

  constructor(
    exchange: McpExchange,
    settings: McpSettings,
    {
      awaits = [],
      timeout = settings.shortenTimeout?.(exchange, settings.timeout) ?? settings.timeout,
      idle = timeout,
      acceptsAnyResponse = false,
      awaitsPostResponse = false,
      earlierCalls = [],
      purpose,
    }: PendingOptions,
  ) {
    this.exchange = exchange
    this.clock = settings.clock
    this.timeout = timeout
    this.idle = idle
    this.purpose = purpose
    this.acceptsAnyResponse = acceptsAnyResponse
    this.awaitsPostResponse = awaitsPostResponse
    this.earlierCalls = earlierCalls
    this.left = new Set(awaits.map(keyOf))
    this.isAwaiting = awaits.length > 0
    this.over = new Promise((resolve) => (this.resolve = resolve))
    this.touchedAt = exchange.startedAt
    this.watchTime(Math.min(timeout, idle))
    this.stopCancelTimer = afterCancel(this.clock, settings.signal, () =>
      this.giveUp('the run was cancelled'),
    )
  }

  get isOver(): boolean {
    return this.exchange.endedAt !== undefined
  }

  /** Restarts the idle timeout, because something was received. */
  touch(): void {
    this.touchedAt = this.clock.now()
  }

  /** Records that an awaited response was received. `key` is the key of its id. */
  settle(key: string): void {
    // An error without an id counts as the response to any id that is still awaited.
    if (!this.left.delete(key)) this.left.delete([...this.left][0] ?? '')
    if (this.left.size === 0 && (this.isSent || (this.isAwaiting && !this.awaitsPostResponse)))
      this.finish()
  }

  /**
   * Records that the message was sent and, over HTTP+SSE, that the POST got a response. Awaited
   * responses can still follow.
   */
  markSent(): void {
    this.isSent = true
    if (this.left.size === 0) this.finish()
  }

  /** Ends the exchange, because the HTTP response is complete and nothing more can be received. */
  conclude(): void {
    const { exchange } = this
    const { httpStatus = 0, problems } = exchange
    if (this.left.size === 0) return this.finish()
    if (httpStatus >= 300 && httpStatus < 400)
      return this.finish(
        'redirect',
        `HTTP ${httpStatus} to "${exchange.header('location') ?? ''}", which was not followed`,
        ['status'],
      )
    if (httpStatus < 200 || httpStatus >= 400)
      return this.finish('status', `HTTP ${httpStatus}`, ['status'])
    const [problem] = problems
    this.finish(
      'unanswered',
      `HTTP ${httpStatus} without a response${problem === undefined ? '' : `: ${problem.text}`}`,
      problem === undefined ? ['status'] : ['status', 'problem'],
    )
  }

  /** Ends the exchange. `names` lists the parts of the summary that `why` already contains. */
  finish(failure?: McpFailure, why?: string, names: McpExchange['whyNames'] = []): void {
    if (this.isOver) return
    this.stopTimer()
    this.stopCancelTimer()
    Object.assign(this.exchange, { endedAt: this.clock.now(), failure, why, whyNames: names })
    if (failure !== undefined) this.onGiveUp()
    this.resolve(failure === 'silent' ? this.afterEarlierCalls() : this.exchange)
  }

  /**
   * Waits for the earlier calls that have no response: if they get none, the server hangs in one of
   * them. Otherwise the order in which the timers end would decide what the cause is.
   */
  private async afterEarlierCalls(): Promise<McpExchange> {
    await Promise.all(this.earlierCalls.map(({ over }) => over))
    return this.exchange
  }

  /** Gives up when the exchange lasts too long, or when nothing is received for too long. */
  private watchTime(wait: number): void {
    const look = () => {
      const { timeout, idle } = this
      const now = this.clock.now()
      const left = this.exchange.startedAt + timeout - now
      const leftIdle = this.touchedAt + idle - now
      if (left <= 0) this.giveUp(`no complete response within ${timeout / 1000} s`)
      else if (leftIdle <= 0) this.giveUp(`nothing happened for ${idle / 1000} s`)
      else this.watchTime(Math.min(left, leftIdle))
    }
    this.stopTimer = this.clock.after(wait, look, this.purpose)
  }

  private giveUp(why: string): void {
    const { exchange } = this
    if (this.isAwaiting && this.left.size === 0) {
      exchange.problems.push(
        problemOf('no-post-response', 'the response was received, but the POST was not answered'),
      )
      this.onGiveUp()
      return this.finish()
    }
    // Over HTTP+SSE, the JSON-RPC response arrives on the event stream. So bytes in the response to
    // the POST do not show that the JSON-RPC response has started.
    const isStarted =
      exchange.receivedCount > 0 || (exchange.receivedBytes > 0 && !this.awaitsPostResponse)
    this.finish(isStarted ? 'unfinished' : 'silent', why)
  }
}

/**
 * The exchanges of one connection, and everything that is received on any of its streams. Finds the
 * pending request to which each message belongs.
 */
export class Dialogue {
  readonly transport: McpTransport
  readonly settings: McpSettings
  readonly received: McpReceived[] = []
  readonly unmatchedResponses: McpReceived[] = []
  readonly problems: McpProblem[] = []
  /** Why messages can no longer be sent. */
  failure: McpFailure | undefined
  /** The failure as a sentence for people. */
  why: string | undefined
  /** See `McpConnection`. */
  hasEndedInMessage = false
  /** Called with each request of the server. */
  onRequest: (request: McpReceived) => void = () => {}
  /** Called after each message, and when the connection is lost. */
  onChange: () => void = () => {}
  private readonly onExchange: (exchange: McpExchange) => void
  private readonly underWay = new Set<PendingRequest>()
  /** The latest request with each id. */
  private readonly latest = new Map<string, PendingRequest>()
  /** Problems that were received while no exchange was pending. The next exchange gets them. */
  private unclaimed: McpProblem[] = []
  /** The latest messages without a result, in the order in which they were sent. */
  private readonly withoutResult: McpExchange[] = []
  private order = 0
  /** When the last response was received. */
  private respondedAt = -Infinity

  /** `onExchange` is called with every exchange when it is over. */
  constructor(
    transport: McpTransport,
    settings: McpSettings,
    onExchange: (exchange: McpExchange) => void = () => {},
  ) {
    this.transport = transport
    this.settings = settings
    this.onExchange = onExchange
  }

  get pending(): readonly PendingRequest[] {
    return [...this.underWay]
  }

  /** The earliest call that timed out, if the server has responded to nothing since. */
  get hangsIn(): McpExchange | undefined {
    return this.withoutResult.find(
      ({ operation, failure, startedAt }) =>
        failure === 'silent' && isCall(operation) && startedAt >= this.respondedAt,
    )
  }

  private get open(): readonly PendingRequest[] {
    return this.pending.filter(({ isOver }) => !isOver)
  }

  /** Starts the exchange of a message that is about to be sent. */
  startRequest(given: NewExchange, options: PendingOptions): PendingRequest {
    const pending = this.start(given, {
      ...options,
      awaitsPostResponse: this.transport === 'sse',
      earlierCalls: this.open.filter(({ exchange }) => isCall(exchange.operation)),
    })
    this.underWay.add(pending)
    for (const id of options.awaits ?? []) this.latest.set(keyOf(id), pending)
    add(this.withoutResult, pending.exchange, limits.withoutResult)
    pending.exchange.problems.push(...this.unclaimed.splice(0))
    void pending.over.then(() => this.underWay.delete(pending))
    return pending
  }

  /**
   * Starts the exchange of an event stream. Messages on the stream belong to the pending requests.
   */
  startStream(given: NewExchange, options: PendingOptions = {}): PendingRequest {
    return this.start(given, options)
  }

  private start(given: NewExchange, options: PendingOptions): PendingRequest {
    const { transport, settings } = this
    const { clock, nextNumber, redact } = settings
    const common = { number: nextNumber(), transport, startedAt: clock.now(), redact }
    const pending = new PendingRequest(new McpExchange({ ...given, ...common }), settings, options)
    void pending.over.then((exchange) => {
      this.findCauses(exchange)
      this.onExchange(exchange)
    })
    return pending
  }

  /** Finds the messages that may be the cause if a message got no response. */
  private findCauses(exchange: McpExchange): void {
    const { withoutResult } = this
    const at = withoutResult.indexOf(exchange)
    if (at === -1) return
    const { failure, answer, httpStatus, id } = exchange
    const isOther = answer !== undefined && id !== undefined && keyOf(answer.json.id) !== keyOf(id)
    // HTTP requests are independent, unless the server is broken or does not respond at all.
    const isCause = (one: McpExchange, index: number) =>
      this.transport === 'stdio' ||
      one === exchange ||
      (index < at &&
        ((one.failure !== undefined && one.httpStatus === undefined) ||
          parseJson(one.sent.text ?? '{}') === undefined))
    if (httpStatus === undefined && (failure !== undefined || isOther))
      exchange.possibleCauses = withoutResult
        .filter(isCause)
        .map(({ operation, sent }) => ({ operation, sent }))
    const { hangsIn } = this
    if (exchange.isInterrupted && hangsIn !== undefined && withoutResult.indexOf(hangsIn) < at)
      exchange.heldUpBy = hangsIn
    if (exchange.result !== undefined) withoutResult.splice(at, 1)
  }

  /**
   * Marks the connection as lost: all pending exchanges fail, and no more messages can be sent.
   * Only the first call has an effect.
   */
  lose(failure: McpFailure, why: string): void {
    if (this.failure !== undefined) return
    this.failure = failure
    this.why = why
    for (const pending of this.pending) pending.finish(failure, why)
    this.onChange()
  }

  /** Marks the connection as lost because the process of the server has ended. */
  loseProcess(why: string): void {
    const { open } = this
    if (this.failure === undefined) {
      this.hasEndedInMessage = open.length > 0
      for (const { exchange } of open) exchange.isClosedWithOthers = open.length > 1
      const requests = open.map(({ exchange }) => exchange).filter(({ id }) => id !== undefined)
      if (requests.length > 0)
        this.settings.onEndInRequests?.({
          operations: requests.map(({ operation, redact }) => redact.sentence(operation)),
          why,
        })
    }
    this.lose('closed', why)
  }

  /**
   * Adds a problem to `exchange`. Without `exchange`, adds the problem to all pending exchanges, or
   * to the next one if none is pending.
   */
  problem(problem: McpProblem, exchange?: McpExchange): void {
    if (exchange !== undefined) return add(exchange.problems, problem)
    add(this.problems, problem)
    const { open } = this
    for (const pending of open) add(pending.exchange.problems, problem)
    if (open.length === 0) add(this.unclaimed, problem)
  }

  /**
   * Parses what was received. Returns undefined if it is not JSON. If the JSON is too large, or the
   * client has received too much, returns that reason as `excess`.
   */
  parse(text: string): { value: unknown } | { excess: string } | undefined {
    const { values, excess } = measureJson(Buffer.from(text))
    if (excess !== undefined) return { excess }
    // A message needs memory for its text, for each of its values, and for itself and its records.
    return this.settings.budget.take(2 * text.length + 60 * values + 2000)
      ? parseJson(text)
      : { excess: 'the messages of this run are too long in all' }
  }

  /** Handles a parsed value: a message, or an array of messages. */
  receive(value: unknown, origin: MessageOrigin): void {
    if (Array.isArray(value)) {
      const own = origin.pending?.exchange ?? origin.exchange
      if (value.length === 0)
        this.problem(problemOf('empty-batch', 'an empty batch was received'), own)
      for (const one of value) this.receiveOne(one, origin, true)
    } else this.receiveOne(value, origin, false)
    this.onChange()
  }

  private receiveOne(
    value: unknown,
    { stream, pending, exchange, eventId, text }: MessageOrigin,
    batch: boolean,
  ): void {
    // A problem on a stream that all requests share is added to all of them.
    for (const flaw of flawsOf(value)) this.problem(flaw, pending?.exchange)
    const message: McpReceived = {
      kind: kindOfMessage(value),
      message: value,
      json: isObject(value) ? value : {},
      stream,
      exchange: (pending?.exchange ?? exchange)?.number,
      at: this.settings.clock.now(),
      order: (this.order += 1),
      eventId,
      batch,
    }
    if (message.kind === 'none') return
    if (message.kind === 'response') return this.receiveResponse(message, pending, text)
    add(this.received, message, limits.messages)
    for (const { exchange } of pending === undefined ? this.open : [pending]) {
      exchange.receivedCount += 1
      const list = message.kind === 'request' ? exchange.requests : exchange.notifications
      add(list, message, limits.messages)
    }
    if (message.kind === 'request') this.onRequest(message)
  }

  private receiveResponse(
    message: McpReceived,
    own: PendingRequest | undefined,
    text: string | undefined,
  ): void {
    this.respondedAt = message.at
    const key = keyOf(message.json.id)
    const pending = this.ownerOf(key, own)
    if (pending === undefined) return this.receiveStray(message, key, own)
    if (own !== undefined && pending !== own)
      this.problem(
        problemOf(
          'wrong-stream',
          `the response with the id ${key} was received on the stream of another request`,
        ),
        pending.exchange,
      )
    pending.exchange.receivedCount += 1
    pending.exchange.responses.push(message)
    if (text !== undefined) pending.exchange.text = text
    pending.settle(key)
  }

  /**
   * Finds the request to which a response with this id belongs. `own` is the request on whose
   * stream the response was received.
   */
  private ownerOf(key: string, own: PendingRequest | undefined): PendingRequest | undefined {
    const { open } = this
    if (own?.acceptsAnyResponse === true || own?.left.has(key) === true)
      return own.isOver && !own.acceptsAnyResponse ? undefined : own
    const named = open.find(({ left }) => left.has(key))
    if (named !== undefined || key !== 'null') return named
    // An error without an id belongs to the request of its stream. On a stream that all requests
    // share, the request is known only if exactly one is pending.
    if (own !== undefined)
      return own.exchange.responses.length === 0 && !own.isOver ? own : undefined
    return open.length === 1 ? open[0] : undefined
  }

  /** Handles a response that no request awaits: a late or second one, or one with an unknown id. */
  private receiveStray(message: McpReceived, key: string, own: PendingRequest | undefined): void {
    add(this.unmatchedResponses, message, limits.messages)
    const before = this.latest.get(key)
    const isAnswered = before !== undefined && before.exchange.responses.length > 0
    if (before?.isOver === true && !isAnswered && before.exchange.failure !== undefined) {
      before.exchange.late ??= message
      return
    }
    if (isAnswered) {
      before.exchange.responses.push(message)
      const problem = problemOf(
        'second-response',
        `a second response with the id ${key} was received`,
      )
      this.problem(problem, before.exchange)
      if (own !== before) this.problem(problem, own?.exchange)
      return
    }
    const like = this.pending.find(({ left }) =>
      [...left].some((one) => one.replaceAll('"', '') === key.replaceAll('"', '')),
    )
    const what =
      like === undefined
        ? 'which no request has'
        : `but the id ${shown(like.exchange.id)} was sent with another type`
    const code =
      key === 'null' ? 'unknown-null-id' : like === undefined ? 'unknown-id' : 'wrong-id-type'
    const problem = problemOf(code, `a response has the id ${key}, ${what}`)
    this.problem(problem, own?.exchange ?? like?.exchange)
    if (own !== undefined || like !== undefined) add(this.problems, problem)
  }
}

function add<T>(list: T[], one: T, most: number = limits.problems): void {
  list.push(one)
  if (list.length > most) list.shift()
}

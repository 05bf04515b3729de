import type { Clock } from '../../engine/index.ts'
import { StreamTimeouts } from '../stream-timeouts.ts'
import type { McpExchange, McpFailure } from './exchange.ts'
import { problemOf, type RpcId } from './jsonrpc.ts'

/** What names an id among others: its type counts. */
export const keyOf = (id: unknown): string => JSON.stringify(id) ?? 'null'

export interface ErrandOptions {
  exchange: McpExchange
  clock: Clock
  awaits: readonly RpcId[]
  timeout: number
  idle: number | undefined
  /** Whether any response on its own stream is taken for its own: for bare requests. */
  any?: boolean | undefined
  /** Whether it is over only when its POST was answered too, and not with the response alone. */
  both?: boolean | undefined
}

/** An exchange under way: what it still waits for, and how long. It is over once. */
export class Errand {
  readonly exchange: McpExchange
  readonly any: boolean
  readonly over: Promise<McpExchange>
  /** The ids with which responses are still to come. */
  readonly left: Set<string>
  /** Called when it is given up, to end what it has open. */
  abandon = () => {}
  private readonly clock: Clock
  private readonly patience: StreamTimeouts
  private readonly awaiting: boolean
  private readonly both: boolean
  private delivered = false
  private resolve!: (exchange: McpExchange) => void

  constructor({
    exchange,
    clock,
    awaits,
    timeout,
    idle,
    any = false,
    both = false,
  }: ErrandOptions) {
    this.exchange = exchange
    this.clock = clock
    this.any = any
    this.both = both
    this.left = new Set(awaits.map(keyOf))
    this.awaiting = awaits.length > 0
    this.over = new Promise((resolve) => (this.resolve = resolve))
    this.patience = new StreamTimeouts(clock, { timeout, idle }, (why) => this.lost(why))
  }

  get isOver(): boolean {
    return this.exchange.endedAt !== undefined
  }

  /** Something came. */
  stir(): void {
    this.patience.stir()
  }

  /** A response came. */
  settle(key: string): void {
    // An error without an id stands for whichever is still to come.
    if (!this.left.delete(key)) this.left.delete([...this.left][0] ?? '')
    if (this.left.size === 0 && (this.delivered || (this.awaiting && !this.both))) this.finish()
  }

  /** What was to be sent is sent; over HTTP it is answered too. With responses still to come, it goes on. */
  deliver(): void {
    this.delivered = true
    if (this.left.size === 0) this.finish()
  }

  /** The complete HTTP answer has come, and with it all that could come. */
  conclude(): void {
    const { httpStatus = 0, problems } = this.exchange
    if (this.left.size === 0) return this.finish()
    if (httpStatus >= 300 && httpStatus < 400)
      return this.finish(
        'redirect',
        `HTTP ${httpStatus} to «${this.exchange.header('location') ?? ''}», which was not followed`,
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

  /** `names` says what of the exchange `why` tells already. */
  finish(failure?: McpFailure, why?: string, names: McpExchange['whyNames'] = []): void {
    if (this.isOver) return
    this.patience.end()
    Object.assign(this.exchange, { endedAt: this.clock.now(), failure, why, whyNames: names })
    if (failure !== undefined) this.abandon()
    this.resolve(this.exchange)
  }

  private lost(why: string): void {
    const { exchange } = this
    if (this.awaiting && this.left.size === 0) {
      exchange.problems.push(
        problemOf('no-post-response', 'the response came, but no answer to the POST'),
      )
      this.abandon()
      return this.finish()
    }
    // What the POST of HTTP+SSE is answered with is no part of a response.
    const began = exchange.receivedCount > 0 || (exchange.receivedBytes > 0 && !this.both)
    this.finish(began ? 'unfinished' : 'silent', why)
  }
}

import { isUtf8 } from 'node:buffer'
import { problemOf, type McpProblem } from './jsonrpc.ts'

/** One event of an event stream. */
export interface SseEvent {
  /** `message` where the stream names none. */
  readonly type: string
  /** Its data lines, joined by line feeds. */
  readonly data: string
  /** The id that the event itself has; undefined where it has none. */
  readonly id: string | undefined
}

const [CR, LF] = [0x0d, 0x0a]

/**
 * Reads an event stream (WHATWG HTML, server-sent events): lines end in CR, LF or CRLF, a BOM at the beginning is passed over, comments and unknown fields
 * are left out, an event without a data line is none. What is no UTF-8, and what the stream breaks off in the middle of, is told as a problem.
 */
export class SseParser {
  /** Milliseconds that the server asks to wait before a new connection. */
  retry: number | undefined
  private readonly event: (event: SseEvent) => void
  private readonly problem: (problem: McpProblem) => void
  private rest: Buffer[] = []
  private data: string[] = []
  private type = ''
  private id: string | undefined
  private first = true
  private afterCr = false

  constructor(event: (event: SseEvent) => void, problem: (problem: McpProblem) => void) {
    this.event = event
    this.problem = problem
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.afterCr) {
        this.afterCr = false
        if (byte === LF) {
          from = at + 1
          continue
        }
      }
      if (byte !== CR && byte !== LF) continue
      this.afterCr = byte === CR
      this.line(Buffer.concat([...this.rest, chunk.subarray(from, at)]))
      this.rest = []
      from = at + 1
    }
    if (from < chunk.length) this.rest.push(chunk.subarray(from))
  }

  /** The stream is over. An event that was not finished by an empty line is dropped, as the standard wants it. */
  end(): void {
    if (this.rest.length > 0 || this.data.length > 0)
      this.problem(
        problemOf('event-unfinished', 'the event stream ended in the middle of an event'),
      )
  }

  private line(bytes: Buffer): void {
    if (!isUtf8(bytes))
      this.problem(problemOf('event-stream-not-utf8', 'a line of the event stream is no UTF-8'))
    const text = this.first ? bytes.toString('utf8').replace(/^\uFEFF/, '') : bytes.toString('utf8')
    this.first = false
    if (text === '') return this.dispatch()
    const colon = text.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? text : text.slice(0, colon)
    this.field(name, colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, ''))
  }

  private field(name: string, value: string): void {
    if (name === 'data') this.data.push(value)
    else if (name === 'event') this.type = value
    else if (name === 'id' && !value.includes('\0')) this.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
  }

  private dispatch(): void {
    const { data, type, id } = this
    this.data = []
    this.type = ''
    this.id = undefined
    if (data.length > 0)
      this.event({ type: type === '' ? 'message' : type, data: data.join('\n'), id })
  }
}

import { isUtf8 } from 'node:buffer'
import type { McpExchange } from './exchange.ts'
import { kindOfMessage, parsed, problemOf, shown, type McpProblem } from './jsonrpc.ts'
import { SseParser, type SseEvent } from './sse.ts'

/** Who is told what an HTTP answer has in it. */
export interface AnswerEar {
  /** What was parsed; with the event's own id and data where it came as one. */
  message(value: unknown, event?: SseEvent): void
  problem(problem: McpProblem): void
  /** An event of another type than `message`; those are left out where it is not given. */
  event?: ((event: SseEvent) => void) | undefined
  /** True where messages have no place in the answer: to the POST of HTTP+SSE. */
  plain?: boolean | undefined
}

/** Characters of a stream's text that are kept. */
const keptOfStream = 1024 * 1024

/** Reads an HTTP answer into its exchange: a JSON body, or an event stream, by its content type; any other body only as text. */
export class Answer {
  private readonly exchange: McpExchange
  private readonly ear: AnswerEar
  private stream: SseParser | undefined
  private readonly chunks: Buffer[] = []
  private over = false

  constructor(exchange: McpExchange, ear: AnswerEar) {
    this.exchange = exchange
    this.ear = ear
  }

  head(status: number, headers: [string, string][]): void {
    const { exchange, ear } = this
    const named: Record<string, string> = {}
    for (const [name, value] of headers) {
      const lower = name.toLowerCase()
      named[lower] = named[lower] === undefined ? value : `${named[lower]}, ${value}`
    }
    Object.assign(exchange, { httpStatus: status, rawHeaders: headers, headers: named })
    if (exchange.contentType === 'text/event-stream')
      this.stream = new SseParser(
        (event) => this.event(event),
        (problem) => ear.problem(problem),
      )
  }

  data(chunk: Buffer): void {
    if (this.stream === undefined) {
      this.exchange.receivedBytes += chunk.length
      this.chunks.push(chunk)
      return
    }
    if (this.exchange.text.length < keptOfStream) this.exchange.text += chunk.toString('utf8')
    this.stream.push(chunk)
  }

  /** The body is complete, or broke off. Only the first time counts. */
  end(complete: boolean): void {
    if (this.over) return
    this.over = true
    if (this.stream !== undefined) return complete ? this.stream.end() : undefined
    const bytes = Buffer.concat(this.chunks.splice(0))
    this.exchange.text = bytes.toString('utf8')
    if (bytes.length > 0 && complete) this.body(bytes)
  }

  private event(event: SseEvent): void {
    const { exchange, ear } = this
    exchange.receivedBytes += event.data.length
    if (event.type !== 'message') return ear.event?.(event)
    // An event with an id and nothing else is there for whoever comes back to the stream.
    if (event.data === '') return
    const json = parsed(event.data)
    if (json === undefined)
      ear.problem(
        problemOf('event-not-json', `the data of an event is no JSON: ${shown(event.data)}`),
      )
    else ear.message(json.value, event)
  }

  private body(bytes: Buffer): void {
    const { exchange, ear } = this
    const { httpStatus = 0, contentType, text } = exchange
    const json = parsed(text)
    const rpc =
      json !== undefined && [json.value].flat().some((one) => kindOfMessage(one) !== 'none')
    if (ear.plain === true)
      return rpc
        ? ear.problem(
            problemOf(
              'message-in-post-response',
              'the answer to the POST has a message in it, which belongs on the event stream',
            ),
          )
        : undefined
    const success = httpStatus >= 200 && httpStatus < 300
    // What a server says beside the protocol, in answers that are none of success, is its own affair.
    if (!success && !rpc) return
    if (!isUtf8(bytes)) ear.problem(problemOf('body-not-utf8', 'the body is no UTF-8'))
    if (contentType !== 'application/json')
      ear.problem(
        problemOf(
          'content-type',
          `the content type is ${shown(contentType)}, which is neither application/json nor text/event-stream`,
        ),
      )
    if (json !== undefined && (rpc || contentType === 'application/json')) ear.message(json.value)
    else if (contentType === 'application/json')
      ear.problem(problemOf('body-not-json', `the body is no JSON: ${shown(text)}`))
  }
}

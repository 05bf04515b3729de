import { isUtf8 } from 'node:buffer'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { McpHeaders } from './api.ts'
import type { Dialogue, PendingRequest } from './dialogue.ts'
import type { McpExchange, McpFailure, McpSent } from './exchange.ts'
import {
  kindOfMessage,
  problemOf,
  shown,
  SseParser,
  type McpProblem,
  type SseEvent,
} from './framing.ts'
import { describeConnectionError } from '../connect.ts'
import { showNotJson } from '../json-failure.ts'
import { limitInterim } from '../interim.ts'
import { closeIfBodyMayBeUnread } from '../unread-body.ts'

/** The maximum size of an event stream, as a multiple of the maximum size of one response. */
const streamFactor = 8
/** This many characters of an event stream are kept as text. */
const keptOfStream = 1024 * 1024

interface PostOptions {
  bytes: Buffer | undefined
  /** True for the POST of HTTP+SSE, whose response must not contain messages. */
  plain?: boolean
  /** Whether the request is over after status and headers. The body is then not read. */
  headOnly?: boolean
}

interface StreamOptions {
  /** Called with events of types other than `message`. */
  onEvent?: (event: SseEvent) => void
  /** Called when the stream has ended. */
  onEnd?: (failure: McpFailure, why: string) => void
}

/** Called with the parts of a response as they are received. */
interface ResponseCallbacks {
  head?(status: number): void
  /** A piece of the body was received. */
  data?(): void
  /** A parsed message, and the event that contained it. */
  message(value: unknown, event?: SseEvent): void
  problem(problem: McpProblem): void
  /** An event of a type other than `message`. */
  event?: ((event: SseEvent) => void) | undefined
  /** Called once, after all other callbacks. */
  end(failure?: McpFailure, why?: string): void
  plain?: boolean
}

interface ReaderCallbacks extends Omit<ResponseCallbacks, 'end'> {
  parse: Dialogue['parse']
  maxEventBytes: number
  /** Called if a message is too large. */
  excess(why: string): void
}

interface SendOptions extends ResponseCallbacks {
  bytes?: Buffer | undefined
  maxBytes: number
}

/**
 * Sends the HTTP requests of one MCP client. Passes each response to its exchange, and the messages
 * in the response to the dialogue, even if the exchange is already over. Does not follow redirects.
 */
export class McpHttpClient {
  private readonly dialogue: Dialogue
  private readonly http: HttpAgent | false
  private readonly https: HttpsAgent | false
  private readonly stops = new Set<() => void>()

  /** Without `keepAlive` each request has its own TCP connection. */
  constructor(dialogue: Dialogue, keepAlive = true) {
    this.dialogue = dialogue
    this.http = keepAlive && new HttpAgent({ keepAlive })
    this.https = keepAlive && new HttpsAgent({ keepAlive })
  }

  /** Sends a request. Unless `plain` is set, the HTTP response contains the awaited messages. */
  post(pending: PendingRequest, { bytes, plain = false, headOnly = false }: PostOptions): void {
    const { dialogue } = this
    const { exchange } = pending
    const { maxBytes } = dialogue.settings
    const stream = exchange.sent.method === 'GET' ? 'get' : 'post'
    const abort = this.send(pending, {
      bytes,
      maxBytes,
      plain,
      head: () => {
        if (!headOnly) return
        abort()
        pending.finish()
      },
      message: (value, event) => dialogue.receive(value, { stream, pending, eventId: event?.id }),
      problem: (problem) => dialogue.problem(problem, exchange),
      end: (failure, why) => {
        const { httpStatus = 0 } = exchange
        if (failure !== undefined) pending.finish(failure, why)
        else if (plain && httpStatus >= 200 && httpStatus < 300) pending.markSent()
        else pending.conclude()
      },
    })
    this.stopWith(pending, abort)
  }

  /**
   * Opens an event stream. The exchange ends after the headers; over HTTP+SSE, when `onEvent` ends
   * it. A message on the stream may belong to any pending request.
   */
  openStream(pending: PendingRequest, { onEvent, onEnd }: StreamOptions = {}): void {
    const { dialogue } = this
    const { exchange } = pending
    const maxBytes = streamFactor * dialogue.settings.maxBytes
    const carriesResponses = dialogue.transport === 'sse'
    const abort = this.send(pending, {
      maxBytes,
      head: (status) => {
        const isStream =
          status >= 200 && status < 300 && exchange.contentType === 'text/event-stream'
        if (isStream && !carriesResponses) pending.finish()
      },
      data: () => {
        if (carriesResponses) for (const one of dialogue.pending) one.touch()
      },
      message: (value, event) =>
        dialogue.receive(value, {
          stream: 'get',
          exchange,
          eventId: event?.id,
          text: event?.data,
        }),
      problem: (problem) => {
        exchange.problems.push(problem)
        dialogue.problem(problem)
      },
      event: onEvent,
      end: (failure, why = 'the event stream ended') => {
        if (failure === undefined) pending.conclude()
        else pending.finish(failure, why)
        onEnd?.(failure ?? 'closed', why)
      },
    })
    this.stopWith(pending, () => {
      abort()
      pending.finish('closed', 'the client closed the connection')
    })
  }

  /** Aborts all open requests, and closes idle connections. */
  close(): void {
    for (const stop of this.stops) stop()
    if (this.http !== false) this.http.destroy()
    if (this.https !== false) this.https.destroy()
  }

  /** Calls `stop` when the exchange is given up, and when the client is closed. */
  private stopWith(pending: PendingRequest, stop: () => void): void {
    pending.onGiveUp = stop
    this.stops.add(stop)
    void pending.exchange.ended.then(() => this.stops.delete(stop))
  }

  /**
   * Sends a request without a time limit. The returned function aborts the request. After that, no
   * callback is called.
   */
  private send(pending: PendingRequest, { bytes, maxBytes, ...on }: SendOptions): () => void {
    const { exchange } = pending
    let isOver = false
    let request: ClientRequest | undefined
    let stopReading = () => {}
    const end = (failure?: McpFailure, why?: string) => {
      if (isOver) return
      isOver = true
      reader.end(failure === undefined)
      exchange.markEnded()
      on.end(failure, why)
      if (failure === undefined) return
      request?.destroy()
      stopReading()
    }
    const reader = new ResponseReader(exchange, {
      ...on,
      parse: (text) => this.dialogue.parse(text),
      maxEventBytes: this.dialogue.settings.maxBytes,
      excess: (why) => end('flood', why),
    })
    const receive = (incoming: IncomingMessage) => {
      if (isOver) return
      pending.touch()
      const status = incoming.statusCode ?? 0
      reader.head(status, incoming.rawHeaders)
      on.head?.(status)
      let size = 0
      const data = (chunk: Buffer) => {
        if (isOver) return
        size += chunk.length
        if (size > maxBytes) return end('flood', `the body is longer than ${maxBytes} bytes`)
        pending.touch()
        on.data?.()
        reader.data(chunk)
      }
      stopReading = readBody(incoming, data, end)
    }
    let staleError: Error | undefined
    const callbacks: RequestCallbacks = {
      response: receive,
      // If a server closes an idle connection just when the client uses it again, the server has
      // not processed the request. The request is then sent again on a new connection.
      failed: (error, isStale) => {
        // An aborted request fails in the same way, and must not be sent again.
        if (isOver) return
        if (isStale) {
          staleError = error
          attempt(true)
          return
        }
        // If there is no server any more, it ended with the first attempt: it received the request.
        const first = failureOf(error) === 'unreachable' ? (staleError ?? error) : error
        end(failureOf(first), describeConnectionError(first))
      },
      flooded: (why) => end('flood', why),
    }
    const attempt = (isRetry: boolean) => {
      request = this.begin(exchange.sent, { bytes, isRetry }, callbacks)
    }
    try {
      attempt(false)
    } catch (error) {
      // Delayed, so that the caller gets the returned function first.
      queueMicrotask(() => end('unreachable', describeConnectionError(error as Error)))
    }
    return () => {
      isOver = true
      request?.destroy()
      stopReading()
      reader.end(false)
      exchange.markEnded()
    }
  }

  private begin(
    { method, url, headers }: McpSent,
    { bytes, isRetry }: { bytes: Buffer | undefined; isRetry: boolean },
    callbacks: RequestCallbacks,
  ): ClientRequest {
    const destination = new URL(url)
    const isSecure = destination.protocol === 'https:'
    const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) }
    const request = (isSecure ? httpsRequest : httpRequest)(destination, {
      method,
      headers: { 'Accept-Encoding': 'identity', ...length, ...headers },
      agent: isRetry ? false : isSecure ? this.https : this.http,
    })
    // Sends the body in pieces, and stops when a response arrives: a server may refuse a large body
    // early.
    const source = bytes === undefined ? undefined : Readable.from(piecesOf(bytes))
    let isAnswered = false
    request.on('response', (incoming) => {
      isAnswered = true
      source?.unpipe(request)
      closeIfBodyMayBeUnread(request, incoming, bytes)
      incoming.once('close', () => request.writableFinished || request.destroy())
      callbacks.response(incoming)
    })
    limitInterim(request, (why) => {
      isAnswered = true
      callbacks.flooded(why)
    })
    // A server may upgrade the connection although the client did not request that. The request
    // then closes without a response and without an error.
    request.on(
      'close',
      () =>
        isAnswered ||
        callbacks.failed(new Error('the connection closed without a response'), false),
    )
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered) return
      isAnswered = true
      const isStale =
        request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      callbacks.failed(error, isStale)
    })
    if (source === undefined) request.end()
    else source.pipe(request)
    return request
  }
}

interface RequestCallbacks {
  response(incoming: IncomingMessage): void
  failed(error: NodeJS.ErrnoException, isStale: boolean): void
  flooded(why: string): void
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += 64 * 1024)
    yield bytes.subarray(from, from + 64 * 1024)
}

/** Returns a function that stops. Without it, a decoder would go on with the bytes that it has. */
function readBody(
  incoming: IncomingMessage,
  data: (chunk: Buffer) => void,
  end: (failure?: McpFailure, why?: string) => void,
): () => void {
  const broken = 'the connection closed in the middle of the response'
  const body = decode(incoming, incoming.headers['content-encoding'])
  body.on('data', data)
  body.on('end', () => end())
  body.on(
    'error',
    (error) => body !== incoming && end('closed', `the body cannot be decoded: ${error.message}`),
  )
  incoming.on('error', () => end('closed', broken))
  incoming.on('close', () => incoming.readableEnded || end('closed', broken))
  return () => void body.destroy()
}

/**
 * Removes the content coding (RFC 9110 §8.4). Some servers use a coding that the client did not
 * request. A body with an unknown coding is returned unchanged.
 */
function decode(body: Readable, coding: string | undefined): Readable {
  switch (coding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return body.pipe(createGunzip())
    case 'deflate':
      return body.pipe(createInflate())
    case 'br':
      return body.pipe(createBrotliDecompress())
    default:
      return body
  }
}

/**
 * Classifies an error. If a server responds with something other than HTTP, it was reached: the
 * failure is `closed`, not `unreachable`.
 */
const failureOf = ({ code = '' }: NodeJS.ErrnoException): McpFailure =>
  code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('HPE_') ? 'closed' : 'unreachable'

/**
 * Reads an HTTP response into its exchange: a JSON body or an event stream, by its content type.
 */
class ResponseReader {
  private readonly exchange: McpExchange
  private readonly on: ReaderCallbacks
  private stream: SseParser | undefined
  private readonly chunks: Buffer[] = []
  private isOver = false

  constructor(exchange: McpExchange, on: ReaderCallbacks) {
    this.exchange = exchange
    this.on = on
  }

  head(status: number, rawHeaders: readonly string[]): void {
    const { exchange, on } = this
    exchange.setHead(status, rawHeaders)
    if (exchange.contentType === 'text/event-stream')
      this.stream = new SseParser(
        (event) => this.event(event),
        (problem) => on.problem(problem),
        {
          maxBytes: on.maxEventBytes,
          tooLong: () => on.excess(`an event is longer than ${on.maxEventBytes} bytes`),
        },
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

  /** Call this when the body is complete or was cut off. Only the first call has an effect. */
  end(isComplete: boolean): void {
    if (this.isOver) return
    this.isOver = true
    if (this.stream !== undefined) return isComplete ? this.stream.end() : undefined
    const bytes = Buffer.concat(this.chunks.splice(0))
    this.exchange.text = bytes.toString('utf8')
    if (bytes.length > 0 && isComplete) this.body(bytes)
  }

  private event(event: SseEvent): void {
    const { exchange, on } = this
    exchange.receivedBytes += event.data.length
    if (event.type !== 'message') return on.event?.(event)
    // Ignores an event without data: for clients that reconnect, servers send events with only an
    // id.
    if (event.data === '') return
    const json = on.parse(event.data)
    if (json !== undefined && 'excess' in json) return on.excess(json.excess)
    if (json !== undefined) return on.message(json.value, event)
    const text = `the data of an event is not JSON: ${showNotJson(event.data, exchange.redact)}`
    on.problem(problemOf('event-not-json', text))
  }

  private body(bytes: Buffer): void {
    const { exchange, on } = this
    const { httpStatus = 0, contentType, text } = exchange
    const json = on.parse(text)
    if (json !== undefined && 'excess' in json) return on.excess(json.excess)
    const isRpc =
      json !== undefined && [json.value].flat().some((one) => kindOfMessage(one) !== 'none')
    if (on.plain === true) {
      const text = 'the response to the POST contains a message, which belongs on the event stream'
      if (isRpc) on.problem(problemOf('message-in-post-response', text))
      return
    }
    const isSuccess = httpStatus >= 200 && httpStatus < 300
    // The protocol does not define the body of an error status, except for a JSON-RPC message.
    if (!isSuccess && !isRpc) return
    if (!isUtf8(bytes)) on.problem(problemOf('body-not-utf8', 'the body is not UTF-8'))
    if (contentType !== 'application/json') {
      const wrong = `the content type is ${shown(contentType)}, which is neither application/json nor text/event-stream`
      on.problem(problemOf('content-type', wrong))
    }
    if (json !== undefined && (isRpc || contentType === 'application/json')) on.message(json.value)
    else if (contentType === 'application/json')
      on.problem(
        problemOf('body-not-json', `the body is not JSON: ${showNotJson(text, exchange.redact)}`),
      )
  }
}

/**
 * Merges headers, ignoring the case of their names. Later layers replace values of earlier ones,
 * and `undefined` removes a header.
 */
export function mergeHeaders(...layers: (McpHeaders | undefined)[]): Record<string, string> {
  const headers = new Map<string, [string, string]>()
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    if (value === undefined) headers.delete(name.toLowerCase())
    else headers.set(name.toLowerCase(), [name, value])
  }
  return Object.fromEntries(headers.values())
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { processClock, type Clock } from '../engine/index.ts'
import { Delivery, type DeliveryContext } from './receiver/delivery.ts'
import {
  notFoundResponse,
  respond,
  type DeliveryResponder,
  type DeliveryResponse,
} from './receiver/response.ts'
import { readRequestBody, type RequestBody } from './receiver/request-body.ts'
import { Listener } from './receiver/listener.ts'
import { Mailbox } from './receiver/mailbox.ts'
import { ByteBudget } from './byte-budget.ts'
import { DeliveryBuffer } from './receiver/delivery-buffer.ts'
import type { ConnectionErrors } from './receiver/connection-errors.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface DeliveryReceiverOptions {
  /** host:port to listen on; port 0 is any free port. 127.0.0.1:0 by default. */
  listen?: string | undefined
  /**
   * The URL at which senders reach the receiver, if it differs from the address in `listen`. Its
   * path precedes the paths of the mailboxes.
   */
  publicUrl?: string | undefined
  /** Whether the receiver uses TLS, with a self-signed certificate. */
  tls?: boolean | undefined
  clock?: Clock | undefined
  /** Redacted in records and summaries. */
  secrets?: Secrets | undefined
  /** Returns the number of the next message of the run. */
  nextNumber: () => number
  /** Returns the kind of a delivery, as the contract names it; `delivery` by default. */
  kindOf?: ((delivery: Delivery) => string) | undefined
  /** How many bytes of a body are kept; 16 MiB by default. */
  maxBytes?: number | undefined
  /**
   * A mailbox that sends no response closes the connection after this many milliseconds; by default
   * after a minute.
   */
  silenceMs?: number | undefined
}

interface ReceiverSettings extends DeliveryContext {
  clock: Clock
  nextNumber: () => number
  maxBytes: number
  silenceMs: number
  secure: boolean
}

/**
 * Limits of the kept requests that belong to no mailbox: their number, and the bytes of their
 * bodies.
 */
const strayLimits = { count: 100, bytes: 16 * 1024 * 1024 }

/**
 * The memory for the long bodies in all mailboxes, in bytes. It exceeds the limit of one mailbox,
 * so a single mailbox drops its oldest deliveries before this memory is used up.
 */
const keptBytes = 80 * 1024 * 1024

/** The memory for the parsed values of these bodies, in bytes. */
const maxValueBytes = 32 * 1024 * 1024

/**
 * A web server that receives the deliveries of a sender under test. It responds as configured and
 * records deliveries, but never judges. One receiver listens either with or without TLS. It keeps
 * the process running until it is closed.
 */
export class Receiver {
  private readonly listener: Listener
  private readonly settings: ReceiverSettings
  private readonly mailboxes = new Map<string, Mailbox>()
  private readonly strayBuffer = new DeliveryBuffer(strayLimits)
  private readonly budget = new ByteBudget(keptBytes)
  /** How many bytes of the budget a delivery uses. */
  private readonly budgeted = new WeakMap<Delivery, number>()
  private readonly delayedResponses = new Set<() => void>()
  private catchAll: Mailbox | undefined
  private responder: DeliveryResponder | undefined
  private closing: Promise<void> | undefined

  private constructor(listener: Listener, settings: ReceiverSettings) {
    this.listener = listener
    this.settings = settings
    listener.onRequest((request, response) => this.handleRequest(request, response))
  }

  /**
   * Starts the server. Throws a readable error for an invalid address or public URL, and for a port
   * that is not available.
   */
  static async start(options: DeliveryReceiverOptions): Promise<Receiver> {
    const { listen = '127.0.0.1:0', publicUrl, tls = false, secrets = {}, nextNumber } = options
    const {
      clock = processClock,
      kindOf = ({ operation }) => operation,
      maxBytes = 16 * 1024 * 1024,
      silenceMs = 60_000,
    } = options
    const listener = await Listener.start({ listen, publicUrl, tls })
    return new Receiver(listener, {
      clock,
      nextNumber,
      kindOf,
      maxBytes,
      silenceMs,
      secure: tls,
      redact: newRedactor(secrets),
      values: new ByteBudget(maxValueBytes),
    })
  }

  /** The URL that precedes the paths of the mailboxes. */
  get baseUrl(): string {
    return this.listener.baseUrl
  }

  /** Scheme, host and port at which the receiver is reached on this machine. */
  get origin(): string {
    return this.listener.origin
  }

  /** The receiver's certificate (PEM), for clients that must trust it; undefined without TLS. */
  get certificate(): string | undefined {
    return this.listener.certificate
  }

  /**
   * The number of accepted connections. With TLS, this includes connections whose client then
   * rejected the certificate.
   */
  get connections(): number {
    return this.listener.connections
  }

  /** Errors that prevented the receiver from reading a request. */
  get connectionErrors(): Readonly<
    Pick<ConnectionErrors, 'tls' | 'unencrypted' | 'http' | 'last'>
  > {
    return this.listener.connectionErrors
  }

  /**
   * The arrival of the latest delivery, in any mailbox, for which `accepts` returns true: in
   * milliseconds since the epoch, or undefined if there is no such delivery.
   */
  lastArrival(accepts: (delivery: Delivery) => boolean): number | undefined {
    const times = [...this.mailboxes.values()].flatMap(({ deliveries }) =>
      deliveries.filter(accepts).map(({ arrivedAt }) => arrivedAt),
    )
    return times.length === 0 ? undefined : Math.max(...times)
  }

  /** The latest 100 requests that belong to no mailbox. They get a 404. */
  get strayDeliveries(): readonly Delivery[] {
    return [...this.strayBuffer.items]
  }

  /** How many stray deliveries were dropped. */
  get droppedStrays(): number {
    return this.strayBuffer.dropped
  }

  /**
   * Opens a mailbox at a URL that cannot be guessed. Throws if the receiver is closed or `response`
   * is not a valid HTTP response.
   */
  openMailbox({ response }: { response?: DeliveryResponse | undefined } = {}): Mailbox {
    if (this.closing !== undefined) throw new Error('the receiver is closed')
    const key = `k${randomBytes(16).toString('hex')}`
    // The URL contains the key twice, so that a delivery reaches its mailbox even if its path or
    // its query was changed. Checks compare path and query.
    const pathAndQuery = `/touchstone/${key}/Hook%20caf%C3%A9?run=${key}&list=1&list=2&path=a%2Fb&words=un%20caf%C3%A9`
    const mailbox = new Mailbox(this.baseUrl + pathAndQuery, this.settings.clock, response)
    this.mailboxes.set(key, mailbox)
    return mailbox
  }

  /**
   * Opens a mailbox for all requests, at any path, that belong to no other mailbox. Its URL is the
   * base URL. If `responder` is set, its responses replace `response`. Throws as `openMailbox`
   * does.
   */
  openCatchAll({
    response,
    responder,
  }: {
    response?: DeliveryResponse | undefined
    responder?: DeliveryResponder | undefined
  } = {}): Mailbox {
    if (this.closing !== undefined) throw new Error('the receiver is closed')
    this.responder = responder
    this.catchAll = new Mailbox(`${this.baseUrl}/`, this.settings.clock, response)
    return this.catchAll
  }

  /**
   * Closes the server and all connections at once. Pending waits for a delivery resolve with
   * undefined.
   */
  close(): Promise<void> {
    if (this.closing === undefined) {
      this.closing = this.listener.close()
      for (const stop of this.delayedResponses) stop()
      for (const mailbox of this.mailboxes.values()) mailbox.end()
      this.catchAll?.end()
    }
    return this.closing
  }

  private handleRequest(request: IncomingMessage, response: ServerResponse): void {
    const arrivedAt = this.settings.clock.now()
    const done = (collected: RequestBody) => {
      // Ignores a request that was cut off because the receiver was closed.
      if (this.closing === undefined) this.addDelivery(request, response, collected, arrivedAt)
    }
    readRequestBody(request, this.settings.maxBytes, done, this.budget)
  }

  private addDelivery(
    request: IncomingMessage,
    response: ServerResponse,
    { body, failure, isFinished, budgeted }: RequestBody,
    arrivedAt: number,
  ): void {
    const { clock, nextNumber, secure } = this.settings
    const { method = '', url = '', rawHeaders } = request
    const milliseconds = Math.round(clock.now() - arrivedAt)
    const delivery = new Delivery(
      {
        number: nextNumber(),
        method,
        url,
        rawHeaders,
        body,
        failure,
        isSecure: secure,
        arrivedAt,
        milliseconds,
        origin: this.origin,
      },
      this.settings,
    )
    const mailbox = this.findMailbox(url)
    const answerWith = (answer: DeliveryResponse) => {
      const stop = respond(response, delivery, answer, this.settings)
      if (stop !== undefined) {
        this.delayedResponses.add(stop)
        response.once('close', () => this.delayedResponses.delete(stop))
      }
    }
    const responder = mailbox === this.catchAll ? this.responder : undefined
    if (isFinished && responder !== undefined) void responder(delivery).then(answerWith)
    else if (isFinished) answerWith(mailbox?.response ?? notFoundResponse)
    // Long bodies are kept compressed, and need less of the budget than during their arrival.
    const needed = Math.min(budgeted, delivery.keptSize)
    this.budget.giveBack(budgeted - needed)
    this.budgeted.set(delivery, needed)
    for (const dropped of (mailbox ?? this.strayBuffer).add(delivery))
      this.budget.giveBack(this.budgeted.get(dropped) ?? 0)
  }

  /** Finds the mailbox whose key is in the URL, otherwise the catch-all, if there is one. */
  private findMailbox(url: string): Mailbox | undefined {
    for (const [key] of url.matchAll(/k[0-9a-f]{32}/gi)) {
      const mailbox = this.mailboxes.get(key.toLowerCase())
      if (mailbox !== undefined) return mailbox
    }
    return this.catchAll
  }
}

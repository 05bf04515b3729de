import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { wallClock, type Clock } from '../engine/index.ts'
import { Delivery, type DeliveryContext } from './receiver/delivery.ts'
import { notFoundResponse, respond, type DeliveryResponse } from './receiver/response.ts'
import { readRequestBody, type RequestBody } from './receiver/request-body.ts'
import { Listener } from './receiver/listener.ts'
import { Mailbox } from './receiver/mailbox.ts'
import { DeliveryBuffer } from './receiver/delivery-buffer.ts'
import type { ConnectionErrors } from './receiver/connection-errors.ts'
import { newRedactor, type Secrets } from './secrets.ts'

export interface DeliveryReceiverOptions {
  /** host:port to listen on; port 0 takes a free one. 127.0.0.1:0 where it is not given. */
  listen?: string | undefined
  /** Where senders reach it, when that is not the address it listens on. A path in it goes before those of the mailboxes. */
  publicUrl?: string | undefined
  /** Whether it speaks TLS, with a certificate that is made for it and that nobody trusts. */
  tls?: boolean | undefined
  clock?: Clock | undefined
  /** What records and summaries leave out. */
  secrets?: Secrets | undefined
  /** Gives each message of the run its number. */
  number: () => number
  /** Tells the kind of a delivery, in the words of a contract; `delivery` for all where it is not given. */
  kindOf?: ((delivery: Delivery) => string) | undefined
  /** Bytes of a body that are kept at most; 16 MiB where it is not given. */
  maxBytes?: number | undefined
  /** Milliseconds after which a silent mailbox closes the connection; a minute where it is not given. */
  silenceMs?: number | undefined
}

interface ReceiverSettings extends DeliveryContext {
  clock: Clock
  number: () => number
  maxBytes: number
  silenceMs: number
  secure: boolean
}

/** What is kept of requests that belong to nobody. */
const strayLimits = { count: 100, bytes: 16 * 1024 * 1024 }

/**
 * A web server that the suite plays, at which a sender's deliveries arrive. It answers as it is told, records, and judges nothing. One listens with TLS
 * or without; who needs both starts two. It keeps the process alive until it is closed.
 */
export class Receiver {
  private readonly listener: Listener
  private readonly settings: ReceiverSettings
  private readonly mailboxes = new Map<string, Mailbox>()
  private readonly strayBuffer = new DeliveryBuffer(strayLimits)
  private readonly delayedResponses = new Set<() => void>()
  private catchAll: Mailbox | undefined
  private closing: Promise<void> | undefined

  private constructor(listener: Listener, settings: ReceiverSettings) {
    this.listener = listener
    this.settings = settings
    listener.onRequest((request, response) => this.handleRequest(request, response))
  }

  /** Starts to listen. Throws, in words, for an address or a public URL that cannot be read, and for a port that cannot be had. */
  static async start(options: DeliveryReceiverOptions): Promise<Receiver> {
    const { listen = '127.0.0.1:0', publicUrl, tls = false, secrets = {}, number } = options
    const {
      clock = wallClock,
      kindOf = ({ operation }) => operation,
      maxBytes = 16 * 1024 * 1024,
      silenceMs = 60_000,
    } = options
    const listener = await Listener.start({ listen, publicUrl, tls })
    return new Receiver(listener, {
      clock,
      number,
      kindOf,
      maxBytes,
      silenceMs,
      secure: tls,
      redact: newRedactor(secrets),
    })
  }

  /** The URL below which the mailboxes are. */
  get baseUrl(): string {
    return this.listener.baseUrl
  }

  /** Scheme, host and port at which this machine reaches it. */
  get origin(): string {
    return this.listener.origin
  }

  /** Its certificate (PEM), for clients that shall trust it; undefined without TLS. */
  get certificate(): string | undefined {
    return this.listener.certificate
  }

  /** Connections that were accepted, whatever became of them. None is a delivery yet: with TLS 1.2 it stands before a client can reject the certificate. */
  get connections(): number {
    return this.listener.connections
  }

  /** What went wrong on connections before there was a request. */
  get connectionErrors(): Readonly<Pick<ConnectionErrors, 'tls' | 'http' | 'last'>> {
    return this.listener.connectionErrors
  }

  /** Requests that belong to no mailbox, answered with 404. The latest 100 are kept. */
  get strayDeliveries(): readonly Delivery[] {
    return [...this.strayBuffer.items]
  }

  /** How many of those were not kept. */
  get droppedStrays(): number {
    return this.strayBuffer.dropped
  }

  /** Makes an address that nobody can guess, and keeps what arrives there. Throws once the receiver is closed, and for an answer that cannot be sent. */
  openMailbox({ response: response }: { response?: DeliveryResponse | undefined } = {}): Mailbox {
    if (this.closing !== undefined) throw new Error('the receiver is closed')
    const key = `k${randomBytes(16).toString('hex')}`
    // The key stands twice, so that a delivery still finds its mailbox when its path, or its query, was lost on the way: that is for a check to see.
    const target = `/touchstone/${key}/hook%20caf%C3%A9?run=${key}&list=1&list=2&path=a%2Fb&words=un%20caf%C3%A9`
    const mailbox = new Mailbox(this.baseUrl + target, this.settings.clock, response)
    this.mailboxes.set(key, mailbox)
    return mailbox
  }

  /** Opens one mailbox for whatever comes to no other one, at any path: there are no strays from now on. Its URL is the receiver's base. Throws as `open` does. */
  openCatchAll({ answer }: { answer?: DeliveryResponse | undefined } = {}): Mailbox {
    if (this.closing !== undefined) throw new Error('the receiver is closed')
    this.catchAll = new Mailbox(`${this.baseUrl}/`, this.settings.clock, answer)
    return this.catchAll
  }

  /** Ends the listener and every connection at once, also those that wait for an answer; whoever waits for a delivery gets undefined. */
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
    readRequestBody(request, this.settings.maxBytes, (collected) => {
      // What the receiver itself broke off by closing has not arrived.
      if (this.closing === undefined) this.addDelivery(request, response, collected, arrivedAt)
    })
  }

  private addDelivery(
    request: IncomingMessage,
    response: ServerResponse,
    { body, failure, isFinished }: RequestBody,
    arrivedAt: number,
  ): void {
    const { clock, number, secure } = this.settings
    const { method = '', url = '', rawHeaders } = request
    const milliseconds = Math.round(clock.now() - arrivedAt)
    const delivery = new Delivery(
      {
        number: number(),
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
    if (isFinished) {
      const stop = respond(response, delivery, mailbox?.response ?? notFoundResponse, this.settings)
      if (stop !== undefined) {
        this.delayedResponses.add(stop)
        response.once('close', () => this.delayedResponses.delete(stop))
      }
    }
    if (mailbox === undefined) this.strayBuffer.add(delivery)
    else mailbox.add(delivery)
  }

  /** The mailbox whose key stands anywhere in the URL; else the one for all the rest, where there is one. */
  private findMailbox(url: string): Mailbox | undefined {
    for (const [key] of url.matchAll(/k[0-9a-f]{32}/gi)) {
      const mailbox = this.mailboxes.get(key.toLowerCase())
      if (mailbox !== undefined) return mailbox
    }
    return this.catchAll
  }
}

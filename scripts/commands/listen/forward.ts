import {
  type Delivery,
  type DeliveryResponder,
  type DeliveryResponse,
} from '../../../conformance/wire/index.ts'
import { decodeContent } from '../../../conformance/wire/content-coding.ts'
import { addressOf } from '../../../mocks/deliveries/address.ts'
import type { DeliveryFailure } from '../../../mocks/deliveries/failure.ts'
import { send, type DeliveryResult } from '../../../mocks/deliveries/send.ts'
import { endToEnd } from '../deliveries/hop-by-hop.ts'
import { shownUrl } from '../deliveries/options.ts'

export interface ForwardOptions {
  /** The URL of the receiver. If it has no path, the path and query of each delivery are used. */
  url: string
  insecure: boolean
  timeoutMs: number
}

/** What happened to a delivery that was forwarded. */
export interface ForwardResult {
  /** The status of the receiver's response; undefined if there was no complete response. */
  status?: number
  durationMs: number
  /** The beginning of the response's body, decoded. */
  body: string
  failure?: DeliveryFailure
}

/** The largest size of a response's body, in bytes. */
const maxResponseBytes = 16 * 1024 * 1024
/** How many bytes of a response's body are decoded to be shown. */
const maxShownBytes = 4096

/** Forwards deliveries to a receiver, and returns its responses to the senders. */
export class Forwarder {
  private readonly options: ForwardOptions
  private readonly keepsPath: boolean
  private readonly results = new WeakMap<Delivery, Promise<ForwardResult>>()
  private readonly controller = new AbortController()

  constructor(options: ForwardOptions) {
    this.options = options
    this.keepsPath = addressOf(options.url)?.path === '/'
  }

  /** Returns the result of a delivery; undefined if it was incomplete and thus not forwarded. */
  resultOf(delivery: Delivery): Promise<ForwardResult> | undefined {
    return this.results.get(delivery)
  }

  /** Cancels pending requests. */
  stop(): void {
    this.controller.abort()
  }

  /** Forwards a delivery, and returns the response for its sender. */
  readonly respond: DeliveryResponder = async (delivery) => {
    // Only a delivery with its whole body can be forwarded unchanged.
    if (!delivery.isComplete) return replyWith(413, `not forwarded: ${delivery.failure}`)
    const sent = this.send(delivery)
    this.results.set(delivery, sent.then(resultFor))
    return responseFor(await sent, shownUrl(this.options.url))
  }

  private async send(delivery: Delivery): Promise<DeliveryResult> {
    const { url, insecure, timeoutMs } = this.options
    const { auth } = addressOf(url)!
    const sent = await send(
      {
        url: this.keepsPath ? url.replace(/^(\w+:\/\/[^/?#]+).*$/, '$1') + delivery.url : url,
        method: delivery.method,
        // The credentials in the URL of the receiver replace those of the sender.
        headers: endToEnd(delivery.headers).filter(
          ([name]) => auth === undefined || name.toLowerCase() !== 'authorization',
        ),
        body: delivery.body,
        rejectUnauthorized: !insecure,
      },
      { timeoutMs, signal: this.controller.signal, rawBytes: maxResponseBytes },
    )
    return sent.raw?.isCut === true ? { ...sent, failure: tooLong } : sent
  }
}

const tooLong: DeliveryFailure = {
  reason: 'broken',
  message: `The response is longer than ${maxResponseBytes / 1024 / 1024} MiB`,
}

function resultFor({ status, durationMs, headers, raw, failure }: DeliveryResult): ForwardResult {
  const { bytes } = decodeContent(raw?.body ?? Buffer.alloc(0), headers['content-encoding'])
  return {
    ...(status === undefined || failure !== undefined ? {} : { status }),
    durationMs,
    body: bytes.subarray(0, maxShownBytes).toString(),
    ...(failure === undefined ? {} : { failure }),
  }
}

function responseFor({ status, raw, failure }: DeliveryResult, url: string): DeliveryResponse {
  if (failure?.reason === 'aborted') return 'close'
  if (failure !== undefined)
    return replyWith(failure.reason === 'timeout' ? 504 : 502, `${url}: ${failure.message}`)
  const pairs = Array.from(
    { length: raw!.headers.length / 2 },
    (_, index) => [raw!.headers[2 * index]!, raw!.headers[2 * index + 1]!] as const,
  )
  return { status: status!, headers: endToEnd(pairs), body: raw!.body }
}

const replyWith = (status: number, reason: string): DeliveryResponse => ({
  status,
  body: `touchstone listen: ${reason}\n`,
})

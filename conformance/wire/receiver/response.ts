import { validateHeaderName, validateHeaderValue, type ServerResponse } from 'node:http'
import type { Clock } from '../../engine/index.ts'
import type { Delivery } from './delivery.ts'

/** The response to a delivery. */
interface Reply {
  /** From 200 to 599. */
  status: number
  body?: string | Uint8Array
  /** Names and values. A list of pairs has an order, and its names can be repeated. */
  headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  /** Milliseconds to wait before the response is sent, by the receiver's clock. */
  afterMs?: number
}

/**
 * A reply, or one of these words:
 * - `silence`: no response is sent, and the connection is closed after the receiver's `silenceMs`.
 * - `close`: no response is sent, and the connection is closed when the delivery is complete.
 */
export type DeliveryResponse = Reply | 'silence' | 'close'

/** Returns the response to each delivery, possibly later. It must not reject. */
export type DeliveryResponder = (delivery: Delivery) => Promise<DeliveryResponse>

export const defaultResponse: DeliveryResponse = { status: 200, body: 'received\n' }
export const notFoundResponse: DeliveryResponse = {
  status: 404,
  body: 'nothing is received here\n',
}

/**
 * Returns the response if it can be sent. Otherwise throws, so that a mistake is reported when the
 * response is configured, not when a delivery arrives.
 */
export function validateResponse(answer: DeliveryResponse): DeliveryResponse {
  if (typeof answer === 'string') return answer
  const { status, headers = {} } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(
      `a delivery cannot be answered with status ${status}: it must be from 200 to 599`,
    )
  for (const [name, value] of pairsOf(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return answer
}

/**
 * Responds to a delivery at once or after `afterMs`, and records the response. Returns a function
 * that cancels a delayed response.
 */
export function respond(
  response: ServerResponse,
  delivery: Delivery,
  answer: DeliveryResponse,
  { clock, silenceMs }: { clock: Clock; silenceMs: number },
): (() => void) | undefined {
  const socket = response.req.socket
  // If a sender disconnects before the response, an error without a listener would crash the
  // process. The record of the delivery shows that it has no response.
  response.on('error', () => {})
  const later = (milliseconds: number, act: () => void) => {
    const stop = clock.after(milliseconds, act, 'the end of a delivery with a late response')
    response.once('close', stop)
    return stop
  }
  if (answer === 'close') {
    delivery.setResponse('closed the connection')
    socket.destroy()
    return undefined
  }
  if (answer === 'silence') {
    delivery.setResponse('sent no response')
    return later(silenceMs, () => socket.destroy())
  }
  if ((answer.afterMs ?? 0) > 0)
    return later(answer.afterMs!, () => send(response, delivery, answer))
  send(response, delivery, answer)
  return undefined
}

function send(
  response: ServerResponse,
  delivery: Delivery,
  { status, body = '', headers = {} }: Reply,
): void {
  if (response.req.socket.destroyed) return
  const given = pairsOf(headers)
  // A body of bytes is that of a forwarded response, which has its own headers.
  const typed =
    typeof body !== 'string' ||
    body === '' ||
    given.some(([name]) => name.toLowerCase() === 'content-type')
  const pairs: [string, string][] = [
    ...(typed ? [] : [['Content-Type', 'text/plain; charset=utf-8'] satisfies [string, string]]),
    ...given,
  ]
  response.statusCode = status
  for (const [name, value] of pairs) response.appendHeader(name, value)
  response.end(body)
  delivery.setResponse(
    status,
    pairs,
    typeof body === 'string' ? body : Buffer.from(body).toString(),
  )
}

function pairsOf(headers: NonNullable<Reply['headers']>): [string, string][] {
  const isList = (given: typeof headers): given is readonly (readonly [string, string])[] =>
    Array.isArray(given)
  return isList(headers) ? headers.map(([name, value]) => [name, value]) : Object.entries(headers)
}

import { validateHeaderName, validateHeaderValue, type ServerResponse } from 'node:http'
import type { Clock } from '../../engine/index.ts'
import type { Delivery } from './delivery.ts'

/** What a delivery gets back. */
interface Reply {
  /** From 200 to 599. */
  status: number
  body?: string
  headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait before, by the receiver's clock. */
  afterMs?: number
}

/**
 * A reply; or `silence`: the connection stays open, and nothing comes until the receiver closes or has been silent for its longest time; or `close`: the
 * connection ends once the delivery is in.
 */
export type DeliveryResponse = Reply | 'silence' | 'close'

export const defaultResponse: DeliveryResponse = { status: 200, body: 'received\n' }
export const notFoundResponse: DeliveryResponse = {
  status: 404,
  body: 'nothing is received here\n',
}

/** The same answer, if it can be sent. Throws where it cannot: a mistake shows where it is made, not when a delivery comes. */
export function validateResponse(answer: DeliveryResponse): DeliveryResponse {
  if (typeof answer === 'string') return answer
  const { status, headers = {} } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`${status} is no status that a delivery can be answered with`)
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return answer
}

/** Answers a delivery, now or later, and notes what was answered. Returns what calls off a later answer. */
export function respond(
  response: ServerResponse,
  delivery: Delivery,
  answer: DeliveryResponse,
  { clock, silenceMs }: { clock: Clock; silenceMs: number },
): (() => void) | undefined {
  const socket = response.req.socket
  // A sender may be gone before its answer: that is for the delivery to show, not for the process to die of.
  response.on('error', () => {})
  const later = (milliseconds: number, act: () => void) => {
    const stop = clock.after(milliseconds, act)
    response.once('close', stop)
    return stop
  }
  if (answer === 'close') {
    delivery.setResponse('closed the connection')
    socket.destroy()
    return undefined
  }
  if (answer === 'silence') {
    delivery.setResponse('kept silent')
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
  const typed =
    body === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const pairs = Object.entries({
    ...(typed ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    ...headers,
  })
  response.statusCode = status
  for (const [name, value] of pairs) response.setHeader(name, value)
  response.end(body)
  delivery.setResponse(status, pairs, body)
}

import { isObject, jsonOf } from '../../../../mocks/stateful/http/body.ts'
import {
  Refusal,
  type ReceiverMiddleware,
  type ReceiverCall,
  type Reply,
} from '../../../../mocks/stateful/receiver.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'
import { faultFactory } from '../fault.ts'
import type { ReceiverDeviation, ReceiverFault } from './fault.ts'

// Building blocks for faults of the receiver. Most of these faults take effect only after the token
// was verified, so that few other checks fail.

/** A delivery that a receiver has read. */
export interface ReadDelivery {
  /** The value of X-Hook-Event. */
  event: string | undefined
  /** Undefined if the body is not JSON. */
  payload: unknown
  bytes: Buffer
  /** How many deliveries with a valid token came before. */
  index: number
}

/**
 * A status to return, or `close` to close the connection without a response. If undefined, the
 * delivery is handled normally.
 */
export type WrongResponse = number | 'close' | undefined

export const fault = faultFactory<ReceiverDeviation>()

/**
 * Replaces the response to deliveries with a valid token. `wrong` is called once for each server,
 * so that it can keep state.
 */
export function onDelivery(
  wrong: () => (
    delivery: ReadDelivery,
    call: ReceiverCall,
  ) => WrongResponse | Promise<WrongResponse>,
): ReceiverFault['make'] {
  return (hit) => {
    const respond = wrong()
    return {
      around: onTrusted(async (delivery, call, next) => {
        const response = await respond(delivery, call)
        if (response === undefined) return next()
        hit()
        return response === 'close' ? closeConnection(call) : failure(response)
      }),
    }
  }
}

/** Reads deliveries with a valid token, and wraps their handler. */
export function onTrusted(
  act: (delivery: ReadDelivery, call: ReceiverCall, next: () => Promise<Reply>) => Promise<Reply>,
): ReceiverMiddleware {
  let count = 0
  return async (call, next) => {
    const { rules, options } = call.server
    if (!rules.acceptsToken(call.headers['x-hook-token'], options.secret)) return next()
    const index = count
    count += 1
    const bytes = await call.bytes()
    return act(
      { event: call.headers['x-hook-event'], payload: jsonOf(bytes)?.value, bytes, index },
      call,
      next,
    )
  }
}

/** Closes the connection without a response. */
export function closeConnection({ request }: ReceiverCall): Promise<never> {
  request.socket.destroy()
  return new Promise(() => {})
}

export function failure(status: number): Reply {
  return status >= 300 && status < 400
    ? { status, headers: { Location: '/sign-in' }, body: { see: '/sign-in' } }
    : { status, body: { error: 'The receiver could not process this delivery' } }
}

/** Replaces the status for methods other than POST. Works only after the first delivery. */
export function replaceOtherMethodStatus(
  { server: { choices } }: ReceiverCall,
  respond: () => number,
): void {
  Object.defineProperty(choices, 'otherMethodStatus', { configurable: true, get: respond })
}

/** Throws a refusal with 500, like a program that meets an unexpected value. */
export function failWith500(hit: Hit, message: string): never {
  hit()
  throw new Refusal(500, message)
}

/**
 * Returns all values at a path in a payload. `*` matches each item of an array. If the last member
 * is missing, its value is undefined.
 */
export function valuesAt(payload: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [payload]
  if (step === '*')
    return Array.isArray(payload) ? payload.flatMap((item) => valuesAt(item, rest)) : []
  if (isObject(payload)) return valuesAt(payload[step], rest)
  return []
}

/** The name of an event in a sentence. */
export const toWords = (event: string) => event.replaceAll('_', ' ')
/** The name of an event in the name of a fault. */
export const toHyphens = (event: string) => event.replaceAll('_', '-')

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

// What most faults are built from: receivers that deviate once the token was found to be right, so that little else breaks.

/** A delivery that a receiver has read. */
export interface ReadDelivery {
  /** The value of X-Hook-Event. */
  event: string | undefined
  /** Undefined where the body is no JSON. */
  payload: unknown
  bytes: Buffer
  /** How many deliveries with the right token came before. */
  before: number
}

/** What stands in for an answer: a status, or no answer at all. */
export type WrongAnswer = number | 'hangs up' | undefined

export const fault = faultFactory<ReceiverDeviation>()

/** Gives another answer to some of the deliveries that have the right token. `wrong` is made anew for each server, so that it may remember. */
export function onDelivery(
  wrong: () => (delivery: ReadDelivery, call: ReceiverCall) => WrongAnswer | Promise<WrongAnswer>,
): ReceiverFault['make'] {
  return (hit) => {
    const answer = wrong()
    return {
      around: trusted(async (delivery, call, next) => {
        const given = await answer(delivery, call)
        if (given === undefined) return next()
        hit()
        return given === 'hangs up' ? hangUp(call) : failure(given)
      }),
    }
  }
}

/** Reads a delivery and stands around it, where its token is right. */
export function trusted(
  act: (delivery: ReadDelivery, call: ReceiverCall, next: () => Promise<Reply>) => Promise<Reply>,
): ReceiverMiddleware {
  let count = 0
  return async (call, next) => {
    const { rules, options } = call.server
    if (!rules.trusts(call.headers['x-hook-token'], options.secret)) return next()
    const before = count
    count += 1
    const bytes = await call.bytes()
    return act(
      { event: call.headers['x-hook-event'], payload: jsonOf(bytes)?.value, bytes, before },
      call,
      next,
    )
  }
}

/** Closes the connection without an answer. */
export function hangUp({ request }: ReceiverCall): Promise<never> {
  request.socket.destroy()
  return new Promise(() => {})
}

export function failure(status: number): Reply {
  return status >= 300 && status < 400
    ? { status, headers: { Location: '/sign-in' }, body: { see: '/sign-in' } }
    : { status, body: { error: 'The receiver could not take this delivery' } }
}

/** What a server answers to other methods than POST, from its first delivery on. */
export function toOtherMethods({ server: { choices } }: ReceiverCall, answer: () => number): void {
  Object.defineProperty(choices, 'otherMethodStatus', { configurable: true, get: answer })
}

/** Breaks, as a program does that finds something else than it thought. */
export function breaks(hit: Hit, message: string): never {
  hit()
  throw new Refusal(500, message)
}

/** All values at a place of a payload, `*` standing for each item; undefined for one that is not there. */
export function valuesAt(payload: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [payload]
  if (step === '*')
    return Array.isArray(payload) ? payload.flatMap((item) => valuesAt(item, rest)) : []
  if (isObject(payload)) return valuesAt(payload[step], rest)
  return []
}

/** The name of an event in the middle of a sentence, and in the name of a fault. */
export const words = (event: string) => event.replaceAll('_', ' ')
export const hyphens = (event: string) => event.replaceAll('_', '-')

import type { IncomingMessage } from 'node:http'
import { setHeader } from '../stateful/tools/headers.ts'
import { note } from './notes.ts'
import { newRandom } from './random.ts'

/**
 * Delays and failures of a mock. With equal seeds, equal sequences of requests have equal delays
 * and failures.
 */
export interface Disturbance {
  /** The seed of the random values. */
  seed: string
  /** The delay of every response, in milliseconds: a random number from `min` to `max`. */
  latency?: { min: number; max: number }
  /** The fraction of the requests that fail, from 0 to 1. */
  failureRate?: number
}

/** Disturbs the requests of one server. */
export interface Disturber {
  /** Returns the delay of the next response, in milliseconds. */
  nextDelay(): number
  /**
   * Lets some requests fail: sets the header with which clients request a failure, unless the
   * client has set it.
   */
  disturb(request: IncomingMessage): void
}

/**
 * Each server has its own random values, because the order of requests to different servers may
 * vary. `failures` are the statuses of failures that clients are expected to handle.
 */
export function newDisturber(
  server: string,
  disturbance: Disturbance,
  failures: readonly number[] = [],
): Disturber {
  const { seed, latency = { min: 0, max: 0 }, failureRate = 0 } = disturbance
  let nextDelayValue: () => number
  let nextFailureValue: () => number
  const restart = () => {
    // The delays do not depend on whether requests fail.
    nextDelayValue = newRandom(`${seed} ${server} delay`)
    nextFailureValue = newRandom(`${seed} ${server}`)
  }
  restart()
  restarts.set(disturbance, [...(restarts.get(disturbance) ?? []), restart])
  const { min, max } = latency
  return {
    nextDelay: () => Math.round(min + nextDelayValue() * (max - min)),
    disturb(request) {
      if (failureRate === 0 || failures.length === 0) return
      // Every request reads two values, so that each request that fails at a low rate also fails at
      // a higher rate.
      const [chance, choice] = [nextFailureValue(), nextFailureValue()]
      if (chance >= failureRate || request.headers['prefer'] !== undefined) return
      note(request, { injected: '--failure-rate' })
      setHeader(request, 'prefer', `code=${failures[Math.floor(choice * failures.length)]}`)
    },
  }
}

/** The functions that restart the random values of the servers of a mock. */
const restarts = new WeakMap<Disturbance, (() => void)[]>()

/** Repeats the delays and failures of all servers of a mock from the beginning. */
export function restartDisturbers(disturbance: Disturbance): void {
  for (const restart of restarts.get(disturbance) ?? []) restart()
}

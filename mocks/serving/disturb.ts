import type { IncomingMessage } from 'node:http'
import { setHeader } from '../stateful/tools/headers.ts'
import { newRandom } from './random.ts'

/** Delays and failures of a mock. Equal seeds disturb equal sequences of requests equally. */
export interface Disturbance {
  /** The seed of the random values. */
  seed: string
  /** The delay of every response, in milliseconds: a random number from `min` to `max`. */
  latency?: { min: number; max: number }
  /** The part of the requests that fail, from 0 to 1. */
  failureRate?: number
}

/** Disturbs the requests of one server. */
export interface Disturber {
  /** Returns the delay of the next response, in milliseconds. */
  nextDelay(): number
  /**
   * Lets some requests fail: sets the header with which clients request a failure, unless the client
   * has set it.
   */
  disturb(request: IncomingMessage): void
}

/**
 * Each server has its own random values, because the order of requests to different servers may
 * vary. `failures` are the statuses of failures that clients are expected to handle.
 */
export function newDisturber(
  server: string,
  { seed, latency = { min: 0, max: 0 }, failureRate = 0 }: Disturbance,
  failures: readonly number[] = [],
): Disturber {
  // The delays do not depend on whether requests fail.
  const [delays, failing] = [newRandom(`${seed} ${server} delay`), newRandom(`${seed} ${server}`)]
  const { min, max } = latency
  return {
    nextDelay: () => Math.round(min + delays() * (max - min)),
    disturb(request) {
      if (failureRate === 0 || failures.length === 0) return
      // Two values are read for every request, so that another rate fails some of the same requests.
      const [chance, choice] = [failing(), failing()]
      if (chance >= failureRate || request.headers['prefer'] !== undefined) return
      setHeader(request, 'prefer', `code=${failures[Math.floor(choice * failures.length)]}`)
    },
  }
}

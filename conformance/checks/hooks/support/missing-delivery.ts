import { HttpExchange } from '../../../wire/index.ts'
import { statusOf } from './expectations.ts'
import type { ProgramRun } from './program-run.ts'

/** What the suite did so that the service sends a delivery. */
export type Cause = HttpExchange | ProgramRun

/**
 * Describes for reports what the suite did, and how often. Names the last of `causes`, which
 * differ at most in the hook.
 *
 * @example
 * 'the request POST http://127.0.0.1:4020/events {"event":"push_events"} (status 200)'
 */
export function describeCauses(causes: readonly Cause[]): string {
  const last = causes.at(-1)
  if (last === undefined) return 'the event'
  const times = causes.length > 1 ? `, ${causes.length} times` : ''
  if (!(last instanceof HttpExchange))
    return `the program ${last.commandLine} (exit code 0${times})`
  const { method, url, body } = last.record().request
  const request = [method, url, ...(body === null ? [] : [body])].join(' ')
  return `the request ${request} (${statusOf(last)}${times})`
}

/**
 * Describes for reports that the service sent no delivery within the timeout, `inTime`.
 *
 * @example
 * describeMissing('within 10 s (suite.patience)', [testCall])
 * // 'no delivery within 10 s (suite.patience) after the request POST …/push_events (status 201)'
 */
export const describeMissing = (
  inTime: string,
  causes: readonly Cause[],
  delivery = 'delivery',
): string => `no ${delivery} ${inTime} after ${describeCauses(causes)}`

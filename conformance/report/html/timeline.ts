import type { Timing, Verdict } from '../../engine/index.ts'
import type { Result } from '../result.ts'
import { markup, type Markup } from './markup.ts'
import { linkTo, nameOfWait, seconds } from './requirement.ts'
import { table } from './table.ts'
import { section } from './tables.ts'

/** The tables show at most this many checks, causes of waits, and requests. */
const maxChecks = 200
const maxCauses = 15
const maxRequests = 20

type TimedVerdict = Verdict & { timing: Timing }

/** When the checks ran, what they waited for, and which requests were slow. */
export function timelineSection({ verdicts }: Result): Markup | undefined {
  const timed = verdicts.filter((verdict): verdict is TimedVerdict => verdict.timing !== undefined)
  if (timed.length === 0) return undefined
  return section(
    'timeline',
    'Timeline',
    markup`<p>Checks run at the same time. How many requests run at the same time depends on <code>suite.concurrency</code>.</p>`,
    requestTable(timed),
    waitTable(timed),
    checkTable(timed),
  )
}

function requestTable(timed: readonly TimedVerdict[]): Markup {
  // Checks that share a value also share its requests.
  const byNumber = new Map(
    timed.flatMap(({ requirement, timing }) =>
      timing.slowest.map((request) => [request.number, { ...request, requirement }] as const),
    ),
  )
  const slowest = [...byNumber.values()]
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, maxRequests)
  if (slowest.length === 0) return markup`<p>No request took 5 ms or more.</p>`
  return markup`<details open><summary>Slowest requests</summary>${table(
    'The slowest requests of the run',
    ['Operation', 'Time', 'Exchange', 'Requirement'],
    slowest.map(({ operation, milliseconds, number, requirement }) => [
      operation,
      `${milliseconds} ms`,
      number,
      linkTo(requirement),
    ]),
  )}</details>`
}

function waitTable(timed: readonly TimedVerdict[]): Markup {
  const causes = new Map<string, { checks: number; total: number; longest: number }>()
  for (const { timing } of timed)
    for (const wait of timing.waits) {
      const name = nameOfWait(wait)
      const cause = causes.get(name) ?? { checks: 0, total: 0, longest: 0 }
      cause.checks += 1
      cause.total += wait.milliseconds
      cause.longest = Math.max(cause.longest, wait.milliseconds)
      causes.set(name, cause)
    }
  const rows = [...causes]
    .toSorted(([, one], [, other]) => other.longest - one.longest)
    .slice(0, maxCauses)
  if (rows.length === 0) return markup``
  return markup`<details><summary>What checks waited for</summary>${table(
    'The longest waits of checks, by what they waited for',
    ['Waited for', 'Checks', 'Longest wait', 'On average'],
    rows.map(([name, { checks, total, longest }]) => [
      name,
      checks,
      seconds(longest),
      seconds(total / checks),
    ]),
  )}</details>`
}

function checkTable(timed: readonly TimedVerdict[]): Markup {
  const end = Math.max(...timed.map(({ timing }) => timing.endMs), 1)
  const shown = timed
    .toSorted((one, other) => spanOf(other) - spanOf(one))
    .slice(0, maxChecks)
    .toSorted(
      (one, other) => startOf(one) - startOf(other) || one.timing.endMs - other.timing.endMs,
    )
  const which = shown.length < timed.length ? `The ${maxChecks} longest checks` : 'All checks'
  return markup`<details><summary>When checks ran</summary>${table(
    `${which}, by their start. Coloured: the check ran. Grey: it waited.`,
    ['Requirement', 'Check', 'From', 'To', 'Run', 'Waited for'],
    shown.map((verdict) => [
      linkTo(verdict.requirement),
      verdict.title,
      markup`<span class="number">${seconds(startOf(verdict))}</span>`,
      markup`<span class="number">${seconds(verdict.timing.endMs)}</span>`,
      bar(verdict.timing, end),
      verdict.timing.waits
        .toSorted((one, other) => other.milliseconds - one.milliseconds)
        .slice(0, 2)
        .map((wait) => markup`<p>${nameOfWait(wait)}: ${seconds(wait.milliseconds)}</p>`),
    ]),
  )}</details>`
}

/** When the check began to wait or, without a wait, to run. */
const startOf = ({ timing }: TimedVerdict): number =>
  Math.min(timing.startMs, ...timing.waits.map(({ fromMs }) => fromMs))

const spanOf = (verdict: TimedVerdict): number => verdict.timing.endMs - startOf(verdict)

/** A bar from the start to the end of a check, in which its waits are lighter. */
function bar({ startMs, endMs, waits }: Timing, end: number): Markup {
  const part = (kind: string, from: number, milliseconds: number) =>
    markup`<rect class="${kind}" x="${((from / end) * 100).toFixed(2)}" y="0" width="${Math.max((milliseconds / end) * 100, 0.3).toFixed(2)}" height="1"/>`
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${part('run', startMs, endMs - startMs)}${waits.map(({ fromMs, milliseconds }) => part('wait', fromMs, milliseconds))}</svg>`
}

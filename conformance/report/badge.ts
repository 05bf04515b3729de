import { join } from 'node:path'
import { requirements } from '../../generated/requirements/index.ts'
import { isUndecided } from '../engine/index.ts'
import { count } from './explanation.ts'
import { reasonForNoJudgement, requirementsOf } from './groups.ts'
import { writeReportFile } from './report-file.ts'
import type { Reporter, Result } from './result.ts'

/** The format that shields.io reads from an endpoint. */
interface Badge {
  schemaVersion: 1
  label: string
  message: string
  color: keyof typeof colors
}

/** The colors of shields.io, by the names that it gives them. */
const colors = {
  brightgreen: '#4c1',
  green: '#97ca00',
  yellow: '#dfb317',
  red: '#e05d44',
  lightgrey: '#9f9f9f',
} as const

/** Writes `badge.svg`, an image for a README, and `badge.json`, an endpoint for shields.io. */
export function badgeReporter(folder: string): Reporter {
  return {
    end(result) {
      const badge = badgeOf(result)
      return [
        writeReportFile(join(folder, 'badge.json'), `${JSON.stringify(badge, null, 2)}\n`),
        writeReportFile(join(folder, 'badge.svg'), svgOf(badge)),
      ]
    },
  }
}

type Judged = Pick<Result, 'exit' | 'verdicts'>

/**
 * The result of a run in a few words. It is "conformant" only if every checkable `must` and
 * `should` of the contracts was covered. Otherwise the badge says how many were checked, so that a
 * run with few checks does not look complete.
 */
export function badgeOf({ exit, verdicts }: Judged): Badge {
  const badge = (message: string, color: Badge['color']): Badge => ({
    schemaVersion: 1,
    label: 'conformance',
    message,
    color,
  })
  if (exit === 3) return badge('no result', 'lightgrey')
  if (exit === 130) return badge('cancelled', 'lightgrey')
  const outcomeCount = (outcome: string) =>
    requirementsOf(verdicts.filter(({ verdict }) => verdict === outcome))
  const failed = outcomeCount('fail')
  if (failed > 0) return badge(`${count(failed, 'requirement')} not met`, 'red')
  if (outcomeCount('stale') > 0 && exit === 1) return badge('known failures out of date', 'red')
  if (exit === 1) return badge('not conformant', 'red')
  if (reasonForNoJudgement(verdicts, 'check') !== undefined)
    return badge('nothing judged', 'lightgrey')
  const { checked, all } = coverageOf(verdicts)
  const share = `${checked} of ${all} checked`
  const known = outcomeCount('known')
  if (known > 0) return badge(`${count(known, 'known failure')} · ${share}`, 'yellow')
  if (checked < all) return badge(`no violation found · ${share}`, 'green')
  return badge(`conformant · ${share}`, 'brightgreen')
}

/**
 * How many of the checkable requirements were checked. Counts all requirements of level `must` or
 * `should` of the contracts and roles of the run, even if they were not selected. Omits those that
 * do not apply to the target.
 */
function coverageOf(verdicts: Judged['verdicts']): { checked: number; all: number } {
  const tested = new Set(verdicts.map(({ contract, role }) => `${contract} ${role}`))
  const stateOf = new Map<string, 'checked' | 'unchecked' | 'not applicable'>()
  for (const { id, contract, role, level, unchecked } of Object.values(requirements))
    if (tested.has(`${contract} ${role}`) && isGraded(level) && unchecked === undefined)
      stateOf.set(id, 'unchecked')
  for (const id of stateOf.keys()) {
    const checks = verdicts.filter(({ requirement }) => requirement === id)
    if (checks.length === 0) continue
    const applicable = checks.filter(({ verdict }) => verdict !== 'not applicable')
    if (applicable.length === 0) stateOf.set(id, 'not applicable')
    else if (!applicable.some((one) => isUndecided(one) || one.verdict === 'blocked'))
      stateOf.set(id, 'checked')
  }
  const states = [...stateOf.values()]
  return {
    checked: states.filter((state) => state === 'checked').length,
    all: states.filter((state) => state !== 'not applicable').length,
  }
}

const isGraded = (level: string): boolean => level === 'must' || level === 'should'

/** Estimates the width of a string in Verdana at 11 pixels from its letters. */
const widthOf = (text: string): number =>
  Math.round(
    [...text].reduce(
      (sum, character) =>
        sum + (/[fijlrt .·]/.test(character) ? 4.2 : /[mw]/.test(character) ? 10 : 6.9),
      0,
    ),
  )

/** Formats a badge as an image that needs no other files and looks like those of shields.io. */
function svgOf({ label, message, color }: Badge): string {
  const padding = 6
  const left = widthOf(label) + 2 * padding
  const right = widthOf(message) + 2 * padding
  const width = left + right
  // textLength sets the width, so that the image is the same with every font.
  const text = (content: string, start: number, length: number) =>
    `<text x="${start + padding}" y="14" textLength="${length - 2 * padding}">${content}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<clipPath id="corners"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#corners)">
<rect width="${left}" height="20" fill="#555"/>
<rect x="${left}" width="${right}" height="20" fill="${colors[color]}"/>
</g>
<g fill="${color === 'red' || color === 'lightgrey' ? '#fff' : '#111'}" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<g fill="#fff">${text(label, 0, left)}</g>
${text(message, left, right)}
</g>
</svg>
`
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirements } from '../../generated/requirements/index.ts'
import type { Outcome, Verdict } from '../engine/index.ts'
import { verdictOf } from '../compare/compare.testing.ts'
import { badgeOf, badgeReporter } from './badge.ts'
import type { Result } from './result.ts'

/** All requirements of the greeting service that can be checked. */
const checkable = Object.values(requirements).filter(
  ({ contract, level, unchecked }) =>
    contract === 'greeting' && (level === 'must' || level === 'should') && unchecked === undefined,
)
const all = checkable.length
const [first, second, ...others] = checkable.map(({ id }) => id)

/** A run in which the first requirements have these outcomes, and all other requirements passed. */
const runWith = (...outcomes: Outcome[]) =>
  [first!, second!, ...others].map((id, index) => verdictOf(id, outcomes[index] ?? 'pass'))

test.each<[what: string, exit: Result['exit'], verdicts: Verdict[], message: string]>([
  ['a complete run', 0, runWith(), `conformant · ${all} of ${all} checked`],
  ['warnings', 0, runWith('warn'), `conformant · ${all} of ${all} checked`],
  [
    'requirements that do not apply',
    0,
    runWith('not applicable'),
    `conformant · ${all - 1} of ${all - 1} checked`,
  ],
  [
    'requirements that are not covered',
    0,
    runWith('not covered', 'blocked'),
    `no violation found · ${all - 2} of ${all} checked`,
  ],
  [
    'a few selected checks',
    0,
    [verdictOf(first!, 'pass')],
    `no violation found · 1 of ${all} checked`,
  ],
  ['only checks that do not apply', 0, [verdictOf(first!, 'not applicable')], 'nothing judged'],
  ['known failures', 0, runWith('known'), `1 known failure · ${all} of ${all} checked`],
  ['a failure', 1, runWith('fail'), '1 requirement not met'],
  ['failures', 1, runWith('fail', 'fail'), '2 requirements not met'],
  ['only blocked checks', 1, runWith('blocked'), 'not conformant'],
  ['a stale entry', 1, runWith('stale'), 'known failures out of date'],
  ['an error', 3, runWith('error', 'fail'), 'no result'],
  ['a cancelled run', 130, runWith('fail'), 'cancelled'],
])('the badge reports %s', (_, exit, verdicts, message) => {
  expect(badgeOf({ exit, verdicts }).message).toBe(message)
})

test('the reporter writes an endpoint for shields.io, and an image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-badge-'))
  try {
    const files = badgeReporter(folder).end!(
      { exit: 1, verdicts: runWith('fail') } as unknown as Result,
      [],
    )
    expect(files).toEqual([join(folder, 'badge.json'), join(folder, 'badge.svg')])
    expect(JSON.parse(readFileSync(join(folder, 'badge.json'), 'utf8'))).toEqual({
      schemaVersion: 1,
      label: 'conformance',
      message: '1 requirement not met',
      color: 'red',
    })
    const image = readFileSync(join(folder, 'badge.svg'), 'utf8')
    expect(image).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20"/)
    expect(image).toContain('aria-label="conformance: 1 requirement not met"')
    expect(image).not.toMatch(/NaN|undefined|href|<script/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

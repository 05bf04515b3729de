import { requirements, type RequirementId } from '../../generated/requirements/index.ts'
import type { Outcome, Verdict } from '../engine/index.ts'
import { verdictOf as makeVerdict } from '../engine/judge.ts'
import type { SavedRun } from './saved-run.ts'

/** Makes a verdict of a check. */
export function verdictOf(
  requirement: RequirementId,
  verdict: Outcome,
  rest: Partial<Verdict> = {},
): Verdict {
  const title = rest.title ?? 'does what is required'
  // Some tests use a requirement that this version does not have, and set the fields in `rest`.
  const entry = requirements[requirement] ?? requirements['IMG-GET-01']
  return makeVerdict(
    { key: `${requirement} ${title}`, requirement, entry, title },
    { verdict, durationMs: 1, ...rest },
  )
}

export const runOf = (
  verdicts: readonly Verdict[],
  rest: Partial<Omit<SavedRun, 'verdicts'>> = {},
): SavedRun => ({
  name: 'a',
  suite: { name: 'touchstone', version: '0.1.0' },
  startedAt: '2026-01-02T03:04:05.678Z',
  strict: false,
  exit: 0,
  verdicts,
  ...rest,
})

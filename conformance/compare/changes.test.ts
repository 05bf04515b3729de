import { describe, expect, test } from 'vitest'
import type { Outcome, Verdict } from '../engine/index.ts'
import { changeGroups, compareRuns, type ChangeGroup } from './changes.ts'
import { runOf, verdictOf } from './compare.testing.ts'

const id = 'IMG-UPLOAD-04'
const rootFailed = { blockedBy: 'IMG-UPLOAD-01', reasonCode: 'root-failed' } as const
const rootKnown = { blockedBy: 'IMG-UPLOAD-01', reasonCode: 'root-known' } as const
const rootHeld = { blockedBy: 'IMG-UPLOAD-01', reasonCode: 'root-held-alone' } as const

const compare = (
  before: readonly Verdict[],
  after: readonly Verdict[],
  { strict = false, version = '0.1.0' } = {},
) => compareRuns(runOf(before), runOf(after, { suite: { name: 'touchstone', version } }), strict)

/** The groups that are not empty. */
const groupsOf = ({ groups }: ReturnType<typeof compare>) =>
  changeGroups.filter((group) => groups[group].length > 0)

describe('a change', () => {
  test.each<
    [
      before: Outcome | [Outcome, Partial<Verdict>],
      after: Outcome | [Outcome, Partial<Verdict>],
      group: ChangeGroup | 'in no group',
      exit: 0 | 1,
      strictExit: 0 | 1,
    ]
  >([
    ['pass', 'fail', 'newlyFailing', 1, 1],
    ['warn', 'fail', 'newlyFailing', 1, 1],
    ['observed', 'fail', 'newlyFailing', 1, 1],
    ['stale', 'fail', 'newlyFailing', 1, 1],
    ['pass', ['blocked', rootFailed], 'newlyFailing', 1, 1],
    ['pass', ['blocked', { ...rootFailed, level: 'should' }], 'noLongerCovered', 0, 1],
    ['pass', ['blocked', rootKnown], 'noLongerCovered', 0, 1],
    ['pass', 'not covered', 'noLongerCovered', 0, 1],
    ['warn', 'not applicable', 'noLongerCovered', 0, 1],
    ['fail', 'not covered', 'noLongerCovered', 0, 1],
    ['not covered', 'fail', 'newlyCoveredFailing', 0, 1],
    ['not applicable', 'fail', 'newlyCoveredFailing', 0, 1],
    [['blocked', rootFailed], 'fail', 'newlyCoveredFailing', 0, 1],
    ['known', 'fail', 'noLongerKnown', 0, 1],
    ['pass', 'warn', 'newWarnings', 0, 1],
    ['fail', 'known', 'newlyKnown', 0, 0],
    ['pass', 'known', 'newlyKnown', 0, 0],
    ['known', 'stale', 'newlyStale', 0, 0],
    ['fail', 'pass', 'fixed', 0, 0],
    ['fail', 'warn', 'fixed', 0, 0],
    ['known', 'pass', 'fixed', 0, 0],
    ['warn', 'pass', 'fixed', 0, 0],
    [['blocked', rootFailed], 'pass', 'fixed', 0, 0],
    ['not covered', 'pass', 'newlyCovered', 0, 0],
    ['not applicable', 'warn', 'newlyCovered', 0, 0],
    [['blocked', rootKnown], 'observed', 'newlyCovered', 0, 0],
    ['pass', 'error', 'newErrors', 0, 0],
    ['fail', 'fail', 'in no group', 0, 0],
    ['fail', ['blocked', rootFailed], 'in no group', 0, 0],
    [['blocked', rootFailed], ['blocked', rootKnown], 'in no group', 0, 0],
    [['blocked', rootKnown], ['blocked', rootFailed], 'in no group', 0, 0],
    [['blocked', rootHeld], ['blocked', rootFailed], 'newlyCoveredFailing', 0, 1],
    [['blocked', rootFailed], ['blocked', rootHeld], 'in no group', 0, 0],
    [['blocked', rootFailed], 'not covered', 'in no group', 0, 0],
    [['blocked', rootFailed], 'not applicable', 'in no group', 0, 0],
    [['blocked', rootFailed], 'error', 'newErrors', 0, 0],
    ['stale', 'pass', 'in no group', 0, 0],
    ['not covered', 'not applicable', 'in no group', 0, 0],
    ['pass', 'observed', 'in no group', 0, 0],
  ])('from %j to %j is %s and exits with %i, or %i if strict', (before, after, group, ...exits) => {
    const verdict = (given: typeof before) =>
      typeof given === 'string' ? verdictOf(id, given) : verdictOf(id, ...given)
    const compared = compare([verdict(before)], [verdict(after)])
    expect(groupsOf(compared)).toEqual(group === 'in no group' ? [] : [group])
    expect(compared.unchanged).toBe(group === 'in no group' ? 1 : 0)
    const strict = compare([verdict(before)], [verdict(after)], { strict: true })
    expect([compared.exit, strict.exit]).toEqual(exits)
  })

  test('of the checks of the suite (new, removed or renamed) is not a regression', () => {
    const compared = compare(
      [verdictOf(id, 'pass', { title: 'an old title' }), verdictOf('IMG-GET-01', 'pass')],
      [
        verdictOf(id, 'pass', { title: 'a new title' }),
        verdictOf('IMG-GET-02', 'fail'),
        verdictOf('IMG-GET-03', 'pass'),
      ],
      { version: '0.2.0' },
    )
    expect(groupsOf(compared)).toEqual(['newChecksFailing', 'newChecks', 'removedChecks'])
    expect([compared.unchanged, compared.exit]).toEqual([1, 0])
  })

  test('of the outcome is found although the check was renamed', () => {
    const compared = compare(
      [verdictOf(id, 'pass', { title: 'an old title' })],
      [verdictOf(id, 'fail', { title: 'a new title' })],
    )
    expect(groupsOf(compared)).toEqual(['newlyFailing'])
  })

  test('of the outcome is not found if several checks of the requirement were renamed', () => {
    const compared = compare(
      [verdictOf(id, 'pass', { title: 'a' }), verdictOf(id, 'pass', { title: 'b' })],
      [verdictOf(id, 'fail', { title: 'c' })],
    )
    expect(groupsOf(compared)).toEqual(['newChecksFailing', 'removedChecks'])
  })

  test.each([
    ['status 400', 'status 409', true],
    [
      'uploaded as 42494d63-3515-4e3b-9835-21ee3b4cdd06',
      'uploaded as 512043ce-4336-4644-8311-6f971d36f77e',
      false,
    ],
    ['20244 bytes', '20292 bytes', false],
    ['after 12 ms at 2026-01-02T03:04:05.678Z', 'after 7 ms at 2026-01-02T03:04:06Z', false],
    ['http://127.0.0.1:40123/hook', 'http://127.0.0.1:40999/hook', false],
    ['the greeting for Ada: "Hello, Ada!"', 'the greeting for Bo: "Hello, Bo!"', false],
    ['the greeting for Ada: "Hello, Ada!"', 'the greeting for Bo: "Hi, Bo!"', true],
    ['ids are sorted', 'ids are not sorted', true],
  ])('of an observation from %j to %j is reported: %s', (one, other, isReported) => {
    const observed = (observation: string) =>
      verdictOf('IMG-UPLOAD-13', 'observed', { observations: [observation] })
    const compared = compare([observed(one)], [observed(other)])
    expect(groupsOf(compared)).toEqual(isReported ? ['changedBehaviour'] : [])
    expect(compared.exit).toBe(0)
  })

  test.each([
    [3, 0],
    [0, 130],
  ] as const)('has no result if the runs exited with %i and %i', (before, after) => {
    const passed = [verdictOf(id, 'pass')]
    const compared = compareRuns(runOf(passed, { exit: before }), runOf(passed, { exit: after }))
    expect(compared.exit).toBe(3)
  })
})

describe('runs that selected different checks', () => {
  const before = [verdictOf('IMG-UPLOAD-01', 'pass'), verdictOf('IMG-UPLOAD-04', 'pass')]
  const after = [verdictOf('IMG-UPLOAD-04', 'fail'), verdictOf('IMG-GET-01', 'fail')]
  const compareSelected = (selected: string[], selectedAfter: string[], skipped: string[] = []) =>
    compareRuns(
      runOf(before, { selected }),
      runOf(after, { selected: selectedAfter, skipped }),
      true,
    )

  test.each([
    [['--only IMG-UPLOAD'], ['--only IMG-GET'], []],
    [[], ['--only IMG-GET'], []],
    [[], [], ['IMG-UPLOAD-01']],
    [['--failed'], ['--failed'], []],
  ])('%j and %j, --skip %j: only the checks of both are compared', (one, other, skipped) => {
    const comparison = compareSelected(one, other, skipped)
    expect(comparison.notCompared).toEqual({ before: 1, after: 1 })
    expect(groupsOf(comparison)).toEqual(['newlyFailing'])
    expect(comparison.regressions).toBe(1)
  })

  test('with the same selection, a check of one run is new or removed', () => {
    const comparison = compareSelected(['--only IMG'], ['--only IMG'])
    expect(comparison.notCompared).toBeUndefined()
    expect(groupsOf(comparison)).toEqual(['newlyFailing', 'newChecksFailing', 'removedChecks'])
  })
})

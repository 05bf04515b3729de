import { describe, expect, test } from 'vitest'
import { ExpectedFailures } from './expected-failures.ts'
import { exitStatus, type ExpectedFailure, type Outcome, type Verdict } from './verdict.ts'

const verdict = (requirement: string, outcome: Outcome, more: Partial<Verdict> = {}) =>
  ({
    key: `${requirement} ${outcome}`,
    requirement,
    level: 'must',
    verdict: outcome,
    expectations: [],
    exchanges: [],
    ...more,
  }) as unknown as Verdict

/** The outcomes of a run and its exit status, with these known failures, on 2026-06-15. */
function outcomes(
  verdicts: readonly Verdict[],
  entries: readonly ExpectedFailure[],
  isWhole?: () => boolean,
) {
  const expected = new ExpectedFailures(entries, {
    today: '2026-06-15',
    ...(isWhole === undefined ? {} : { isWhole }),
  })
  const marked = expected.markAll(verdicts)
  return [...marked.map((one) => one.verdict), exitStatus(marked)]
}

const fail = verdict('IMG-LIST-01', 'fail')
const pass = verdict('IMG-LIST-02', 'pass')
const entry = (id: string, until?: string): ExpectedFailure => ({
  id,
  reason: 'later',
  ...(until === undefined ? {} : { until }),
})

describe('known failures', () => {
  test.each<[string, ExpectedFailure[], unknown[]]>([
    ['no list', [], ['fail', 'pass', 1]],
    ['the id', [entry('IMG-LIST-01')], ['known', 'pass', 0]],
    ['the first parts of ids', [entry('IMG-LIST')], ['known', 'pass', 0]],
    ['a part of a word', [entry('IMG-LIS')], ['fail', 'pass', 1]],
    ['today is the last day', [entry('IMG-LIST-01', '2026-06-15')], ['known', 'pass', 0]],
    ['yesterday was the last day', [entry('IMG-LIST-01', '2026-06-14')], ['fail', 'pass', 1]],
    ['one that passes', [entry('IMG-LIST-02'), entry('IMG-LIST-01')], ['known', 'stale', 1]],
    ['the longest id counts', [entry('IMG-LIST'), entry('IMG-LIST-02')], ['known', 'stale', 1]],
  ])('decide the outcomes: %s', (_, entries, expected) => {
    expect(outcomes([fail, pass], entries)).toEqual(expected)
  })

  test('a warning is known, too', () => {
    expect(outcomes([verdict('IMG-LIST-01', 'warn')], [entry('IMG')])).toEqual(['known', 0])
  })

  test('an entry is not stale if its checks are undecided, or not all of them run', () => {
    const blocked = verdict('IMG-LIST-02', 'blocked', { reasonCode: 'step-failed' })
    expect(outcomes([pass, blocked], [entry('IMG-LIST-02')])).toEqual(['pass', 'blocked', 1])
    const notCovered = verdict('IMG-LIST-02', 'not covered')
    expect(outcomes([pass, notCovered], [entry('IMG-LIST-02')])).toEqual(['pass', 'not covered', 0])
    expect(outcomes([pass], [entry('IMG-LIST-02')], () => false)).toEqual(['pass', 0])
  })

  test('an entry is doubtful if no check of it fails, but one has no result', () => {
    const doubtful = (more: readonly Verdict[], isWhole = true) =>
      new ExpectedFailures([entry('IMG-LIST-02')], {
        today: '2026-06-15',
        isWhole: () => isWhole,
      })
        .findDoubtful([pass, ...more])
        .map(({ id }) => id)
    const notCovered = verdict('IMG-LIST-02', 'not covered')
    expect(doubtful([notCovered])).toEqual(['IMG-LIST-02'])
    expect(doubtful([notCovered], false)).toEqual([])
    expect(doubtful([notCovered, verdict('IMG-LIST-02', 'known')])).toEqual([])
    expect(doubtful([])).toEqual([])
    expect(
      new ExpectedFailures([entry('IMG-LIST-02')], { today: '2026-06-15' }).findDoubtful([
        notCovered,
      ]),
    ).toEqual([])
  })

  test('checks that a known failure blocks do not fail the run', () => {
    const blocked = verdict('IMG-LIST-03', 'blocked', {
      blockedBy: 'IMG-LIST-01',
      reasonCode: 'root-failed',
    })
    expect(outcomes([fail, blocked], [entry('IMG-LIST-01')])).toEqual(['known', 'blocked', 0])
    expect(outcomes([fail, blocked], [])).toEqual(['fail', 'blocked', 1])
    const unknown = verdict('IMG-LIST-01', 'fail')
    expect(outcomes([unknown, blocked], [entry('IMG-LIST-03')])).toEqual(['fail', 'blocked', 1])
  })

  test('a known failure also blocks if the run does not report its check', () => {
    const blocked = verdict('IMG-LIST-03', 'blocked', {
      blockedBy: 'IMG-LIST-01',
      reasonCode: 'step-failed',
    })
    const [marked] = new ExpectedFailures([entry('IMG-LIST-01')], {
      today: '2026-06-15',
    }).markAll([blocked])
    expect(marked?.reasonCode).toBe('root-known')
    expect(outcomes([blocked], [entry('IMG-LIST')])).toEqual(['blocked', 0])
    expect(outcomes([blocked], [entry('IMG-LIST-01', '2026-06-14')])).toEqual(['blocked', 1])
    expect(outcomes([blocked], [entry('IMG-LIST-03')])).toEqual(['blocked', 1])
    const other = verdict('IMG-LIST-01', 'pass')
    expect(outcomes([other, blocked], [entry('IMG-LIST-01')], () => false)).toEqual([
      'pass',
      'blocked',
      0,
    ])
  })

  test('do not explain a block if the check of the requirement that blocks passed', () => {
    const blocked = verdict('IMG-LIST-03', 'blocked', {
      blockedBy: 'IMG-LIST-01',
      reasonCode: 'root-held-alone',
    })
    const [marked] = new ExpectedFailures([entry('IMG-LIST-01')], {
      today: '2026-06-15',
    }).markAll([blocked])
    expect(marked?.reasonCode).toBe('root-held-alone')
  })
})

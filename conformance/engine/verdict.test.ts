import { describe, expect, it } from 'vitest'
import { exitStatus, reasonForNoResult, totalsOf, type Verdict } from './verdict.ts'

const of = (verdict: Verdict['verdict'], level = 'must') => ({ verdict, level }) as Verdict

const heldAlone = { ...of('blocked'), reasonCode: 'root-held-alone' } as Verdict

describe('the exit status', () => {
  it.each([
    [
      'verdicts without a violation',
      [of('pass'), of('warn', 'should'), of('observed', 'open')],
      {},
      0,
    ],
    ['a failed must', [of('pass'), of('fail')], {}, 1],
    ['a must that a failure blocks', [of('blocked')], {}, 1],
    ['a must that is blocked although its root is met', [of('pass'), heldAlone], {}, 0],
    [
      'a must that is blocked although its root is met, with strict',
      [heldAlone],
      { strict: true },
      2,
    ],
    ['a should that a failure blocks', [of('pass'), of('blocked', 'should')], {}, 0],
    ['a must that is not covered', [of('pass'), of('not covered')], {}, 0],
    [
      'a must that is not covered, with strict',
      [of('pass'), of('not covered')],
      { strict: true },
      2,
    ],
    [
      'a must that only a known failure blocks, with strict',
      [of('known'), { ...of('blocked'), reasonCode: 'root-known' as const }],
      { strict: true },
      0,
    ],
    [
      'a should that is not covered, with strict',
      [of('pass'), of('not covered', 'should')],
      { strict: true },
      0,
    ],
    ['an error and a failed must', [of('error'), of('fail')], { strict: true }, 3],
    [
      'a failed must and one that is not covered',
      [of('fail'), of('not covered')],
      { strict: true },
      1,
    ],
    ['a run without verdicts', [], {}, 3],
    ['a run in which no check could run', [of('not covered'), of('not applicable')], {}, 3],
    ['checks that do not apply', [of('not applicable')], {}, 0],
    ['only blocked checks of advice', [of('blocked', 'should'), of('not applicable')], {}, 3],
    ['a must that is blocked', [of('blocked'), of('blocked', 'should')], {}, 1],
    ['a blocked check of advice after a pass', [of('blocked', 'should'), of('pass')], {}, 0],
  ])('is correct for %s', (_, verdicts, options, status) =>
    expect(exitStatus(verdicts, options)).toBe(status),
  )
})

it('names the most frequent reason if no check could run', () => {
  const without = (reason: string) => ({ ...of('not covered'), reason })
  expect(reasonForNoResult([without('one'), without('other'), without('other')])).toBe(
    'nothing could be checked: other',
  )
  expect(reasonForNoResult([without('one'), of('pass')])).toBeUndefined()
  expect(reasonForNoResult([without('one'), of('blocked')])).toBeUndefined()
})

it('counts every outcome', () => {
  expect(totalsOf([of('pass'), of('pass'), of('blocked')])).toMatchObject({
    pass: 2,
    blocked: 1,
    fail: 0,
    'not covered': 0,
  })
})

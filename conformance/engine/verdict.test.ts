import { describe, expect, it } from 'vitest'
import { exitStatus, totalsOf, type Verdict } from './verdict.ts'

const of = (verdict: Verdict['verdict'], level = 'must') => ({ verdict, level }) as Verdict

const heldAlone = { ...of('blocked'), reasonCode: 'root-held-alone' } as Verdict

describe('the exit status', () => {
  it.each([
    ['conformant', [of('pass'), of('warn', 'should'), of('observed', 'open')], {}, 0],
    ['a violation', [of('pass'), of('fail')], {}, 1],
    ['a must behind a failure', [of('blocked')], {}, 1],
    ['a must behind a step that works alone', [of('pass'), heldAlone], {}, 0],
    ['a must behind a step that works alone, strictly', [heldAlone], { strict: true }, 2],
    ['a should behind a failure', [of('pass'), of('blocked', 'should')], {}, 0],
    ['not covered', [of('pass'), of('not covered')], {}, 0],
    ['not covered, strictly', [of('pass'), of('not covered')], { strict: true }, 2],
    [
      'a should not covered, strictly',
      [of('pass'), of('not covered', 'should')],
      { strict: true },
      0,
    ],
    ['an error before a violation', [of('error'), of('fail')], { strict: true }, 3],
    ['a violation before a gap', [of('fail'), of('not covered')], { strict: true }, 1],
    ['nothing', [], {}, 3],
  ])('of %s', (_, verdicts, options, status) => expect(exitStatus(verdicts, options)).toBe(status))
})

it('counts every outcome', () => {
  expect(totalsOf([of('pass'), of('pass'), of('blocked')])).toMatchObject({
    pass: 2,
    blocked: 1,
    fail: 0,
    'not covered': 0,
  })
})

import { describe, expect, it } from 'vitest'
import type { ImagesCall, ImagesReply } from '../../../mocks/stateful/images.ts'
import { exclusions as imageExclusions, factors as imageFactors } from './images/index.ts'
import { pairwiseCombinations } from './pairwise.ts'
import { combineValues } from './combine-values.ts'
import type { AnyDeviation } from './variation.ts'
import type { ImagesFactor } from './images/variation.ts'
import type { ImagesDeviation } from '../faults/images/fault.ts'
import { combinableFactors, factorValueName, type Exclusion } from './variation.ts'

const factor = (name: string, ...values: string[]): ImagesFactor => ({
  requirement: 'none',
  name: name,
  values: values.map((value) => ({ name: value, description: '' })),
})

/** Returns the pairs that the combinations contain, and the pairs that they should contain. */
function pairs(factors: readonly ImagesFactor[], exclusions: readonly Exclusion[]) {
  const names = factors.map((one) => one.values.map((value) => factorValueName(one, value)))
  const tried = new Set(
    pairwiseCombinations(factors, exclusions).flatMap((combination) =>
      combination.flatMap((value, f) =>
        combination
          .slice(f + 1)
          .map((other, step) => `${names[f]![value]} + ${names[f + 1 + step]![other]}`),
      ),
    ),
  )
  const every = names.flatMap((one, f) =>
    names.slice(f + 1).flatMap((other) => one.flatMap((a) => other.map((b) => `${a} + ${b}`))),
  )
  const excluded = new Set(
    exclusions.flatMap(({ values: [a, b] }) => [`${a} + ${b}`, `${b} + ${a}`]),
  )
  return { tried, wanted: every.filter((pair) => !excluded.has(pair)), excluded }
}

describe('a pairwise array', () => {
  it('contains all pairs of values of the image factors except the excluded ones', () => {
    const { tried, wanted, excluded } = pairs(combinableFactors(imageFactors), imageExclusions)
    expect(wanted.filter((pair) => !tried.has(pair))).toEqual([])
    expect([...tried].filter((pair) => excluded.has(pair))).toEqual([])
  })

  it('does not combine excluded values', () => {
    const some = [factor('a', '0', '1', '2'), factor('b', '0', '1'), factor('c', '0', '1', '2')]
    const { tried, wanted, excluded } = pairs(some, [
      { values: ['c: 2', 'a: 1'], reason: 'they clash' },
    ])
    expect([
      wanted.every((pair) => tried.has(pair)),
      [...tried].filter((pair) => excluded.has(pair)),
    ]).toEqual([true, []])
  })

  it('is deterministic and small', () => {
    const some = Array.from({ length: 20 }, (_, n) => factor(`f${n}`, 'x', 'y', 'z'))
    expect(pairwiseCombinations(some, [])).toEqual(pairwiseCombinations(some, []))
    expect(pairwiseCombinations(some, []).length).toBeLessThan(25)
  })

  it('rejects an exclusion of an unknown value', () => {
    expect(() =>
      pairwiseCombinations(
        [factor('a', '0'), factor('b', '0')],
        [{ values: ['a: 0', 'b: 1'], reason: '' }],
      ),
    ).toThrow('b: 1')
  })
})

describe('combined values', () => {
  const appending =
    (name: string) => async (_call: ImagesCall, next: () => Promise<ImagesReply>) => {
      const reply = await next()
      return { ...reply, body: `${String(reply.body)} ${name}` }
    }

  it('nest wrappers, with the last value outermost', async () => {
    const { deviation } = combineValues<ImagesDeviation>([
      { name: 'a', description: '', deviation: { around: appending('a') } },
      { name: 'b', description: '' },
      { name: 'c', description: '', deviation: { around: appending('c') } },
    ])
    const reply = await deviation!.around!({} as ImagesCall, () =>
      Promise.resolve({ status: 200, body: 'reply' }),
    )
    expect(reply.body).toBe('reply a c')
  })

  it('merge choices, rules and warnings', () => {
    const { choices, deviation, unmet } = combineValues<ImagesDeviation>([
      { name: 'a', description: '', choices: { chunked: true }, unmet: ['IMG-LIST-06'] },
      {
        name: 'b',
        description: '',
        deviation: { choices: { prettyJson: true }, rules: { pageDefault: 1 } },
        unmet: ['IMG-LIST-06', 'IMG-CONFIG-02'],
      },
    ])
    expect({ choices, rules: deviation?.rules, unmet }).toEqual({
      choices: { chunked: true, prettyJson: true },
      rules: { pageDefault: 1 },
      unmet: ['IMG-LIST-06', 'IMG-CONFIG-02'],
    })
  })

  it('change definitions, messages and lines in order', () => {
    const appendingTo = (name: string) => ({
      definition: (definition: string) => `${definition} ${name}`,
      message: (_direction: string, message: string) =>
        message === 'lost' ? undefined : [message, `${message} ${name}`],
      lines: (line: string) => (line === 'bytes' ? new Uint8Array([1]) : `${line} ${name}`),
    })
    const { deviation } = combineValues<AnyDeviation>([
      { name: 'a', description: '', deviation: appendingTo('a') as AnyDeviation },
      { name: 'b', description: '', deviation: appendingTo('b') as AnyDeviation },
    ])
    const { definition, message, lines } = deviation as unknown as ReturnType<typeof appendingTo>
    expect(definition('tool')).toBe('tool a b')
    expect([message('out', 'it'), message('out', 'lost')]).toEqual([
      ['it', 'it b', 'it a', 'it a b'],
      [],
    ])
    expect([lines('line'), lines('bytes')]).toEqual(['line a b', new Uint8Array([1])])
  })
})

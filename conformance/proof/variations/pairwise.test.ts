import { describe, expect, it } from 'vitest'
import type { ImagesCall, ImagesReply } from '../../../mocks/stateful/images.ts'
import { exclusions, factors as all } from './images/index.ts'
import { pairwiseCombinations } from './pairwise.ts'
import { combineLevels } from './combine-levels.ts'
import type { AnyDeviation } from './variation.ts'
import type { ImagesFactor } from './images/variation.ts'
import type { ImagesDeviation } from '../faults/images/fault.ts'
import { combinableFactors, levelName, type Exclusion } from './variation.ts'

const factor = (name: string, ...levels: string[]): ImagesFactor => ({
  requirement: 'form',
  name: name,
  levels: levels.map((level) => ({ name: level, description: '' })),
})

/** The pairs that rows have, and those that they should have. */
function pairs(factors: readonly ImagesFactor[], left: readonly Exclusion[]) {
  const names = factors.map((one) => one.levels.map((level) => levelName(one, level)))
  const had = new Set(
    pairwiseCombinations(factors, left).flatMap((row) =>
      row.flatMap((level, f) =>
        row
          .slice(f + 1)
          .map((other, step) => `${names[f]![level]} + ${names[f + 1 + step]![other]}`),
      ),
    ),
  )
  const every = names.flatMap((one, f) =>
    names.slice(f + 1).flatMap((other) => one.flatMap((a) => other.map((b) => `${a} + ${b}`))),
  )
  const excluded = new Set(left.flatMap(({ levels: [a, b] }) => [`${a} + ${b}`, `${b} + ${a}`]))
  return { had, wanted: every.filter((pair) => !excluded.has(pair)), excluded }
}

describe('a pairwise array', () => {
  it('has all pairs of the real factors but the excluded ones', () => {
    const { had, wanted, excluded } = pairs(combinableFactors(all), exclusions)
    expect(wanted.filter((pair) => !had.has(pair))).toEqual([])
    expect([...had].filter((pair) => excluded.has(pair))).toEqual([])
  })

  it('keeps excluded levels apart', () => {
    const some = [factor('a', '0', '1', '2'), factor('b', '0', '1'), factor('c', '0', '1', '2')]
    const { had, wanted, excluded } = pairs(some, [
      { levels: ['c: 2', 'a: 1'], reason: 'they clash' },
    ])
    expect([
      wanted.every((pair) => had.has(pair)),
      [...had].filter((pair) => excluded.has(pair)),
    ]).toEqual([true, []])
  })

  it('is the same every time, and small', () => {
    const some = Array.from({ length: 20 }, (_, n) => factor(`f${n}`, 'x', 'y', 'z'))
    expect(pairwiseCombinations(some, [])).toEqual(pairwiseCombinations(some, []))
    expect(pairwiseCombinations(some, []).length).toBeLessThan(25)
  })

  it('refuses an exclusion of what is not there', () => {
    expect(() =>
      pairwiseCombinations(
        [factor('a', '0'), factor('b', '0')],
        [{ levels: ['a: 0', 'b: 1'], reason: '' }],
      ),
    ).toThrow('b: 1')
  })
})

describe('levels together', () => {
  const naming = (name: string) => async (_call: ImagesCall, next: () => Promise<ImagesReply>) => {
    const reply = await next()
    return { ...reply, body: `${String(reply.body)} ${name}` }
  }

  it('nest, the last one outermost', async () => {
    const { deviation } = combineLevels<ImagesDeviation>([
      { name: 'a', description: '', deviation: { around: naming('a') } },
      { name: 'b', description: '' },
      { name: 'c', description: '', deviation: { around: naming('c') } },
    ])
    const reply = await deviation!.around!({} as ImagesCall, () =>
      Promise.resolve({ status: 200, body: 'reply' }),
    )
    expect(reply.body).toBe('reply a c')
  })

  it('merge choices, rules and warnings', () => {
    const { choices, deviation, unmet } = combineLevels<ImagesDeviation>([
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

  it('change definitions, messages and lines in turn', () => {
    const adding = (name: string) => ({
      definition: (definition: string) => `${definition} ${name}`,
      message: (_direction: string, message: string) =>
        message === 'lost' ? undefined : [message, `${message} ${name}`],
      lines: (line: string) => (line === 'bytes' ? new Uint8Array([1]) : `${line} ${name}`),
    })
    const { deviation } = combineLevels<AnyDeviation>([
      { name: 'a', description: '', deviation: adding('a') as AnyDeviation },
      { name: 'b', description: '', deviation: adding('b') as AnyDeviation },
    ])
    const { definition, message, lines } = deviation as unknown as ReturnType<typeof adding>
    expect(definition('tool')).toBe('tool a b')
    expect([message('out', 'it'), message('out', 'lost')]).toEqual([
      ['it', 'it b', 'it a', 'it a b'],
      [],
    ])
    expect([lines('line'), lines('bytes')]).toEqual(['line a b', new Uint8Array([1])])
  })
})

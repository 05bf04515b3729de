import { describe, expect, it } from 'vitest'
import type { ImagesCall, ImagesReply } from '../../../mocks/stateful/images.ts'
import { exclusions, factors as all } from './images/index.ts'
import { pairwise } from './pairwise.ts'
import { together } from './together.ts'
import type { AnyDeviation } from './variation.ts'
import type { ImagesFactor } from './images/variation.ts'
import type { ImagesDeviation } from '../faults/images/fault.ts'
import { combinable, nameOf, type Exclusion } from './variation.ts'

const factor = (name: string, ...levels: string[]): ImagesFactor => ({
  row: 'form',
  factor: name,
  levels: levels.map((level) => ({ name: level, says: '' })),
})

/** The pairs that rows have, and those that they should have. */
function pairs(factors: readonly ImagesFactor[], left: readonly Exclusion[]) {
  const names = factors.map((one) => one.levels.map((level) => nameOf(one, level)))
  const had = new Set(
    pairwise(factors, left).flatMap((row) =>
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
    const { had, wanted, excluded } = pairs(combinable(all), exclusions)
    expect(wanted.filter((pair) => !had.has(pair))).toEqual([])
    expect([...had].filter((pair) => excluded.has(pair))).toEqual([])
  })

  it('keeps excluded levels apart', () => {
    const some = [factor('a', '0', '1', '2'), factor('b', '0', '1'), factor('c', '0', '1', '2')]
    const { had, wanted, excluded } = pairs(some, [
      { levels: ['c: 2', 'a: 1'], because: 'they clash' },
    ])
    expect([
      wanted.every((pair) => had.has(pair)),
      [...had].filter((pair) => excluded.has(pair)),
    ]).toEqual([true, []])
  })

  it('is the same every time, and small', () => {
    const some = Array.from({ length: 20 }, (_, n) => factor(`f${n}`, 'x', 'y', 'z'))
    expect(pairwise(some, [])).toEqual(pairwise(some, []))
    expect(pairwise(some, []).length).toBeLessThan(25)
  })

  it('refuses an exclusion of what is not there', () => {
    expect(() =>
      pairwise([factor('a', '0'), factor('b', '0')], [{ levels: ['a: 0', 'b: 1'], because: '' }]),
    ).toThrow('b: 1')
  })
})

describe('levels together', () => {
  const naming = (name: string) => async (_call: ImagesCall, next: () => Promise<ImagesReply>) => {
    const reply = await next()
    return { ...reply, body: `${String(reply.body)} ${name}` }
  }

  it('nest, the last one outermost', async () => {
    const { deviation } = together<ImagesDeviation>([
      { name: 'a', says: '', deviation: { around: naming('a') } },
      { name: 'b', says: '' },
      { name: 'c', says: '', deviation: { around: naming('c') } },
    ])
    const reply = await deviation!.around!({} as ImagesCall, () =>
      Promise.resolve({ status: 200, body: 'reply' }),
    )
    expect(reply.body).toBe('reply a c')
  })

  it('merge choices, rules and warnings', () => {
    const { choices, deviation, warns } = together<ImagesDeviation>([
      { name: 'a', says: '', choices: { chunked: true }, warns: ['IMG-LIST-06'] },
      {
        name: 'b',
        says: '',
        deviation: { choices: { prettyJson: true }, rules: { pageDefault: 1 } },
        warns: ['IMG-LIST-06', 'IMG-CONFIG-02'],
      },
    ])
    expect({ choices, rules: deviation?.rules, warns }).toEqual({
      choices: { chunked: true, prettyJson: true },
      rules: { pageDefault: 1 },
      warns: ['IMG-LIST-06', 'IMG-CONFIG-02'],
    })
  })

  it('change definitions, messages and lines in turn', () => {
    const adding = (name: string) => ({
      definition: (definition: string) => `${definition} ${name}`,
      message: (_direction: string, message: string) =>
        message === 'lost' ? undefined : [message, `${message} ${name}`],
      lines: (line: string) => (line === 'bytes' ? new Uint8Array([1]) : `${line} ${name}`),
    })
    const { deviation } = together<AnyDeviation>([
      { name: 'a', says: '', deviation: adding('a') as AnyDeviation },
      { name: 'b', says: '', deviation: adding('b') as AnyDeviation },
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

import { describe, expect, test } from 'vitest'
import { FileSplitter } from './index.ts'

/** The value, its line and its index. */
type Seen = readonly (string | number)[]

/** Returns the values that are found in chunks of the given size. */
function seen(bytes: Buffer, size: number): Seen[] {
  const found: Seen[] = []
  const split = new FileSplitter({
    value: (part, from, to, line, index) =>
      found.push([
        part.toString('utf8', from, to).trim(),
        line,
        ...(index === undefined ? [] : [index]),
      ]),
    broken: (why, line, index) =>
      found.push([`! ${why}`, line, ...(index === undefined ? [] : [index])]),
  })
  for (let at = 0; at < bytes.length; at += size) split.feed(bytes.subarray(at, at + size))
  split.end()
  return found
}

const one = '{"a":"}]\\"\\\\","b":[{"c":"Łeba\\n"}]}'
const two = '{"d":2}'
const pretty = (text: string) => JSON.stringify(JSON.parse(text), null, 2)

describe.each([1, 3, 64, 1_000_000])('in pieces of %i bytes', (size) => {
  test.each<[string, string, Seen[]]>([
    [
      'one to a line',
      `${one}\n${two}\n`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'one to a line, without an end',
      `${one}\n\n  \r\n${two}`,
      [
        [one, 1],
        [two, 4],
      ],
    ],
    [
      'one to a line, of another system',
      `${one}\r\n${two}\r\n`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'one to a line after a mark',
      `\ufeff${one}\n${two}`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'one to a line after a broken one',
      `{"a":"\n${one}\n7\nx\n`,
      [
        ['{"a":"', 1],
        [one, 2],
        ['7', 3],
        ['x', 4],
      ],
    ],
    ['one alone', one, [[one, 1]]],
    ['one alone, of many lines', `\n${pretty(one)}\n`, [[pretty(one), 2]]],
    [
      'several of many lines',
      `${pretty(one)}\n${pretty(two)}\n`,
      [
        [pretty(one), 1],
        [pretty(two), 1 + pretty(one).split('\n').length],
      ],
    ],
    [
      'an array',
      `[${one},\n${two}]`,
      [
        [one, 1, 0],
        [two, 2, 1],
      ],
    ],
    [
      'an array of many lines',
      `\ufeff[\n${pretty(one)},\n${two},\n"a]",[1,[2]],true,null\n]`,
      [
        [pretty(one), 2, 0],
        [two, 2 + pretty(one).split('\n').length, 1],
        ['"a]"', 11, 2],
        ['[1,[2]]', 11, 3],
        ['true', 11, 4],
        ['null', 11, 5],
      ],
    ],
    [
      'words in an array',
      '[1,true]',
      [
        ['1', 1, 0],
        ['true', 1, 1],
      ],
    ],
    ['an empty array', ' [ ] ', []],
    [
      'an array without an end',
      `[${one},`,
      [
        [one, 1, 0],
        ['! an array without an end', 1, 1],
      ],
    ],
    ['a value without an end', `[{"a":[`, [['{"a":[', 1, 0]]],
    ['nothing', ' \n ', []],
  ])('%s', (_, text, wanted) => {
    expect(seen(Buffer.from(text), size)).toEqual(wanted)
  })
})

test('reports a value that is too long, and reads the others', () => {
  const long = Buffer.concat([
    Buffer.from(`${two}\n{"a":"`),
    Buffer.alloc(65 * 1024 * 1024, 'x'),
    Buffer.from(`"}\n${two}\n`),
  ])
  expect(seen(long, 1024 * 1024)).toEqual([
    [two, 1],
    ['! longer than 64 MB', 2],
    [two, 3],
  ])
  const listed = Buffer.concat([
    Buffer.from('[{"a":"'),
    Buffer.alloc(65 * 1024 * 1024, 'x'),
    Buffer.from(`"},${two}]`),
  ])
  expect(seen(listed, 1024 * 1024)).toEqual([
    ['! longer than 64 MB', 1, 0],
    [two, 1, 1],
  ])
})

import { describe, expect, test } from 'vitest'
import { FileSplitter } from './index.ts'

/** A value or a problem, its line, and its index if it is in an array. */
type FoundValue = readonly (string | number)[]

/** Splits bytes in chunks of the given size, and returns the values that are found. */
function splitInChunks(bytes: Buffer, size: number): FoundValue[] {
  const found: FoundValue[] = []
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

describe.each([1, 3, 64, 1_000_000])('in chunks of %i bytes', (size) => {
  test.each<[string, string, FoundValue[]]>([
    [
      'one value per line',
      `${one}\n${two}\n`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'one value per line, empty lines, and no line break at the end',
      `${one}\n\n  \r\n${two}`,
      [
        [one, 1],
        [two, 4],
      ],
    ],
    [
      'one value per line, with CRLF',
      `${one}\r\n${two}\r\n`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'a byte order mark and one value per line',
      `\ufeff${one}\n${two}`,
      [
        [one, 1],
        [two, 2],
      ],
    ],
    [
      'an invalid first line',
      `{"a":"\n${one}\n7\nx\n`,
      [
        ['{"a":"', 1],
        [one, 2],
        ['7', 3],
        ['x', 4],
      ],
    ],
    ['a single value', one, [[one, 1]]],
    ['a single value of many lines', `\n${pretty(one)}\n`, [[pretty(one), 2]]],
    [
      'several values of many lines',
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
      'a number and a word in an array',
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
    ['no value', ' \n ', []],
  ])('finds the values of a file with %s', (_, text, wanted) => {
    expect(splitInChunks(Buffer.from(text), size)).toEqual(wanted)
  })
})

test('reports a value that is too long, and reads the others', () => {
  const long = Buffer.concat([
    Buffer.from(`${two}\n{"a":"`),
    Buffer.alloc(65 * 1024 * 1024, 'x'),
    Buffer.from(`"}\n${two}\n`),
  ])
  expect(splitInChunks(long, 1024 * 1024)).toEqual([
    [two, 1],
    ['! longer than 64 MiB', 2],
    [two, 3],
  ])
  const listed = Buffer.concat([
    Buffer.from('[{"a":"'),
    Buffer.alloc(65 * 1024 * 1024, 'x'),
    Buffer.from(`"},${two}]`),
  ])
  expect(splitInChunks(listed, 1024 * 1024)).toEqual([
    ['! longer than 64 MiB', 1, 0],
    [two, 1, 1],
  ])
})

import type { Field } from '../../../generated/contract.ts'
import type { Random } from '../../engine/index.ts'

// Values that a careless or hostile server could send at any place of a message.

type Schema = Field['schema']

const pick = <T>(random: Random, values: readonly T[]): T => values[random.int(0, values.length)]!

/** Strings on which parsers, URLs, terminals, pages or regular expressions have bugs. */
const strings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'line\r\nbreak',
  '\ud800',
  '\u202e\u009b31m\u001b[2J',
  '__proto__',
  'constructor',
  'null',
  '0',
  'x'.repeat(20_000),
  'a'.repeat(50) + '!',
  '<!doctype html><script>alert(1)</script>',
  '$(touch x)`touch x`',
  '{{7*7}}${7*7}%s%n',
  '../../../../etc/passwd',
  'é'.normalize('NFD'),
  '🖼'.repeat(100),
  // URLs. None of them leads away from this machine, and nothing listens on port 9.
  'http://',
  '//',
  'http://127.0.0.1:9/',
  'http://127.0.0.1:99999/',
  'http://user:%zz@127.0.0.1:9/',
  'http://[::1',
  'http://127.0.0.1:9/%E0%A4%A',
  'http://127.0.0.1:9/ \t\u00e9',
  'https://127.0.0.1:9/?a=%',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  // Times and numbers.
  '0000-00-00T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01 00:00:00 UTC',
  '99999999999999999999',
  '-1',
  '1e999',
  'NaN',
  // Tokens, encodings and patterns.
  'a.b.c',
  'eyJhbGciOiJub25lIn0.e30.',
  '====',
  '%',
  '(?<',
  '(a+)+$',
  '*/*',
  'multipart/form-data; boundary=',
]

const numbers: readonly number[] = [
  0,
  -0,
  -1,
  0.5,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 64,
  -(2 ** 63),
  8.64e15 + 1,
]

/** JSON values of other shapes. Built at each use, so that a server may change what it receives. */
const shapes: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [null],
  () => [[], {}, 0, ''],
  () => Array.from({ length: 2000 }, (_, index) => index),
  () => JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown,
  () => JSON.parse('{"a":'.repeat(500) + '0' + '}'.repeat(500)) as unknown,
  // JSON.parse makes a member with this name; a literal would set the prototype.
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":null}') as unknown,
  () => ({ then: 'now', toJSON: 'no', toString: 1, valueOf: null, length: -1 }),
  () => ({ length: 1e9, 0: 'x' }),
]

/** A value that is close to the current one, as after a small mistake in a server. */
function nearby(random: Random, current: unknown): unknown {
  if (typeof current === 'string') {
    const at = random.int(0, current.length + 1)
    return pick(random, [
      () => current.slice(0, at),
      () => current.slice(0, at) + current.slice(at + 1),
      () => current.slice(0, at) + pick(random, strings) + current.slice(at),
      () => current.toUpperCase(),
      () => ` ${current}`,
      () => current + current,
      () => [current],
      () => Number(current),
      () => [...current].toReversed().join(''),
    ])()
  }
  if (typeof current === 'number')
    return pick(random, [
      current + 1,
      current - 1,
      -current,
      current + 0.5,
      current * 1e6,
      `${current}`,
    ])
  if (typeof current === 'boolean')
    return pick<unknown>(random, [!current, `${current}`, Number(current)])
  if (Array.isArray(current))
    return pick<() => unknown>(random, [
      () => [...(current as unknown[]), ...(current as unknown[])],
      () => (current as unknown[]).toReversed(),
      () => (current as unknown[]).slice(1),
      () => Object.fromEntries(Object.entries(current as unknown[])),
      () => (current as unknown[])[0],
    ])()
  if (typeof current === 'object' && current !== null)
    return pick<() => unknown>(random, [
      () => Object.entries(current),
      () => [current],
      () => JSON.stringify(current),
      () =>
        Object.fromEntries(
          Object.entries(current).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      () => ({ ...current, extra: current }),
    ])()
  return pick(random, strings)
}

/** Values at the edges of what a schema allows, and just beyond. */
function atEdges(schema: Schema): unknown[] {
  const values: unknown[] = []
  const bound = (name: string) => {
    const value = schema[name]
    return typeof value === 'number' ? value : undefined
  }
  for (const edge of [bound('minimum'), bound('maximum')])
    if (edge !== undefined) values.push(edge, edge - 1, edge + 1, edge + 0.5, `${edge}`)
  for (const length of [bound('minLength'), bound('maxLength')])
    if (length !== undefined)
      values.push('x'.repeat(length), 'x'.repeat(length + 1), 'x'.repeat(Math.max(0, length - 1)))
  for (const length of [bound('minItems'), bound('maxItems')])
    if (length !== undefined) values.push(Array(length).fill('x'), Array(length + 1).fill(0))
  for (const member of [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])])
    values.push(member, typeof member === 'string' ? ` ${member.toUpperCase()}` : [member])
  const types = [schema.type ?? []].flat()
  if (types.includes('string')) values.push(...strings)
  if (types.includes('integer') || types.includes('number')) values.push(...numbers)
  if (types.includes('boolean')) values.push(0, 'false')
  if (types.includes('array')) values.push([], {}, ['x', 1, null])
  if (types.includes('object')) values.push({}, [], { '': '' })
  return values
}

/** Returns a value for the place of `current`. `schema` is that of the place, if it has one. */
export function randomValue(random: Random, current: unknown, schema?: Schema): unknown {
  const edges = schema === undefined ? [] : atEdges(schema)
  return pick<() => unknown>(random, [
    () => (edges.length === 0 ? nearby(random, current) : pick(random, edges)),
    () => nearby(random, current),
    () => pick(random, strings),
    () => pick(random, numbers),
    () => pick(random, shapes)(),
  ])()
}

/** A random value that can be sent in a header of HTTP. */
export const randomHeader = (random: Random, current: string): string =>
  String(pick(random, [nearby(random, current), pick(random, strings), pick(random, numbers)]))
    // What an HTTP library refuses to send: controls, and characters outside of latin-1.
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 8000)

/** Returns the bytes with a random piece removed, repeated or replaced. */
export function randomBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const [from, to] = [random.int(0, bytes.length + 1), random.int(0, bytes.length + 1)].sort(
    (one, other) => one - other,
  ) as [number, number]
  const [start, piece, end] = [
    bytes.subarray(0, from),
    bytes.subarray(from, to),
    bytes.subarray(to),
  ]
  return Buffer.concat(
    pick(random, [
      [start],
      [start, end],
      [start, piece, piece, end],
      [start, piece.map((byte) => byte ^ 0xff), end],
      [start, Buffer.from(pick(random, strings)), end],
      [],
    ]),
  )
}

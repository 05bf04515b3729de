import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { Tool } from '../tool.ts'
import { breachesOf, negativesOf, type BreachKind } from './index.ts'
import { fitsPattern } from './pattern.ts'

const toolOf = (schema: Record<string, unknown>): Tool => ({
  name: 'shelf_find_thing',
  definition: {},
  schema: { type: 'object', ...schema },
  annotations: {},
})
const field = (schema: unknown, given?: unknown) =>
  negativesOf(toolOf({ properties: { it: schema } }), given === undefined ? {} : { it: given })
const triedOf = (schema: unknown, given?: unknown) =>
  field(schema, given).map(({ kind, arguments: { it } }) => [kind, it])
const kinds = (schema: unknown, given?: unknown): BreachKind[] => [
  ...new Set(field(schema, given).map(({ kind }) => kind)),
]

const search = {
  properties: {
    query: { type: 'string', minLength: 2, maxLength: 200 },
    tags: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', minLength: 2, maxLength: 5 },
    },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    format: { enum: ['markdown', 'json'], default: 'markdown' },
    id: { type: 'string', pattern: '^b-[0-9]{3}$' },
  },
  required: ['query', 'id'],
}
const good = { query: 'sea', id: 'b-001', tags: ['sea'] }

describe('negatives', () => {
  test('break each constraint of an input', () => {
    expect(
      negativesOf(toolOf(search), good).map(
        ({ kind, field, description }) => `${kind} ${field}: ${description}`,
      ),
    ).toEqual([
      'missing query: no value',
      'missing id: no value',
      'type query: a value of another type',
      'length query: 1 characters',
      'length query: 201 characters',
      'type tags: an object instead of a list',
      'type tags: a string instead of a list',
      'items tags: 0 items',
      'items tags: 4 items',
      'type tags[0]: a value of another type',
      'length tags[0]: 1 characters',
      'length tags[0]: 6 characters',
      'type limit: a value of another type',
      'type limit: a fraction',
      'range limit: the number 0',
      'range limit: the number 101',
      'value format: a listed value in capitals',
      'value format: a listed value in capitals',
      'value format: a value that is not listed',
      'type id: a value of another type',
      'pattern id: an additional character at the end',
      'pattern id: an additional character at the beginning',
      'pattern id: letters of the other case',
      'pattern id: an unrelated string',
    ])
  })

  test.each([
    ['at the top level', (schema: object) => schema],
    ['in params', (schema: object) => ({ properties: { params: { type: 'object', ...schema } } })],
    [
      'in params by reference',
      (schema: object) => ({
        properties: { params: { $ref: '#/$defs/A~1b' } },
        $defs: { 'A/b': { type: 'object', ...schema } },
      }),
    ],
  ])(
    'differ from valid arguments %s in one field, and validators of draft-07 and 2020-12 refuse them',
    (_, shape) => {
      const schema = { type: 'object', ...shape(search) }
      const nested = 'params' in (schema as unknown as { properties: object }).properties
      const wrap = (given: unknown) => (nested ? { params: given } : given)
      for (const ajv of [new Ajv2020({ strict: false }), new Ajv({ strict: false })]) {
        const isValid = ajv.compile(schema)
        expect(isValid(wrap(good))).toBe(true)
        const negatives = negativesOf(toolOf(schema), good)
        expect(negatives).toHaveLength(24)
        for (const { arguments: given } of negatives) {
          expect(isValid(wrap(given)), JSON.stringify(given)).toBe(false)
          const names = new Set([...Object.keys(good), ...Object.keys(given)])
          expect(
            [...names].filter((name) => given[name] !== (good as Record<string, unknown>)[name]),
          ).toHaveLength(1)
        }
      }
    },
  )

  test('break every alternative', () => {
    expect(
      triedOf({ anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }], default: null }),
    ).toEqual([
      ['type', { touchstone: 'gold' }],
      ['length', 'a'],
    ])
    expect(
      triedOf({
        anyOf: [
          { type: 'integer', maximum: 5 },
          { type: 'string', maxLength: 2 },
        ],
      }),
    ).toEqual([
      ['type', { touchstone: 'gold' }],
      ['type', 0.5],
      ['length', 'aaa'],
      ['range', 6],
    ])
    expect(
      triedOf({
        oneOf: [
          { type: 'integer', maximum: 5 },
          { type: 'integer', maximum: 50 },
        ],
      }),
    ).toEqual([
      ['type', 'touchstone'],
      ['type', 0.5],
      ['range', 51],
    ])
    expect(kinds({ allOf: [{ type: 'string' }, { maxLength: 3 }] })).toEqual(['type', 'length'])
    expect(field({ anyOf: [{ type: 'string', maxLength: 2 }, {}] })).toEqual([])
  })

  test('omit values that some validators accept', () => {
    expect(kinds({ type: 'string', format: 'email' })).toEqual(['type'])
    expect(kinds({ type: 'string', pattern: '(?i)^b' })).toEqual(['type'])
    expect(kinds({ type: 'string', pattern: '.*' })).toEqual(['type'])
    expect(kinds({ type: 'string', maxLength: 10_000_000 })).toEqual(['type'])
    expect(kinds({ type: 'integer', maximum: Number.MAX_SAFE_INTEGER })).toEqual(['type'])
    expect(kinds({ $ref: 'https://example.com/elsewhere' })).toEqual([])
    expect(kinds({ $ref: '#/$defs/none', maxLength: 3 })).toEqual([])
    expect(field({ $ref: '#' }, { it: {} }).map(({ description }) => description)).not.toContain(
      '4 items',
    )
    expect(
      negativesOf(toolOf({ required: ['it'], properties: { it: { default: 1 } } }), { it: 2 }),
    ).toEqual([])
    expect(negativesOf(toolOf({ required: 'it', properties: [] }), { it: 2 })).toEqual([])
  })

  test('respect exclusive bounds and fractions', () => {
    expect(triedOf({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 })).toEqual([
      ['type', 'touchstone'],
      ['range', 0],
      ['range', 1],
    ])
    expect(triedOf({ type: 'number', minimum: 0.5, maximum: 1.5 })).toEqual([
      ['type', 'touchstone'],
      ['range', 0],
      ['range', 2],
    ])
  })

  test('break the fields of nested objects', () => {
    const person = {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1 } },
      required: ['name'],
    }
    expect(triedOf(person, { name: 'Ada' })).toEqual([
      ['type', 'touchstone'],
      ['missing', {}],
      ['type', { name: { touchstone: 'gold' } }],
      ['length', { name: '' }],
    ])
    expect(triedOf(person)).toEqual([['type', 'touchstone']])
  })
})

describe('breaches', () => {
  test('are the constraints that a value breaks in every interpretation', () => {
    const located = {
      schema: { type: 'array', maxItems: 1, items: { type: 'integer', maximum: 3 } },
      path: '$',
    }
    expect([...breachesOf([1], located, located)]).toEqual([])
    expect([...breachesOf([4, 20.0], located, located)]).toEqual(['items', 'range'])
    expect([...breachesOf('x', located, located)]).toEqual(['type'])
  })

  test('of patterns are found in bounded time', () => {
    expect(fitsPattern('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '^(a+)+$')).toBeUndefined()
    expect(fitsPattern('b-001', '^b-[0-9]{3}$')).toBe(true)
    expect(fitsPattern('b-0011', '^b-[0-9]{3}$')).toBe(false)
    expect(fitsPattern('a', '(')).toBeUndefined()
  })
})

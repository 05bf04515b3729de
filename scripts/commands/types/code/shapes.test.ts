import { describe, expect, test } from 'vitest'
import { shapesOf, type ContractSchema } from './shapes.ts'

const text = { kind: 'string' } as const

/** Returns the shape of the field `field` of the type `Type`, and its description. */
function fieldOf(
  schema: ContractSchema,
  others: Record<string, ContractSchema> = {},
  free: string[] = [],
) {
  const type = { type: 'object', required: ['field'], properties: { field: schema } }
  const named = shapesOf(new Map(Object.entries({ ...others, Type: type })), new Set(free))
  const { shape } = named.get('Type')!
  if (shape.kind !== 'object') throw new Error('the type has no fields')
  return { ...shape.properties.get('field')!, names: [...named.keys()] }
}

const user = { description: 'A user.', type: 'object', properties: { name: { type: 'string' } } }
const reference = (name: string) => ({ $ref: `#/$defs/${name}` })

describe('the shape of a schema', () => {
  test.each<[string, ContractSchema, object]>([
    [
      'several types',
      { type: ['string', 'null'] },
      { kind: 'union', members: [text, { kind: 'null' }] },
    ],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'string' }] }, text],
    ['an enumeration', { enum: ['a', 'b'] }, { kind: 'enum', values: ['a', 'b'] }],
    ['a constant', { const: 7 }, { kind: 'integer' }],
    ['alternatives that only restrict', { type: 'string', anyOf: [{ pattern: 'a' }, {}] }, text],
    ['a list', { items: { type: 'string' } }, { kind: 'array', items: text }],
    ['an object with any fields', { type: 'object' }, { kind: 'map', values: { kind: 'any' } }],
    [
      'fields by name',
      { type: 'object', additionalProperties: { type: 'string' } },
      { kind: 'map', values: text },
    ],
    ['no keyword', { not: { type: 'null' } }, { kind: 'any' }],
    ['all of', { allOf: [{ description: 'x' }, { type: 'string' }] }, text],
    [
      'keywords next to alternatives',
      { items: { type: 'string' }, anyOf: [{ type: 'array' }, { type: 'boolean' }] },
      { kind: 'union', members: [{ kind: 'array', items: text }, { kind: 'boolean' }] },
    ],
  ])('%s', (_name, schema, shape) => {
    expect(fieldOf(schema).shape).toEqual(shape)
  })

  test('a reference to an object keeps its name, also as the only part of allOf', () => {
    const expected = { kind: 'reference', name: 'User' }
    expect(fieldOf(reference('User'), { User: user }).shape).toEqual(expected)
    expect(fieldOf({ allOf: [reference('User')] }, { User: user })).toMatchObject({
      shape: expected,
      description: undefined,
      names: ['User', 'Type'],
    })
  })

  test('a reference to a string is replaced, and keeps the description', () => {
    const Name = { description: 'A name.', type: 'string' }
    expect(fieldOf(reference('Name'), { Name })).toEqual({
      shape: text,
      required: true,
      description: 'A name.',
      names: ['Type'],
    })
  })

  test('parts of allOf are merged, and the more exact part of a field counts', () => {
    const Envelope = { type: 'object', required: ['result'], properties: { result: {} } }
    const parts = [reference('Envelope'), { properties: { result: reference('User') } }]
    expect(fieldOf({ allOf: parts }, { Envelope, User: user }).shape).toEqual({
      kind: 'object',
      properties: new Map([
        [
          'result',
          { shape: { kind: 'reference', name: 'User' }, required: true, description: undefined },
        ],
      ]),
    })
  })

  test('UserOrNull is a User or null, if it has the same fields', () => {
    const UserOrNull = { ...user, description: 'A user, or null.', type: ['object', 'null'] }
    const { shape, description, names } = fieldOf(reference('UserOrNull'), {
      UserOrNull,
      User: user,
    })
    expect(shape).toMatchObject({
      members: [{ kind: 'reference', name: 'User' }, { kind: 'null' }],
    })
    expect([description, names]).toEqual(['A user, or null.', ['User', 'Type']])
    const other = { ...UserOrNull, properties: { id: { type: 'string' } } }
    expect(fieldOf(reference('UserOrNull'), { UserOrNull: other, User: user }).names).toEqual([
      'UserOrNull',
      'User',
      'Type',
    ])
  })

  test('the description of a constant contains its value', () => {
    expect(fieldOf({ const: 'push' }).description).toBe('Always "push".')
    expect(fieldOf({ const: true, description: 'Done.' }).description).toBe('Done. Always true.')
    expect(fieldOf({ const: true, description: 'Always true.' }).description).toBe('Always true.')
  })

  test('values of a free schema can have any fields', () => {
    expect(fieldOf(reference('User'), { User: user }, ['User'])).toMatchObject({
      shape: { kind: 'map' },
      description: 'A user.',
      names: ['Type'],
    })
  })

  test('a schema can refer to itself', () => {
    const Tree = { type: 'object', properties: { parent: reference('Tree') } }
    expect(fieldOf(reference('Tree'), { Tree }).shape).toEqual({ kind: 'reference', name: 'Tree' })
  })

  test('a reference to a missing schema is an error', () => {
    expect(() => fieldOf(reference('User'))).toThrow('there is no schema User')
  })
})

import { describe, expect, it } from 'vitest'
import { changesBetween } from './pairs.testing.ts'

type Verdict = 'breaking' | 'compatible' | 'documentation' | 'same'
type VersionPair = [what: string, older: object, newer: object, sent: Verdict, received: Verdict]

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

/** Pairs of schemas, each with its verdicts: for values that users send, and that they receive. */
const pairs: VersionPair[] = [
  ['nothing', object({ a: string }), object({ a: string }), 'same', 'same'],
  [
    'order of keys',
    { type: 'string', minLength: 1 },
    { minLength: 1, type: 'string' },
    'same',
    'same',
  ],
  // Types.
  ['another type', string, integer, 'breaking', 'breaking'],
  ['integer instead of number', { type: 'number' }, integer, 'breaking', 'compatible'],
  ['number instead of integer', integer, { type: 'number' }, 'compatible', 'breaking'],
  ['a type where there was none', {}, string, 'breaking', 'compatible'],
  ['the type removed', string, {}, 'compatible', 'breaking'],
  ['null added', string, { type: ['string', 'null'] }, 'compatible', 'breaking'],
  ['null removed', { type: ['string', 'null'] }, string, 'breaking', 'compatible'],
  [
    'null as anyOf',
    { type: ['string', 'null'] },
    { anyOf: [string, { type: 'null' }] },
    'same',
    'same',
  ],
  [
    'null as nullable',
    { type: ['string', 'null'] },
    { type: 'string', nullable: true },
    'same',
    'same',
  ],
  [
    'null added to a reference',
    { $ref: '#/$defs/A', $defs: { A: string } },
    { oneOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], $defs: { A: string } },
    'compatible',
    'breaking',
  ],
  // Values.
  ['a value added', { enum: ['a'] }, { enum: ['a', 'b'] }, 'compatible', 'breaking'],
  ['a value removed', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'compatible'],
  ['values limited', string, { type: 'string', enum: ['a'] }, 'breaking', 'compatible'],
  [
    'values not limited any more',
    { type: 'string', enum: ['a'] },
    string,
    'compatible',
    'breaking',
  ],
  ['const as enum', { const: 'a' }, { enum: ['a'] }, 'same', 'same'],
  ['another constant', { const: 'a' }, { const: 'b' }, 'breaking', 'breaking'],
  ['another order of values', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'same', 'same'],
  // Properties.
  ['an optional property added', object({}), object({ a: string }), 'compatible', 'compatible'],
  [
    'a required property added',
    object({}),
    object({ a: string }, { required: ['a'] }),
    'breaking',
    'compatible',
  ],
  ['a property removed', object({ a: string }), object({}), 'breaking', 'breaking'],
  [
    'a property became required',
    object({ a: string }),
    object({ a: string }, { required: ['a'] }),
    'breaking',
    'compatible',
  ],
  [
    'a property became optional',
    object({ a: string }, { required: ['a'] }),
    object({ a: string }),
    'compatible',
    'breaking',
  ],
  [
    'a required name without a property',
    object({}),
    object({}, { required: ['a'] }),
    'breaking',
    'compatible',
  ],
  [
    'a nested type changed',
    object({ a: object({ b: string }) }),
    object({ a: object({ b: integer }) }),
    'breaking',
    'breaking',
  ],
  [
    'other properties forbidden',
    object({}),
    object({}, { additionalProperties: false }),
    'breaking',
    'compatible',
  ],
  [
    'other properties allowed',
    object({}, { additionalProperties: false }),
    object({}),
    'compatible',
    'breaking',
  ],
  ['other properties true', object({}), object({}, { additionalProperties: true }), 'same', 'same'],
  [
    'the schema of other properties',
    object({}, { additionalProperties: string }),
    object({}, { additionalProperties: integer }),
    'breaking',
    'breaking',
  ],
  [
    'a pattern of properties changed',
    object({}, { patternProperties: { '^a': string } }),
    object({}, { patternProperties: { '^a': { type: 'string', maxLength: 1 } } }),
    'breaking',
    'compatible',
  ],
  // Limits and conditions.
  [
    'a greater minimum',
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 2 },
    'breaking',
    'compatible',
  ],
  [
    'a smaller minimum',
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 0 },
    'compatible',
    'breaking',
  ],
  ['a new maximum', integer, { type: 'integer', maximum: 9 }, 'breaking', 'compatible'],
  [
    'a greater maxLength',
    { type: 'string', maxLength: 9 },
    { type: 'string', maxLength: 10 },
    'compatible',
    'breaking',
  ],
  [
    'the limit of a form of OpenAPI 3.0',
    { type: 'integer', minimum: 1, exclusiveMinimum: true },
    { type: 'integer', exclusiveMinimum: 1 },
    'same',
    'same',
  ],
  ['a new format', string, { type: 'string', format: 'date-time' }, 'breaking', 'compatible'],
  [
    'another format',
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
    'breaking',
    'breaking',
  ],
  ['a pattern removed', { type: 'string', pattern: 'a' }, string, 'compatible', 'breaking'],
  [
    'uniqueItems',
    { type: 'array' },
    { type: 'array', uniqueItems: true },
    'breaking',
    'compatible',
  ],
  ['uniqueItems false', { type: 'array' }, { type: 'array', uniqueItems: false }, 'same', 'same'],
  ['not added', {}, { not: string }, 'breaking', 'compatible'],
  [
    'a condition changed',
    { if: string, then: { minLength: 1 } },
    { if: string, then: { minLength: 2 } },
    'breaking',
    'breaking',
  ],
  [
    'another type of items',
    { type: 'array', items: string },
    { type: 'array', items: integer },
    'breaking',
    'breaking',
  ],
  ['items limited', { type: 'array' }, { type: 'array', items: string }, 'breaking', 'compatible'],
  [
    'one of the prefixItems',
    { prefixItems: [string, string] },
    { prefixItems: [string, integer] },
    'breaking',
    'breaking',
  ],
  // References and combinations.
  [
    'a reference instead of the schema',
    { items: string, $defs: { A: string } },
    { items: { $ref: '#/$defs/A' }, $defs: { A: string } },
    'same',
    'same',
  ],
  [
    'what a reference points to',
    { items: { $ref: '#/$defs/A' }, $defs: { A: string } },
    { items: { $ref: '#/$defs/A' }, $defs: { A: integer } },
    'breaking',
    'breaking',
  ],
  [
    'allOf instead of one object',
    object({ a: string, b: integer }, { required: ['a'] }),
    { allOf: [object({ a: string }, { required: ['a'] }), object({ b: integer })] },
    'same',
    'same',
  ],
  [
    'a restriction in allOf',
    { allOf: [string] },
    { allOf: [string, { minLength: 1 }] },
    'breaking',
    'compatible',
  ],
  [
    'an alternative added',
    { oneOf: [string, integer] },
    { oneOf: [string, integer, { type: 'boolean' }] },
    'compatible',
    'breaking',
  ],
  [
    'an alternative removed',
    { anyOf: [string, integer, { type: 'boolean' }] },
    { anyOf: [string, integer] },
    'breaking',
    'compatible',
  ],
  [
    'alternatives in another order',
    { oneOf: [string, integer] },
    { oneOf: [integer, string] },
    'same',
    'same',
  ],
  [
    'one schema became an alternative',
    string,
    { oneOf: [string, integer] },
    'compatible',
    'breaking',
  ],
  [
    'a change in an alternative',
    { oneOf: [object({ kind: { const: 'a' }, x: string }), object({ kind: { const: 'b' } })] },
    { oneOf: [object({ kind: { const: 'b' } }), object({ kind: { const: 'a' }, x: integer })] },
    'breaking',
    'breaking',
  ],
  [
    'a definition removed',
    { $defs: { A: string, B: integer } },
    { $defs: { A: string } },
    'breaking',
    'breaking',
  ],
  [
    'a definition added',
    { $defs: { A: string } },
    { $defs: { A: string, B: integer } },
    'compatible',
    'compatible',
  ],
  // Annotations.
  [
    'another description',
    { type: 'string', description: 'a' },
    { type: 'string', description: 'b' },
    'documentation',
    'documentation',
  ],
  [
    'another requirement',
    { type: 'string', 'x-requirement': 'A-B-01' },
    { type: 'string', 'x-requirement': 'A-B-02' },
    'documentation',
    'documentation',
  ],
  [
    'another default',
    { type: 'string', default: 'a' },
    { type: 'string', default: 'b' },
    'compatible',
    'compatible',
  ],
  [
    'a property called description',
    object({ description: string }),
    object({ description: integer }),
    'breaking',
    'breaking',
  ],
]

const verdictOf = (changes: string[]) => changes[0]?.split(' ')[0] ?? 'same'

describe('a schema', () => {
  it.each(pairs)('with %s', (_, older, newer, sent, received) => {
    expect(verdictOf(changesBetween(withSchema(older), withSchema(newer), 'sent'))).toBe(sent)
    expect(verdictOf(changesBetween(withSchema(older), withSchema(newer), 'received'))).toBe(
      received,
    )
    const both = [sent, received].includes('breaking') ? 'breaking' : sent
    expect(verdictOf(changesBetween(withSchema(older), withSchema(newer)))).toBe(both)
  })

  it('that contains itself ends', () => {
    const tree = (value: object) => ({
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: object({ value, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }),
      },
    })
    expect(changesBetween(tree(string), tree(integer), 'received')).toEqual([
      'breaking type-changed /value',
    ])
    expect(changesBetween(tree(string), tree(string), 'received')).toEqual([])
  })

  it('reports the place of each change', () => {
    const older = object({ list: { type: 'array', items: object({ id: string }) } })
    const newer = object({ list: { type: 'array', items: object({ id: integer, name: string }) } })
    expect(changesBetween(older, newer)).toEqual([
      'breaking type-changed /list/[]/id',
      'compatible property-added /list/[]/name',
    ])
  })

  it('cannot have references without a target', () => {
    expect(() => changesBetween({ $defs: {}, $ref: '#/$defs/A' }, { $defs: {} })).toThrow(
      /the reference #\/\$defs\/A points to nothing/,
    )
    expect(() =>
      changesBetween({ $defs: {}, $ref: 'https://example.org/a.json' }, { $defs: {} }),
    ).toThrow(/leads to no file.\nNext: bundle the document/)
  })
})

const withSchema = (schema: object) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...schema,
})

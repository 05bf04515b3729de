import { expect, it } from 'vitest'
import { bundledFiles } from '../bundled.ts'
import type { AnyJson } from '../openapi.ts'
import { newAjv } from '../validators.ts'
import { otherProperties } from './other-properties.ts'
import { outsideSchemas } from './outside-schemas.ts'
import { statusRanges } from './status-ranges.ts'

const documents = [...bundledFiles()]
  .filter(([file]) => file.endsWith('.json'))
  .map(([file, text]) => ({ file, document: JSON.parse(text) as AnyJson }))

function* objectsIn(node: unknown): Generator<AnyJson> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield node
  for (const member of Object.values(node)) yield* objectsIn(member)
}

it.each(documents)('$file has no references to other files', ({ document }) => {
  const references = [...objectsIn(document)].map(({ $ref }) => $ref as unknown)
  const strings = references.filter((reference) => typeof reference === 'string')
  expect(strings.length).toBeGreaterThan(5)
  expect(strings.filter((reference) => !reference.startsWith('#/'))).toEqual([])
})

it.each(documents)('$file has no keyword of this project but the requirements', ({ document }) => {
  const keywords = [...objectsIn(document)].flatMap((node) => Object.keys(node))
  const extensions = new Set(keywords.filter((key) => key.startsWith('x-')))
  expect(extensions).toContain('x-requirement')
  for (const known of ['x-requirement', 'x-requirements', 'x-flag', 'x-generated'])
    extensions.delete(known)
  // A media type, which is the name of a member.
  extensions.delete('x-www-form-urlencoded')
  expect([...extensions]).toEqual([])
})

const accepts = (schema: AnyJson, value: unknown) =>
  newAjv({ strict: false }).compile(schema)(value)

it.each([
  [{ type: 'object', properties: { url: false } }, [{}, { url: 1 }, { file: 1 }, 7]],
  [
    { type: 'object', properties: { a: false, b: false, c: {} } },
    [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { c: 1 }],
  ],
  [{ type: ['object', 'array'] }, [{}, [], 'x', null]],
  [{ type: ['string', 'null'] }, ['x', null, 7]],
  [
    { properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    [{ a: 'x' }, { a: 7 }, { ab: 7 }, { ab: 'x' }, { b: 'x' }, { A: 7 }],
  ],
  [
    { properties: { const: { allOf: [{ type: 'string' }] }, 'x-rule': { type: 'null' } } },
    [{ const: 'x' }, { const: 7 }, { 'x-rule': 7 }],
  ],
])('the schema %j accepts the same values after its transformation', (schema, values) => {
  const transformed = outsideSchemas(schema)
  expect(values.map((value) => accepts(transformed, value))).toEqual(
    values.map((value) => accepts(schema, value)),
  )
})

it('removes keywords of this project, but no properties and values with their names', () => {
  const schema = {
    'x-rule': 'a',
    'x-requirement': 'A-B-01',
    properties: { 'x-rule': { 'x-fix': 'b', examples: [{ 'x-fix': 'c' }] } },
  }
  expect(outsideSchemas(schema)).toEqual({
    'x-requirement': 'A-B-01',
    properties: { 'x-rule': { examples: [{ 'x-fix': 'c' }] } },
  })
})

it('replaces allOf by its reference, unless other keywords restrict the value', () => {
  const reference = { allOf: [{ $ref: '#/$defs/A' }], 'x-requirement': 'A-B-01' }
  expect(outsideSchemas({ items: reference })).toEqual({
    items: { $ref: '#/$defs/A', 'x-requirement': 'A-B-01' },
  })
  const restricted = { items: { ...reference, minLength: 1 } }
  expect(outsideSchemas(restricted)).toEqual(restricted)
})

it('has the requirements of references next to the properties in AsyncAPI', () => {
  const reference = { allOf: [{ $ref: '#/components/schemas/A' }], 'x-requirement': 'A-B-01' }
  expect(
    outsideSchemas({ asyncapi: '3.0.0', payload: { properties: { a: reference, b: {} } } }),
  ).toEqual({
    asyncapi: '3.0.0',
    payload: {
      properties: { a: { $ref: '#/components/schemas/A' }, b: {} },
      'x-requirements': { a: 'A-B-01' },
    },
  })
})

it('does not write a condition that would reject other types', () => {
  expect(() => outsideSchemas({ title: 'A', properties: { url: false } })).toThrow('A: properties')
})

it('writes no pattern for names that are not words', () => {
  expect(() => otherProperties({ properties: { 'a.b': {} }, additionalProperties: {} })).toThrow(
    'a.b: the other properties cannot be a pattern',
  )
})

it('replaces a range of statuses, but no status that is declared', () => {
  const responses = { '2XX': { description: 'any' }, '202': { description: 'accepted' } }
  const { paths } = statusRanges({ paths: { '/a': { post: { responses } } } })
  expect((paths as AnyJson)['/a'].post.responses).toEqual({
    '200': { description: 'any' },
    '202': { description: 'accepted' },
  })
})

import { readFileSync } from 'node:fs'
import { isObject } from '../engine/json.ts'
import { Random } from '../engine/random.ts'

type Definition = Record<string, unknown>

const sample = (name: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../../specs/examples/tools/ToolDefinition.${name}.json`, import.meta.url),
      'utf8',
    ),
  ) as Definition

/** Schemas of a field. Most of them barely meet or barely violate a rule. */
const fields: readonly unknown[] = [
  ...[1, 2].flatMap((minimum) =>
    [50, 100, 1000].map((maximum) => ({ type: 'integer', minimum, maximum })),
  ),
  { type: 'string' },
  { type: 'string', minLength: 0 },
  { type: 'string', minLength: 1 },
  { type: 'string', pattern: '.*' },
  { type: 'string', if: { minLength: 3 }, then: { pattern: '^a' } },
  { type: 'string', not: { const: '' } },
  { type: ['string', 'null'] },
  { type: ['string', 'null'], maxLength: 5 },
  { type: ['boolean', 'string'] },
  { type: ['text', 'string'], maxLength: 5 },
  { type: 'text', maxLength: 5 },
  { type: [] },
  { enum: ['a', 'b'] },
  { const: 1 },
  { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { oneOf: [{ const: 'a' }, { const: 'b' }] },
  { allOf: [{ type: 'string' }, { maxLength: 3 }] },
  { type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^a' }] },
  { $ref: '#/properties/id' },
  { $ref: '#/$defs/nothing' },
  { $ref: 'https://elsewhere.example/field.json' },
  { type: 'array' },
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: { type: 'string', maxLength: 9 } },
  { type: 'array', items: { $ref: '#/properties/id' } },
  { type: 'array', uniqueItems: false },
  { type: 'object' },
  { type: 'object', properties: { from: { type: 'string' } } },
  { type: 'number', exclusiveMinimum: false, minimum: 0 },
  { type: 'integer', exclusiveMaximum: true },
  { minLength: 2 },
  true,
  false,
  {},
  'string',
  null,
]

/** Definitions of the common fields that barely meet or barely violate a rule. */
const commonFields: readonly (readonly [string, unknown])[] = [
  ...[
    { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
    { type: 'integer', minimum: 0, maximum: 100, default: 20 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 100, default: 20 },
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 101, default: 20 },
    { type: 'integer', exclusiveMinimum: 0.5, maximum: 100.5, default: 20 },
    { type: 'integer', minimum: -3, exclusiveMinimum: 0, maximum: 100, default: 20 },
    { type: 'number', minimum: 1, maximum: 100, default: 20 },
    { type: 'number', multipleOf: 1, minimum: 1, maximum: 100, default: 20 },
    { type: ['integer', 'null'], minimum: 1, maximum: 100, default: 20 },
    { anyOf: [{ type: 'integer', minimum: 1, maximum: 100 }, { type: 'null' }], default: 20 },
    { anyOf: [{ type: 'integer', minimum: 1, maximum: 99 }, { type: 'null' }], default: 20 },
    { type: 'integer', minimum: 1, maximum: 100 },
    { type: 'integer', minimum: 1, maximum: 100, default: null },
    false,
  ].map((schema) => ['limit', schema] as const),
  ...[
    { type: 'integer', minimum: 0, default: 0 },
    { type: 'integer', minimum: 1, default: 1 },
    { type: 'integer', minimum: 0, maximum: 9000, default: 0 },
    { type: 'string', pattern: '^\\d+$', default: '0' },
  ].map((schema) => ['offset', schema] as const),
  ...[
    { type: 'string', enum: ['markdown', 'json'], default: 'markdown' },
    { type: 'string', enum: ['json'], default: 'json' },
    { type: 'string', enum: ['markdown', 'json', 'xml'], default: 'markdown' },
    { oneOf: [{ const: 'markdown' }, { const: 'json' }], default: 'markdown' },
    { type: 'string', maxLength: 8, default: 'markdown' },
  ].map((schema) => ['response_format', schema] as const),
]

const described = (schema: unknown, description = 'A field.') =>
  isObject(schema) ? { ...schema, description } : schema

const withFields = (properties: object, more: object = {}): Definition => ({
  ...sample('flat'),
  inputSchema: { type: 'object', properties, ...more },
})
const id = { type: 'string', description: 'An ID.', pattern: '^b-\\d+$' }

/** Tool definitions that are written by hand: valid ones, and many that barely violate a rule. */
const edges = (): unknown[] => [
  sample('flat'),
  sample('nested'),
  sample('destructive'),
  ...fields.flatMap((field) => [
    withFields({ id, extra: described(field) }),
    withFields({ id, extra: field }),
    withFields({ extra: described(field) }),
    withFields({ params: { type: 'object', properties: { id, extra: described(field) } } }),
  ]),
  ...commonFields.flatMap(([name, field]) => [
    withFields({ id, [name]: described(field) }),
    withFields({ id, [name]: described(field) }, { required: [name] }),
  ]),
  withFields({}, { required: 'id' }),
  withFields({ id }, { required: ['id', 'id'] }),
  withFields({ id }, { allOf: [{ properties: { more: { type: 'string' } } }] }),
  ...[
    undefined,
    null,
    {},
    [],
    { type: 'array' },
    { type: ['object'] },
    { type: 'object', properties: [] },
  ].map((inputSchema) => ({ ...sample('flat'), inputSchema })),
  // Only a read-only tool may omit destructiveHint and idempotentHint.
  ...[true, false, 'true', undefined].map((readOnlyHint) => ({
    ...sample('flat'),
    annotations: { title: 'Search books', readOnlyHint, openWorldHint: true },
  })),
  ...['', ' ', 7, 'shelf_search', 'shelfSearchBooks', 'shelf_search_all_books', 'a_b_c'].map(
    (name) => ({
      ...sample('flat'),
      name,
    }),
  ),
  ...[undefined, null, [], {}, { title: 'shelf_search_books' }].map((annotations) => ({
    ...sample('flat'),
    annotations,
  })),
]

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  7,
  -1,
  '',
  'text',
  [],
  {},
  ['string'],
  'object',
  100,
]
const keywords = [
  'type',
  'description',
  'minimum',
  'maximum',
  'default',
  'enum',
  '$ref',
  'anyOf',
  'items',
  'title',
]

/** Copies a definition and removes, replaces, wraps or extends a randomly chosen member. */
function mutate(definition: Definition, random: Random): Definition {
  const copy = structuredClone(definition)
  const members: [holder: Record<string, unknown>, key: string][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, child] of Object.entries(node)) {
      members.push([node as Record<string, unknown>, key])
      visit(child)
    }
  }
  visit(copy)
  const pick = <T>(list: readonly T[]): T => list[random.int(0, list.length)]!
  const [holder, key] = pick(members)
  switch (random.int(0, 4)) {
    case 0:
      delete holder[key]
      break
    case 1:
      holder[key] = pick(values)
      break
    case 2:
      holder[key] = isObject(holder[key])
        ? { [pick(['anyOf', 'allOf'])]: [holder[key]] }
        : pick(values)
      break
    default:
      if (isObject(holder[key]))
        (holder[key] as Record<string, unknown>)[pick(keywords)] = pick(values)
      else holder[pick(keywords)] = pick(values)
  }
  return copy
}

/**
 * Returns the definitions written by hand, and `count` random ones. The same seed returns the same
 * definitions.
 */
export function generateCorpus(seed: number, count: number): unknown[] {
  const random = new Random(`definitions ${seed}`)
  const bases = [sample('flat'), sample('nested'), sample('destructive')]
  return [
    ...edges(),
    ...Array.from({ length: count }, (_, index) => {
      let mutated = mutate(bases[index % bases.length]!, random)
      for (let more = random.int(0, 3); more > 0; more -= 1) mutated = mutate(mutated, random)
      return mutated
    }),
  ]
}

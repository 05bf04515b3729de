import { isObject } from '../../../../engine/index.ts'
import {
  isNull,
  branchesOf,
  type LocatedSchema,
  type SchemaBranch,
} from '../../../../definitions/branches.ts'

import { hasType, type BreachKind } from './breaches.ts'
import { letters, numericValues, keywordValues, samplesOf } from './samples.ts'

/** Values that may break one constraint. The first that breaks no other constraint is preferred. */
interface NegativeCandidate {
  readonly kind: BreachKind
  /** The path in the value: `tags[0]`; empty for the whole value. */
  readonly field: string
  /** How the values break the constraint, in the same words for all fields: "too many items". */
  readonly way: string
  readonly description: string
  readonly values: readonly unknown[]
}

/**
 * Maximum numbers of characters and of items to send when a bound is exceeded, and of listed values
 * to send in capitals.
 */
const limits = { characters: 100_000, items: 2000, listed: 3 }
/** Maximum depth of objects and arrays that is examined. */
const maxDepth = 4
/** Larger numbers cannot be represented exactly, so a server may read another value. */
const isExact = (value: number): boolean => Math.abs(value) < Number.MAX_SAFE_INTEGER

/**
 * Returns replacements for a valid value. They may break the schema of the value, most of them in a
 * single constraint. `breachesOf` decides which of them break the schema in every interpretation.
 */
export function candidatesOf(
  located: LocatedSchema,
  root: LocatedSchema,
  valid: unknown,
  field = '',
  level = 0,
): NegativeCandidate[] {
  const branches = branchesOf(located, root).filter((branch) => !isNull(branch))
  if (branches.length === 0 || level > maxDepth) return []
  const newCandidate = (
    kind: BreachKind,
    [way, description = way]: readonly [way: string, description?: string],
    ...values: unknown[]
  ): NegativeCandidate => ({
    kind,
    field,
    way,
    description,
    values,
  })
  return [
    ...(level === 0 ? [] : typeCandidates(branches, newCandidate)),
    ...lengthCandidates(branches, valid, newCandidate),
    ...rangeCandidates(branches, newCandidate),
    ...keywordValues(branches, 'enum')
      .flat()
      .filter((value) => typeof value === 'string' && value !== value.toUpperCase())
      .slice(0, limits.listed)
      .map((value) =>
        newCandidate('value', ['a listed value in capitals'], String(value).toUpperCase()),
      ),
    ...(keywordValues(branches, 'enum').length + keywordValues(branches, 'const').length > 0
      ? [
          newCandidate(
            'value',
            ['a value that is not listed'],
            'touchstone',
            'touchstones',
            7919,
            7919.5,
          ),
        ]
      : []),
    ...patternCandidates(branches, valid, newCandidate),
    ...arrayCandidates(branches, root, valid, field, level, newCandidate),
    ...objectCandidates(branches, root, valid, field, level),
  ]
}

type NewCandidate = (
  kind: BreachKind,
  description: readonly [way: string, description?: string],
  ...values: unknown[]
) => NegativeCandidate

const nameOfType = (value: unknown) => (typeof value === 'string' ? 'a string' : 'an object')

/**
 * Values of other types that even a lenient server does not convert to the right type. The least
 * convertible comes first.
 */
function typeCandidates(
  branches: readonly SchemaBranch[],
  newCandidate: NewCandidate,
): NegativeCandidate[] {
  const wanted = keywordValues(branches, 'type').flat()
  if (wanted.length === 0) return []
  const others = (
    wanted.includes('string')
      ? [{ touchstone: 'gold' }, ['touchstone']]
      : wanted.includes('array')
        ? [{ touchstone: 'gold' }, 'touchstone']
        : ['touchstone', ['touchstone']]
  ).filter((value) => !wanted.some((type) => hasType(value, type)))
  const isWhole = wanted.includes('integer') && !wanted.includes('number')
  const least = Math.max(0, ...numericValues(branches, 'minimum'))
  return [
    // Each value is a separate candidate: a server that refuses an object may still accept a string
    // as a list with one item.
    ...(wanted.includes('array')
      ? others.map((value) =>
          newCandidate('type', [`${nameOfType(value)} instead of a list`], value),
        )
      : [newCandidate('type', ['a value of another type'], ...others)]),
    ...(isWhole ? [newCandidate('type', ['a fraction'], least + 0.5, least + 1.5)] : []),
  ]
}

function lengthCandidates(
  branches: readonly SchemaBranch[],
  valid: unknown,
  newCandidate: NewCandidate,
): NegativeCandidate[] {
  const own = typeof valid === 'string' && /^[\x21-\x7e]+$/.test(valid) ? valid : ''
  const short = numericValues(branches, 'minLength').filter(
    (least) => least > 0 && least < limits.characters,
  )
  const long = numericValues(branches, 'maxLength').filter((longest) => longest < limits.characters)
  return [
    ...short.map((least) =>
      newCandidate(
        'length',
        ['too few characters', `${least - 1} characters`],
        own.slice(0, least - 1).padEnd(least - 1, 'a'),
        letters(least - 1),
      ),
    ),
    ...long.map((longest) =>
      newCandidate(
        'length',
        ['too many characters', `${longest + 1} characters`],
        own.padEnd(longest + 1, 'a'),
        own.padStart(longest + 1, 'a'),
        letters(longest + 1),
      ),
    ),
  ]
}

function rangeCandidates(
  branches: readonly SchemaBranch[],
  newCandidate: NewCandidate,
): NegativeCandidate[] {
  const below = [
    ...numericValues(branches, 'minimum').map((least) =>
      Number.isInteger(least) ? least - 1 : Math.floor(least),
    ),
    ...numericValues(branches, 'exclusiveMinimum').map((edge) =>
      Number.isInteger(edge) ? edge : Math.floor(edge),
    ),
  ]
  const above = [
    ...numericValues(branches, 'maximum').map((largest) =>
      Number.isInteger(largest) ? largest + 1 : Math.ceil(largest),
    ),
    ...numericValues(branches, 'exclusiveMaximum').map((edge) =>
      Number.isInteger(edge) ? edge : Math.ceil(edge),
    ),
  ]
  return [
    ...below.map((value) => ['a number that is too small', value] as const),
    ...above.map((value) => ['a number that is too large', value] as const),
  ]
    .filter(([, value]) => isExact(value))
    .map(([way, value]) => newCandidate('range', [way, `the number ${value}`], value))
}

function patternCandidates(
  branches: readonly SchemaBranch[],
  valid: unknown,
  newCandidate: NewCandidate,
): NegativeCandidate[] {
  if (keywordValues(branches, 'pattern').length === 0) return []
  const own = typeof valid === 'string' ? valid : ''
  const least = Math.min(Math.max(1, ...numericValues(branches, 'minLength')), limits.characters)
  return [
    ...(own === ''
      ? []
      : [
          newCandidate(
            'pattern',
            ['an additional character at the end'],
            `${own}!`,
            `${own}~`,
            `${own}ä`,
          ),
          newCandidate(
            'pattern',
            ['an additional character at the beginning'],
            `!${own}`,
            `~${own}`,
            `ä${own}`,
          ),
          newCandidate(
            'pattern',
            ['letters of the other case'],
            own.toLowerCase(),
            own.toUpperCase(),
          ),
        ]),
    newCandidate(
      'pattern',
      ['an unrelated string'],
      '!'.repeat(least),
      '~'.repeat(least),
      letters(least),
      '7'.repeat(least),
      letters(least + 20),
    ),
  ]
}

function arrayCandidates(
  branches: readonly SchemaBranch[],
  root: LocatedSchema,
  valid: unknown,
  field: string,
  level: number,
  newCandidate: NewCandidate,
): NegativeCandidate[] {
  const items = branches
    .flatMap(({ parts }) => parts)
    .find(({ schema }) => isObject(schema['items']) && !('prefixItems' in schema))
  const inside: LocatedSchema = {
    schema: items?.schema['items'] ?? true,
    path: `${items?.path ?? field}.items`,
  }
  const least = Math.max(0, ...numericValues(branches, 'minItems'))
  const own = Array.isArray(valid) ? (valid as unknown[]) : []
  const many = (count: number): unknown[][] =>
    count <= own.length
      ? [own.slice(0, count)]
      : [
          samplesOf(inside, root, count),
          own.length > 0
            ? Array.from({ length: count }, (_, index) => own[index % own.length])
            : undefined,
        ].filter((list) => list !== undefined)
  const counts = [
    ...numericValues(branches, 'minItems')
      .filter((count) => count > 0)
      .map((count) => count - 1),
    ...numericValues(branches, 'maxItems').map((count) => count + 1),
  ].filter((count) => count <= limits.items)
  const rest = least > limits.items ? undefined : many(Math.max(0, least - 1))[0]
  const within =
    items === undefined || rest === undefined
      ? []
      : candidatesOf(inside, root, own[0], `${field}[0]`, level + 1)
  return [
    ...counts.map((count) =>
      newCandidate(
        'items',
        [count < least ? 'too few items' : 'too many items', `${count} items`],
        ...many(count),
      ),
    ),
    ...within.map((one) => ({
      ...one,
      values: one.values.map((value) => [value, ...(rest ?? [])]),
    })),
  ]
}

function objectCandidates(
  branches: readonly SchemaBranch[],
  root: LocatedSchema,
  valid: unknown,
  field: string,
  level: number,
): NegativeCandidate[] {
  if (!isObject(valid)) return []
  const found: NegativeCandidate[] = []
  const seen = new Set<string>()
  const inside = (name: string) => (field === '' ? name : `${field}.${name}`)
  for (const name of Object.keys(valid)) {
    const { [name]: _, ...others } = valid
    found.push({
      kind: 'missing',
      field: inside(name),
      way: 'no value',
      description: 'no value',
      values: [others],
    })
  }
  for (const { schema, path } of branches.flatMap(({ parts }) => parts)) {
    for (const [name, member] of isObject(schema['properties'])
      ? Object.entries(schema['properties'])
      : []) {
      const located = { schema: member, path: `${path}.properties.${name}` }
      if (seen.has(located.path)) continue
      seen.add(located.path)
      found.push(
        ...candidatesOf(located, root, valid[name], inside(name), level + 1).map((one) => ({
          ...one,
          values: one.values.map((value) => ({ ...valid, [name]: value })),
        })),
      )
    }
  }
  return found
}

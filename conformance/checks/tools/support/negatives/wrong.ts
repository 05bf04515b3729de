import { isObject } from '../../../../engine/index.ts'
import { isNull, branchesOf, type LocatedSchema, type SchemaBranch } from '../definition/schema.ts'

import { hasType, type BreachKind } from './breaches.ts'
import { letters, numericValues, keywordValues, samplesOf } from './samples.ts'

/** A branch to break one constraint of a value: the first of these values that does is taken. */
interface NegativeCandidate {
  readonly kind: BreachKind
  /** Where in the value: `tags[0]`; empty for the whole of it. */
  readonly field: string
  /** What stands there. */
  readonly description: string
  readonly values: readonly unknown[]
}

/** The most characters, and items, that are sent to exceed a bound. */
const limits = { characters: 100_000, items: 2000 }
/** Levels of objects and arrays that are looked into. */
const maxDepth = 4
/** No server can be blamed for what it makes of numbers beyond these. */
const isExact = (value: number): boolean => Math.abs(value) < Number.MAX_SAFE_INTEGER

/** Values in located of a given one that may break its schema, most of them by one constraint only. Which of them do for certain, `breachesOf` tells. */
export function candidatesOf(
  located: LocatedSchema,
  root: LocatedSchema,
  given: unknown,
  at = '',
  level = 0,
): NegativeCandidate[] {
  const branches = branchesOf(located, root).filter((branch) => !isNull(branch))
  if (branches.length === 0 || level > maxDepth) return []
  const wrong = (kind: BreachKind, says: string, ...values: unknown[]): NegativeCandidate => ({
    kind,
    field: at,
    description: says,
    values,
  })
  return [
    ...(level === 0 ? [] : types(branches, wrong)),
    ...lengths(branches, given, wrong),
    ...ranges(branches, wrong),
    ...(keywordValues(branches, 'enum').length + keywordValues(branches, 'const').length > 0
      ? [wrong('value', 'a value that is not listed', 'touchstone', 'touchstones', 7919, 7919.5)]
      : []),
    ...patterns(branches, given, wrong),
    ...arrays(branches, root, given, at, level, wrong),
    ...objects(branches, root, given, at, level),
  ]
}

type NewCandidate = (kind: BreachKind, says: string, ...values: unknown[]) => NegativeCandidate

/** What no lenient server takes for the type, the strangest first. */
function types(branches: readonly SchemaBranch[], wrong: NewCandidate): NegativeCandidate[] {
  const wanted = keywordValues(branches, 'type').flat()
  if (wanted.length === 0) return []
  const others = wanted.includes('string')
    ? [{ touchstone: 'gold' }, ['touchstone']]
    : wanted.includes('array')
      ? [{ touchstone: 'gold' }, 'touchstone']
      : ['touchstone', ['touchstone']]
  const isWhole = wanted.includes('integer') && !wanted.includes('number')
  const least = Math.max(0, ...numericValues(branches, 'minimum'))
  return [
    wrong(
      'type',
      'a value of another type',
      ...others.filter((value) => !wanted.some((type) => hasType(value, type))),
    ),
    ...(isWhole ? [wrong('type', 'a fraction', least + 0.5, least + 1.5)] : []),
  ]
}

function lengths(
  branches: readonly SchemaBranch[],
  given: unknown,
  wrong: NewCandidate,
): NegativeCandidate[] {
  const own = typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) ? given : ''
  const short = numericValues(branches, 'minLength').filter(
    (least) => least > 0 && least < limits.characters,
  )
  const long = numericValues(branches, 'maxLength').filter((longest) => longest < limits.characters)
  return [
    ...short.map((least) =>
      wrong(
        'length',
        `${least - 1} characters`,
        own.slice(0, least - 1).padEnd(least - 1, 'a'),
        letters(least - 1),
      ),
    ),
    ...long.map((longest) =>
      wrong(
        'length',
        `${longest + 1} characters`,
        own.padEnd(longest + 1, 'a'),
        own.padStart(longest + 1, 'a'),
        letters(longest + 1),
      ),
    ),
  ]
}

function ranges(branches: readonly SchemaBranch[], wrong: NewCandidate): NegativeCandidate[] {
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
  return [...below, ...above]
    .filter(isExact)
    .map((value) => wrong('range', `the number ${value}`, value))
}

function patterns(
  branches: readonly SchemaBranch[],
  given: unknown,
  wrong: NewCandidate,
): NegativeCandidate[] {
  if (keywordValues(branches, 'pattern').length === 0) return []
  const own = typeof given === 'string' ? given : ''
  const least = Math.max(1, ...numericValues(branches, 'minLength'))
  return [
    ...(own === ''
      ? []
      : [
          wrong('pattern', 'a text with more at its end', `${own}!`, `${own}~`, `${own}ä`),
          wrong('pattern', 'a text with more at its beginning', `!${own}`, `~${own}`, `ä${own}`),
        ]),
    wrong(
      'pattern',
      'a text of another kind',
      '!'.repeat(least),
      '~'.repeat(least),
      letters(least),
      '7'.repeat(least),
      letters(least + 20),
    ),
  ]
}

function arrays(
  branches: readonly SchemaBranch[],
  root: LocatedSchema,
  given: unknown,
  at: string,
  level: number,
  wrong: NewCandidate,
): NegativeCandidate[] {
  const items = branches
    .flatMap(({ parts }) => parts)
    .find(({ schema }) => isObject(schema['items']) && !('prefixItems' in schema))
  const inside: LocatedSchema = {
    schema: items?.schema['items'] ?? true,
    path: `${items?.path ?? at}.items`,
  }
  const least = Math.max(0, ...numericValues(branches, 'minItems'))
  const own = Array.isArray(given) ? (given as unknown[]) : []
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
  const rest = many(Math.max(0, least - 1))[0]
  const within =
    items === undefined || rest === undefined
      ? []
      : candidatesOf(inside, root, own[0], `${at}[0]`, level + 1)
  return [
    ...counts.map((count) => wrong('items', `${count} items`, ...many(count))),
    ...within.map((one) => ({
      ...one,
      values: one.values.map((value) => [value, ...(rest ?? [])]),
    })),
  ]
}

function objects(
  branches: readonly SchemaBranch[],
  root: LocatedSchema,
  given: unknown,
  at: string,
  level: number,
): NegativeCandidate[] {
  if (!isObject(given)) return []
  const found: NegativeCandidate[] = []
  const seen = new Set<string>()
  const inside = (name: string) => (at === '' ? name : `${at}.${name}`)
  for (const name of Object.keys(given)) {
    const { [name]: _, ...others } = given
    found.push({ kind: 'missing', field: inside(name), description: 'nothing', values: [others] })
  }
  for (const { schema, path } of branches.flatMap(({ parts }) => parts)) {
    for (const [name, member] of isObject(schema['properties'])
      ? Object.entries(schema['properties'])
      : []) {
      const located = { schema: member, path: `${path}.properties.${name}` }
      if (seen.has(located.path)) continue
      seen.add(located.path)
      found.push(
        ...candidatesOf(located, root, given[name], inside(name), level + 1).map((one) => ({
          ...one,
          values: one.values.map((value) => ({ ...given, [name]: value })),
        })),
      )
    }
  }
  return found
}

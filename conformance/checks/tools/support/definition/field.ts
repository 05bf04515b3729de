import type { Json } from '../../../../engine/index.ts'
import { isNotBlank, preview, childPath, type ReportFinding } from './finding.ts'
import {
  isNull,
  typeNames,
  typesOf,
  branchesOf,
  type LocatedSchema,
  type SchemaBranch,
} from './schema.ts'

/** What keeps values of a type within bounds. Other types need no more than their name. */
const bounds: { readonly [type: string]: readonly string[] } = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'prefixItems', 'contains'],
}
const boundKeywords: { readonly [type: string]: string } = {
  string: 'minLength, maxLength, pattern, format or enum',
  integer: 'minimum, maximum or enum',
  number: 'minimum, maximum or enum',
  array: 'minItems, maxItems, uniqueItems or bounds for its items',
}

/** Judges the type, the description and the bounds of one field. */
export function judgeField(
  place: LocatedSchema,
  root: LocatedSchema,
  note: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const all = branchesOf(place, root)
  if (all.length === 0) return
  judgeDescription(place, all, note, severity)
  const untyped = all.find(
    (way) => (!way.opaque && typesOf(way) === undefined) || partWithUnknownType(way) !== undefined,
  )
  if (untyped !== undefined) judgeType(place, untyped, note, severity)
  else
    judgeBounds(
      place,
      all.filter((way) => !isNull(way) && !way.opaque),
      root,
      note,
      severity,
    )
}

function judgeDescription(
  { path }: LocatedSchema,
  ways: readonly SchemaBranch[],
  note: ReportFinding,
  severity: 'error' | 'warning',
): void {
  if (
    ways.some(
      ({ opaque, parts }) => opaque || parts.some(({ schema }) => isNotBlank(schema.description)),
    )
  )
    return
  note(
    'field-description',
    path,
    'has no description',
    'say in its description what it means and what may stand there',
    severity,
  )
}

/** The part whose type is none of JSON Schema. */
const partWithUnknownType = ({ parts }: SchemaBranch) =>
  parts.find(
    ({ schema }) =>
      'type' in schema && ![schema.type].flat().some((type) => typeNames.includes(type as string)),
  )

function judgeType(
  { path }: LocatedSchema,
  way: SchemaBranch,
  note: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const named = partWithUnknownType(way)
  const says =
    named === undefined
      ? 'has no type'
      : `has a type that no value has: ${preview(named.schema.type)}`
  note(
    'field-type',
    named === undefined ? (way.parts.at(-1)?.path ?? path) : childPath(named.path, 'type'),
    says,
    'give it a type: string, integer, number, boolean, array or object',
    severity,
  )
}

function judgeBounds(
  { path }: LocatedSchema,
  ways: readonly SchemaBranch[],
  root: LocatedSchema,
  note: ReportFinding,
  severity: 'error' | 'warning',
): void {
  const cases = ways.flatMap((way) =>
    (typesOf(way) ?? [])
      .filter((type) => type !== 'null')
      .map((type) => ({ type, bounded: isBounded(way, type, root) })),
  )
  const unbounded = [...new Set(cases.filter(({ bounded }) => !bounded).map(({ type }) => type))]
  if (unbounded.length === 0) return
  // Who bounds one of several types has constrained the field; that another is without bounds is for people to judge.
  const some = cases.some(({ bounded }) => bounded)
  const names = unbounded.map((type) => `${/^[ai]/.test(type) ? 'an' : 'a'} ${type}`).join(' or ')
  const says = some ? `has no constraint where it is ${names}` : `is ${names} without a constraint`
  note(
    'field-constraint',
    path,
    says,
    `bound it with ${boundKeywords[unbounded[0] ?? ''] ?? 'an enum'}`,
    some ? 'warning' : severity,
  )
}

function isBounded(way: SchemaBranch, type: string, root: LocatedSchema): boolean {
  const needed = bounds[type]
  if (needed === undefined) return true
  const has = (schema: Json) =>
    ['enum', 'const', 'not', 'if'].some((keyword) => keyword in schema) ||
    needed.some((keyword) => isRestrictive(keyword, schema[keyword]))
  return (
    way.parts.some(({ schema }) => has(schema)) || (type === 'array' && hasBoundedItems(way, root))
  )
}

/** Whether a keyword excludes anything: `minLength: 0` does not. */
function isRestrictive(keyword: string, value: unknown): boolean {
  if (value === undefined || value === false) return false
  if (keyword === 'minLength' || keyword === 'minItems') return value !== 0
  return keyword !== 'pattern' || (value !== '' && value !== '.*' && value !== '^.*$')
}

function hasBoundedItems({ parts }: SchemaBranch, root: LocatedSchema): boolean {
  return parts.some(({ schema, path }) => {
    if (!('items' in schema)) return false
    const ways = branchesOf({ schema: schema.items, path: childPath(path, 'items') }, root)
    return ways.every(
      (way) => way.opaque || (typesOf(way)?.every((type) => isBounded(way, type, root)) ?? false),
    )
  })
}

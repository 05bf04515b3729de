import { isObject, type Json } from '../../../../engine/index.ts'
import { branchesOf, type LocatedSchema, type SchemaBranch } from '../definition/schema.ts'

import { breachesOf } from './breaches.ts'

/** What the schemas of all ways say under a keyword. */
export const keywordValues = (ways: readonly SchemaBranch[], keyword: string): unknown[] =>
  ways
    .flatMap(({ parts }) => parts)
    .flatMap(({ schema }: { schema: Json }) => (keyword in schema ? [schema[keyword]] : []))

export const numericValues = (ways: readonly SchemaBranch[], keyword: string): number[] =>
  keywordValues(ways, keyword).filter((value): value is number => typeof value === 'number')

/** Letters, so many that nothing is left to strip. */
export const letters = (count: number, offset = 0): string =>
  Array.from(
    { length: Math.max(0, count) },
    (_, at) => 'abcdefghijklmnopqrstuvwxyz'[(at + offset) % 26],
  ).join('')

/** So many different values that fit a schema; undefined where not enough of them can be made up. Objects are not made up. */
export function samplesOf(
  place: LocatedSchema,
  root: LocatedSchema,
  count: number,
): unknown[] | undefined {
  const ways = branchesOf(place, root)
  const least = Math.max(1, ...numericValues(ways, 'minLength'))
  const from = Math.max(
    0,
    ...numericValues(ways, 'minimum'),
    ...numericValues(ways, 'exclusiveMinimum').map((value) => value + 1),
  )
  const listed = [
    ...keywordValues(ways, 'enum').flatMap((values) =>
      Array.isArray(values) ? (values as unknown[]) : [],
    ),
    ...keywordValues(ways, 'const'),
  ]
  const made = [
    ...listed,
    ...Array.from({ length: count }, (_, at) => letters(Math.max(least, 3), at)),
    ...Array.from({ length: count }, (_, at) => Math.ceil(from) + at),
  ]
  const fitting = made.filter((value) => value !== null && fits(value, place, root))
  return fitting.length < count ? undefined : fitting.slice(0, count)
}

/** Whether nothing says that a value does not fit. */
const fits = (value: unknown, place: LocatedSchema, root: LocatedSchema): boolean =>
  branchesOf(place, root).length > 0 &&
  !isObject(value) &&
  breachesOf(value, place, root).size === 0

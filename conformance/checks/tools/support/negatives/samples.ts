import { isObject, type Json } from '../../../../engine/index.ts'
import { branchesOf, type LocatedSchema, type SchemaBranch } from '../definition/schema.ts'

import { breachesOf } from './breaches.ts'

/** What the schemas of all branches say under a keyword. */
export const keywordValues = (branches: readonly SchemaBranch[], keyword: string): unknown[] =>
  branches
    .flatMap(({ parts }) => parts)
    .flatMap(({ schema }: { schema: Json }) => (keyword in schema ? [schema[keyword]] : []))

export const numericValues = (branches: readonly SchemaBranch[], keyword: string): number[] =>
  keywordValues(branches, keyword).filter((value): value is number => typeof value === 'number')

/** Letters, so many that nothing is left to strip. */
export const letters = (count: number, offset = 0): string =>
  Array.from(
    { length: Math.max(0, count) },
    (_, at) => 'abcdefghijklmnopqrstuvwxyz'[(at + offset) % 26],
  ).join('')

/** So many different values that fit a schema; undefined where not enough of them can be made up. Objects are not made up. */
export function samplesOf(
  located: LocatedSchema,
  root: LocatedSchema,
  count: number,
): unknown[] | undefined {
  const branches = branchesOf(located, root)
  const least = Math.max(1, ...numericValues(branches, 'minLength'))
  const from = Math.max(
    0,
    ...numericValues(branches, 'minimum'),
    ...numericValues(branches, 'exclusiveMinimum').map((value) => value + 1),
  )
  const listed = [
    ...keywordValues(branches, 'enum').flatMap((values) =>
      Array.isArray(values) ? (values as unknown[]) : [],
    ),
    ...keywordValues(branches, 'const'),
  ]
  const made = [
    ...listed,
    ...Array.from({ length: count }, (_, at) => letters(Math.max(least, 3), at)),
    ...Array.from({ length: count }, (_, at) => Math.ceil(from) + at),
  ]
  const fitting = made.filter((value) => value !== null && fits(value, located, root))
  return fitting.length < count ? undefined : fitting.slice(0, count)
}

/** Whether nothing says that a value does not fit. */
const fits = (value: unknown, located: LocatedSchema, root: LocatedSchema): boolean =>
  branchesOf(located, root).length > 0 &&
  !isObject(value) &&
  breachesOf(value, located, root).size === 0

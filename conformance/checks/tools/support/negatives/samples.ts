import { isObject, type Json } from '../../../../engine/index.ts'
import {
  branchesOf,
  type LocatedSchema,
  type SchemaBranch,
} from '../../../../definitions/branches.ts'

import { breachesOf } from './breaches.ts'

/** The values of a keyword in the schemas of all branches. */
export const keywordValues = (branches: readonly SchemaBranch[], keyword: string): unknown[] =>
  branches
    .flatMap(({ parts }) => parts)
    .flatMap(({ schema }: { schema: Json }) => (keyword in schema ? [schema[keyword]] : []))

export const numericValues = (branches: readonly SchemaBranch[], keyword: string): number[] =>
  keywordValues(branches, keyword).filter((value): value is number => typeof value === 'number')

/** A schema can require strings that do not fit into memory. */
const maxLetters = 100_000

/**
 * Returns `count` letters, at most `maxLetters`. They contain no whitespace, which a server could
 * strip.
 */
export const letters = (count: number, offset = 0): string =>
  Array.from(
    { length: Math.min(Math.max(0, count), maxLetters) },
    (_, at) => 'abcdefghijklmnopqrstuvwxyz'[(at + offset) % 26],
  ).join('')

/** Distinct values that fit a schema; undefined if too few can be generated. Never objects. */
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
  const generated = [
    ...listed,
    ...Array.from({ length: count }, (_, at) => letters(Math.max(least, 3), at)),
    ...Array.from({ length: count }, (_, at) => Math.ceil(from) + at),
  ]
  const fitting = generated.filter((value) => value !== null && fits(value, located, root))
  return fitting.length < count ? undefined : fitting.slice(0, count)
}

/** Whether a value is not an object, and breaks no constraint of a schema. */
const fits = (value: unknown, located: LocatedSchema, root: LocatedSchema): boolean =>
  branchesOf(located, root).length > 0 &&
  !isObject(value) &&
  breachesOf(value, located, root).size === 0

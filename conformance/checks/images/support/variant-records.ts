import type { HttpExchange } from '../../../wire/index.ts'
import { jsonAt } from './expectations.ts'
import { findMembersNamed } from './json-search.ts'

/** The options of a variant, as requests contain them. */
export interface VariantValues {
  readonly fit: string
  readonly width: number
  readonly height: number
  readonly metadata: string
  readonly neverRequireSignedURLs: boolean
}

export const variantFields = [
  'fit',
  'width',
  'height',
  'metadata',
  'neverRequireSignedURLs',
] as const
const optionFields = ['fit', 'width', 'height', 'metadata'] as const

/** The body of a request that creates this variant. */
export const creationOf = (
  id: string,
  { neverRequireSignedURLs, ...options }: VariantValues,
): Record<string, unknown> => ({ id, options, neverRequireSignedURLs })

/**
 * The part of a list of variants that describes the variant `id`. The document does not state the
 * form of the list, so this finds a member with this name or an object with this id.
 */
export function findVariant(id: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const members = Object.entries(value)
  const own = members.find(([key, member]) => key === id && Object(member) === member)
  if (own !== undefined) return own[1]
  if (!Array.isArray(value) && members.some(([, member]) => member === id)) return value
  for (const [, member] of members) {
    const found = findVariant(id, member)
    if (found !== undefined) return found
  }
  return undefined
}

export const variantIn = (list: HttpExchange, id: string): unknown =>
  findVariant(id, jsonAt(list, 'result'))

/**
 * The fields of a record whose value differs from that in `values`. If a record contains a field
 * several times, one right value is enough. Fields that are missing in the record are not judged,
 * because the document does not say which fields a response contains.
 */
export const contradictions = (record: unknown, values: Partial<VariantValues>): string[] =>
  variantFields.filter((name) => {
    const shown = findMembersNamed(name, record).map(String)
    return values[name] !== undefined && shown.length > 0 && !shown.includes(String(values[name]))
  })

/** Formats the fields of a record for reports. */
export const describeFields = (record: unknown, names: readonly string[]): string =>
  names
    .map((name) => `${name} ${findMembersNamed(name, record).map(String).join(' and ')}`)
    .join(', ')

/** The fields of a record that do not have the form that the document states. */
export function malformedFields(record: unknown): string[] {
  const typeTests: Readonly<Record<(typeof variantFields)[number], (value: unknown) => boolean>> = {
    fit: (value) => typeof value === 'string',
    width: Number.isInteger,
    height: Number.isInteger,
    metadata: (value) => typeof value === 'string',
    neverRequireSignedURLs: (value) => typeof value === 'boolean',
  }
  const malformed = variantFields.filter((name) =>
    findMembersNamed(name, record).some((value) => !typeTests[name](value)),
  )
  // The options must be members of an object `options`, which can be anywhere in the response.
  const insideOptions = findMembersNamed('options', record)
  const misplaced = optionFields.filter(
    (name) =>
      findMembersNamed(name, record).length > 0 &&
      findMembersNamed(name, insideOptions).length === 0,
  )
  return [...new Set([...malformed, ...misplaced])]
}

import { isObject } from '../../../../engine/index.ts'
import { branchesOf, isNull, type LocatedSchema } from '../../../../definitions/branches.ts'
import type { Tool } from '../tool.ts'
import { breachesOf } from './breaches.ts'
import { locateInput } from './index.ts'
import { keywordValues, letters, numericValues, samplesOf } from './samples.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that a tool must accept, with one value at a bound of the input schema. */
export interface Boundary {
  readonly field: string
  /** What the bound is about. */
  readonly kind: BoundKind
  /** Describes the value of the field: "200 characters". */
  readonly description: string
  readonly arguments: Arguments
}

type BoundKind = 'value' | 'length' | 'number' | 'items'

/** Maximum numbers of characters of a string, items of a list, and values of an enum to send. */
const limits = { characters: 5000, items: 100, values: 10 }

/**
 * Returns copies of accepted arguments, each with one field at a bound of its schema. Leaves out
 * the lengths of strings with a pattern or format, which letters possibly do not match.
 */
export function boundariesOf(
  tool: Tool,
  accepted: Arguments,
  excluded: readonly string[],
): Boundary[] {
  const { located, root } = locateInput(tool)
  return fieldsIn(located)
    .filter(([name]) => !excluded.includes(name))
    .flatMap(([name, field]) =>
      valuesAtBounds(field, root).map(([kind, description, value]) => ({
        field: name,
        kind,
        description,
        arguments: { ...accepted, [name]: value },
      })),
    )
    .filter((boundary) => breachesOf(boundary.arguments, located, root).size === 0)
}

/**
 * Returns accepted arguments with letters that match nothing in place of the first string without a
 * pattern or format. Their number is within the bounds of that string. Undefined if there is no
 * such string.
 */
export function unmatchedArguments(
  tool: Tool,
  accepted: Arguments,
  excluded: readonly string[],
): Arguments | undefined {
  const { located, root } = locateInput(tool)
  for (const [name, field] of fieldsIn(located)) {
    if (excluded.includes(name) || !isPlainString(field, root)) continue
    const [least, most] = boundsOf(field, root, 'minLength', 'maxLength')
    const length = Math.floor(((least ?? 1) + Math.min(most ?? 20, 40)) / 2)
    const args = { ...accepted, [name]: letters(length, 16) }
    if (breachesOf(args, located, root).size === 0) return args
  }
  return undefined
}

const fieldsIn = ({ schema, path }: LocatedSchema): [string, LocatedSchema][] => {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).map(([name, field]) => [
    name,
    { schema: field, path: `${path}.properties.${name}` },
  ])
}

const branchesIn = (field: LocatedSchema, root: LocatedSchema) =>
  branchesOf(field, root).filter((branch) => !isNull(branch))

/** The bounds that hold in all branches: the largest lower bound and the smallest upper bound. */
function boundsOf(
  field: LocatedSchema,
  root: LocatedSchema,
  least: string,
  most: string,
): [number | undefined, number | undefined] {
  const branches = branchesIn(field, root)
  const [lower, upper] = [numericValues(branches, least), numericValues(branches, most)]
  return [
    lower.length === 0 ? undefined : Math.max(...lower),
    upper.length === 0 ? undefined : Math.min(...upper),
  ]
}

function isPlainString(field: LocatedSchema, root: LocatedSchema): boolean {
  const branches = branchesIn(field, root)
  const has = (keyword: string) => keywordValues(branches, keyword).length > 0
  return (
    keywordValues(branches, 'type').flat().includes('string') &&
    !['pattern', 'format', 'enum', 'const'].some(has)
  )
}

type ValueAtBound = readonly [kind: BoundKind, description: string, value: unknown]

function valuesAtBounds(field: LocatedSchema, root: LocatedSchema): ValueAtBound[] {
  const branches = branchesIn(field, root)
  const listed = keywordValues(branches, 'enum').flat().slice(0, limits.values)
  const lengths = isPlainString(field, root) ? boundsOf(field, root, 'minLength', 'maxLength') : []
  const numbers = boundsOf(field, root, 'minimum', 'maximum')
  const counts = boundsOf(field, root, 'minItems', 'maxItems')
  const items: LocatedSchema = {
    schema: keywordValues(branches, 'items')[0] ?? true,
    path: `${field.path}.items`,
  }
  return [
    ...listed.map((value): ValueAtBound => ['value', JSON.stringify(value), value]),
    ...lengths
      .filter((length) => length !== undefined && length > 0 && length <= limits.characters)
      .map((length): ValueAtBound => ['length', `${length} characters`, letters(length!)]),
    // Also tries non-ASCII characters, because a length is in code points, not in bytes.
    ...lengths
      .slice(1)
      .filter((length) => length !== undefined && length <= limits.characters)
      .map((length): ValueAtBound => ['length', `${length} characters é`, 'é'.repeat(length!)]),
    ...numbers
      .filter((value) => value !== undefined && Number.isSafeInteger(value))
      .map((value): ValueAtBound => ['number', `the number ${value}`, value]),
    ...counts
      .filter((count) => count !== undefined && count > 0 && count <= limits.items)
      .map((count): ValueAtBound => ['items', `${count} items`, samplesOf(items, root, count!)])
      .filter(([, , values]) => values !== undefined),
  ]
}

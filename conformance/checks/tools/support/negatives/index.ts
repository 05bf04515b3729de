import { isObject } from '../../../../engine/index.ts'
import { branchesOf, typesOf, type LocatedSchema } from '../../../../definitions/branches.ts'
import { resolveReference, hasNestedInput, type Tool } from '../tool.ts'
import { breachesOf, type BreachKind } from './breaches.ts'
import { candidatesOf } from './candidates.ts'

export { breachesOf, type BreachKind } from './breaches.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that a tool must refuse: those of a successful call with one value changed. */
export interface Negative {
  readonly tool: string
  readonly kind: BreachKind
  /** `query` or `tags[0]` */
  readonly field: string
  /** How the value breaks the constraint, in the same words for all fields: "too many items". */
  readonly way: string
  /** Describes the invalid value of the field: "201 characters". */
  readonly description: string
  readonly arguments: Arguments
}

/** Maximum number of invalid inputs of one kind for a tool, because schemas can be large. */
const maxOfKind = 25

/** The schema of a tool's arguments, and the document that its references are relative to. */
export function locateInput({ schema, ...tool }: Tool): {
  located: LocatedSchema
  root: LocatedSchema
} {
  const root: LocatedSchema = { schema, path: '$' }
  if (!hasNestedInput({ schema, ...tool })) return { located: root, root }
  return {
    located: {
      schema: resolveReference((schema['properties'] as Arguments)['params'], schema),
      path: '$.properties.params',
    },
    root,
  }
}

/**
 * Makes invalid arguments from accepted ones, for each way to break a constraint of the input
 * schema. Each breaks the schema in every interpretation and, if possible, only one constraint.
 * Never tries unknown fields, numbers as strings, 20.0 for an integer, or strings with added
 * whitespace, because servers may accept them.
 */
export function negativesOf(tool: Tool, accepted: Arguments): Negative[] {
  const { located, root } = locateInput(tool)
  const found: Negative[] = []
  const known = new Set<string>()
  for (const { values, ...candidate } of candidatesOf(located, root, accepted)) {
    const broken = values
      .map((value) => ({ value: value as Arguments, breaches: breachesOf(value, located, root) }))
      .filter(({ breaches }) => breaches.has(candidate.kind))
    const { value } = broken.find(({ breaches }) => breaches.size === 1) ?? broken[0] ?? {}
    const key = JSON.stringify(value)
    if (
      value === undefined ||
      known.has(key) ||
      found.filter((other) => other.kind === candidate.kind).length >= maxOfKind
    )
      continue
    known.add(key)
    found.push({ tool: tool.name, ...candidate, arguments: value })
  }
  return found
}

/** Values that some validators convert to an integer or to a string, each with its way. */
const convertible: Readonly<
  Record<string, readonly (readonly [way: string, values: unknown[]])[]>
> = {
  integer: [
    ['null', [null]],
    ['a boolean', [true]],
  ],
  // As a string, one of them probably has an allowed length.
  string: [['a number', [7919, 79, 791_979_197_919]]],
}

/**
 * Makes arguments with a value of another type in a field whose schema allows only integers or only
 * strings. They are separate from `negativesOf`, because some validators convert these values. If
 * possible, the converted value conforms to the schema, so that only its type can be refused.
 */
export function convertibleOf(tool: Tool, accepted: Arguments): Negative[] {
  const { located, root } = locateInput(tool)
  const properties =
    isObject(located.schema) && isObject(located.schema['properties'])
      ? Object.entries(located.schema['properties'])
      : []
  const withValue = (field: string, value: unknown) => ({ ...accepted, [field]: value })
  return properties.flatMap(([field, schema]) => {
    const branches = branchesOf({ schema, path: `${located.path}.properties.${field}` }, root)
    const types = [...new Set(branches.map((branch) => typesOf(branch)?.join() ?? ''))]
    const ways = types.length === 1 ? (convertible[types[0]!] ?? []) : []
    return ways.flatMap(([way, values]): Negative[] => {
      const value =
        values.find((one) => breachesOf(withValue(field, String(one)), located, root).size === 0) ??
        values[0]
      const args = withValue(field, value)
      return breachesOf(args, located, root).has('type')
        ? [
            {
              tool: tool.name,
              kind: 'type',
              field,
              way,
              description: String(value),
              arguments: args,
            },
          ]
        : []
    })
  })
}

import type { LocatedSchema } from '../definition/schema.ts'
import { resolveReference, hasNestedInput, type Tool } from '../tool.ts'
import { breachesOf, type BreachKind } from './breaches.ts'
import { candidatesOf } from './wrong.ts'

export { breachesOf, type BreachKind } from './breaches.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that a tool has to refuse: those of a call that succeeds, but for one factor. */
export interface Negative {
  readonly tool: string
  readonly kind: BreachKind
  /** The field: `query`, `tags[0]`. */
  readonly field: string
  /** What it has in located of what succeeds: `201 characters`. */
  readonly description: string
  readonly arguments: Arguments
}

/** Negatives of one kind for one tool: schemas can be large. */
const maxOfKind = 25

/** The schema of a tool's arguments, and what its references start from. */
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
 * One negative for each branch to break a constraint of a tool's input, with arguments that it takes given. Only what breaks the schema for certain, and of that what
 * breaks it by nothing else where there is such a value. Fields that are not known, numbers as texts, 20.0 and padding are never tried: servers take them.
 */
export function negativesOf(tool: Tool, given: Arguments): Negative[] {
  const { located, root } = locateInput(tool)
  const found: Negative[] = []
  const known = new Set<string>()
  for (const { kind, field, description, values } of candidatesOf(located, root, given)) {
    const broken = values
      .map((value) => ({ value: value as Arguments, breaches: breachesOf(value, located, root) }))
      .filter(({ breaches }) => breaches.has(kind))
    const { value } = broken.find(({ breaches }) => breaches.size === 1) ?? broken[0] ?? {}
    const key = JSON.stringify(value)
    if (
      value === undefined ||
      known.has(key) ||
      found.filter((other) => other.kind === kind).length >= maxOfKind
    )
      continue
    known.add(key)
    found.push({ tool: tool.name, kind, field, description, arguments: value })
  }
  return found
}

import type { LocatedSchema } from '../definition/schema.ts'
import { resolved, nests, type Tool } from '../tool.ts'
import { breachesOf, type BreachKind } from './breaches.ts'
import { wrongOf } from './wrong.ts'

export { breachesOf, type BreachKind } from './breaches.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that a tool has to refuse: those of a call that succeeds, but for one factor. */
export interface Negative {
  readonly tool: string
  readonly kind: BreachKind
  /** The field: `query`, `tags[0]`. */
  readonly at: string
  /** What it has in place of what succeeds: `201 characters`. */
  readonly says: string
  readonly arguments: Arguments
}

/** Negatives of one kind for one tool: schemas can be large. */
const mostOfKind = 25

/** The schema of a tool's arguments, and what its references start from. */
export function inputPlaces({ schema, ...tool }: Tool): {
  place: LocatedSchema
  root: LocatedSchema
} {
  const root: LocatedSchema = { schema, path: '$' }
  if (!nests({ schema, ...tool })) return { place: root, root }
  return {
    place: {
      schema: resolved((schema['properties'] as Arguments)['params'], schema),
      path: '$.properties.params',
    },
    root,
  }
}

/**
 * One negative for each way to break a constraint of a tool's input, with arguments that it takes given. Only what breaks the schema for certain, and of that what
 * breaks it by nothing else where there is such a value. Fields that are not known, numbers as texts, 20.0 and padding are never tried: servers take them.
 */
export function negativesOf(tool: Tool, given: Arguments): Negative[] {
  const { place, root } = inputPlaces(tool)
  const found: Negative[] = []
  const known = new Set<string>()
  for (const { kind, at, says, values } of wrongOf(place, root, given)) {
    const broken = values
      .map((value) => ({ value: value as Arguments, breaches: breachesOf(value, place, root) }))
      .filter(({ breaches }) => breaches.has(kind))
    const { value } = broken.find(({ breaches }) => breaches.size === 1) ?? broken[0] ?? {}
    const key = JSON.stringify(value)
    if (
      value === undefined ||
      known.has(key) ||
      found.filter((other) => other.kind === kind).length >= mostOfKind
    )
      continue
    known.add(key)
    found.push({ tool: tool.name, kind, at, says, arguments: value })
  }
  return found
}

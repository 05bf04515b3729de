import type { Field } from '../../../generated/contract.ts'

/** The names of the members, and the indexes of the elements, that lead to a place. */
export type Steps = readonly string[]

/** Returns every place in a JSON value. The first is the whole value. */
export function placesIn(value: unknown, steps: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [steps]
  return [
    steps,
    ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...steps, name])),
  ]
}

export const valueAt = (value: unknown, steps: Steps): unknown =>
  steps.reduce<unknown>((holder, step) => (holder as Record<string, unknown>)[step], value)

/** What happens to a place: it gets another value, or it is removed from its object or array. */
export type PlaceChange = { readonly value: unknown } | 'remove'

/** Returns a copy of a JSON value in which one place is changed. */
export function changePlace(whole: unknown, steps: Steps, change: PlaceChange): unknown {
  const name = steps.at(-1)
  if (name === undefined) return change === 'remove' ? undefined : change.value
  const copy = structuredClone(whole)
  const holder = valueAt(copy, steps.slice(0, -1)) as Record<string, unknown>
  if (change !== 'remove') holder[name] = change.value
  else if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
  return copy
}

/** Returns the schema of a place. `fields` are the fields of the contract for this message. */
export const schemaAt = (fields: readonly Field[], steps: Steps): Field['schema'] | undefined =>
  fields.find(({ path }) => {
    const parts = path.split('/').slice(1)
    return (
      parts.length === steps.length &&
      parts.every(
        (part, index) => part === steps[index] || (part === '*' && /^\d+$/.test(steps[index]!)),
      )
    )
  })?.schema

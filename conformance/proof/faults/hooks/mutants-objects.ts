import type { EventName, Field } from '../../../../generated/events/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { Mutant } from '../mutants.ts'

/** Makes mutants that replace objects of a payload with an empty object or by an id. */
export function objectMutants(
  event: EventName,
  fields: readonly Field[],
): Mutant<OutgoingDelivery>[] {
  const newMutant = (
    path: string,
    how: string,
    description: string,
    violates: Mutant['violates'],
    wrong: unknown,
  ): Mutant<OutgoingDelivery> => {
    const field = path === '' ? 'the body' : path
    return {
      name: `${event} delivery: ${field} ${how}`,
      description: `In a delivery of ${event}, ${field} ${description}.`,
      violates: [...new Set(violates)],
      messageKind: `${event} delivery`,
      mutate: (delivery) => {
        const body = replaceAt(delivery.body, path.split('/').slice(1), wrong)
        return body === undefined
          ? undefined
          : { ...delivery, body: body as OutgoingDelivery['body'] }
      },
    }
  }
  const holders = new Map<string, RequirementId[]>()
  for (const { path, required, requirement, presence = requirement } of fields) {
    if (!required || path === '') continue
    const holder = path.slice(0, path.lastIndexOf('/'))
    holders.set(holder, [...(holders.get(holder) ?? []), presence])
  }
  const relations = fields.filter(
    ({ schema }) =>
      [schema.type].flat().includes('object') && [schema.type].flat().includes('null'),
  )
  return [
    ...[...holders].map(([path, requirements]) =>
      newMutant(path, 'without members', 'is an object without members', requirements, {}),
    ),
    ...relations.map(({ path, requirement }) =>
      newMutant(path, 'an id', 'is a number instead of an object', [requirement], 17),
    ),
  ]
}

/**
 * Returns a copy with the value `wrong` at the end of the path. If the path contains an array, only
 * the last item that has the field is changed. Returns undefined if there is no such field.
 */
function replaceAt(value: unknown, [step, ...rest]: readonly string[], wrong: unknown): unknown {
  if (step === undefined) return wrong
  if (typeof value !== 'object' || value === null) return undefined
  const keys = step === '*' ? Object.keys(value).toReversed() : [step]
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key]
    const changed =
      member === undefined || member === null ? undefined : replaceAt(member, rest, wrong)
    if (changed === undefined) continue
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
  }
  return undefined
}

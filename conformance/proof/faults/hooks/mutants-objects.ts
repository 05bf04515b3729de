import type { EventName, Field } from '../../../../generated/events/contract.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { Mutant } from '../mutants.ts'

/** Objects of a payload as a whole: there, and without a member; or named by their id alone. */
export function ofObjects(event: EventName, fields: readonly Field[]): Mutant<OutgoingDelivery>[] {
  const made = (
    path: string,
    how: string,
    description: string,
    violates: Mutant['violates'],
    wrong: unknown,
  ): Mutant<OutgoingDelivery> => {
    const here = path === '' ? 'the body' : path
    return {
      name: `${event} delivery: ${here} ${how}`,
      description: `In a delivery of ${event}, ${here} ${description}.`,
      violates: [...new Set(violates)],
      messageKind: `${event} delivery`,
      mutate: (delivery) => {
        const body = replaced(delivery.body, path.split('/').slice(1), wrong)
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
    ...[...holders].map(([path, rows]) =>
      made(path, 'without members', 'is an object without members', rows, {}),
    ),
    ...relations.map(({ path, requirement }) =>
      made(path, 'an id', 'is a number, as if it were only named', [requirement], 17),
    ),
  ]
}

/** A copy in which another value stands at the end of the steps: of an array, in the last item that has it. Undefined where nothing stands there. */
function replaced(value: unknown, [step, ...rest]: readonly string[], wrong: unknown): unknown {
  if (step === undefined) return wrong
  if (typeof value !== 'object' || value === null) return undefined
  const keys = step === '*' ? Object.keys(value).toReversed() : [step]
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key]
    const changed =
      member === undefined || member === null ? undefined : replaced(member, rest, wrong)
    if (changed === undefined) continue
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
  }
  return undefined
}

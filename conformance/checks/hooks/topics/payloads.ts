import { examinePayload } from '../support/examined-payloads.ts'
import { events, type Event, type Field } from '../../../../generated/events/contract.ts'
import { requirements, type RequirementId } from '../../../../generated/requirements/index.ts'
import { hasValueAt, pathSegments } from '../../shared/paths.ts'
import { watch } from '../support/define.ts'
import { deliveryRoots } from '../support/roots.ts'

/** The rows that a field can break: by its absence where it must be there, by its type and its value where these are stated. */
function requirementsOf({
  requirement,
  presence = requirement,
  value,
  required,
  schema,
}: Field): RequirementId[] {
  return [
    ...(required ? [presence] : []),
    ...(Object.keys(schema).length > 0 ? [requirement] : []),
    ...(value === undefined ? [] : [value]),
  ]
}

/** The rows that the schemas of payloads state, each with the events that have it. */
const eventsByRequirement = new Map<RequirementId, Event[]>()
for (const event of Object.values(events)) {
  for (const row of event.payload.fields.flatMap(requirementsOf)) {
    if (row === 'EVT-DELIVERY-03') continue
    eventsByRequirement.set(row, [...new Set([...(eventsByRequirement.get(row) ?? []), event])])
  }
}

/** Characters that a title has at most. */
const maxTitleLength = 80

/** The sentence of a row as a title: where it is long, without what it adds at its end. */
function shortenTitle(says: string): string {
  const whole = `${says[0]!.toLowerCase()}${says.slice(1, -1)}`
  return (
    [whole, ...[';', ':', ', written'].map((end) => whole.split(end, 1)[0]!)].find(
      ({ length }) => length <= maxTitleLength,
    ) ?? whole.slice(0, maxTitleLength)
  )
}

export const payloads = [...eventsByRequirement].map(([requirement, stating]) => {
  return watch(requirement, {
    title: shortenTitle(requirements[requirement].says),
    needs: ['hooks.state', 'suite.receiver'],
    sources: stating.map(({ name }) => deliveryRoots[name]),
    examine: (message) => {
      const found = examinePayload(message)
      if (found === undefined || !stating.includes(found.event)) return []
      const broken = found.violations.filter((violation) => violation.requirement === requirement)
      if (broken.length > 0) {
        return broken.slice(0, 3).map(({ path, message: expected, received }) => ({
          name: 'keeps the contract',
          held: false,
          expected: `${found.event.name} ${path === '' ? 'body' : path}: ${expected}`,
          received:
            received === undefined ? 'nothing there' : JSON.stringify(received).slice(0, 160),
        }))
      }
      const shown = found.event.payload.fields.some(
        (field) =>
          requirementsOf(field).includes(requirement) &&
          hasValueAt(found.body, pathSegments(field.path)),
      )
      return shown
        ? [{ name: 'keeps the contract', held: true, expected: 'as stated', received: 'as stated' }]
        : []
    },
  })
})

import { examinePayload } from '../support/examined-payloads.ts'
import { events, type Event, type Field } from '../../../../generated/events/contract.ts'
import { requirements, type RequirementId } from '../../../../generated/requirements/index.ts'
import { hasValueAt, pathSegments } from '../../shared/paths.ts'
import { describeReceived } from '../../shared/received.ts'
import { watch } from '../support/define.ts'
import { deliveryRoots } from '../support/roots.ts'

/**
 * The requirements that a field can violate: by its absence if it is required, and by its type and
 * value if the document states them.
 */
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

/** For each requirement of the payload schemas, the events whose schemas contain it. */
const eventsByRequirement = new Map<RequirementId, Event[]>()
for (const event of Object.values(events)) {
  for (const requirement of event.payload.fields.flatMap(requirementsOf)) {
    if (requirement === 'EVT-DELIVERY-03') continue
    eventsByRequirement.set(requirement, [
      ...new Set([...(eventsByRequirement.get(requirement) ?? []), event]),
    ])
  }
}

/** The maximum number of characters of a title. */
const maxTitleLength = 80

/**
 * Matches the end of a statement that its title can omit: a type, a format, values or a condition.
 */
const lastClause = / (?:(?:in|with) (?:the|a) documented|if)\b.*/

/** Makes a title from the statement of a requirement. Shortens a long statement step by step. */
function shortenTitle(statement: string): string {
  const whole = `${statement[0]!.toLowerCase()}${statement.slice(1, -1)}`
  const firstClause = whole.replace(/[;.] .*/, '')
  const withoutDetails = firstClause
    .replace(/ has the format .*/, ' has the documented format')
    .replace(/ in (?:the format|ISO 8601 format)\b.*/, ' in the documented format')
    .replace(/ with the value \w+$/, ' with the documented value')
    .replace(/ with the value .*/, ' with a documented value')
    .replace(/ \(an? .*\)$/, ' with the documented type')
  const asPath = withoutDetails.replace(
    /, (object_attributes|last_commit) contains the field (\w+) (?:in|with) (the|a) documented/,
    ', $1.$2 has $3 documented',
  )
  return (
    [whole, firstClause, withoutDetails, asPath].find(({ length }) => length <= maxTitleLength) ??
    withoutDetails.replace(lastClause, '')
  )
}

export const payloads = [...eventsByRequirement].map(([requirement, statingEvents]) => {
  return watch(requirement, {
    title: shortenTitle(requirements[requirement].statement),
    needs: ['hooks.state', 'suite.receiver'],
    sources: statingEvents.map(({ name }) => deliveryRoots[name]),
    examine: (message) => {
      const found = examinePayload(message)
      if (found === undefined || !statingEvents.includes(found.event)) return []
      const broken = found.violations.filter((violation) => violation.requirement === requirement)
      if (broken.length > 0) {
        return broken.slice(0, 3).map(({ path, message: expected, received }) => ({
          name: 'conforms to the schema',
          held: false,
          expected: `the ${path === '' ? 'body' : `value at ${path}`} of the ${found.event.name} payload: ${expected}`,
          received: describeReceived(received, path, message),
        }))
      }
      const shown = found.event.payload.fields.some(
        (field) =>
          requirementsOf(field).includes(requirement) &&
          hasValueAt(found.body, pathSegments(field.path)),
      )
      return shown
        ? [
            {
              name: 'conforms to the schema',
              held: true,
              expected: 'a value that conforms to the schema',
              received: 'as expected',
            },
          ]
        : []
    },
  })
})

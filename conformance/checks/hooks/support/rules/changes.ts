import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  describe,
  escapePointer,
  listObjects,
  violationUnless,
  type DeliveryPayload,
  type PayloadRule,
} from './rule.ts'

// Rules for the changes of an issue or a merge request. `changes` contains, for each changed field,
// its previous and its current value.

const changesOf = ({
  changes,
}: DeliveryPayload): [path: string, name: string, change: unknown][] =>
  isObject(changes)
    ? Object.entries(changes).map(([name, change]) => [
        `/changes/${escapePointer(name)}`,
        name,
        change,
      ])
    : []

const isChange = (value: unknown) =>
  isObject(value) && value['previous'] !== undefined && value['current'] !== undefined

/** The field that a change describes: an attribute of the object, or a list of the payload. */
function fieldOf(payload: DeliveryPayload, name: string): unknown {
  const { object_attributes: attributes } = payload
  if (isObject(attributes) && attributes[name] !== undefined) return attributes[name]
  return Array.isArray(payload[name]) ? payload[name] : undefined
}

/**
 * Returns the value to compare: the id of an object, the sorted ids of a list, null for an empty
 * string or list, and otherwise the value itself. Null and an empty string or list all mean that a
 * field has no value.
 */
function identify(value: unknown): unknown {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return null
  if (Array.isArray(value)) return JSON.stringify(value.map(identify).map(String).sort())
  return isObject(value) ? (value['id'] ?? JSON.stringify(value)) : value
}

/**
 * The form of a value, without its contents. A value in another form, such as the name of a user in
 * place of an object, does not contradict a field.
 */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return `list of ${[...new Set(value.map(formOf))].sort().join(', ')}`
  if (!isObject(value)) return typeof value
  return value['id'] === undefined ? 'object without id' : `object with ${typeof value['id']}`
}

/** Whether the current value of a change and the value of a field have comparable forms. */
const areComparable = (current: unknown, field: unknown) =>
  identify(current) === null ||
  identify(field) === null ||
  (formOf(current) === formOf(field) && !formOf(current).includes('without id'))

const utc = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60) UTC$/

/** The timestamps in a value, by their JSON pointers: each field whose name ends with `_at`. */
const timestampsIn = (value: unknown, path: string): [path: string, timestamp: unknown][] =>
  listObjects(value, path).flatMap(({ path: holder, value: members }) =>
    Object.entries(members)
      .filter(([name, member]) => name.endsWith('_at') && member !== null)
      .map(([name, member]): [string, unknown] => [`${holder}/${escapePointer(name)}`, member]),
  )

/**
 * The timestamps of a change, also those in the objects and lists of its two values. If a field was
 * set or removed, one of its two values is null.
 */
const timestampsOf = (path: string, name: string, change: unknown): [string, unknown][] =>
  isObject(change)
    ? ['previous', 'current'].flatMap((key): [string, unknown][] => {
        const value = change[key] ?? null
        if (!name.endsWith('_at')) return timestampsIn(value, `${path}/${key}`)
        return value === null ? [] : [[`${path}/${key}`, value]]
      })
    : []

const timestampRule = (requirement: RequirementId, event: EventName): PayloadRule => ({
  requirement,
  events: [event],
  title: `has timestamps in the documented format in the changes of ${event === 'issue' ? 'an issue' : 'a merge request'}`,
  name: 'has the form of timestamps',
  expected: 'a timestamp of the form YYYY-MM-DD HH:MM:SS UTC, or null',
  applies: (payload) =>
    changesOf(payload).some(([path, name, change]) => timestampsOf(path, name, change).length > 0),
  findViolations: (payload) =>
    changesOf(payload).flatMap(([path, name, change]) =>
      timestampsOf(path, name, change).flatMap(([place, value]) =>
        violationUnless(place, utc.test(String(value)), value),
      ),
    ),
})

const currentRule = (
  requirement: RequirementId,
  event: EventName,
  isCompared: typeof areComparable = () => true,
): PayloadRule => ({
  requirement,
  events: [event],
  title: `has the same current values in the changes and in the ${event === 'issue' ? 'issue' : 'merge request'}`,
  name: 'agrees with its changes',
  expected: 'the value of the field in the rest of the payload',
  applies: (payload) =>
    changesOf(payload).some(
      ([, name, change]) => isChange(change) && fieldOf(payload, name) !== undefined,
    ),
  findViolations: (payload) =>
    changesOf(payload).flatMap(([path, name, change]) => {
      const field = fieldOf(payload, name)
      if (!isChange(change) || field === undefined) return []
      const { current } = change as DeliveryPayload
      return !isCompared(current, field) || identify(current) === identify(field)
        ? []
        : [
            {
              path: `${path}/current`,
              received: `current ${describe(current)}, ${name} ${describe(field)}`,
            },
          ]
    }),
})

export const changeRules: readonly PayloadRule[] = [
  {
    requirement: 'EVT-ISSUE-32',
    events: ['issue'],
    title: 'contains the previous and the current value of each change of an issue',
    name: 'has previous and current',
    expected: 'an object with the fields previous and current',
    applies: (payload) => changesOf(payload).length > 0,
    findViolations: (payload) =>
      changesOf(payload)
        .filter(([, , change]) => !isChange(change))
        .map(([path, , change]) => ({ path, received: describe(change) })),
  },
  timestampRule('EVT-ISSUE-33', 'issue'),
  timestampRule('EVT-MERGEREQUEST-53', 'merge_request'),
  currentRule('EVT-ISSUE-34', 'issue'),
  // The document does not show the contents of `changes` of a merge request.
  currentRule('EVT-MERGEREQUEST-54', 'merge_request', areComparable),
]

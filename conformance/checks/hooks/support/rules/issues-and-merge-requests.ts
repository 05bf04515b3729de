import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  describe,
  valueAt,
  violationUnless,
  type DeliveryPayload,
  type PayloadRule,
  type RuleViolation,
} from './rule.ts'

// Rules that hold for issues and for merge requests: both have assignees, labels and a state.

/**
 * Defines a rule for assignees or reviewers. A payload contains them twice: as ids in
 * object_attributes, and in a list. The list may be null or absent only if there are no ids.
 */
export function listRule(
  requirement: RequirementId,
  event: EventName,
  list: string,
  ids: string,
  title: string,
): PayloadRule {
  return {
    requirement,
    events: [event],
    title,
    name: `has ${list}`,
    expected: `the field ${list}, because ${ids} is not empty`,
    applies: (payload) => {
      const named = valueAt(payload, `/object_attributes/${ids}`)
      return Array.isArray(named) && named.length > 0
    },
    findViolations: ({ [list]: people }) =>
      violationUnless(`/${list}`, people !== undefined && people !== null, people),
  }
}

const areNumbers = (values: readonly unknown[]) =>
  values.every((value) => typeof value === 'number')

/** The ids of the objects in a list; undefined if it is not a list, or if an item has no id. */
function idsIn(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined
  const ids = list.map((item: unknown) => (isObject(item) ? item['id'] : undefined))
  return ids.includes(undefined) ? undefined : ids
}

const isSameSet = (one: readonly unknown[], other: readonly unknown[]) =>
  one.every((item) => other.includes(item)) && other.every((item) => one.includes(item))

/**
 * Finds a contradiction between a list of users and their ids in object_attributes. Only numbers
 * are compared, because the document states no type for some ids.
 */
export function findIdContradictions(
  payload: DeliveryPayload,
  list: 'assignees' | 'reviewers',
  ids: 'assignee_ids' | 'reviewer_ids',
): RuleViolation[] {
  const listed = idsIn(payload[list])
  const stated = valueAt(payload, `/object_attributes/${ids}`)
  if (!Array.isArray(stated) || listed === undefined || !areNumbers(listed)) return []
  return isSameSet(stated, listed)
    ? []
    : [
        {
          path: `/object_attributes/${ids}`,
          received: `${ids} ${describe(stated)}, ids in ${list} ${describe(listed)}`,
        },
      ]
}

/** Finds contradictions between `assignee_ids`, `assignees` and `assignee_id`. */
export function findAssigneeContradictions(payload: DeliveryPayload): RuleViolation[] {
  const ids = valueAt(payload, '/object_attributes/assignee_ids')
  const first = valueAt(payload, '/object_attributes/assignee_id')
  return [
    ...findIdContradictions(payload, 'assignees', 'assignee_ids'),
    ...violationUnless(
      '/object_attributes/assignee_id',
      !Array.isArray(ids) || typeof first !== 'number' || ids.includes(first),
      first,
    ),
  ]
}

/** Whether an issue or merge request has assignees. */
export const hasAssignees = (payload: DeliveryPayload): boolean =>
  [valueAt(payload, '/object_attributes/assignee_ids'), payload['assignees']].some(
    (list) => Array.isArray(list) && list.length > 0,
  )

/** The rule that object_attributes contains the field for one assignee, if there are assignees. */
export const assigneeRule = (
  requirement: RequirementId,
  event: EventName,
  field: 'assignee_id' | 'assignee',
): PayloadRule => ({
  requirement,
  events: [event],
  title: `contains ${field} if ${event === 'issue' ? 'an issue' : 'a merge request'} has assignees`,
  name: `has ${field}`,
  expected: `the field ${field}, because there are assignees`,
  applies: (payload) => isObject(payload['object_attributes']) && hasAssignees(payload),
  findViolations: (payload) => {
    const value = valueAt(payload, `/object_attributes/${field}`)
    return violationUnless(`/object_attributes/${field}`, value !== undefined, value)
  },
})

/** The rule that `labels` and `object_attributes.labels` contain the same labels. */
export const labelRule = (requirement: RequirementId, event: EventName): PayloadRule => ({
  requirement,
  events: [event],
  title: `has the same labels in both lists of labels of ${event === 'issue' ? 'an issue' : 'a merge request'}`,
  name: 'has the same labels',
  expected: 'the labels of object_attributes.labels',
  applies: (payload) =>
    idsIn(payload['labels']) !== undefined &&
    idsIn(valueAt(payload, '/object_attributes/labels')) !== undefined,
  findViolations: (payload) => {
    const ids = idsIn(payload['labels'])!
    const others = idsIn(valueAt(payload, '/object_attributes/labels'))!
    return isSameSet(ids, others)
      ? []
      : [
          {
            path: '/labels',
            received: `ids ${describe(ids)}, in object_attributes.labels ${describe(others)}`,
          },
        ]
  },
})

/** The rule that an object which was closed or merged does not have the state `opened`. */
export function stateRule(
  requirement: RequirementId,
  event: EventName,
  actions: readonly string[],
): PayloadRule {
  return {
    requirement,
    events: [event],
    title: `does not have the state opened after ${actions.join(' or ')}`,
    name: 'is not opened',
    expected: 'a state other than opened',
    applies: (payload) => actions.includes(valueAt(payload, '/object_attributes/action') as string),
    findViolations: (payload) => {
      const state = valueAt(payload, '/object_attributes/state')
      return violationUnless('/object_attributes/state', state !== 'opened', state)
    },
  }
}

/** Defines a rule for the spelling of the state of an open issue or merge request. */
export const openedRule = (requirement: RequirementId, event: EventName): PayloadRule => ({
  requirement,
  events: [event],
  title: 'names the state opened, not open',
  name: 'is not open',
  expected: 'the state opened, or the name of another state',
  applies: (payload) => typeof valueAt(payload, '/object_attributes/state') === 'string',
  findViolations: (payload) => {
    const state = String(valueAt(payload, '/object_attributes/state'))
    return violationUnless('/object_attributes/state', !/^open$/i.test(state), state)
  },
})

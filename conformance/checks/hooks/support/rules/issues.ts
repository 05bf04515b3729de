import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  violationUnless,
  describe,
  valueAt,
  type DeliveryPayload,
  type PayloadRule,
  type RuleViolation,
} from './rule.ts'

/**
 * Defines a rule for assignees or reviewers. A payload contains them twice: as ids in
 * object_attributes, and in a list. The list may be null or absent only if there are no ids.
 */
function listRule(
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
 * Finds contradictions between `assignee_ids` and `assignees`, and between `assignee_id` and
 * `assignee_ids`. Only numbers are compared, because the document states no type for some ids.
 */
function findAssigneeContradictions(payload: DeliveryPayload): RuleViolation[] {
  const listed = idsIn(payload['assignees'])
  const ids = valueAt(payload, '/object_attributes/assignee_ids')
  const first = valueAt(payload, '/object_attributes/assignee_id')
  if (!Array.isArray(ids)) return []
  return [
    ...(listed === undefined || !areNumbers(listed) || isSameSet(ids, listed)
      ? []
      : [
          {
            path: '/object_attributes/assignee_ids',
            received: `assignee_ids ${describe(ids)}, ids in assignees ${describe(listed)}`,
          },
        ]),
    ...violationUnless(
      '/object_attributes/assignee_id',
      typeof first !== 'number' || ids.includes(first),
      first,
    ),
  ]
}

/** The rule that an object which was closed or merged does not have the state `opened`. */
function stateRule(
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

/** Finds fields of a merge request that describe the same thing, but differ. */
function findContradictions(payload: DeliveryPayload): RuleViolation[] {
  const at = (name: string) => valueAt(payload, `/object_attributes/${name}`)
  const [draft, inProgress] = [at('draft'), at('work_in_progress')]
  const [targetProject, project] = [at('target_project_id'), valueAt(payload, '/project/id')]
  return [
    ...findAssigneeContradictions(payload),
    ...violationUnless(
      '/object_attributes/draft',
      typeof draft !== 'boolean' || typeof inProgress !== 'boolean' || draft === inProgress,
      draft,
    ),
    ...violationUnless(
      '/object_attributes/target_project_id',
      typeof targetProject !== 'number' || typeof project !== 'number' || targetProject === project,
      targetProject,
    ),
  ]
}

export const issueRules: readonly PayloadRule[] = [
  listRule(
    'EVT-ISSUE-29',
    'issue',
    'assignees',
    'assignee_ids',
    'lists the assignees of an issue that has assignees',
  ),
  listRule(
    'EVT-MERGEREQUEST-12',
    'merge_request',
    'assignees',
    'assignee_ids',
    'lists the assignees of a merge request that has assignees',
  ),
  listRule(
    'EVT-MERGEREQUEST-13',
    'merge_request',
    'reviewers',
    'reviewer_ids',
    'lists the reviewers of a merge request that has reviewers',
  ),
  {
    requirement: 'EVT-ISSUE-35',
    events: ['issue'],
    title: 'has the ids of the assignees in assignee_ids and assignee_id',
    name: 'has the ids of the assignees',
    expected: 'the ids of the users in assignees',
    applies: ({ object_attributes: attributes }) => isObject(attributes),
    findViolations: findAssigneeContradictions,
  },
  {
    requirement: 'EVT-ISSUE-36',
    events: ['issue'],
    title: 'has the same labels in labels and in object_attributes.labels',
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
  },
  {
    requirement: 'EVT-MERGEREQUEST-51',
    events: ['merge_request'],
    title: 'has the same assignees, target project and draft state in all fields',
    name: 'does not contradict itself',
    expected: 'the same assignees, target project and draft state in all fields',
    applies: ({ object_attributes: attributes }) => isObject(attributes),
    findViolations: findContradictions,
  },
  stateRule('EVT-ISSUE-37', 'issue', ['close']),
  stateRule('EVT-MERGEREQUEST-52', 'merge_request', ['close', 'merge']),
]

import { isObject } from '../../../../engine/index.ts'
import {
  valueAt,
  violationUnless,
  describe,
  type DeliveryPayload,
  type PayloadRule,
  type RuleViolation,
} from './rule.ts'
import {
  assigneeRule,
  findAssigneeContradictions,
  findIdContradictions,
  labelRule,
  listRule,
  openedRule,
  stateRule,
} from './issues-and-merge-requests.ts'

/** Finds fields of a merge request that describe the same thing, but differ. */
function findContradictions(payload: DeliveryPayload): RuleViolation[] {
  const at = (name: string) => valueAt(payload, `/object_attributes/${name}`)
  const [draft, inProgress] = [at('draft'), at('work_in_progress')]
  const [targetProject, project] = [at('target_project_id'), valueAt(payload, '/project/id')]
  return [
    ...findAssigneeContradictions(payload),
    ...findIdContradictions(payload, 'reviewers', 'reviewer_ids'),
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

/** Objects of a merge request, and the fields that contain their ids. */
const described = [
  ['source', 'source_project_id'],
  ['target', 'target_project_id'],
  ['assignee', 'assignee_id'],
] as const

/**
 * The pairs of an object and a field whose ids are numbers. The document shows neither the contents
 * of these objects nor the types of these fields.
 */
const listDescribed = (payload: DeliveryPayload) =>
  described
    .map(([name, field]) => ({
      name,
      field,
      id: valueAt(payload, `/object_attributes/${name}/id`),
      value: valueAt(payload, `/object_attributes/${field}`),
    }))
    .filter(({ id, value }) => typeof id === 'number' && typeof value === 'number')

export const mergeRequestRules: readonly PayloadRule[] = [
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
  assigneeRule('EVT-MERGEREQUEST-21', 'merge_request', 'assignee_id'),
  assigneeRule('EVT-MERGEREQUEST-47', 'merge_request', 'assignee'),
  {
    requirement: 'EVT-MERGEREQUEST-51',
    events: ['merge_request'],
    title: 'has the same users, target project and draft state in all fields',
    name: 'does not contradict itself',
    expected: 'the same users, target project and draft state in all fields',
    applies: ({ object_attributes: attributes }) => isObject(attributes),
    findViolations: findContradictions,
  },
  stateRule('EVT-MERGEREQUEST-52', 'merge_request', ['close', 'merge']),
  labelRule('EVT-MERGEREQUEST-55', 'merge_request'),
  openedRule('EVT-MERGEREQUEST-58', 'merge_request'),
  {
    requirement: 'EVT-MERGEREQUEST-56',
    events: ['merge_request'],
    title: 'has the ids of source, target and assignee in the fields for these ids',
    name: 'has the ids of its objects',
    expected: 'the id of the object that the field describes',
    applies: (payload) => listDescribed(payload).length > 0,
    findViolations: (payload) =>
      listDescribed(payload)
        .filter(({ id, value }) => id !== value)
        .map(({ name, field, id, value }) => ({
          path: `/object_attributes/${field}`,
          received: `${field} ${describe(value)}, ${name}.id ${describe(id)}`,
        })),
  },
]

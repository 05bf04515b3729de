import { isObject } from '../../../../engine/index.ts'
import type { PayloadRule } from './rule.ts'
import {
  assigneeRule,
  findAssigneeContradictions,
  labelRule,
  listRule,
  openedRule,
  stateRule,
} from './issues-and-merge-requests.ts'

export const issueRules: readonly PayloadRule[] = [
  assigneeRule('EVT-ISSUE-13', 'issue', 'assignee_id'),
  listRule(
    'EVT-ISSUE-29',
    'issue',
    'assignees',
    'assignee_ids',
    'lists the assignees of an issue that has assignees',
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
  labelRule('EVT-ISSUE-36', 'issue'),
  stateRule('EVT-ISSUE-37', 'issue', ['close']),
  openedRule('EVT-ISSUE-38', 'issue'),
]

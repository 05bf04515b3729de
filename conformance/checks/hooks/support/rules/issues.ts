import { isObject } from '../../../../engine/index.ts'
import type { EventName } from '../../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  violationUnless,
  describe,
  valueAt,
  type DeliveryPayload,
  type PayloadRule,
} from './rule.ts'

const isChange = (value: unknown) =>
  isObject(value) && value['previous'] !== undefined && value['current'] !== undefined
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * A payload contains assignees and reviewers twice: by id in object_attributes, and in a list. The
 * list may be null or absent only if there are none.
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
    event,
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
    requirement: 'EVT-ISSUE-32',
    event: 'issue',
    title: 'returns each change with its previous and current value',
    name: 'has previous and current',
    expected: 'an object with the fields previous and current',
    applies: ({ changes }) => isObject(changes) && Object.keys(changes).length > 0,
    findViolations: ({ changes }) =>
      Object.entries(changes as DeliveryPayload)
        .filter(([, change]) => !isChange(change))
        .map(([name, change]) => ({
          path: `/changes/${escapePointer(name)}`,
          received: describe(change),
        })),
  },
]

import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { changePayload, isObject } from './building.ts'

type Json = Record<string, unknown>

const attributes = (payload: Payload) => payload['object_attributes'] as Json
const items = (value: unknown) => value as Json[]
const changeOf = (payload: Payload, name: string) =>
  isObject(payload['changes']) && isObject(payload['changes'][name])
    ? payload['changes'][name]
    : undefined

/** Faults in which fields of issues and merge requests contradict each other. */
export const issueAgreement: readonly HooksFault[] = [
  changePayload(
    ['issue'],
    'changes-are-swapped',
    'Exchanges `previous` and `current` in the changes of an issue.',
    ['EVT-ISSUE-34'],
    (payload) => {
      const changes = Object.values(payload['changes'] as Json).filter(isObject)
      for (const change of changes)
        [change['previous'], change['current']] = [change['current'], change['previous']]
      return changes.length > 0
    },
  ),
  changePayload(
    ['issue'],
    'changed-labels-lack-the-new-label',
    'If the labels of an issue change, sends the previous labels in the field `current`.',
    ['EVT-ISSUE-34'],
    (payload) => {
      const change = changeOf(payload, 'labels')
      return change !== undefined && Object.assign(change, { current: change['previous'] })
    },
  ),
  changePayload(
    ['issue'],
    'changed-issue-has-iso-timestamps',
    'In the changes of an issue, sends both timestamps of updated_at in ISO 8601.',
    ['EVT-ISSUE-33'],
    (payload) => {
      const change = changeOf(payload, 'updated_at')
      if (change === undefined) return false
      const iso = String(change['current']).replace(' UTC', 'Z').replace(' ', 'T')
      return Object.assign(change, { current: iso, previous: iso })
    },
  ),
  changePayload(
    ['issue'],
    'changed-issue-has-timestamps-without-a-zone',
    'In the changes of an issue, sends the previous updated_at without UTC.',
    ['EVT-ISSUE-33'],
    (payload) => {
      const change = changeOf(payload, 'updated_at')
      return (
        change !== undefined &&
        Object.assign(change, { previous: String(change['previous']).replace(' UTC', '') })
      )
    },
  ),
  changePayload(
    ['merge_request'],
    'changed-merge-request-has-epochs',
    'In the changes of a merge request, sends the previous updated_at in seconds since 1970.',
    ['EVT-MERGEREQUEST-53'],
    (payload) => {
      const change = changeOf(payload, 'updated_at')
      return change !== undefined && Object.assign(change, { previous: 1_772_000_000 })
    },
  ),
  changePayload(
    ['issue'],
    'assignee-is-not-among-the-assignees',
    'Sends the author of an issue as assignee_id.',
    ['EVT-ISSUE-35'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { assignee_id: found['author_id'] })
    },
  ),
  changePayload(
    ['issue'],
    'assignee-ids-are-those-of-others',
    'Sends assignee_id and assignee_ids with the id of a user who is not in assignees.',
    ['EVT-ISSUE-35'],
    (payload) =>
      Object.assign(attributes(payload), { assignee_ids: [900_001], assignee_id: 900_001 }),
  ),
  changePayload(
    ['issue'],
    'labels-are-those-before-the-change',
    'Omits the last label of an issue in labels, but not in object_attributes.labels.',
    ['EVT-ISSUE-36'],
    (payload) =>
      Object.assign(payload, { labels: items(payload['labels']).slice(0, -1) }) &&
      items(attributes(payload)['labels']).length > 0,
  ),
  changePayload(
    ['issue'],
    'labels-are-those-of-the-project',
    'Adds a label of the project to the labels of an issue that does not have this label.',
    ['EVT-ISSUE-36'],
    (payload) => {
      const labels = items(payload['labels'])
      return Object.assign(payload, {
        labels: [...labels, { ...labels[0], id: 8_000_017, title: 'elsewhere' }],
      })
    },
  ),
  changePayload(
    ['merge_request'],
    'draft-contradicts-work-in-progress',
    'Sends draft as the opposite of work_in_progress.',
    ['EVT-MERGEREQUEST-51'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { draft: found['work_in_progress'] !== true })
    },
  ),
  changePayload(
    ['merge_request'],
    'target-is-another-project',
    'Sends the id of another project as target_project_id.',
    ['EVT-MERGEREQUEST-51'],
    (payload) => {
      const found = attributes(payload)
      return Object.assign(found, { target_project_id: Number(found['target_project_id']) + 9 })
    },
  ),
  changePayload(
    ['issue'],
    'changed-labels-have-iso-timestamps',
    'If the labels of an issue change, sends the created_at of the previous labels in ISO 8601.',
    ['EVT-ISSUE-33'],
    (payload) => {
      const labels = items(changeOf(payload, 'labels')?.['previous'] ?? [])
      for (const label of labels)
        label['created_at'] = String(label['created_at']).replace(' UTC', 'Z').replace(' ', 'T')
      return labels.length > 0
    },
  ),
  changePayload(
    ['merge_request'],
    'changed-reviewers-have-iso-timestamps',
    'In the changes of a merge request, sends a created_at in ISO 8601 in each new reviewer.',
    ['EVT-MERGEREQUEST-53'],
    (payload) => {
      const reviewers = items(changeOf(payload, 'reviewers')?.['current'] ?? [])
      for (const reviewer of reviewers) reviewer['created_at'] = '2026-02-03T11:12:13Z'
      return reviewers.length > 0
    },
  ),
  changePayload(
    ['merge_request'],
    'changes-of-merge-requests-are-swapped',
    'Exchanges `previous` and `current` in the changes of a merge request.',
    ['EVT-MERGEREQUEST-54'],
    (payload) => {
      const changes = Object.values(payload['changes'] as Json).filter(isObject)
      for (const change of changes)
        [change['previous'], change['current']] = [change['current'], change['previous']]
      return changes.length > 0
    },
  ),
  changePayload(
    ['merge_request'],
    'merged-merge-request-keeps-its-state-id',
    'Sends the previous state_id in object_attributes of a merge request whose state has changed.',
    ['EVT-MERGEREQUEST-54'],
    (payload) => {
      const change = changeOf(payload, 'state_id')
      return (
        change !== undefined && Object.assign(attributes(payload), { state_id: change['previous'] })
      )
    },
  ),
  changePayload(
    ['merge_request'],
    'reviewer-ids-are-those-of-others',
    'Sends reviewer_ids with the id of a user who is not in reviewers.',
    ['EVT-MERGEREQUEST-51'],
    (payload) => Object.assign(attributes(payload), { reviewer_ids: [900_005] }),
  ),
  changePayload(
    ['merge_request'],
    'merge-request-lacks-a-label-at-the-top',
    'Omits the last label of a merge request in labels, but not in object_attributes.labels.',
    ['EVT-MERGEREQUEST-55'],
    (payload) =>
      Object.assign(payload, { labels: items(payload['labels']).slice(0, -1) }) &&
      items(attributes(payload)['labels']).length > 0,
  ),
  changePayload(
    ['merge_request'],
    'merge-request-has-no-labels-in-its-attributes',
    'Sends an empty list in object_attributes.labels of a merge request with labels.',
    ['EVT-MERGEREQUEST-55'],
    (payload) =>
      Object.assign(attributes(payload), { labels: [] }) && items(payload['labels']).length > 0,
  ),
]

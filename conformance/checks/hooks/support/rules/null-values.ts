import type { EventName } from '../../../../../generated/events/names.ts'
import { valueAt, type DeliveryPayload, type PayloadRule } from './rule.ts'
import { hasNewCommits, isPresentAfter, isZeros } from './pushes.ts'
import { hasAssignees } from './issues-and-merge-requests.ts'

/** A field that may be null, but not if the payload shows that it has a value. */
interface ConditionalField {
  events: readonly EventName[]
  path: string
  /** Whether the rest of the payload shows that the field has a value. */
  hasValue: (payload: DeliveryPayload) => boolean
}

const conditionalFields: readonly ConditionalField[] = [
  { events: ['push'], path: '/checkout_sha', hasValue: hasNewCommits },
  {
    events: ['tag_push'],
    path: '/checkout_sha',
    hasValue: (payload) => isZeros(payload['before']) && isPresentAfter(payload),
  },
  {
    events: ['issue', 'merge_request'],
    path: '/object_attributes/assignee_id',
    hasValue: hasAssignees,
  },
  { events: ['merge_request'], path: '/object_attributes/assignee', hasValue: hasAssignees },
  {
    events: ['job'],
    path: '/build_failure_reason',
    hasValue: ({ build_status: status }) => status === 'failed',
  },
]

/** The fields of a payload that have a value according to the rest of it. */
const listExpected = (payload: DeliveryPayload, event: EventName) =>
  conditionalFields.filter(
    ({ events, path, hasValue }) =>
      events.includes(event) && valueAt(payload, path) !== undefined && hasValue(payload),
  )

const nouns = {
  push: 'a push',
  tag_push: 'a tag push',
  issue: 'an issue',
  merge_request: 'a merge request',
  job: 'a job',
} as const

/** Rules for fields that are null although the rest of the payload shows that they have a value. */
export const nullRules: readonly PayloadRule[] = (
  Object.entries(nouns) as [keyof typeof nouns, string][]
).map(([event, noun]) => ({
  requirement: 'EVT-EVENT-04',
  events: [event],
  title: `does not send null for a value that ${noun} has`,
  name: 'is not null',
  expected: 'a value, because the rest of the payload shows that there is one',
  applies: (payload) => listExpected(payload, event).length > 0,
  findViolations: (payload) =>
    listExpected(payload, event)
      .filter(({ path }) => valueAt(payload, path) === null)
      .map(({ path }) => ({ path, received: `null in ${path}` })),
}))

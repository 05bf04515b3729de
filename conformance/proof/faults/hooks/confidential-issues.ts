import type { Payload } from '../../../../mocks/deliveries/payload.ts'
import type { HooksFault } from './fault.ts'
import { fault, onMessage } from './building.ts'

/** Changes the deliveries of confidential issues. */
const changeConfidential = (
  name: string,
  description: string,
  violates: HooksFault['violates'],
  change: (payload: Payload) => void,
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onMessage(
      (delivery) => {
        change(delivery.body)
        return delivery
      },
      ({ trigger }) => trigger === 'confidential_issues_events',
    ),
  )

/** Faults in the names of deliveries for confidential issues. */
export const confidentialIssues: readonly HooksFault[] = [
  changeConfidential(
    'confidential-issue-has-no-kind',
    'Sends a confidential issue without object_kind.',
    ['EVT-EVENT-14'],
    (payload) => delete payload['object_kind'],
  ),
  changeConfidential(
    'confidential-issue-has-null-as-its-kind',
    'Sends a confidential issue with object_kind: null.',
    ['EVT-EVENT-14'],
    (payload) => Object.assign(payload, { object_kind: null }),
  ),
  changeConfidential(
    'confidential-issue-has-a-kind-of-its-own',
    'Sends a confidential issue with the object_kind confidential_issue.',
    ['EVT-EVENT-15'],
    (payload) => Object.assign(payload, { object_kind: 'confidential_issue' }),
  ),
  changeConfidential(
    'confidential-issue-is-a-merge-request',
    'Sends a confidential issue with the object_kind merge_request.',
    ['EVT-EVENT-15'],
    (payload) => Object.assign(payload, { object_kind: 'merge_request' }),
  ),
  changeConfidential(
    'confidential-issue-has-no-type',
    'Sends a confidential issue without event_type.',
    ['EVT-ISSUE-06'],
    (payload) => delete payload['event_type'],
  ),
]

import { isObject } from '../../../engine/index.ts'
import { events, type Event, type Violation } from '../../../../generated/events/contract.ts'
import { agreementRules } from './rules/agreement.ts'
import { changeRules } from './rules/changes.ts'
import { identityRules } from './rules/identities.ts'
import { issueRules } from './rules/issues.ts'
import { timestampRules } from './rules/timestamps.ts'
import { jobRules } from './rules/jobs.ts'
import { mergeRequestRules } from './rules/merge-requests.ts'
import { nullRules } from './rules/null-values.ts'
import { pushRules } from './rules/pushes.ts'
import type { DeliveryPayload, PayloadRule } from './rules/rule.ts'

// The rules that the schemas of deliveries do not express. The command `touchstone validate` and
// the checks that examine every delivery use the same rules, so that their results agree.

export type { DeliveryPayload, PayloadRule } from './rules/rule.ts'

export const rules: readonly PayloadRule[] = [
  ...pushRules,
  ...issueRules,
  ...mergeRequestRules,
  ...changeRules,
  ...timestampRules,
  ...agreementRules,
  ...jobRules,
  ...identityRules,
  ...nullRules,
]

const kinds = new Map(Object.values(events).map((event) => [event.kind, event]))

/** The event with that object_kind; undefined if there is none. */
export function eventOfKind(kind: unknown): Event | undefined {
  return kinds.get(kind as string)
}

/** Whether a payload says that its issue is confidential. The document defines no such field. */
export const isConfidentialIssue = (body: unknown): boolean =>
  isObject(body) &&
  isObject(body['object_attributes']) &&
  body['object_attributes']['confidential'] === true

/** Whether a value names something: a string that is not empty. */
export const isName = (value: unknown): boolean => typeof value === 'string' && value !== ''

/**
 * The violations of an event's schema. If the payload has the object_kind of another event, only
 * the violation of object_kind. The document does not name the events of confidential issues, so
 * that their event_type can be any name.
 */
export function violationsOf(event: Event, body: DeliveryPayload): Violation[] {
  const other = eventOfKind(body['object_kind'])
  const violations = event.payload
    .validate(body)
    .filter(
      ({ path }) =>
        path !== '/event_type' || !isName(body['event_type']) || !isConfidentialIssue(body),
    )
  return other === undefined || other === event
    ? violations
    : violations.filter(({ path }) => path === '/object_kind')
}

/** Whether a Content-Type declares JSON. */
export const declaresJson = (type: string): boolean =>
  /^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)

/** Whether a User-Agent begins with a product and its version. */
export const hasProductVersion = (agent: string): boolean => /^[^/\s]+\/\S+/.test(agent)

import { events, type Event, type Violation } from '../../../../generated/events/contract.ts'
import { issueRules } from './rules/issues.ts'
import { timestampRules } from './rules/timestamps.ts'
import { pushRules } from './rules/pushes.ts'
import type { DeliveryPayload, PayloadRule } from './rules/rule.ts'

// What is demanded of a delivery beyond the schemas: one place for the checks that watch deliveries and for whoever judges saved ones, so that they never disagree.

export type { DeliveryPayload, PayloadRule } from './rules/rule.ts'

export const rules: readonly PayloadRule[] = [...pushRules, ...issueRules, ...timestampRules]

const kinds = new Map(Object.values(events).map((event) => [event.kind, event]))

/** The event that a payload is of by its own word; undefined where it says none that there is. */
export function eventOfKind(kind: unknown): Event | undefined {
  return kinds.get(kind as string)
}

/** What of a payload is against the schema of an event. The payload of another event is one mistake: what it is not is not told field by field. */
export function violationsOf(event: Event, body: DeliveryPayload): Violation[] {
  const other = eventOfKind(body['object_kind'])
  const violations = event.payload.validate(body)
  return other === undefined || other === event
    ? violations
    : violations.filter(({ path }) => path === '/object_kind')
}

/** Whether a Content-Type says that the body is JSON. */
export const announcesJson = (type: string): boolean =>
  /^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)

/** Whether a User-Agent begins with a product and its version. */
export const namesProduct = (agent: string): boolean => /^[^/\s]+\/\S+/.test(agent)

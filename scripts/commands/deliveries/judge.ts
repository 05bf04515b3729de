import { isObject } from '../../../conformance/engine/index.ts'
import {
  eventOfKind,
  rules,
  violationsOf,
  type DeliveryPayload,
  type PayloadRule,
} from '../../../conformance/checks/hooks/support/rules.ts'
import { events, type Event } from '../../../generated/events/contract.ts'
import { eventNames, type EventName } from '../../../generated/events/names.ts'
import { newFinding, shown, type DeliveryFinding } from './finding.ts'
import { judgeHeaders, type JudgedHeaders, type Pair, type TokenState } from './headers.ts'

/** `not judged`: the contract does not describe the event. */
export type DeliveryVerdict = 'ok' | 'warns' | 'fails' | 'not judged'

export interface JudgedDelivery {
  event: EventName | undefined
  verdict: DeliveryVerdict
  findings: readonly DeliveryFinding[]
  /** How the token compares with the expected one; undefined if the headers are not known. */
  token?: TokenState
}

/** A body as parsed JSON, or why it is not JSON. */
export type DeliveryBody = { value: unknown } | { broken: string }

/** The known parts of a delivery. */
export interface Delivered {
  method?: string | undefined
  headers?: readonly Pair[] | undefined
  body: DeliveryBody
  /** The result of comparing X-Hook-Token with the expected value; undefined without headers. */
  token?: TokenState | undefined
}

/** The verdicts of conforming payloads, shared because most payloads conform. */
const conforming = Object.fromEntries(
  eventNames.map((event) => [
    event,
    { event, verdict: 'ok', findings: [] } satisfies JudgedDelivery,
  ]),
) as unknown as Record<EventName, JudgedDelivery>
const rulesOf = Object.fromEntries(
  eventNames.map((event) => [event, rules.filter(({ events }) => events.includes(event))]),
) as unknown as Record<EventName, readonly PayloadRule[]>

/**
 * Returns the verdict of a conforming payload, and undefined for other payloads. This is faster
 * than `judgePayload`. `eventOverride` replaces the event that `object_kind` names.
 */
export function judgeConforming(body: unknown, eventOverride?: Event): JudgedDelivery | undefined {
  const event = eventOverride ?? (isObject(body) ? eventOfKind(body['object_kind']) : undefined)
  return event !== undefined && event.fits(body) && meetsRules(event, body as DeliveryPayload)
    ? conforming[event.name]
    : undefined
}

/**
 * Judges a payload as the event `eventOverride` or, without that, as the event that its
 * `object_kind` names.
 */
export function judgePayload(body: unknown, eventOverride?: Event): JudgedDelivery {
  const event = eventOverride ?? (isObject(body) ? eventOfKind(body['object_kind']) : undefined)
  if (event === undefined) {
    if (!isObject(body)) return judged(undefined, [notObject(body)])
    const finding = unknownKind(body)
    return typeof body['object_kind'] === 'string'
      ? { event: undefined, verdict: 'not judged', findings: [finding] }
      : judged(undefined, [finding])
  }
  return (
    judgeConforming(body, event) ??
    judged(event, isObject(body) ? differences(event, body) : [notObject(body)])
  )
}

/**
 * Judges a delivery: its payload as `judgePayload` does, and its method and headers if they are
 * known.
 */
export function judgeDelivery(delivered: Delivered, eventOverride?: Event): JudgedDelivery {
  const result = judgeParts(delivered, eventOverride)
  const { token } = delivered
  return token === undefined ? result : { ...result, token }
}

function judgeParts(
  { method, headers, body, token }: Delivered,
  eventOverride?: Event,
): JudgedDelivery {
  const value = 'value' in body ? body.value : undefined
  const named = eventOverride ?? (isObject(value) ? eventOfKind(value['object_kind']) : undefined)
  const ofMethod =
    method === undefined || method.toUpperCase() === 'POST'
      ? []
      : [newFinding('EVT-DELIVERY-01', 'method', 'POST', method)]
  const ofHeaders: JudgedHeaders =
    headers === undefined ? { findings: [] } : judgeHeaders(headers, { event: named, token })
  const event = named ?? ofHeaders.event
  const ofPayload =
    'value' in body
      ? judgePayload(value, event)
      : judged(event, [newFinding('EVT-DELIVERY-03', '', 'JSON, one object', body.broken)])
  if (ofPayload.verdict === 'not judged') return ofPayload
  return ofMethod.length + ofHeaders.findings.length === 0
    ? ofPayload
    : judged(event, [...ofMethod, ...ofPayload.findings, ...ofHeaders.findings])
}

function judged(
  event: Pick<Event, 'name'> | undefined,
  findings: readonly DeliveryFinding[],
): JudgedDelivery {
  const levels = new Set(findings.map(({ level }) => level))
  return {
    event: event?.name,
    verdict: levels.has('must') ? 'fails' : levels.has('should') ? 'warns' : 'ok',
    findings,
  }
}

function meetsRules(event: Event, body: DeliveryPayload): boolean {
  return rulesOf[event.name].every(
    (rule) => !rule.applies(body) || rule.findViolations(body).length === 0,
  )
}

function differences(event: Event, body: DeliveryPayload): DeliveryFinding[] {
  const violations = violationsOf(event, body).map(({ requirement, path, message, received }) =>
    newFinding(requirement, path, message, shown(received)),
  )
  if (body['object_kind'] !== event.kind) return violations
  const broken = rulesOf[event.name]
    .filter((rule) => rule.applies(body))
    .flatMap(({ requirement, expected, findViolations }) =>
      findViolations(body).map(({ path, received }) =>
        newFinding(requirement, path, expected, received),
      ),
    )
    // A schema may state the same rule. Then only one of the findings is reported.
    .filter(
      ({ requirement, path }) =>
        !violations.some((other) => other.requirement === requirement && other.path === path),
    )
  return [...violations, ...broken]
}

function notObject(body: unknown): DeliveryFinding {
  return newFinding('EVT-DELIVERY-03', '', 'JSON, one object', shown(body))
}

function unknownKind(body: DeliveryPayload): DeliveryFinding {
  const kinds = eventNames.map((name) => events[name].kind)
  return {
    level: 'must',
    path: '/object_kind',
    expected: `one of ${kinds.join(', ')}`,
    received: shown(body['object_kind']),
  }
}

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
import { finding, shown, type DeliveryFinding } from './finding.ts'
import { judgeHeaders, type About, type Pair } from './headers.ts'

export type DeliveryVerdict = 'ok' | 'warns' | 'fails'

export interface JudgedDelivery {
  event: EventName | undefined
  verdict: DeliveryVerdict
  findings: readonly DeliveryFinding[]
}

/** A body: JSON, or else why it is none. */
export type DeliveryBody = { value: unknown } | { broken: string }

/** As much of a delivery as is known. */
export interface Delivered {
  method?: string | undefined
  headers?: readonly Pair[] | undefined
  body: DeliveryBody
  /** What X-Hook-Token has to be. */
  token?: string | undefined
}

/** What most payloads get: nothing is made anew for them. */
const good = Object.fromEntries(
  eventNames.map((event) => [
    event,
    { event, verdict: 'ok', findings: [] } satisfies JudgedDelivery,
  ]),
) as unknown as Record<EventName, JudgedDelivery>
const rulesOf = Object.fromEntries(
  eventNames.map((event) => [event, rules.filter((rule) => rule.event === event)]),
) as unknown as Record<EventName, readonly PayloadRule[]>

/** The verdict of a payload that keeps its contract; undefined for every other one. The quick way for the many that do. */
export function judgeGood(body: unknown, given?: Event): JudgedDelivery | undefined {
  const event = given ?? (isObject(body) ? eventOfKind(body['object_kind']) : undefined)
  return event !== undefined && event.fits(body) && keeps(event, body as DeliveryPayload)
    ? good[event.name]
    : undefined
}

/** Judges a payload by the contract of the event that it names itself, or of the one that is given. */
export function judgePayload(body: unknown, given?: Event): JudgedDelivery {
  const event = given ?? (isObject(body) ? eventOfKind(body['object_kind']) : undefined)
  if (event === undefined)
    return judged(undefined, [isObject(body) ? nameless(body) : noObject(body)])
  return (
    judgeGood(body, event) ??
    judged(event, isObject(body) ? differences(event, body) : [noObject(body)])
  )
}

/** Judges a delivery: its payload as `judgePayload` does, its method and its headers as far as they are known. */
export function judgeDelivery(
  { method, headers, body, token }: Delivered,
  given?: Event,
): JudgedDelivery {
  const value = 'value' in body ? body.value : undefined
  const named = given ?? (isObject(value) ? eventOfKind(value['object_kind']) : undefined)
  if (method !== undefined && method.toUpperCase() !== 'POST')
    return judged(named, [finding('EVT-DELIVERY-01', 'method', 'POST', method)])
  const about: About =
    headers === undefined ? { findings: [] } : judgeHeaders(headers, { event: named, token })
  // What a payload does not say of itself, its header may.
  const event = named ?? about.event
  const own =
    'value' in body
      ? judgePayload(value, event)
      : judged(event, [finding('EVT-DELIVERY-03', '', 'JSON, one object', body.broken)])
  return about.findings.length === 0 ? own : judged(event, [...own.findings, ...about.findings])
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

function keeps(event: Event, body: DeliveryPayload): boolean {
  return rulesOf[event.name].every(
    (rule) => !rule.applies(body) || rule.findViolations(body).length === 0,
  )
}

function differences(event: Event, body: DeliveryPayload): DeliveryFinding[] {
  const violations = violationsOf(event, body).map(({ requirement, path, message, received }) =>
    finding(requirement, path, message, shown(received)),
  )
  if (body['object_kind'] !== event.kind) return violations
  const broken = rulesOf[event.name]
    .filter((rule) => rule.applies(body))
    .flatMap(({ requirement, expected, findViolations: places }) =>
      places(body).map(({ path, received }) => finding(requirement, path, expected, received)),
    )
    // A schema may say some of it too.
    .filter(
      ({ requirement, path }) =>
        !violations.some((other) => other.requirement === requirement && other.path === path),
    )
  return [...violations, ...broken]
}

function noObject(body: unknown): DeliveryFinding {
  return finding('EVT-DELIVERY-03', '', 'JSON, one object', shown(body))
}

function nameless(body: DeliveryPayload): DeliveryFinding {
  const kinds = eventNames.map((name) => events[name].kind)
  return {
    level: 'must',
    path: '/object_kind',
    expected: `one of ${kinds.join(', ')}, or the event named with --event`,
    received: shown(body['object_kind']),
  }
}

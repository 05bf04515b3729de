import type { Violation } from '../../generated/contract.ts'
import { events, type Event } from '../../generated/events/documented/contract.ts'
import type { EventName, PayloadByEvent } from '../../generated/events/documented/index.ts'
import { DeliveryError } from './delivery-error.ts'
import { headerValues, type RequestHeaders } from './headers.ts'

/**
 * A delivery: the name of its event, and the payload. The name determines the type of the payload.
 *
 * @example
 * function summary(delivery: WebhookDelivery): string {
 *   switch (delivery.event) {
 *     case 'push':
 *       return `${delivery.payload.user_name} pushed to ${delivery.payload.ref}`
 *     case 'job':
 *       return `${delivery.payload.build_name}: ${delivery.payload.build_status}`
 *     default:
 *       return delivery.event
 *   }
 * }
 */
export type WebhookDelivery = {
  [Name in EventName]: { readonly event: Name; readonly payload: PayloadByEvent[Name] }
}[EventName]

/**
 * The options of `parseDelivery`.
 *
 * @example
 * const options: ParseOptions = { validate: false }
 */
export interface ParseOptions {
  /**
   * Whether to check every field of the payload, so that its type is certain. If false, only the
   * event and object_kind are checked, and senders with other types are accepted. True by default.
   */
  readonly validate?: boolean
}

/**
 * Parses a delivery. The body is a string, bytes or parsed JSON. Additional headers and fields are
 * allowed.
 *
 * Throws a `DeliveryError` if the delivery does not meet the contract. Does not compare the token:
 * call `verifyToken` before.
 *
 * @example
 * const headers = { 'X-Hook-Event': 'Push Hook' }
 * const delivery = parseDelivery(headers, bytes)
 * if (delivery.event === 'push') console.log(delivery.payload.user_name.toUpperCase())
 */
export function parseDelivery(
  headers: RequestHeaders,
  body: unknown,
  { validate = true }: ParseOptions = {},
): WebhookDelivery {
  const event = eventOf(headers)
  const payload = objectOf(body)
  const violations = event.payload.validate(payload)
  const ofKind = violations.find(({ path }) => path === '/object_kind')
  if (ofKind !== undefined && ofKind.received !== undefined)
    throw new DeliveryError(
      'kind-mismatch',
      `X-Hook-Event is ${event.header}, so object_kind must be ${event.kind}, but it is ${shown(ofKind.received)} (${ofKind.requirement})`,
      violations,
    )
  if (ofKind !== undefined || (validate && violations.length > 0))
    throw new DeliveryError(
      'payload-invalid',
      `The ${event.title.toLowerCase()} payload does not meet the contract: ${listed(violations)}`,
      violations,
    )
  return { event: event.name, payload } as unknown as WebhookDelivery
}

function eventOf(headers: RequestHeaders): Event {
  const values = headerValues(headers, 'x-hook-event')
  const [value] = values
  if (value === undefined || values.length > 1)
    throw new DeliveryError(
      'event-missing',
      `The request has ${values.length === 0 ? 'no' : 'several'} X-Hook-Event headers (EVT-HEADER-03)`,
      [violationOf('X-Hook-Event', 'one event', values.length === 0 ? undefined : values)],
    )
  const event = Object.values(events).find(({ header }) => header === value)
  if (event !== undefined) return event
  const known = Object.values(events)
    .map(({ header }) => header)
    .join(', ')
  throw new DeliveryError(
    'event-unknown',
    `X-Hook-Event is ${shown(value)}, which is not one of ${known} (EVT-HEADER-03)`,
    [violationOf('X-Hook-Event', `one of ${known}`, value)],
  )
}

const violationOf = (path: string, message: string, received: unknown): Violation => ({
  requirement: 'EVT-HEADER-03',
  path,
  message,
  received,
})

function objectOf(body: unknown): object {
  const value = typeof body === 'string' || body instanceof Uint8Array ? parsed(body) : body
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw bodyError(
    value === undefined
      ? 'The body is undefined. Next: read it before parseDelivery, for example with a body parser'
      : `The body is not a JSON object, but ${shown(value)}`,
    value,
  )
}

function parsed(body: string | Uint8Array): unknown {
  try {
    // Removes a byte order mark, and throws if the bytes are not UTF-8.
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', strict).decode(body)
    return JSON.parse(text) as unknown
  } catch (error) {
    throw bodyError(`The body is not JSON: ${(error as Error).message}`, undefined, error)
  }
}

const strict = { fatal: true }

const bodyError = (message: string, received: unknown, cause?: unknown) =>
  new DeliveryError(
    'body-invalid',
    `${message} (EVT-DELIVERY-03)`,
    [{ requirement: 'EVT-DELIVERY-03', path: '', message: 'a JSON object', received }],
    cause === undefined ? undefined : { cause },
  )

const maxListed = 5

function listed(violations: readonly Violation[]): string {
  const lines = violations
    .slice(0, maxListed)
    .map(
      ({ path, message, received, requirement }) =>
        `${path} ${received === undefined ? 'is missing' : `is ${shown(received)}`}, expected ${message} (${requirement})`,
    )
  const more = violations.length - lines.length
  return lines.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Returns a value as short JSON, so that messages stay readable. */
function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > 60 ? `${json.slice(0, 59)}…` : json
}

import { randomUUID } from 'node:crypto'
import type { Timers } from '../../kit/timers.ts'
import type { DeliveryAttempt } from '../../serving/log.ts'
import type { EventName, Flag } from '../../deliveries/events.ts'
import { headersOf, product, type Header } from '../../deliveries/headers.ts'
import { payloadOf, type Payload } from '../../deliveries/payload.ts'
import type { HooksChoices } from './choices.ts'
import type { HooksRules } from './rules.ts'
import { shapePayload } from './shaping.ts'
import type { Hook, HookStore } from './store.ts'

/** One delivery before it is serialised and sent. */
export interface OutgoingDelivery {
  event: EventName
  /**
   * The flag that caused the delivery: the flag in the path of the test call, or the flag of the
   * event in the project.
   */
  trigger: Flag
  /**
   * What happened in the project, such as `close`. Undefined for a test call, or if the event was
   * triggered without an action.
   */
  action?: string | undefined
  hook: Hook
  /** 1 for the first attempt; later ones are retries and copies. */
  attempt: number
  method: string
  url: string
  /** The headers in the order in which they are sent. Those of the connection are added later. */
  headers: Header[]
  body: Payload
  /** Sent instead of the serialised body. */
  raw?: string
  rejectUnauthorized: boolean
}

/**
 * Called with every delivery before it is sent, and may change it. The returned delivery is sent.
 * If undefined is returned, nothing is sent.
 */
export type BeforeDelivery = (
  delivery: OutgoingDelivery,
) => OutgoingDelivery | undefined | Promise<OutgoingDelivery | undefined>

/** The parts of the hook service that are needed to send deliveries. */
export interface DeliverySender {
  options: { project: string }
  choices: HooksChoices
  rules: HooksRules
  store: HookStore
  timers: Timers
  beforeDelivery?: BeforeDelivery | undefined
  /** Called after each attempt. */
  onDelivery?: ((attempt: DeliveryAttempt) => void) | undefined
}

/** One event, from which the payloads of its deliveries follow: they are equal at all hooks. */
export interface HookedEvent {
  event: EventName
  trigger: Flag
  /**
   * What happened, such as `close`. Undefined for a test call, or if the event was triggered
   * without an action.
   */
  action?: string | undefined
  /** The number of this event among all events of the service; the first one has 1. */
  number: number
  /** The name of the sample payload; undefined for the default one. */
  example: string | undefined
}

/**
 * A queued delivery. The payload is built only when the delivery is sent, because many deliveries
 * may be waiting.
 */
export interface DeliveryJob extends HookedEvent {
  server: DeliverySender
  hook: Hook
  /** Called after the last attempt. */
  done(): void
}

/** Returns a function that builds the delivery of an attempt. All attempts have the same ids. */
export function newDeliveryFactory(job: DeliveryJob): (attempt: number) => OutgoingDelivery {
  const {
    server: { choices, rules },
    hook,
    event,
    trigger,
    action,
  } = job
  const ids = choices.extraHeaders === 'ids' ? idHeaders(hook) : []
  return (attempt) => ({
    event,
    trigger,
    action,
    hook,
    attempt,
    method: 'POST',
    url: hook.url,
    headers: [
      ...headersOf({
        event,
        token: rules.secretOf(hook),
        eventHeader:
          trigger === 'confidential_issues_events'
            ? choices.confidentialHeader
            : rules.eventHeaderOf(event, trigger),
        userAgent: userAgentOf(choices),
        contentType: choices.deliveryCharset ? 'application/json; charset=utf-8' : undefined,
      }),
      ...ids,
    ],
    body: bodyOf(job),
    rejectUnauthorized: rules.verifiesTls(hook),
  })
}

function bodyOf({
  server: { choices },
  hook,
  event,
  trigger,
  number,
  example,
}: DeliveryJob): OutgoingDelivery['body'] {
  const { payloadIds } = choices
  const project = Number(hook.project)
  const body = payloadOf(event, {
    name: example,
    seed: payloadIds === 'new' ? number : undefined,
    project: Number.isSafeInteger(project) ? project : undefined,
    set:
      trigger === 'confidential_issues_events'
        ? ['object_attributes.confidential=true']
        : undefined,
  })
  shapePayload(body, event, choices)
  return body
}

function idHeaders(hook: Hook): Header[] {
  return [
    ['X-Hook-UUID', randomUUID()],
    ['X-Hook-Id', String(hook.id)],
    ['X-Hook-Instance', 'https://git.example.com'],
    ['Idempotency-Key', randomUUID()],
  ]
}

function userAgentOf({ userAgent }: HooksChoices): string {
  if (userAgent === 'foreign') return 'Forge-Hooks/17.3.1-rc2'
  return userAgent === 'comment' ? `${product()} (+https://git.example.com/hooks)` : product()
}

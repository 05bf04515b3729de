import { randomUUID } from 'node:crypto'
import type { Timers } from '../../kit/timers.ts'
import type { DeliveryAttempt } from '../../serving/log.ts'
import type { EventName, Flag } from '../../deliveries/events.ts'
import { headersOf, product, type Header } from '../../deliveries/headers.ts'
import { exampleNames, payloadOf, type Payload } from '../../deliveries/payload.ts'
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

/**
 * A queued delivery. The payload is built only when the delivery is sent, because many deliveries
 * may be waiting.
 */
export interface DeliveryJob {
  server: DeliverySender
  hook: Hook
  event: EventName
  trigger: Flag
  /**
   * What happened, such as `close`. Undefined for a test call, or if the event was triggered
   * without an action.
   */
  action?: string | undefined
  /** The number of this delivery among all deliveries of the service; the first one has 1. */
  number: number
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
  const name = exampleNameOf(job)
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
    body: bodyOf(job, name),
    rejectUnauthorized: rules.verifiesTls(hook),
  })
}

/** For each hook, the number of its deliveries with alternating payloads. */
const counts = new WeakMap<Hook, number>()

/** Events whose sample payloads alternate, because one payload cannot show all fields or rules. */
const alternating: Readonly<Partial<Record<EventName, readonly [string, string]>>> = {
  tag_push: ['create', 'delete'],
  issue: ['update', 'close'],
  merge_request: ['update', 'merge'],
  pipeline: ['success-merge-request', 'pending-merge-request'],
  job: ['success-environment', 'failed'],
}

/** The name of the sample payload to send; undefined for the default one. */
function exampleNameOf({
  server: {
    choices: { examples },
  },
  hook,
  event,
  action,
  number,
}: DeliveryJob): string | undefined {
  if (action !== undefined) return action
  if (examples === 'rotating') {
    const names = exampleNames(event)
    return names[(number - 1) % names.length]
  }
  const pair = alternating[event]
  if (pair === undefined || examples[event] !== undefined) return examples[event]
  const count = counts.get(hook) ?? 0
  counts.set(hook, count + 1)
  return pair[count % 2]
}

function bodyOf(
  { server: { choices }, hook, event, trigger, number }: DeliveryJob,
  name: string | undefined,
): OutgoingDelivery['body'] {
  const { payloadIds } = choices
  const project = Number(hook.project)
  const body = payloadOf(event, {
    name,
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

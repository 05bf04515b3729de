import { randomUUID } from 'node:crypto'
import type { Timers } from '../../kit/timers.ts'
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
  /** The flag in the path of the test call. */
  trigger: Flag
  hook: Hook
  /** 1 for the first attempt; later ones are retries and copies. */
  attempt: number
  method: string
  url: string
  /** In the order in which they are sent; those of the connection are added later. */
  headers: Header[]
  body: Payload
  /** Sent instead of the serialised body. */
  raw?: string
  rejectUnauthorized: boolean
}

/**
 * Called before every delivery; may change it. The returned delivery is sent; undefined suppresses
 * it.
 */
export type BeforeDelivery = (
  delivery: OutgoingDelivery,
) => OutgoingDelivery | undefined | Promise<OutgoingDelivery | undefined>

/** The server that sends deliveries. */
export interface DeliverySender {
  options: { project: string }
  choices: HooksChoices
  rules: HooksRules
  store: HookStore
  timers: Timers
  beforeDelivery?: BeforeDelivery | undefined
}

/** A queued delivery. Its payload is built only when it is sent, because many may be waiting. */
export interface DeliveryJob {
  server: DeliverySender
  hook: Hook
  event: EventName
  trigger: Flag
  /** Counts all deliveries of the service, starting with 1. */
  number: number
  /** Called after the last attempt. */
  done(): void
}

/** Returns a function that builds the delivery of each attempt. All attempts have the same ids. */
export function newDeliveryFactory(job: DeliveryJob): (attempt: number) => OutgoingDelivery {
  const {
    server: { choices, rules },
    hook,
    event,
    trigger,
  } = job
  const ids = choices.extraHeaders === 'ids' ? idHeaders(hook) : []
  const name = exampleNameOf(job)
  return (attempt) => ({
    event,
    trigger,
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

/** The number of tag pushes of each hook. */
const tagPushCounts = new WeakMap<Hook, number>()

/**
 * The golden payload to send. By default, tag pushes alternate between a created and a deleted tag,
 * because one payload cannot show both.
 */
function exampleNameOf({
  server: {
    choices: { examples },
  },
  hook,
  event,
  number,
}: DeliveryJob): string | undefined {
  if (examples === 'rotating') {
    const names = exampleNames(event)
    return names[(number - 1) % names.length]
  }
  if (event !== 'tag_push' || examples.tag_push !== undefined) return examples[event]
  const count = tagPushCounts.get(hook) ?? 0
  tagPushCounts.set(hook, count + 1)
  return count % 2 === 0 ? 'create' : 'delete'
}

function bodyOf(
  { server: { choices, options }, event, trigger, number }: DeliveryJob,
  name: string | undefined,
): OutgoingDelivery['body'] {
  const { payloadIds } = choices
  const project = Number(options.project)
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

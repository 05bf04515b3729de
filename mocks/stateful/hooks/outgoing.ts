import { randomUUID } from 'node:crypto'
import type { Timers } from '../../kit/timers.ts'
import type { EventName, Flag } from '../../deliveries/events.ts'
import { headersOf, product, type Header } from '../../deliveries/headers.ts'
import { namesOf, payloadOf, type Payload } from '../../deliveries/payload.ts'
import type { HooksChoices } from './choices.ts'
import type { HooksRules } from './rules.ts'
import { shape } from './shaping.ts'
import type { Hook, HookStore } from './store.ts'

/** One delivery on its way out, before it is written. */
export interface OutgoingDelivery {
  event: EventName
  /** The flag that the test call named. */
  trigger: Flag
  hook: Hook
  /** 1 for the first; later ones are retries and duplicates. */
  attempt: number
  method: string
  url: string
  /** In the order in which they go out; those of the connection are added later. */
  headers: Header[]
  body: Payload
  /** Sent in place of the JSON of the body. */
  raw?: string
  rejectUnauthorized: boolean
}

/** Stands before every delivery: what it returns goes out, with undefined nothing does. It may change what it is given. */
export type Delivering = (
  delivery: OutgoingDelivery,
) => OutgoingDelivery | undefined | Promise<OutgoingDelivery | undefined>

/** What deliveries need to know of the server that sends them. */
export interface DeliverySender {
  options: { project: string }
  choices: HooksChoices
  rules: HooksRules
  store: HookStore
  timers: Timers
  delivering?: Delivering | undefined
}

/** A delivery that waits for its turn. So many may wait that its payload is made only then. */
export interface DeliveryJob {
  server: DeliverySender
  hook: Hook
  event: EventName
  trigger: Flag
  /** Its place among all deliveries of the service, from 1 on. */
  number: number
  /** Tells whoever waits for it. */
  done(): void
}

/** Makes the deliveries of a job: each attempt tells of the same happening under the same ids. */
export function maker(job: DeliveryJob): (attempt: number) => OutgoingDelivery {
  const {
    server: { choices, rules },
    hook,
    event,
    trigger,
  } = job
  const ids = choices.extraHeaders === 'ids' ? idHeaders(hook) : []
  const name = nameOf(job)
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
            : rules.headerOf(event, trigger),
        userAgent: userAgentOf(choices),
        contentType: choices.deliveryCharset ? 'application/json; charset=utf-8' : undefined,
      }),
      ...ids,
    ],
    body: bodyOf(job, name),
    rejectUnauthorized: rules.verifiesTls(hook),
  })
}

/** How many tag pushes a hook was sent. */
const tags = new WeakMap<Hook, number>()

/** Which golden payload is sent. A tag is made and deleted by turns, unless something else is chosen: one payload cannot show both. */
function nameOf({
  server: {
    choices: { examples },
  },
  hook,
  event,
  number,
}: DeliveryJob): string | undefined {
  if (examples === 'rotating') {
    const names = namesOf(event)
    return names[(number - 1) % names.length]
  }
  if (event !== 'tag_push' || examples.tag_push !== undefined) return examples[event]
  const turn = tags.get(hook) ?? 0
  tags.set(hook, turn + 1)
  return turn % 2 === 0 ? 'create' : 'delete'
}

function bodyOf(
  { server: { choices, options }, event, trigger, number }: DeliveryJob,
  name: string | undefined,
): OutgoingDelivery['body'] {
  const { happenings } = choices
  const project = Number(options.project)
  const body = payloadOf(event, {
    name,
    seed: happenings === 'new' ? number : undefined,
    project: Number.isSafeInteger(project) ? project : undefined,
    set:
      trigger === 'confidential_issues_events'
        ? ['object_attributes.confidential=true']
        : undefined,
  })
  shape(body, event, choices)
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

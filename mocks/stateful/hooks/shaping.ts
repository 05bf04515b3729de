import type { EventName } from '../../deliveries/events.ts'
import type { Payload } from '../../deliveries/payload.ts'
import type { HooksChoices } from './choices.ts'

type Node = Record<string, unknown>

/** Members that name a relation or a text that need not exist, beside the project's picture. */
const optional: Readonly<Record<EventName, readonly string[]>> = {
  push: [],
  tag_push: [],
  deployment: [],
  wiki_page: [],
  issue: [
    'object_attributes.branch_name',
    'object_attributes.milestone_id',
    'object_attributes.assignee_id',
    'object_attributes.description',
  ],
  merge_request: [
    'object_attributes.milestone_id',
    'object_attributes.assignee_id',
    'object_attributes.assignee',
    'object_attributes.description',
  ],
  pipeline: ['merge_request', 'builds.*.environment', 'builds.*.runner'],
  job: ['runner', 'environment'],
  release: ['description'],
}

/** Makes a payload as it was chosen, in place: what may be missing, addresses and times. */
export function shape(payload: Payload, event: EventName, choices: HooksChoices): void {
  const { optionalMembers, emails, commitTimes } = choices
  if (optionalMembers !== 'golden')
    for (const path of ['project.avatar_url', ...optional[event]])
      empty(payload, path.split('.'), optionalMembers)
  if (emails !== 'shown' || commitTimes !== 'golden') walk(payload, '', choices)
}

/** The JSON of a payload, in the form that was chosen. */
export function written(payload: Payload, choices: HooksChoices): string {
  const { payloadExtraFields, payloadKeyOrder, payloadPretty } = choices
  const shown =
    payloadExtraFields || payloadKeyOrder === 'reversed' ? reshaped(payload, choices, '') : payload
  return JSON.stringify(shown, null, payloadPretty ? 2 : 0)
}

function empty(holder: unknown, [step = '', ...rest]: string[], to: 'null' | 'absent'): void {
  if (typeof holder !== 'object' || holder === null) return
  if (step === '*') for (const item of Object.values(holder)) empty(item, rest, to)
  else if (!Object.hasOwn(holder, step)) return
  else if (rest.length > 0) empty((holder as Node)[step], rest, to)
  else if (to === 'null') (holder as Node)[step] = null
  else delete (holder as Node)[step]
}

function walk(holder: object, name: string, choices: HooksChoices): void {
  for (const [key, value] of Object.entries(holder)) {
    // The author of a commit is no user of the service.
    if ((key === 'email' && name !== 'author') || key === 'user_email') {
      if (choices.emails !== 'shown' && typeof value === 'string')
        (holder as Node)[key] = choices.emails === 'redacted' ? '[REDACTED]' : ''
    } else if (key === 'timestamp' && typeof value === 'string')
      (holder as Node)[key] = timeOf(value, choices.commitTimes)
    else if (typeof value === 'object' && value !== null)
      walk(value, Array.isArray(holder) ? name : key, choices)
  }
}

function timeOf(text: string, form: HooksChoices['commitTimes']): string {
  const moment = Date.parse(text)
  if (form === 'golden' || Number.isNaN(moment)) return text
  if (form === 'offset')
    return `${new Date(moment + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`
  const utc = new Date(moment).toISOString()
  return form === 'millis' ? utc : `${utc.slice(0, 19)}Z`
}

function reshaped(value: unknown, choices: HooksChoices, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reshaped(item, choices, ''))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, item]) => [key, reshaped(item, choices, key)] as const,
  )
  // The names in `changes` are those of fields: a member of ours would be taken for a changed one.
  if (choices.payloadExtraFields && name !== 'changes')
    entries.push(['x_extra', { note: 'not in the document', list: [1, null] }])
  return Object.fromEntries(choices.payloadKeyOrder === 'reversed' ? entries.reverse() : entries)
}

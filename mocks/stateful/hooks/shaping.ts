import type { EventName } from '../../deliveries/events.ts'
import type { Payload } from '../../deliveries/payload.ts'
import type { HooksChoices } from './choices.ts'

type Node = Record<string, unknown>

/** Fields that can be null or absent, in addition to the project's avatar. */
const optionalPaths: Readonly<Record<EventName, readonly string[]>> = {
  push: [],
  tag_push: [],
  deployment: [],
  wiki_page: [],
  issue: [
    'object_attributes.branch_name',
    'object_attributes.milestone_id',
    'object_attributes.assignee_id',
  ],
  merge_request: [
    'object_attributes.milestone_id',
    'object_attributes.assignee_id',
    'object_attributes.assignee',
  ],
  pipeline: ['merge_request', 'builds.*.environment', 'builds.*.runner'],
  job: ['runner', 'environment'],
  release: [],
}

/** Applies the choices for optional fields, emails and times to a payload, in place. */
export function shapePayload(payload: Payload, event: EventName, choices: HooksChoices): void {
  const { optionalFields, emails, commitTimes } = choices
  if (optionalFields !== 'sample')
    for (const path of ['project.avatar_url', ...optionalPaths[event]]) {
      removeValue(payload, path.split('.'), optionalFields)
      // A field without a value must not be in `changes`.
      const { changes, object_attributes: attributes } = payload
      const name = path.split('.').at(-1)!
      const hasNoValue = ((attributes as Node | undefined)?.[name] ?? null) === null
      if (
        path.startsWith('object_attributes.') &&
        hasNoValue &&
        typeof changes === 'object' &&
        changes !== null
      )
        delete (changes as Node)[name]
    }
  if (emails !== 'shown' || commitTimes !== 'sample') rewriteEmailsAndTimes(payload, '', choices)
}

/** Serialises a payload in the chosen form. */
export function serialisePayload(payload: Payload, choices: HooksChoices): string {
  const { payloadExtraFields, payloadKeyOrder, payloadPretty } = choices
  const shaped =
    payloadExtraFields || payloadKeyOrder === 'reversed' ? reshape(payload, choices, '') : payload
  return JSON.stringify(shaped, null, payloadPretty ? 2 : 0)
}

function removeValue(holder: unknown, [step = '', ...rest]: string[], to: 'null' | 'absent'): void {
  if (typeof holder !== 'object' || holder === null) return
  if (step === '*') for (const item of Object.values(holder)) removeValue(item, rest, to)
  else if (!Object.hasOwn(holder, step) || mustHaveValue(holder as Node, step)) return
  else if (rest.length > 0) removeValue((holder as Node)[step], rest, to)
  else if (to === 'null') (holder as Node)[step] = null
  else delete (holder as Node)[step]
}

/**
 * Whether an optional field of an object must have a value: the runner of a job that is running or
 * has succeeded, and the assignee of an issue or a merge request with assignees.
 */
function mustHaveValue(holder: Node, name: string): boolean {
  if (name === 'runner') return hasRun(holder)
  const { assignee_ids: ids } = holder
  return name.startsWith('assignee') && Array.isArray(ids) && ids.length > 0
}

const hasRun = ({ status, build_status: own = status }: Node) =>
  own === 'running' || own === 'success'

function rewriteEmailsAndTimes(holder: object, name: string, choices: HooksChoices): void {
  for (const [key, value] of Object.entries(holder)) {
    // The email of a commit's author stays, because the author is not a user of the service.
    if ((key === 'email' && name !== 'author') || key === 'user_email') {
      if (choices.emails !== 'shown' && typeof value === 'string')
        (holder as Node)[key] = choices.emails === 'redacted' ? '[REDACTED]' : ''
    } else if (key === 'timestamp' && typeof value === 'string')
      (holder as Node)[key] = formatCommitTime(value, choices.commitTimes)
    else if (typeof value === 'object' && value !== null)
      rewriteEmailsAndTimes(value, Array.isArray(holder) ? name : key, choices)
  }
}

function formatCommitTime(text: string, form: HooksChoices['commitTimes']): string {
  const moment = Date.parse(text)
  if (form === 'sample' || Number.isNaN(moment)) return text
  if (form === 'offset')
    return `${new Date(moment + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`
  const utc = new Date(moment).toISOString()
  return form === 'millis' ? utc : `${utc.slice(0, 19)}Z`
}

function reshape(value: unknown, choices: HooksChoices, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => reshape(item, choices, ''))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, item]) => [key, reshape(item, choices, key)] as const,
  )
  // The keys of `changes` are names of fields: an extra field would look like a changed one.
  if (choices.payloadExtraFields && name !== 'changes')
    entries.push(['x_extra', { note: 'not in the contract', list: [1, null] }])
  return Object.fromEntries(choices.payloadKeyOrder === 'reversed' ? entries.reverse() : entries)
}

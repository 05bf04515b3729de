import { isObject } from '../../../conformance/engine/index.ts'

/** The maximum length of a description. */
const maxLength = 80

type Payload = Readonly<Record<string, unknown>>

/** Returns a string or a number of a payload as text; empty if it is missing or something else. */
function textOf(payload: unknown, name: string): string {
  const value = isObject(payload) ? payload[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const branchOf = (payload: Payload): string =>
  textOf(payload, 'ref').replace(/^refs\/(heads|tags)\//, '')

/** What a push did: created or deleted its branch or tag. Empty if it did neither. */
function changeOf(payload: Payload): string {
  if (/^0+$/.test(textOf(payload, 'after'))) return 'deleted'
  return /^0+$/.test(textOf(payload, 'before')) ? 'created' : ''
}

function commitsOf(payload: Payload): string {
  const total = textOf(payload, 'total_commits_count')
  return /^[1-9]\d*$/.test(total) ? `${total} commit${total === '1' ? '' : 's'}` : ''
}

/** Prefixes a string that is not empty. */
const after = (prefix: string, text: string): string => (text === '' ? '' : prefix + text)

/** An issue or merge request: "#12 open: High water". `mark` is the sign before its number. */
function describeItem({ object_attributes: item }: Payload, mark: string): string {
  const head = [after(mark, textOf(item, 'iid')), textOf(item, 'action')]
  return head.filter((part) => part !== '').join(' ') + after(': ', textOf(item, 'title'))
}

const descriptions: Readonly<Record<string, (payload: Payload) => string[]>> = {
  push: (payload) => [
    [branchOf(payload), changeOf(payload)].join(' ').trim(),
    after(', ', commitsOf(payload)),
  ],
  tag_push: (payload) => [branchOf(payload), after(' ', changeOf(payload))],
  issue: (payload) => [describeItem(payload, '#')],
  merge_request: (payload) => [describeItem(payload, '!')],
  pipeline: ({ object_attributes: pipeline }) => [
    after('#', textOf(pipeline, 'id')),
    after(' ', textOf(pipeline, 'status')),
    after(' on ', textOf(pipeline, 'ref')),
  ],
  job: (payload) => [
    textOf(payload, 'build_name'),
    after(' ', textOf(payload, 'build_status')),
    after(' on ', branchOf(payload)),
  ],
  deployment: (payload) => [
    after('to ', textOf(payload, 'environment')),
    after(' ', textOf(payload, 'status')),
  ],
  wiki_page: ({ object_attributes: page }) => [
    textOf(page, 'action'),
    after(': ', textOf(page, 'title')),
  ],
  release: (payload) => [textOf(payload, 'action'), after(': ', textOf(payload, 'tag'))],
}

/**
 * Describes what happened, in at most 80 characters. Empty if the event is unknown or the body is
 * not a JSON object. Fields that are missing or have another type are omitted.
 *
 * @example
 *   describeEvent('push', '{"ref":"refs/heads/main","total_commits_count":3}') // main, 3 commits
 */
export function describeEvent(event: string | undefined, body: string): string {
  const describe = event === undefined ? undefined : descriptions[event]
  if (describe === undefined) return ''
  const text = describe(payloadOf(body)).join('').replaceAll(/\s+/g, ' ').trim()
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

function payloadOf(body: string): Payload {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

import { type EventName, events, type Field } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { ReceiverWorld } from './world.ts'

export type MutableJson = { [member: string]: unknown }

/**
 * For some events, the name of the sample payload in which the most fields can be null or absent,
 * such as that of a job that has not started. For the other events, the first sample payload is
 * used.
 */
const emptiestNames: Readonly<Partial<Record<EventName, string>>> = {
  push: 'branch-deleted',
  tag_push: 'delete',
  issue: 'open-no-description',
  merge_request: 'open-no-assignee',
  pipeline: 'pending',
  job: 'canceled-not-started',
}

/**
 * Returns a sample payload of an event, with new ids, without the values of optional fields. If
 * `absent` is true, the payload does not contain these fields. Otherwise, those whose type allows
 * null have the value null, and the others keep their values.
 *
 * A field is optional if EVT-EVENT-05 covers its presence. If such a field has no value, the
 * contract only recommends sending it as null.
 */
export function withoutOptionalValues(
  event: EventName,
  { makeUnique }: Pick<ReceiverWorld, 'makeUnique'>,
  absent: boolean,
): string {
  const text = makeUnique(exampleOf(event, emptiestNames[event])!.text)
  const payload = JSON.parse(text) as MutableJson
  for (const { path, presence, schema } of events[event].payload.fields.toReversed()) {
    if (presence !== 'EVT-EVENT-05' || path === '/assignees') continue
    visitPath(payload, path.split('/').slice(1), (holder, name) => {
      if (absent) delete holder[name]
      else if (isNullable(schema)) holder[name] = null
    })
  }
  return JSON.stringify(payload)
}

const isNullable = ({ type }: Field['schema']) =>
  type === undefined || [type].flat().includes('null')

/** The longest sample payload of an event, with new ids. */
export function richestPayload(
  event: EventName,
  { makeUnique }: Pick<ReceiverWorld, 'makeUnique'>,
): MutableJson {
  const texts = examples.filter((example) => example.event === event).map(({ text }) => text)
  return JSON.parse(
    makeUnique(texts.reduce((one, other) => (other.length > one.length ? other : one))),
  ) as MutableJson
}

/**
 * Calls `visit` for every member at a path, with the object that contains it. `*` matches the items
 * of an array.
 */
function visitPath(
  value: unknown,
  [segment, ...rest]: readonly string[],
  visit: (holder: MutableJson, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null || segment === undefined) return
  if (segment === '*') for (const item of value as unknown[]) visitPath(item, rest, visit)
  else if (rest.length > 0) visitPath((value as MutableJson)[segment], rest, visit)
  else if (segment in value) visit(value as MutableJson, segment)
}

/** Replaces all values at a path by what `change` returns. `*` matches the items of an array. */
export function changeValues(
  payload: MutableJson,
  path: string,
  change: (value: unknown) => unknown,
): void {
  visitPath(payload, path.split('/').slice(1), (holder, name) => {
    holder[name] = change(holder[name])
  })
}

/** Adds an undocumented member to every object of a payload, except `changes` and its objects. */
export function addUnknownMembers(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(addUnknownMembers)
  if (typeof payload !== 'object' || payload === null) return payload
  const members = Object.entries(payload).map(([name, member]): [string, unknown] => [
    name,
    // Each member of `changes` is the change of a field, so an unknown member would be an
    // additional change.
    name === 'changes' ? member : addUnknownMembers(member),
  ])
  return { ...Object.fromEntries(members), touchstone_extra: { nested: ['value', 1, null] } }
}

/** A push of slightly more than one megabyte, with long messages and many paths. */
export function largePush({ makeUnique }: Pick<ReceiverWorld, 'makeUnique'>): string {
  const payload = JSON.parse(makeUnique(exampleOf('push', 'commits')!.text)) as MutableJson
  const [commit] = payload['commits'] as MutableJson[]
  const ownId = String(commit!['id'])
  const many = Array.from({ length: 20 }, (_, index) => {
    const id = `${ownId.slice(0, -2)}${String(index).padStart(2, '0')}`
    return {
      ...commit,
      id,
      url: String(commit!['url']).replace(ownId, id),
      message: `${index} ${'a long story '.repeat(2000)}`,
      added: Array.from({ length: 1000 }, (_, file) => `folder/of/many/files/${index}/${file}.txt`),
    }
  })
  return JSON.stringify({ ...payload, commits: many, total_commits_count: many.length })
}

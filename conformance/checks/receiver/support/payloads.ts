import { type EventName, events, type Field } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import type { ReceiverWorld } from './world.ts'

type Json = { [member: string]: unknown }

/** Sets every optional value of a golden payload to null, or removes it. */
export function removeOptionalValues(event: EventName, payload: Json, absent: boolean): string {
  for (const { path, required, schema } of events[event].payload.fields.toReversed()) {
    if (required || path.endsWith('/*')) continue
    visitPath(payload, path.split('/').slice(1), (holder, name) => {
      if (absent) delete holder[name]
      else if (isNullable(schema)) holder[name] = null
    })
  }
  return JSON.stringify(payload)
}

const isNullable = ({ type }: Field['schema']) =>
  type === undefined || [type].flat().includes('null')

/** The longest golden payload of an event, made unique. */
export function richestPayload(event: EventName, { makeUnique }: ReceiverWorld): Json {
  const texts = examples.filter((example) => example.event === event).map(({ text }) => text)
  return JSON.parse(
    makeUnique(texts.reduce((one, other) => (other.length > one.length ? other : one))),
  ) as Json
}

/** Calls `visit` for every value at a path. `*` matches the items of an array. */
function visitPath(
  value: unknown,
  [segment, ...rest]: readonly string[],
  visit: (holder: Json, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null || segment === undefined) return
  if (segment === '*') for (const item of value as unknown[]) visitPath(item, rest, visit)
  else if (rest.length > 0) visitPath((value as Json)[segment], rest, visit)
  else if (segment in value) visit(value as Json, segment)
}

/** Adds members that are not listed to every object of a payload. */
export function addUnknownMembers(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(addUnknownMembers)
  if (typeof payload !== 'object' || payload === null) return payload
  const members = Object.entries(payload).map(([name, member]): [string, unknown] => [
    name,
    addUnknownMembers(member),
  ])
  return { ...Object.fromEntries(members), touchstone_extra: { nested: ['value', 1, null] } }
}

/** A push of slightly more than one megabyte, with long messages and many paths. */
export function largePush({ makeUnique }: ReceiverWorld): string {
  const payload = JSON.parse(makeUnique(exampleOf('push', 'commits')!.text)) as Json
  const [commit] = payload['commits'] as Json[]
  const many = Array.from({ length: 20 }, (_, index) => ({
    ...commit,
    message: `${index} ${'a long story '.repeat(2000)}`,
    added: Array.from({ length: 1000 }, (_, file) => `folder/of/many/files/${index}/${file}.txt`),
  }))
  return JSON.stringify({ ...payload, commits: many, total_commits_count: many.length })
}

import { describe, expect, test } from 'vitest'
import { examples } from '../../generated/events/examples.ts'
import { eventNames, eventOf, events, flags } from './events.ts'
import { exampleNames, payloadOf } from './payload.ts'

describe('a payload', () => {
  test.each(eventNames)('of %s is a new deep copy each time', (event) => {
    const first = payloadOf(event)
    expect(first['object_kind']).toBe(events[event].objectKind)
    expect(payloadOf(event)).toEqual(first)
    Object.assign((first['project'] as object) ?? first, { altered: true })
    expect(JSON.stringify(payloadOf(event))).not.toContain('altered')
  })

  test.each(examples.map(({ event, name }) => [event, name] as const))(
    'of %s, %s: with a seed, only ids, commit ids and timestamps change',
    (event, name) => {
      const sample = payloadOf(event, { name })
      const seeded = payloadOf(event, { name, seed: 5 })
      expect(shapeOf(seeded)).toEqual(shapeOf(sample))
      expect(seeded).not.toEqual(sample)
      expect(JSON.stringify(seeded).match(/"[0]{40}"/g)).toEqual(
        JSON.stringify(sample).match(/"[0]{40}"/g),
      )
    },
  )

  test('contains the id of the requested project in every field that refers to the project', () => {
    const payload = payloadOf('merge_request', { project: 42, seed: 1 }) as {
      project: { id: number; avatar_url: string }
      object_attributes: {
        source_project_id: number
        target: { id: number }
        labels: { project_id: number }[]
      }
    }
    const {
      project,
      object_attributes: { source_project_id, target, labels },
    } = payload
    expect([project.id, source_project_id, target.id, labels[0]?.project_id]).toEqual([
      42, 42, 42, 42,
    ])
    expect(project.avatar_url).toContain('/project/42/')
    expect(payloadOf('job', { project: 42 })['project_id']).toBe(42)
  })

  test('has the values of `set`, even if another option changes the same field', () => {
    expect(
      payloadOf('issue', {
        seed: 1,
        project: 42,
        set: ['object_attributes.action=close', 'project.id=7'],
      }),
    ).toMatchObject({ object_attributes: { action: 'close' }, project: { id: 7 } })
  })

  test('is not returned for an unknown name; the error lists the known names', () => {
    expect(exampleNames('wiki_page')).toEqual(
      expect.arrayContaining(['create', 'update', 'delete']),
    )
    expect(() => payloadOf('push', { name: 'pull' })).toThrow(
      /no example of push named pull. Known: .*commits/,
    )
  })
})

test('eventOf returns an event only for the names of event flags', () => {
  expect(flags.map(eventOf)).toEqual([
    'push',
    'tag_push',
    'issue',
    'issue',
    'merge_request',
    'wiki_page',
    'deployment',
    'job',
    'pipeline',
    'release',
  ])
  for (const word of ['push', 'Push_events', '', '__proto__', 'enable_ssl_verification'])
    expect(eventOf(word)).toBeUndefined()
})

/**
 * Puts placeholders in place of everything that a seed changes: positive integers, and the ids,
 * hashes and times in strings.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
  if (typeof value === 'string')
    return value
      .replace(/[0-9a-f]{40}/g, 'SHA')
      .replace(/^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d/, 'TIME$1')
      .replace(/\/\d+(?=\/|$)/g, '/ID')
      .replace(/^[0-9a-f]{8}$/, 'SHORT')
  return Number.isInteger(value) && (value as number) > 6
    ? 'a number'
    : typeof value === 'number' && value <= 6 && value > 0
      ? 'a number'
      : value
}

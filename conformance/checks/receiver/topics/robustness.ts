import { events, type EventName, type Field } from '../../../../generated/events/contract.ts'
import { exampleOf, examples } from '../../../../generated/events/examples.ts'
import { playing } from '../../../engine/index.ts'
import { acknowledged, type ReceiverWorld } from '../support/world.ts'

type Json = { [member: string]: unknown }

/** A golden payload in which everything that may be without a value is: null, or left out. */
function bare(event: EventName, payload: Json, absent: boolean): string {
  for (const { path, required, schema } of events[event].payload.fields.toReversed()) {
    if (required || path.endsWith('/*')) continue
    each(payload, path.split('/').slice(1), (holder, name) => {
      if (absent) delete holder[name]
      else if (mayBeNull(schema)) holder[name] = null
    })
  }
  return JSON.stringify(payload)
}

const mayBeNull = ({ type }: Field['schema']) =>
  type === undefined || [type].flat().includes('null')

/** The golden payload in which most is shown, of a happening of its own. */
function richest(event: EventName, { renew }: ReceiverWorld): Json {
  const texts = examples.filter((example) => example.event === event).map(({ text }) => text)
  return JSON.parse(
    renew(texts.reduce((one, other) => (other.length > one.length ? other : one))),
  ) as Json
}

/** Comes to every place of that path. */
function each(
  value: unknown,
  [step, ...rest]: readonly string[],
  visit: (holder: Json, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null || step === undefined) return
  if (step === '*') for (const item of value as unknown[]) each(item, rest, visit)
  else if (rest.length > 0) each((value as Json)[step], rest, visit)
  else if (step in value) visit(value as Json, step)
}

/** With members that no document lists, at the top and in everything below. */
function extended(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(extended)
  if (typeof payload !== 'object' || payload === null) return payload
  const members = Object.entries(payload).map(([name, member]): [string, unknown] => [
    name,
    extended(member),
  ])
  return { ...Object.fromEntries(members), touchstone_extra: { nested: ['value', 1, null] } }
}

/** A push of somewhat over a megabyte: long messages, many paths. */
function large({ renew }: ReceiverWorld): string {
  const payload = JSON.parse(renew(exampleOf('push', 'commits')!.text)) as Json
  const [commit] = payload['commits'] as Json[]
  const many = Array.from({ length: 20 }, (_, index) => ({
    ...commit,
    message: `${index} ${'a long story '.repeat(2000)}`,
    added: Array.from({ length: 1000 }, (_, place) => `folder/of/many/files/${index}/${place}.txt`),
  }))
  return JSON.stringify({ ...payload, commits: many, total_commits_count: many.length })
}

/** The rows of what a receiver need not understand. */
const withstood = [
  'EVT-RECEIVER-18',
  'EVT-RECEIVER-19',
  'EVT-RECEIVER-20',
  'EVT-RECEIVER-21',
  'EVT-RECEIVER-22',
  'EVT-RECEIVER-23',
  'EVT-RECEIVER-24',
] as const

export const robustness = [
  playing<ReceiverWorld>('EVT-RECEIVER-18', {
    title: 'withstands null and absence where they are allowed',
    async play(world) {
      const sent = (event: EventName, absent: boolean) =>
        world.delivery(event, { body: bare(event, richest(event, world), absent) })
      const cases = world.access.events.flatMap((event) => [
        [`${event}, null`, sent(event, false)] as const,
        [`${event}, absent`, sent(event, true)] as const,
      ])
      await world.withstand(Object.fromEntries(cases))
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-19', {
    title: 'withstands members that are not listed',
    async play(world) {
      const sent = (event: EventName) =>
        world.delivery(event, { body: JSON.stringify(extended(richest(event, world))) })
      await world.withstand(
        Object.fromEntries(world.access.events.map((event) => [event, sent(event)])),
      )
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-20', {
    title: 'withstands an event that is not listed',
    async play({ withstand, delivery, event }) {
      const body = JSON.stringify({
        object_kind: 'touchstone',
        project: exampleOf('push')!.payload['project'],
      })
      await withstand({ 'an unknown event': delivery(event, { header: 'Touchstone Hook', body }) })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-21', {
    title: 'withstands a delivery that comes twice',
    async play({ withstand, delivery, event }) {
      const twice = delivery(event)
      await withstand({ 'the second time': twice }, { before: twice })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-22', {
    title: 'withstands a push of a megabyte',
    needs: ['receiver.events.push'],
    async play(world) {
      await world.withstand({ 'a megabyte': world.delivery('push', { body: large(world) }) })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-23', {
    title: 'withstands a body that is no JSON',
    async play({ withstand, delivery, event }) {
      await withstand({
        'cut off': delivery(event, { body: '{"object_kind": "pu' }),
        'an array': delivery(event, { body: '[]' }),
        'a number': delivery(event, { body: '7' }),
        empty: delivery(event, { body: '' }),
      })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-24', {
    title: 'withstands GET',
    async play({ withstand, delivery, event }) {
      const { body: _, ...asked } = delivery(event)
      await withstand({ GET: { ...asked, method: 'GET' } })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-25', {
    title: 'still acknowledges in the end',
    async play({ takes, send, expect, delivery, event, discerning, turn, judged }) {
      await takes()
      // Whatever it may have broken on was sent then, also where this check is selected alone.
      await turn('last')
      await Promise.all(withstood.map(judged))
      expect(await send(delivery(event)), acknowledged)
      await discerning()
    },
  }),
]

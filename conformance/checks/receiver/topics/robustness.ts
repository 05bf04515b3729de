import { large, extended, richest, bare } from '../support/payloads.ts'
import { type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { actingCheck } from '../../../engine/index.ts'
import { acknowledged, type ReceiverWorld } from '../support/world.ts'
import type { ReceiverNeed } from '../target.ts'

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
  actingCheck<ReceiverWorld>('EVT-RECEIVER-18', {
    title: 'withstands null and absence where they are allowed',
    async run(world) {
      const sent = (event: EventName, absent: boolean) =>
        world.delivery(event, { body: bare(event, richest(event, world), absent) })
      const cases = world.access.events.flatMap((event) => [
        [`${event}, null`, sent(event, false)] as const,
        [`${event}, absent`, sent(event, true)] as const,
      ])
      await world.withstand(Object.fromEntries(cases))
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-19', {
    title: 'withstands members that are not listed',
    async run(world) {
      const sent = (event: EventName) =>
        world.delivery(event, { body: JSON.stringify(extended(richest(event, world))) })
      await world.withstand(
        Object.fromEntries(world.access.events.map((event) => [event, sent(event)])),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-20', {
    title: 'withstands an event that is not listed',
    async run({ withstand, delivery, event }) {
      const body = JSON.stringify({
        object_kind: 'touchstone',
        project: exampleOf('push')!.payload['project'],
      })
      await withstand({ 'an unknown event': delivery(event, { header: 'Touchstone Hook', body }) })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-21', {
    title: 'withstands a delivery that comes twice',
    async run({ withstand, delivery, event }) {
      const twice = delivery(event)
      await withstand({ 'the second time': twice }, { before: twice })
    },
  }),

  actingCheck<ReceiverWorld, ReceiverNeed>('EVT-RECEIVER-22', {
    title: 'withstands a push of a megabyte',
    needs: ['receiver.events.push'],
    async run(world) {
      await world.withstand({ 'a megabyte': world.delivery('push', { body: large(world) }) })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-23', {
    title: 'withstands a body that is no JSON',
    async run({ withstand, delivery, event }) {
      await withstand({
        'cut off': delivery(event, { body: '{"object_kind": "pu' }),
        'an array': delivery(event, { body: '[]' }),
        'a number': delivery(event, { body: '7' }),
        empty: delivery(event, { body: '' }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-24', {
    title: 'withstands GET',
    async run({ withstand, delivery, event }) {
      const { body: _, ...asked } = delivery(event)
      await withstand({ GET: { ...asked, method: 'GET' } })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-25', {
    title: 'still acknowledges in the end',
    async run({ takes, send, expect, delivery, event, discerning, waitForStage: turn, judged }) {
      await takes()
      // Whatever it may have broken on was sent then, also where this check is selected alone.
      await turn('final')
      await Promise.all(withstood.map(judged))
      expect(await send(delivery(event)), acknowledged)
      await discerning()
    },
  }),
]

import {
  largePush,
  addUnknownMembers,
  richestPayload,
  removeOptionalValues,
} from '../support/payloads.ts'
import { type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { actingCheck } from '../../../engine/index.ts'
import { acknowledged, type ReceiverWorld } from '../support/world.ts'
import type { ReceiverNeed } from '../target.ts'

/** The rows of what a receiver need not understand. */
const robustnessRequirements = [
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
        world.buildDelivery(event, {
          body: removeOptionalValues(event, richestPayload(event, world), absent),
        })
      const cases = world.target.events.flatMap((event) => [
        [`${event}, null`, sent(event, false)] as const,
        [`${event}, absent`, sent(event, true)] as const,
      ])
      await world.expectHandled(Object.fromEntries(cases))
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-19', {
    title: 'withstands members that are not listed',
    async run(world) {
      const sent = (event: EventName) =>
        world.buildDelivery(event, {
          body: JSON.stringify(addUnknownMembers(richestPayload(event, world))),
        })
      await world.expectHandled(
        Object.fromEntries(world.target.events.map((event) => [event, sent(event)])),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-20', {
    title: 'withstands an event that is not listed',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const body = JSON.stringify({
        object_kind: 'touchstone',
        project: exampleOf('push')!.payload['project'],
      })
      await expectHandled({
        'an unknown event': buildDelivery(defaultEvent, { header: 'Touchstone Hook', body }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-21', {
    title: 'withstands a delivery that comes twice',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const twice = buildDelivery(defaultEvent)
      await expectHandled({ 'the second time': twice }, { before: twice })
    },
  }),

  actingCheck<ReceiverWorld, ReceiverNeed>('EVT-RECEIVER-22', {
    title: 'withstands a push of a megabyte',
    needs: ['receiver.events.push'],
    async run(world) {
      await world.expectHandled({
        'a megabyte': world.buildDelivery('push', { body: largePush(world) }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-23', {
    title: 'withstands a body that is no JSON',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      await expectHandled({
        'cut off': buildDelivery(defaultEvent, { body: '{"object_kind": "pu' }),
        'an array': buildDelivery(defaultEvent, { body: '[]' }),
        'a number': buildDelivery(defaultEvent, { body: '7' }),
        empty: buildDelivery(defaultEvent, { body: '' }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-24', {
    title: 'withstands GET',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const { body: _, ...asked } = buildDelivery(defaultEvent)
      await expectHandled({ GET: { ...asked, method: 'GET' } })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-25', {
    title: 'still acknowledges in the end',
    async run({
      requireAcknowledging,
      send,
      expect,
      buildDelivery,
      defaultEvent,
      requireTokenCheck,
      waitForStage,
      awaitVerdict,
    }) {
      await requireAcknowledging()
      // Whatever it may have broken on was sent then, also where this check is selected alone.
      await waitForStage('final')
      await Promise.all(robustnessRequirements.map(awaitVerdict))
      expect(await send(buildDelivery(defaultEvent)), acknowledged)
      await requireTokenCheck()
    },
  }),
]

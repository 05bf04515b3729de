import {
  largePush,
  addUnknownMembers,
  richestPayload,
  withoutOptionalValues,
} from '../support/payloads.ts'
import { type EventName } from '../../../../generated/events/contract.ts'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { actingCheck, labelled, NotApplicable } from '../../../engine/index.ts'
import {
  acknowledged,
  foreignToken,
  handledOrNotImplemented,
  type ReceiverWorld,
} from '../support/world.ts'
import type { ReceiverNeed } from '../target.ts'

/** The requirements whose checks send unusual deliveries, which a receiver need not acknowledge. */
const robustnessRequirements = [
  'EVT-RECEIVER-18',
  'EVT-RECEIVER-19',
  'EVT-RECEIVER-20',
  'EVT-RECEIVER-21',
  'EVT-RECEIVER-22',
  'EVT-RECEIVER-23',
  'EVT-RECEIVER-24',
  'EVT-RECEIVER-30',
] as const

export const robustnessChecks = [
  actingCheck<ReceiverWorld>('EVT-RECEIVER-18', {
    title: 'returns no 5xx status for null or absent optional fields',
    async run(world) {
      const buildCase = (event: EventName, absent: boolean) =>
        world.buildDelivery(event, {
          body: withoutOptionalValues(event, world, absent),
        })
      const cases = world.target.events.flatMap((event) => [
        [`${event}, null`, buildCase(event, false)] as const,
        [`${event}, missing`, buildCase(event, true)] as const,
      ])
      await world.expectHandled(Object.fromEntries(cases))
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-19', {
    title: 'acknowledges events with fields that the document does not list',
    async run(world) {
      const buildCase = (event: EventName) =>
        world.buildDelivery(event, {
          body: JSON.stringify(addUnknownMembers(richestPayload(event, world))),
        })
      await world.expectHandled(
        Object.fromEntries(world.target.events.map((event) => [event, buildCase(event)])),
        { expectation: acknowledged },
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-20', {
    title: 'returns no 5xx status except 501 for an event that the document does not list',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const body = JSON.stringify({
        object_kind: 'touchstone',
        project: exampleOf('push')!.payload['project'],
      })
      await expectHandled(
        { 'an unknown event': buildDelivery(defaultEvent, { header: 'Touchstone Hook', body }) },
        { expectation: handledOrNotImplemented },
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-21', {
    title: 'acknowledges a repeated delivery',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const repeated = buildDelivery(defaultEvent)
      await expectHandled(
        { 'the second time': repeated },
        { before: repeated, expectation: acknowledged },
      )
      await expectHandled(
        { 'the third time': repeated },
        { before: buildDelivery(defaultEvent), expectation: acknowledged },
      )
    },
  }),

  actingCheck<ReceiverWorld, ReceiverNeed>('EVT-RECEIVER-22', {
    title: 'returns no 5xx status for a push event of one megabyte',
    needs: ['receiver.events.push'],
    async run(world) {
      await world.expectHandled({
        'one megabyte': world.buildDelivery('push', { body: largePush(world) }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-23', {
    title: 'returns no 5xx status for a body that is not a JSON object',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      await expectHandled({
        'a truncated object': buildDelivery(defaultEvent, { body: '{"object_kind": "pu' }),
        'an array': buildDelivery(defaultEvent, { body: '[]' }),
        'a number': buildDelivery(defaultEvent, { body: '7' }),
        'an empty body': buildDelivery(defaultEvent, { body: '' }),
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-24', {
    title: 'returns no 5xx status for a GET request',
    async run({ expectHandled, buildDelivery, defaultEvent }) {
      const { body: _, ...post } = buildDelivery(defaultEvent)
      await expectHandled({ GET: { ...post, method: 'GET' } })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-33', {
    title: 'names the allowed methods if it refuses GET with 405',
    async run(world) {
      await world.requireAcknowledging()
      // Other methods could have an effect: with DELETE, some services delete the receiver.
      const response = await world.sendGet()
      if (response.status !== 405)
        throw new NotApplicable('the receiver does not respond with status 405 to GET')
      world.expect(response, {
        name: 'has the header Allow',
        expected: 'the header Allow',
        test: (exchange) => exchange.header('allow') !== undefined,
        received: () => 'no header Allow',
      })
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-25', {
    title: 'still acknowledges deliveries after malformed, unknown and refused requests',
    async run({
      refusesTokens,
      sendFirstDeliveries,
      requireAcknowledging,
      send,
      sendDuring,
      expect,
      buildDelivery,
      withToken,
      defaultEvent,
      requireTokenCheck,
      waitForStage,
      awaitVerdict,
    }) {
      await requireAcknowledging()
      if (refusesTokens) {
        const { next } = await sendFirstDeliveries()
        expect(next, labelled('the next delivery after a wrong token', acknowledged))
        const genuine = buildDelivery(defaultEvent)
        const [interrupted] = await sendDuring([genuine], () =>
          send(withToken(buildDelivery(defaultEvent), foreignToken)),
        )
        expect(
          interrupted!,
          labelled('a delivery whose body arrives around a wrong token', acknowledged),
        )
      }
      await waitForStage('final')
      // Waits for the other checks of this file, which send the unusual deliveries. They run even
      // if only this check is selected.
      await Promise.all(robustnessRequirements.map(awaitVerdict))
      expect(await send(buildDelivery(defaultEvent)), acknowledged)
      await send(buildDelivery(defaultEvent, { body: '{"object_kind": "' }))
      expect(
        await send(buildDelivery(defaultEvent)),
        labelled('the next delivery after a body that is not JSON', acknowledged),
      )
      await requireTokenCheck()
    },
  }),
]

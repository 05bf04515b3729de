import { actingCheck, labelled } from '../../../engine/index.ts'
import { largePush } from '../support/payloads.ts'
import { similarTokens } from '../support/similar-tokens.ts'
import { foreignToken, refused, type ReceiverWorld } from '../support/world.ts'

/** How many deliveries with a wrong token, and how many others, are sent at the same time. */
const simultaneous = 8

export const tokensChecks = [
  actingCheck<ReceiverWorld>('EVT-RECEIVER-10', {
    title: 'does not acknowledge deliveries without a token',
    async run({
      requireRefusingTarget,
      requireAcknowledging,
      expectRefusal,
      buildDelivery,
      withToken,
      target,
    }) {
      requireRefusingTarget()
      await requireAcknowledging()
      await Promise.all(
        target.events.map((event) => {
          const delivery = buildDelivery(event)
          return expectRefusal(withToken(delivery, null), { contrast: delivery, label: event })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-11', {
    title: 'does not acknowledge deliveries with a wrong token',
    async run(world) {
      const { requireRefusingTarget, requireAcknowledging, sendFirstDeliveries, target } = world
      const { expect, expectRefusal, buildDelivery, withToken, defaultEvent } = world
      requireRefusingTarget()
      await requireAcknowledging()
      const { wrong } = await sendFirstDeliveries()
      expect(wrong, labelled('a foreign token in the first delivery', refused))
      const similar = Object.entries(similarTokens(target.secret!)).map(
        ([label, token], index) =>
          [label, token, buildDelivery(target.events[index % target.events.length]!)] as const,
      )
      const others = target.events.filter((event) => event !== defaultEvent)
      const foreign = others.map(
        (event) => [`a foreign token with ${event}`, foreignToken, buildDelivery(event)] as const,
      )
      await Promise.all(
        [...similar, ...foreign].map(([label, token, delivery]) =>
          expectRefusal(withToken(delivery, token), { contrast: delivery, label }),
        ),
      )
      const mixed = Array.from({ length: simultaneous }, () => buildDelivery(defaultEvent))
      const responses = await Promise.all(
        mixed.flatMap((delivery) => [
          world.send(withToken(delivery, foreignToken)),
          world.send(buildDelivery(defaultEvent)).then(() => undefined),
        ]),
      )
      // An acknowledgement of any of them is the evidence.
      const all = responses.filter((response) => response !== undefined)
      expect(
        all.find((response) => !refused.test(response)) ?? all[0]!,
        labelled('a foreign token among simultaneous deliveries', refused),
      )
      // For these deliveries, the suite does not send a contrast (the same delivery with the right
      // secret), because a conforming receiver can refuse it, too. Receivers may limit the size of
      // bodies, and require Content-Length or X-Hook-Event.
      const forms = {
        ...(target.events.includes('push')
          ? { 'with a large body': buildDelivery('push', { body: largePush(world) }) }
          : {}),
        'in chunks': buildDelivery(defaultEvent, { isChunked: true }),
        'without X-Hook-Event': buildDelivery(defaultEvent, { header: null }),
      }
      for (const [form, delivery] of Object.entries(forms))
        expect(
          await world.send(withToken(delivery, foreignToken)),
          labelled(`a foreign token ${form}`, refused),
        )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-12', {
    title: 'accepts header names in upper and lower case',
    async run({ expectSuccess, buildDelivery, defaultEvent, requireTokenCheck }) {
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toLowerCase() }),
        'names in lower case',
      )
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toUpperCase() }),
        'names in upper case',
      )
      await requireTokenCheck()
    },
  }),
]

import { actingCheck, labelled, NotApplicable } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { largePush, richestPayload } from '../support/payloads.ts'
import { similarTokens } from '../support/similar-tokens.ts'
import { acknowledged, foreignToken, refused, type ReceiverWorld } from '../support/world.ts'
import type { ReceiverNeed } from '../target.ts'

/** How many deliveries with a wrong token, and how many others, are sent at the same time. */
const simultaneous = 8

/** Wrong tokens, some of which a careless comparison could fail to compare. Null means none. */
const unlikeTokens = (secret: string): readonly (string | null)[] => [
  foreignToken,
  null,
  '',
  `${secret}-and-more`,
  'z'.repeat(secret.length),
  `${secret.slice(0, -1)}é`,
  'z'.repeat(2000),
]

/** Adds parameters to the query of a URL. */
function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  return changed.href
}

const isServerError = ({ status = 0 }: HttpExchange) => status >= 500

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

  actingCheck<ReceiverWorld>('EVT-RECEIVER-31', {
    title: 'accepts the secret in X-Hook-Token only',
    async run(world) {
      const { requireRefusingTarget, requireAcknowledging, send, expect, target } = world
      requireRefusingTarget()
      await requireAcknowledging()
      const secret = target.secret!
      const delivery = world.buildDelivery(world.defaultEvent)
      const body = { ...richestPayload(world.defaultEvent, world), token: secret, secret }
      const places = {
        'the query': { ...delivery, url: withQuery(delivery.url, { token: secret }) },
        Authorization: {
          ...delivery,
          headers: { ...delivery.headers, Authorization: `Bearer ${secret}` },
        },
        'the body': world.buildDelivery(world.defaultEvent, { body: JSON.stringify(body) }),
      }
      let isAnyAccepted = false
      for (const [place, withHeader] of Object.entries(places)) {
        // A receiver need not accept such a delivery even with the header.
        if (!acknowledged.test(await send(withHeader))) continue
        isAnyAccepted = true
        const refusal = await send(world.withToken(withHeader, null))
        expect(refusal, labelled(`the secret in ${place}, without the header`, refused))
      }
      if (!isAnyAccepted)
        throw new NotApplicable(
          'the receiver refuses the secret in other places, even if the header contains it too',
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

  actingCheck<ReceiverWorld>('EVT-RECEIVER-11', {
    title: 'does not acknowledge a wrong token while other deliveries arrive',
    async run(world) {
      const { requireRefusingTarget, requireAcknowledging, send, sendDuring, expect } = world
      requireRefusingTarget()
      await requireAcknowledging()
      const genuine = () => world.buildDelivery(world.defaultEvent)
      const wrong = () => world.withToken(genuine(), foreignToken)
      let during: HttpExchange | undefined
      await sendDuring(Array.from({ length: simultaneous }, genuine), async () => {
        during = await send(wrong())
      })
      expect(during!, labelled(`a foreign token while ${simultaneous} deliveries arrive`, refused))
      const [interrupted] = await sendDuring([wrong()], () => send(genuine()))
      expect(
        interrupted!,
        labelled('a foreign token whose body arrives around another delivery', refused),
      )
    },
  }),

  actingCheck<ReceiverWorld, ReceiverNeed>('EVT-RECEIVER-30', {
    title: 'returns no 5xx status to some wrong tokens only',
    needs: ['receiver.secret'],
    async run(world) {
      const { requireAcknowledging, requireTokenCheck, send, withToken, buildDelivery } = world
      await requireAcknowledging()
      // A broken receiver could end with the first of these tokens.
      await world.waitForStage('final')
      const responses: HttpExchange[] = []
      for (const token of unlikeTokens(world.target.secret!))
        responses.push(await send(withToken(buildDelivery(world.defaultEvent), token)))
      const handled = responses.find((response) => !isServerError(response))
      if (handled === undefined)
        throw new NotApplicable('the receiver returns a 5xx status to every wrong token')
      world.expect(responses.find(isServerError) ?? handled, {
        name: 'returns no 5xx status',
        expected: `a status below 500, like ${handled.status ?? 'none'} to another wrong token`,
        test: (response) => !isServerError(response),
      })
      await requireTokenCheck()
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

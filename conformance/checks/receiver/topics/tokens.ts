import { actingCheck } from '../../../engine/index.ts'
import { foreignToken, type ReceiverWorld } from '../support/world.ts'

/** Wrong tokens that resemble the secret, by description. */
function wrongTokens(secret: string): Record<string, string> {
  const differentLetter = (letter: string | undefined) => (letter === 'x' ? 'y' : 'x')
  const swapped = secret.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return {
    'a foreign token': foreignToken,
    'a prefix of it': secret.slice(0, -1),
    'a different last character': `${secret.slice(0, -1)}${differentLetter(secret.at(-1))}`,
    'a different first character': `${differentLetter(secret[0])}${secret.slice(1)}`,
    'a suffix': `${secret}${differentLetter(secret.at(-1))}`,
    'an empty token': '',
    ...(swapped === secret ? {} : { 'the other case': swapped }),
  }
}

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
    async run({
      requireRefusingTarget,
      requireAcknowledging,
      expectRefusal,
      buildDelivery,
      withToken,
      defaultEvent,
      target,
    }) {
      requireRefusingTarget()
      await requireAcknowledging()
      const others = target.events
        .filter((other) => other !== defaultEvent)
        .map((other) => [`a foreign token with ${other}`, other, foreignToken] as const)
      const tokens = Object.entries(wrongTokens(target.secret!)).map(
        ([label, token]) => [label, defaultEvent, token] as const,
      )
      await Promise.all(
        [...tokens, ...others].map(([label, name, token]) => {
          const delivery = buildDelivery(name)
          return expectRefusal(withToken(delivery, token), { contrast: delivery, label })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-12', {
    title: 'accepts header names in upper and lower case',
    async run({ expectSuccess, buildDelivery, defaultEvent, requireTokenCheck }) {
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toLowerCase() }),
        'lower case',
      )
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toUpperCase() }),
        'upper case',
      )
      await requireTokenCheck()
    },
  }),
]

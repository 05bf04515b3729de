import { actingCheck } from '../../../engine/index.ts'
import { foreignToken, type ReceiverWorld } from '../support/world.ts'

/** Tokens that are not the secret, however alike, by what they are. */
function wrongTokens(secret: string): Record<string, string> {
  const other = (letter: string | undefined) => (letter === 'x' ? 'y' : 'x')
  const swapped = secret.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return {
    'another one': foreignToken,
    'a beginning of it': secret.slice(0, -1),
    'one of its length': `${secret.slice(0, -1)}${other(secret.at(-1))}`,
    'one with another beginning': `${other(secret[0])}${secret.slice(1)}`,
    'a longer one': `${secret}${other(secret.at(-1))}`,
    'an empty one': '',
    ...(swapped === secret ? {} : { 'one in another case': swapped }),
  }
}

export const tokens = [
  actingCheck<ReceiverWorld>('EVT-RECEIVER-10', {
    title: 'acknowledges nothing without a token',
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
          const right = buildDelivery(event)
          return expectRefusal(withToken(right, null), { contrast: right, label: event })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-11', {
    title: 'acknowledges nothing with another token',
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
        .map((other) => [`another one with ${other}`, other, foreignToken] as const)
      const tokens = Object.entries(wrongTokens(target.secret!)).map(
        ([label, token]) => [label, defaultEvent, token] as const,
      )
      await Promise.all(
        [...tokens, ...others].map(([label, name, token]) => {
          const right = buildDelivery(name)
          return expectRefusal(withToken(right, token), { contrast: right, label })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-12', {
    title: 'knows headers in any case of letters',
    async run({ expectSuccess, buildDelivery, defaultEvent, requireTokenCheck }) {
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toLowerCase() }),
        'small letters',
      )
      await expectSuccess(
        buildDelivery(defaultEvent, { spelling: (name) => name.toUpperCase() }),
        'capitals',
      )
      await requireTokenCheck()
    },
  }),
]

import { actingCheck } from '../../../engine/index.ts'
import { foreign, type ReceiverWorld } from '../support/world.ts'

/** Tokens that are not the secret, however alike, by what they are. */
function alike(secret: string): Record<string, string> {
  const other = (letter: string | undefined) => (letter === 'x' ? 'y' : 'x')
  const swapped = secret.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return {
    'another one': foreign,
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
    async run({ refusing, takes, refuses, delivery, withToken, access }) {
      refusing()
      await takes()
      await Promise.all(
        access.events.map((event) => {
          const right = delivery(event)
          return refuses(withToken(right, null), { contrast: right, label: event })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-11', {
    title: 'acknowledges nothing with another token',
    async run({ refusing, takes, refuses, delivery, withToken, event, access }) {
      refusing()
      await takes()
      const others = access.events
        .filter((other) => other !== event)
        .map((other) => [`another one with ${other}`, other, foreign] as const)
      const tokens = Object.entries(alike(access.secret!)).map(
        ([label, token]) => [label, event, token] as const,
      )
      await Promise.all(
        [...tokens, ...others].map(([label, name, token]) => {
          const right = delivery(name)
          return refuses(withToken(right, token), { contrast: right, label })
        }),
      )
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-12', {
    title: 'knows headers in any case of letters',
    async run({ expectSuccess, delivery, event, discerning }) {
      await expectSuccess(
        delivery(event, { spelling: (name) => name.toLowerCase() }),
        'small letters',
      )
      await expectSuccess(delivery(event, { spelling: (name) => name.toUpperCase() }), 'capitals')
      await discerning()
    },
  }),
]

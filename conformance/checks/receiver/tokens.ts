import { playing } from '../../engine/index.ts'
import type { ReceiverWorld } from './world.ts'

/** Tokens that are not the secret, however alike, by what they are. */
function alike(secret: string): Record<string, string> {
  const other = (letter: string | undefined) => (letter === 'x' ? 'y' : 'x')
  const swapped = secret.replace(/[a-z]/i, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
  return {
    'another one': `not-${secret.length}-the-secret`,
    'a beginning of it': secret.slice(0, -1),
    'one of its length': `${secret.slice(0, -1)}${other(secret.at(-1))}`,
    'one with another beginning': `${other(secret[0])}${secret.slice(1)}`,
    'a longer one': `${secret}${other(secret.at(-1))}`,
    'an empty one': '',
    ...(swapped === secret ? {} : { 'one in another case': swapped }),
  }
}

export const tokens = [
  playing<ReceiverWorld>('EVT-RECEIVER-10', {
    title: 'acknowledges nothing without a token',
    async play({ refusing, refuses, delivery, event }) {
      refusing()
      await refuses(delivery(event, { token: null }), { contrast: delivery(event) })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-11', {
    title: 'acknowledges nothing with another token',
    async play({ refusing, refuses, delivery, event, access }) {
      refusing()
      for (const [label, token] of Object.entries(alike(access.secret!))) await refuses(delivery(event, { token }), { contrast: delivery(event), label })
    },
  }),

  playing<ReceiverWorld>('EVT-RECEIVER-12', {
    title: 'knows headers in any case of letters',
    async play({ succeeds, delivery, event, discerning }) {
      await succeeds(delivery(event, { spelling: (name) => name.toLowerCase() }), 'small letters')
      await succeeds(delivery(event, { spelling: (name) => name.toUpperCase() }), 'capitals')
      await discerning()
    },
  }),
]

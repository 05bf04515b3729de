import { NotApplicable, labelled } from '../../../../engine/index.ts'
import type { Ask, Changes } from '../../support/ask.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { told } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  goodGrant,
  isError,
  noCode,
  noToken,
  publicClient,
  strays,
} from '../../support/oauth/walks.ts'

const noChallenge: Changes = { code_challenge: undefined, code_challenge_method: undefined }

/** The same request with nothing of a method: what there is no challenge for says nothing. */
function withoutMethod(ask: Ask): Ask {
  const url = new URL(ask.request.url)
  url.searchParams.delete('code_challenge_method')
  return { ...ask, request: { ...ask.request, url: url.href } }
}

/** Requests of a known client for a known address, and what is wrong with them: the client is told where its user is sent back. */
const mistaken = {
  'without PKCE': { changes: noChallenge, codes: ['invalid_request'] },
  'for a token': {
    changes: { response_type: 'token' },
    codes: ['unsupported_response_type', 'unauthorized_client', 'invalid_request'],
  },
  'for nothing': {
    changes: { response_type: undefined },
    codes: ['invalid_request', 'unsupported_response_type'],
  },
} as const satisfies Record<string, { changes: Changes; codes: readonly string[] }>

/** The mistakes of which a client was told, with what came back. */
async function toldOf(world: AuthWorld) {
  const client = await publicClient(world)
  await goodGrant(world, client)
  const gone = await Promise.all(
    Object.entries(mistaken).map(async ([label, { changes, codes }]) => ({
      label,
      codes,
      walk: await world.walk(await world.ask(changes, client)),
    })),
  )
  const heard = gone.filter(({ walk }) => told(walk)['error'] !== undefined)
  if (heard.length === 0) throw new NotApplicable('errors are told to users, not to clients')
  return heard
}

/** Requests that are wrong in themselves. */
export const errors = [
  check('AUTH-AUTHORIZE-09', {
    title: 'gives a public client no code without PKCE',
    patterns,
    async play(world) {
      const client = await publicClient(world)
      const good = await goodGrant(world, client)
      const asks = {
        'no challenge, and S256': {
          ask: await world.ask({ code_challenge: undefined }, client),
          good,
        },
        'no challenge and no method': {
          ask: withoutMethod(await world.ask(noChallenge, client)),
          good: { ...good, ask: withoutMethod(good.ask) },
        },
        'an empty challenge': { ask: await world.ask({ code_challenge: '' }, client), good },
      }
      for (const [label, one] of Object.entries(asks)) {
        const walk = await strays(world, one.ask, one.good)
        world.expectOf(walk, labelled(label, noCode), labelled(label, isError))
      }
    },
  }),

  check('AUTH-AUTHORIZE-10', {
    title: 'gives nothing to whoever asks for a token, or for nothing',
    patterns,
    async play(world) {
      const client = await publicClient(world)
      const good = await goodGrant(world, client)
      for (const [label, response_type] of [
        ['a token', 'token'],
        ['nothing', undefined],
      ] as const) {
        const walk = await strays(world, await world.ask({ response_type }, client), good)
        world.expectOf(
          walk,
          labelled(label, noToken),
          labelled(label, noCode),
          labelled(label, isError),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-11', {
    title: 'sends the state back with errors',
    patterns,
    async play(world) {
      for (const { label, walk } of await toldOf(world)) {
        world.expectOf(
          walk,
          labelled(label, {
            name: 'brings the state',
            expected: 'the state as it was sent',
            test: (one) => told(one)['state'] === one.ask.state,
          }),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-12', {
    title: 'calls errors by their names',
    patterns,
    async play(world) {
      for (const { label, codes, walk } of await toldOf(world)) {
        world.expectOf(
          walk,
          labelled(label, {
            name: `is called ${codes.join(' or ')}`,
            expected: codes.join(' or '),
            test: (one) => (codes as readonly string[]).includes(told(one)['error'] ?? ''),
          }),
        )
      }
    },
  }),
]

import { Blocked, type Expectation, labelled } from '../../../../engine/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import type { AuthWorld } from '../../support/world.ts'
import { foreignTo, wentTo } from '../../support/oauth/foreign.ts'
import { type Client, webRedirectUri } from '../../support/client.ts'
import { goodGrant, needsBrowser, noCode, staysHere, strays } from '../../support/oauth/walks.ts'
import type { Walk } from '../../support/walk.ts'
import type { HttpExchange } from '../../../../wire/index.ts'

const nobodySuch = '0b5cb2f6-9b6e-4c0f-8f43-touchstone00'
const notSentTo = (which: string, foreign: string): Expectation<Walk> => ({
  name: 'sends nobody there',
  expected: `nobody is sent from ${which}: ${foreign}`,
  test: (walk) => !wentTo(walk, foreign),
})
const is4xx: Expectation<HttpExchange> = {
  name: 'has a status of the 400s',
  expected: 'a status of the 400s',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}

/** Clients whose addresses are compared in different ways: on loopback the port is free, elsewhere nothing is. */
async function clients(
  world: AuthWorld,
): Promise<readonly (readonly [label: string, client: Client])[]> {
  const known = await world.client()
  if (world.auth.registration === false) return [['the client', known]]
  return [
    ['an app', known],
    ['a web page', await webClient(world)],
  ]
}

const webClient = (world: AuthWorld): Promise<Client> =>
  world.client('web', { redirect_uris: [webRedirectUri], application_type: 'web' })

/** Those for whom nobody is sent back: whoever asks in another's name, or for another place. */
export const strangers = [
  check('AUTH-AUTHORIZE-04', {
    title: 'sends nobody back for a client that it does not know',
    patterns,
    async play(world) {
      const client = await world.client()
      const good = await goodGrant(world, client)
      for (const [label, client_id] of [
        ['an invented client', nobodySuch],
        ['no client', undefined],
      ] as const) {
        const walk = await strays(world, await world.ask({ client_id }, client), good)
        world.expectOf(walk, labelled(label, noCode), labelled(label, staysHere))
      }
    },
  }),

  check('AUTH-AUTHORIZE-05', {
    title: 'sends nobody to an address that is not registered',
    patterns,
    async play(world) {
      needsBrowser(world)
      for (const [whose, client] of await clients(world)) {
        const good = await goodGrant(world, client)
        for (const [what, foreign] of Object.entries(foreignTo(client.redirectUri))) {
          const walk = await strays(world, await world.ask({ redirect_uri: foreign }, client), good)
          world.expectOf(walk, notSentTo(`${whose} to ${what}`, foreign), noCode)
        }
      }
    },
  }),

  check('AUTH-AUTHORIZE-06', {
    title: 'tells the user of such errors with a status of the 400s',
    patterns,
    async play(world) {
      needsBrowser(world)
      const client = await world.client()
      await goodGrant(world, client)
      const asked = {
        'an unknown client': { changes: { client_id: nobodySuch }, root: 'AUTH-AUTHORIZE-04' },
        'a foreign address': {
          changes: { redirect_uri: `${client.redirectUri}/more` },
          root: 'AUTH-AUTHORIZE-05',
        },
      } as const
      for (const [label, { changes, root }] of Object.entries(asked)) {
        const { back, exchanges, summary } = await world.walk(await world.ask(changes, client))
        const last = exchanges.at(-1)
        if (back !== undefined || last === undefined) throw new Blocked(root, summary)
        world.expect(last, labelled(label, is4xx))
      }
    },
  }),

  check('AUTH-AUTHORIZE-07', {
    title: 'sends nobody back where it is not told to which of several addresses',
    patterns,
    async play(world) {
      needsBrowser(world)
      const client = await world.client('with two addresses', {
        redirect_uris: [webRedirectUri, `${webRedirectUri}/2`],
        application_type: 'web',
      })
      const walk = await strays(
        world,
        await world.ask({ redirect_uri: undefined }, client),
        await goodGrant(world, client),
      )
      world.expectOf(walk, noCode, staysHere)
    },
  }),
]

import { Blocked, type Expectation, labelled } from '../../../../engine/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import type { AuthWorld } from '../../support/world.ts'
import { foreignRedirectUris, wasRedirectedTo } from '../../support/oauth/foreign-redirect-uris.ts'
import type { Client } from '../../support/client.ts'
import { clientWithTwoUris, shownClient, webClient } from '../../support/oauth/known-clients.ts'
import {
  successfulGrant,
  requireBrowser,
  hasNoCode,
  isNotRedirected,
  runDeviatingFlow,
} from '../../support/oauth/flows.ts'
import type { AuthorizationFlow } from '../../support/authorization-flow.ts'
import type { HttpExchange } from '../../../../wire/index.ts'

const unknownClientId = '0b5cb2f6-9b6e-4c0f-8f43-touchstone00'
const notRedirectedTo = (which: string, foreign: string): Expectation<AuthorizationFlow> => ({
  name: 'does not redirect to the unregistered URI',
  expected: `no redirect ${which}: ${foreign}`,
  test: (flow) => !wasRedirectedTo(flow, foreign),
})
const is4xx: Expectation<HttpExchange> = {
  name: 'has a 4xx status',
  expected: 'a 4xx status',
  test: ({ status = 0 }) => status >= 400 && status < 500,
}

/**
 * Returns a native client and, if clients may register themselves, a web client. Servers compare
 * their redirect URIs in different ways, because a native client may use any port on loopback.
 */
async function clientsToTry(
  world: AuthWorld,
): Promise<readonly (readonly [label: string, client: Client])[]> {
  const known = await world.getClient()
  if (world.auth.registration === false) return [['the client', known]]
  return [
    ['a native client', known],
    ['a web client', await webClient(world)],
  ]
}

/** Checks of requests from unknown clients, or with a redirect URI that is not registered. */
export const authorizationForeignClientsChecks = [
  check('AUTH-AUTHORIZE-04', {
    title: 'does not redirect for an unknown client',
    patterns,
    async run(world) {
      const client = await world.getClient()
      const control = await successfulGrant(world, client)
      for (const [label, client_id] of [
        ['an invented client', unknownClientId],
        ['no client', undefined],
        ...(world.auth.upstream?.clientId === undefined
          ? []
          : ([
              ["the server's own client id at the identity provider", world.auth.upstream.clientId],
            ] as const)),
      ] as const) {
        const flow = await runDeviatingFlow(
          world,
          await world.newAuthorizationRequest({ client_id }, client),
          control,
        )
        world.expectValue(flow, labelled(label, hasNoCode), labelled(label, isNotRedirected))
      }
    },
  }),

  check('AUTH-AUTHORIZE-05', {
    title: 'does not redirect to an unregistered URI',
    patterns,
    async run(world) {
      requireBrowser(world)
      for (const [whose, client] of await clientsToTry(world)) {
        const control = await successfulGrant(world, client)
        for (const [what, foreign] of Object.entries(foreignRedirectUris(client.redirectUri))) {
          const flow = await runDeviatingFlow(
            world,
            await world.newAuthorizationRequest({ redirect_uri: foreign }, client),
            control,
          )
          world.expectValue(flow, notRedirectedTo(`of ${whose} to ${what}`, foreign), hasNoCode)
        }
      }
    },
  }),

  check('AUTH-AUTHORIZE-05', {
    title: 'does not redirect a client to a URI of another client',
    patterns,
    async run(world) {
      requireBrowser(world)
      const { redirectUri: foreign } = await shownClient(world)
      for (const [whose, client] of [
        ['a client with one redirect URI', await webClient(world)],
        ['a client with two redirect URIs', await clientWithTwoUris(world)],
      ] as const) {
        const flow = await runDeviatingFlow(
          world,
          await world.newAuthorizationRequest({ redirect_uri: foreign }, client),
          await successfulGrant(world, client),
        )
        world.expectValue(
          flow,
          labelled(whose, notRedirectedTo('to the URI of another client', foreign)),
          labelled(whose, hasNoCode),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-06', {
    title: 'reports an unknown client or redirect URI with a 4xx status',
    patterns,
    async run(world) {
      requireBrowser(world)
      const client = await world.getClient()
      await successfulGrant(world, client)
      const cases = {
        'an unknown client': { changes: { client_id: unknownClientId }, root: 'AUTH-AUTHORIZE-04' },
        'a foreign redirect URI': {
          changes: { redirect_uri: `${client.redirectUri}/more` },
          root: 'AUTH-AUTHORIZE-05',
        },
      } as const
      for (const [label, { changes, root }] of Object.entries(cases)) {
        const { destination, exchanges, summary } = await world.runFlow(
          await world.newAuthorizationRequest(changes, client),
        )
        const last = exchanges.at(-1)
        if (destination !== undefined || last === undefined) throw new Blocked(root, summary)
        world.expect(last, labelled(label, is4xx))
      }
    },
  }),

  check('AUTH-AUTHORIZE-07', {
    title: 'does not redirect if several URIs are registered and the request names none',
    patterns,
    async run(world) {
      requireBrowser(world)
      const client = await clientWithTwoUris(world)
      const flow = await runDeviatingFlow(
        world,
        await world.newAuthorizationRequest({ redirect_uri: undefined }, client),
        await successfulGrant(world, client),
      )
      world.expectValue(flow, hasNoCode, isNotRedirected)
    },
  }),
]

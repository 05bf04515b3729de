import { Blocked, type Expectation } from '../../../../engine/index.ts'
import type { IdentityAuthorization, IdentityTokenRequest } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { isServed } from '../../support/places.ts'
import { arrivals, departure, returnsToClient, trips, wentThere } from '../../support/oauth/trip.ts'

const patterns = ['oauth-proxy'] as const

const valueOf = ({ query }: IdentityAuthorization, name: string): string | undefined =>
  query.find(([one]) => one === name)?.[1]

/** The scopes that were asked for: some identity providers part them with commas. */
const scopesOf = (asked: IdentityAuthorization): readonly string[] =>
  [
    ...new Set((valueOf(asked, 'scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '')),
  ].sort()

/** What the identity provider is asked, and as whom. */
export const proxy = [
  check('AUTH-PROXY-01', {
    title: 'asks the identity provider under its own client id',
    patterns,
    async play(world) {
      const { clientId } = world.auth.upstream!
      const own = <T extends { clientId: string | undefined }>(name: string): Expectation<T> => ({
        name,
        expected: `the client id ${clientId}`,
        test: (asked) => asked.clientId === clientId,
        received: (asked) => `the client id ${asked.clientId ?? 'of nobody'}`,
      })
      for (const { asked } of await trips(world))
        world.expectOf(
          asked,
          own<IdentityAuthorization>('users are sent there by its own client id'),
        )
      for (const { trip } of await arrivals(world))
        for (const exchange of trip.asked.tokenRequests)
          world.expectOf(
            exchange,
            own<IdentityTokenRequest>('tokens are asked for by its own client id'),
          )
    },
  }),

  check('AUTH-PROXY-02', {
    title: 'shows the identity provider its own client secret with each code',
    patterns,
    async play(world) {
      const { clientSecret } = world.auth.upstream!
      const own: Expectation<IdentityTokenRequest> = {
        name: 'shows its own secret',
        expected: 'the client secret of the target file',
        test: (exchange) => exchange.clientSecret === clientSecret,
        received: (exchange) =>
          exchange.clientSecret === undefined ? 'no client secret' : 'another client secret',
      }
      for (const { trip } of await arrivals(world)) {
        // Of several attempts with one code the one that was given a token counts.
        const { tokenRequests } = trip.asked
        const exchange = tokenRequests.find(({ token }) => token !== undefined) ?? tokenRequests[0]
        if (exchange !== undefined) world.expectOf(exchange, own)
        else
          await world.requireMet('AUTH-PROXY-18', 'the code of the identity provider was not used')
      }
    },
  }),

  check('AUTH-PROXY-03', {
    title: 'asks the identity provider for exactly the scopes that are configured',
    patterns,
    async play(world) {
      const wanted = [...new Set(world.auth.upstream!.scopes ?? [])].sort()
      const exactly: Expectation<IdentityAuthorization> = {
        name: 'asks for exactly those scopes',
        expected: wanted.join(' ') || 'no scope',
        test: (asked) => scopesOf(asked).join(' ') === wanted.join(' '),
        received: (asked) => scopesOf(asked).join(' ') || 'no scope',
      }
      for (const { asked } of await trips(world)) world.expectOf(asked, exactly)
    },
  }),

  check('AUTH-PROXY-08', {
    title: 'has streamable HTTP at /mcp, and server-sent events at /sse',
    patterns,
    async play({ access: { http, sse }, guarded, expectOf, served }) {
      const at = (name: string, end: string): Expectation<string> => ({
        name,
        expected: `a path that ends with ${end}`,
        test: (url) => new URL(url).pathname.replace(/\/$/, '').endsWith(end),
        received: (url) => new URL(url).pathname,
      })
      // An address says nothing unless somebody is there.
      const reached = (await guarded())
        .filter(
          ({ place: { inSession, method }, answer }) =>
            !inSession && method !== 'DELETE' && isServed(answer),
        )
        .map(({ place: { transport } }) => transport)
      if (reached.length === 0) throw new Blocked(served, 'no transport serves')
      if (reached.includes('http')) expectOf(http!, at('streamable HTTP is at /mcp', '/mcp'))
      if (reached.includes('sse')) expectOf(sse!, at('server-sent events are at /sse', '/sse'))
    },
  }),

  check('AUTH-PROXY-14', {
    title: 'has its users sent back to itself, and not to its client',
    patterns,
    async play(world) {
      const { asked, ask } = wentThere(await departure(world))
      world.expectOf(asked, {
        name: 'users return to the server',
        expected: 'an address of the server as redirect_uri',
        test: (one) => !returnsToClient(one, ask),
        received: ({ redirectUri = 'no redirect_uri' }) => redirectUri,
      })
    },
  }),

  check('AUTH-PROXY-15', {
    title: 'asks the identity provider with PKCE',
    patterns,
    async play(world) {
      const challenges: Expectation<IdentityAuthorization> = {
        name: 'sends a challenge',
        expected: 'code_challenge',
        test: (asked) => valueOf(asked, 'code_challenge') !== undefined,
        received: ({ query }) => query.map(([name]) => name).join(', '),
      }
      for (const { asked } of await trips(world)) world.expectOf(asked, challenges)
    },
  }),
]

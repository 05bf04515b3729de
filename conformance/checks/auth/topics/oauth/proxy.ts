import { Blocked, type Expectation } from '../../../../engine/index.ts'
import type { IdentityAuthorization, IdentityTokenRequest } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import {
  upstreamTokens,
  startUpstreamFlow,
  returnsToClient,
  upstreamLogins,
  requireUpstreamRequest,
} from '../../support/oauth/upstream-login.ts'

const patterns = ['oauth-proxy'] as const

const valueOf = ({ query }: IdentityAuthorization, name: string): string | undefined =>
  query.find(([one]) => one === name)?.[1]

/** The requested scopes. Some identity providers separate them with commas. */
const scopesOf = (request: IdentityAuthorization): readonly string[] =>
  [
    ...new Set((valueOf(request, 'scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '')),
  ].sort()

/** Checks of the requests to the identity provider. */
export const proxyChecks = [
  check('AUTH-PROXY-01', {
    title: 'uses its own client id at the identity provider',
    patterns,
    async run(world) {
      const { clientId } = world.auth.upstream!
      const usesOwn = <T extends { clientId: string | undefined }>(
        name: string,
      ): Expectation<T> => ({
        name,
        expected: `the client id ${clientId}`,
        test: (request) => request.clientId === clientId,
        received: (request) => `the client id ${request.clientId ?? 'is missing'}`,
      })
      for (const { upstreamRequest } of await upstreamLogins(world))
        world.expectValue(
          upstreamRequest,
          usesOwn<IdentityAuthorization>('redirects users with its own client id'),
        )
      for (const { login } of await upstreamTokens(world))
        for (const exchange of login.upstreamRequest.tokenRequests)
          world.expectValue(
            exchange,
            usesOwn<IdentityTokenRequest>('requests tokens with its own client id'),
          )
    },
  }),

  check('AUTH-PROXY-02', {
    title: 'sends its own client secret with each code to the identity provider',
    patterns,
    async run(world) {
      const { clientSecret } = world.auth.upstream!
      const usesOwn: Expectation<IdentityTokenRequest> = {
        name: 'sends its own client secret',
        expected: 'the client secret of the target file',
        test: (exchange) => exchange.clientSecret === clientSecret,
        received: (exchange) =>
          exchange.clientSecret === undefined ? 'no client secret' : 'another client secret',
      }
      for (const { login } of await upstreamTokens(world)) {
        // If the server sent a code several times, judges the request that received a token.
        const { tokenRequests } = login.upstreamRequest
        const exchange = tokenRequests.find(({ token }) => token !== undefined) ?? tokenRequests[0]
        if (exchange !== undefined) world.expectValue(exchange, usesOwn)
        else await world.requireMet('AUTH-PROXY-18', 'the upstream code was not exchanged')
      }
    },
  }),

  check('AUTH-PROXY-22', {
    title: 'sends its credentials to the identity provider in one way',
    patterns,
    async run(world) {
      for (const { login } of await upstreamTokens(world))
        for (const request of login.upstreamRequest.tokenRequests)
          world.expectValue(request, {
            name: 'authenticates in one way',
            expected: 'a client secret in the Authorization header or in the body, but not in both',
            test: ({ credentialsIn }) => credentialsIn !== 'both',
            received: () =>
              'credentials in the Authorization header and a client secret in the body',
          })
    },
  }),

  check('AUTH-PROXY-03', {
    title: 'requests exactly the configured scopes from the identity provider',
    patterns,
    async run(world) {
      const wanted = [...new Set(world.auth.upstream!.scopes ?? [])].sort()
      const exactly: Expectation<IdentityAuthorization> = {
        name: 'requests exactly those scopes',
        expected: `scope ${wanted.join(' ') || 'missing or empty'}`,
        test: (request) => scopesOf(request).join(' ') === wanted.join(' '),
        received: (request) => `scope ${scopesOf(request).join(' ') || 'missing or empty'}`,
      }
      for (const { upstreamRequest } of await upstreamLogins(world))
        world.expectValue(upstreamRequest, exactly)
    },
  }),

  check('AUTH-PROXY-08', {
    title: 'serves streamable HTTP at /mcp and HTTP+SSE at /sse',
    patterns,
    async run({ target: { http, sse }, probeEndpoints, expectValue, servedRequirement }) {
      const at = (name: string, end: string): Expectation<string> => ({
        name,
        expected: `a URL whose path ends with ${end}`,
        test: (url) => new URL(url).pathname.replace(/\/$/, '').endsWith(end),
        received: (url) => `the path ${new URL(url).pathname}`,
      })
      // The URLs prove nothing if the server does not respond at them.
      const reached = (await probeEndpoints())
        .filter(
          ({ endpoint: { inSession, method }, exchange }) =>
            !inSession && method !== 'DELETE' && isServed(exchange),
        )
        .map(({ endpoint: { transport } }) => transport)
      if (reached.length === 0) throw new Blocked(servedRequirement, 'no transport works')
      if (reached.includes('http')) expectValue(http!, at('streamable HTTP is at /mcp', '/mcp'))
      if (reached.includes('sse')) expectValue(sse!, at('HTTP+SSE is at /sse', '/sse'))
    },
  }),

  check('AUTH-PROXY-14', {
    title: 'sends its own redirect URI to the identity provider, not that of its client',
    patterns,
    async run(world) {
      const { upstreamRequest, authorization } = requireUpstreamRequest(
        await startUpstreamFlow(world),
      )
      world.expectValue(upstreamRequest, {
        name: 'users are redirected to the server',
        expected: 'a URL of the server as redirect_uri',
        test: (one) => !returnsToClient(one, authorization),
        received: ({ redirectUri = 'no redirect_uri' }) => redirectUri,
      })
    },
  }),

  check('AUTH-PROXY-15', {
    title: 'uses PKCE at the identity provider',
    patterns,
    async run(world) {
      const sendsChallenge: Expectation<IdentityAuthorization> = {
        name: 'sends a challenge',
        expected: 'the parameter code_challenge',
        test: (request) => valueOf(request, 'code_challenge') !== undefined,
        received: ({ query }) => `only the parameters ${query.map(([name]) => name).join(', ')}`,
      }
      const usesS256: Expectation<IdentityAuthorization> = {
        name: 'sends a challenge with the method S256',
        expected: 'code_challenge_method S256',
        test: (request) => valueOf(request, 'code_challenge_method') === 'S256',
        received: (request) => valueOf(request, 'code_challenge_method') ?? 'no method',
      }
      for (const { upstreamRequest } of await upstreamLogins(world))
        world.expectValue(upstreamRequest, sendsChallenge, usesS256)
    },
  }),
]

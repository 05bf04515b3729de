import { requireWorkingToken, useUntilRefused } from '../../support/oauth/token-use.ts'
import { randomBytes } from 'node:crypto'
import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  labelled,
} from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../../support/client.ts'
import { check } from '../../support/define.ts'
import { buildTokenEndpointRequest } from '../../support/grant.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { hasStatus, members, served } from '../../support/expectations.ts'
import { scopesIn, scopesToWiden } from '../../support/oauth/scopes.ts'
import type { AuthWorld } from '../../support/world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import {
  confidentialClient,
  newUnknownToken,
  twoClients,
} from '../../support/oauth/clients-and-codes.ts'

const patterns = ['oauth-provider'] as const

/**
 * Returns a client with a secret, because a server may refuse introspection to public clients. If
 * clients cannot register themselves, returns the client in the target file.
 */
const ownConfidentialClient = (world: AuthWorld): Promise<Client> =>
  world.auth.registration === false ? world.leaseClient() : confidentialClient(world)

/**
 * How to authenticate at the introspection endpoint: as the resource server in the target file, or
 * else as a client. RFC 7662 §2.1 requires credentials, but does not say whose.
 */
async function introspectorOf(world: AuthWorld, client: Client): Promise<Client> {
  const { introspection } = world.auth
  if (introspection === undefined) return client
  const { metadata } = await world.findEndpoints()
  const methods = metadata && members(metadata)['introspection_endpoint_auth_methods_supported']
  const isBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  return {
    ...client,
    id: introspection.clientId,
    secret: introspection.clientSecret,
    method: isBasic ? 'client_secret_basic' : 'client_secret_post',
  }
}

/** A client that does not authenticate. If it has no secret anyway, the id of no client. */
const withoutSecret = (client: Client): Client =>
  client.method === 'none'
    ? { ...client, id: newUnknownToken() }
    : { ...client, method: 'none', secret: undefined }

const introspectionNotCovered = (summary: string) =>
  new NotCovered<ToolsNeed>(`the server does not let this client use introspection: ${summary}`, [
    'tools.auth.introspection.clientId',
  ])

const isActive = (active: boolean): Expectation<HttpExchange> => ({
  name: `returns active ${active}`,
  expected: `status 200 and active: ${active}`,
  test: (exchange) => exchange.status === 200 && members(exchange)['active'] === active,
})

const noLongerWorks: Expectation<readonly HttpExchange[]> = {
  name: 'no longer works',
  expected: 'a refusal on every transport',
  test: (exchanges) => !exchanges.some(isServed),
  received: (exchanges) => exchanges.map(({ summary }) => summary).join(' | '),
}

const scopesNotCovered = (reason: string) => new NotCovered<ToolsNeed>(reason, ['tools.auth.scope'])

/** Checks of introspection and revocation. */
export const statusChecks = [
  check('AUTH-PROVIDER-03', {
    title: 'supports token introspection',
    patterns,
    async run({ findEndpoints, expect }) {
      const { metadata, introspect } = await findEndpoints()
      // The contract defines no path for introspection, so only the metadata can contain its URL.
      if (metadata === undefined)
        throw new NotCovered(
          'there is no metadata, which would contain the URL of the introspection endpoint',
        )
      expect(metadata, {
        name: 'names an introspection endpoint',
        expected: 'introspection_endpoint in the metadata',
        test: () => introspect !== undefined,
      })
    },
  }),

  check('AUTH-PROVIDER-04', {
    title: 'reports a valid token as active, and a token that it never issued as inactive',
    patterns,
    async run(world) {
      const { introspect } = await world.findEndpoints()
      if (introspect === undefined) throw new NotApplicable('there is no introspection endpoint')
      const client = await ownConfidentialClient(world)
      const introspector = await introspectorOf(world, client)
      const { access } = await world.obtainTokens({}, client)
      const newIntrospection = (token: string): HttpRequest =>
        buildTokenEndpointRequest('introspect', introspect, introspector, { token })
      const [valid, invented] = await Promise.all([
        world.send(newIntrospection(access)),
        world.send(
          newIntrospection(world.knownValues.add(randomBytes(32).toString('base64url'), 'token')),
        ),
      ])
      if (valid.status === 401 || valid.status === 403) throw introspectionNotCovered(valid.summary)
      world.expect(valid, labelled('a valid token', isActive(true)))
      world.expect(invented, labelled('an invented token', isActive(false)))
      // If the hint is wrong, the server must also search its other kinds of tokens (RFC 7662
      // §2.1).
      const hinted = buildTokenEndpointRequest('introspect', introspect, introspector, {
        token: access,
        token_type_hint: 'refresh_token',
      })
      world.expect(
        await world.send(hinted),
        labelled('a valid token with a wrong hint', isActive(true)),
      )
    },
  }),

  check('AUTH-PROVIDER-04', {
    title: 'reports a revoked token as inactive',
    patterns,
    async run(world) {
      const { introspect, revoke } = await world.findEndpoints()
      if (introspect === undefined || revoke === undefined)
        throw new NotApplicable('the server does not support both introspection and revocation')
      const client = await ownConfidentialClient(world)
      const introspector = await introspectorOf(world, client)
      const { access: token } = await world.obtainTokens({}, client)
      const request = buildTokenEndpointRequest('introspect', introspect, introspector, { token })
      const before = await world.send(request)
      if (before.status === 401 || before.status === 403)
        throw introspectionNotCovered(before.summary)
      if (members(before)['active'] !== true)
        await world.requireMet('AUTH-PROVIDER-04', before.summary)
      const revoked = await world.send(
        buildTokenEndpointRequest('revoke', revoke, client, { token }),
      )
      if (revoked.status !== 200) throw new NotApplicable('access tokens cannot be revoked')
      world.expect(await world.send(request), labelled('a revoked token', isActive(false)))
    },
  }),

  check('AUTH-PROVIDER-05', {
    title: 'refuses a revoked token',
    patterns,
    async run(world) {
      const { revoke } = await world.findEndpoints()
      if (revoke === undefined) throw new NotApplicable('there is no revocation endpoint')
      const client = await ownConfidentialClient(world)
      const revokeToken = (token: string, hint?: string) =>
        world.send(
          buildTokenEndpointRequest('revoke', revoke, client, { token, token_type_hint: hint }),
        )
      const isUnsupported = (exchange: HttpExchange) =>
        members(exchange)['error'] === 'unsupported_token_type'
      const isRevoked: Expectation<HttpExchange> = {
        name: 'is revoked',
        expected: 'status 200',
        test: ({ status: got }) => got === 200,
      }

      // Obtains each grant after the previous revocation, which may end other grants of the client.
      const one = await world.obtainTokens({}, client)
      const before = await world.useToken(one.access)
      const revoked = await revokeToken(one.access)
      // A server need not support the revocation of access tokens; it then returns an error (RFC
      // 7009 §2).
      if (!isUnsupported(revoked)) {
        for (const use of before)
          if (!isServed(use)) await world.requireMet(world.servedRequirement, use.summary)
        world.expect(revoked, labelled('an access token', isRevoked))
        world.expectValue(
          await useUntilRefused(world, one.access),
          labelled('an access token', noLongerWorks),
        )
        // If the hint is wrong, the server must also search its other kinds of tokens (RFC 7009
        // §2.1).
        const hinted = await world.obtainTokens({}, client)
        await requireWorkingToken(world, hinted.access)
        world.expect(
          await revokeToken(hinted.access, 'refresh_token'),
          labelled('an access token with a wrong hint', isRevoked),
        )
        world.expectValue(
          await useUntilRefused(world, hinted.access),
          labelled('an access token with a wrong hint', noLongerWorks),
        )
      }
      const other = await world.obtainTokens({}, client)
      if (other.refresh === undefined) {
        if (isUnsupported(revoked))
          throw new NotApplicable(
            'access tokens cannot be revoked, and the server issues no refresh tokens',
          )
        return
      }
      world.expect(await revokeToken(other.refresh), labelled('a refresh token', isRevoked))
      world.expectValue(
        [await world.send(await world.newRefreshRequest(other))],
        labelled('a refresh token', noLongerWorks),
      )
    },
  }),

  check('AUTH-PROVIDER-08', {
    title: 'returns 200 for the revocation of an unknown token',
    patterns,
    async run(world) {
      const { revoke } = await world.findEndpoints()
      if (revoke === undefined) throw new NotApplicable('there is no revocation endpoint')
      const client = await ownConfidentialClient(world)
      const unknown = world.knownValues.add(randomBytes(32).toString('base64url'), 'token')
      for (const token_type_hint of [undefined, 'refresh_token'])
        world.expect(
          await world.send(
            buildTokenEndpointRequest('revoke', revoke, client, {
              token: unknown,
              token_type_hint,
            }),
          ),
          labelled(
            token_type_hint === undefined ? 'a request without a hint' : 'a request with a hint',
            hasStatus(200),
          ),
        )
      const { access: token } = await world.obtainTokens({}, client)
      const request = buildTokenEndpointRequest('revoke', revoke, client, { token })
      // A server need not support the revocation of access tokens.
      if ((await world.send(request)).status === 200)
        world.expect(
          await world.send(request),
          labelled('a token that was revoked before', hasStatus(200)),
        )
    },
  }),

  check('AUTH-PROVIDER-09', {
    title: 'keeps tokens that other clients, or callers without the secret, try to revoke',
    patterns,
    async run(world) {
      const { revoke } = await world.findEndpoints()
      if (revoke === undefined) throw new NotApplicable('there is no revocation endpoint')
      const [client, other] = await twoClients(world, ownConfidentialClient)
      const tokens = await world.obtainTokens({}, client)
      await requireWorkingToken(world, tokens.access)
      const { access, refresh } = tokens
      for (const token of [access, ...(refresh === undefined ? [] : [refresh])])
        for (const caller of [other, withoutSecret(client)])
          await world.send(buildTokenEndpointRequest('revoke', revoke, caller, { token }))
      const used = await world.useToken(access)
      if (refresh !== undefined)
        world.expect(
          await world.send(await world.newRefreshRequest(tokens)),
          labelled('the refresh token', served),
        )
      for (const response of used) world.expect(response, labelled('the access token', served))
    },
  }),

  check('AUTH-PROVIDER-10', {
    title: 'describes no token to callers without valid credentials',
    patterns,
    async run(world) {
      const { introspect } = await world.findEndpoints()
      if (introspect === undefined) throw new NotApplicable('there is no introspection endpoint')
      const owner = await ownConfidentialClient(world)
      const client = await introspectorOf(world, owner)
      const { access } = await world.obtainTokens({}, owner)
      const { headers: _, ...request } = buildTokenEndpointRequest(
        'introspect',
        introspect,
        client,
        {
          token: access,
          client_id: undefined,
          client_secret: undefined,
        },
      )
      const wrong = buildTokenEndpointRequest('introspect', introspect, client, {
        token: access,
        client_secret: newUnknownToken(),
      })
      const describesNothing: Expectation<HttpExchange> = {
        name: 'describes no token',
        expected: 'a refusal, or active: false',
        test: (exchange) => members(exchange)['active'] !== true,
      }
      world.expect(await world.send(request), labelled('no credentials', describesNothing))
      if (client.method === 'client_secret_post')
        world.expect(await world.send(wrong), labelled('a wrong secret', describesNothing))
    },
  }),

  check('AUTH-PROVIDER-12', {
    title: 'reports only the scopes that the token response granted',
    patterns,
    async run(world) {
      const { introspect } = await world.findEndpoints()
      if (introspect === undefined) throw new NotApplicable('there is no introspection endpoint')
      const { narrow: scope, wider } = await scopesToWiden(world)
      if (scope === undefined || wider.length === 0)
        throw scopesNotCovered('fewer than two scopes are known')
      const client = await ownConfidentialClient(world)
      const tokens = await world.obtainTokens({ scope }, client).catch((error: unknown) => {
        // Possibly, the client is not allowed to request the scope in the metadata.
        if (!(error instanceof Blocked) || world.auth.scope !== undefined) throw error
        throw scopesNotCovered(error.message)
      })
      const response = await world.send(
        buildTokenEndpointRequest('introspect', introspect, await introspectorOf(world, client), {
          token: tokens.access,
        }),
      )
      const { active, scope: shown } = members(response)
      if (active !== true) {
        await world.requireMet('AUTH-PROVIDER-04', response.summary)
        throw introspectionNotCovered(response.summary)
      }
      if (typeof shown !== 'string') throw new NotApplicable('introspection returns no scope')
      const granted = scopesIn(tokens.scope ?? scope)
      world.expect(response, {
        name: 'has no further scope',
        expected: `no scope other than ${granted.join(' ')}`,
        test: () => scopesIn(shown).every((one) => granted.includes(one)),
        received: () => `scope ${shown}`,
      })
    },
  }),

  check('AUTH-PROVIDER-11', {
    title: 'reports an expired token as inactive',
    patterns,
    async run(world) {
      const { introspect } = await world.findEndpoints()
      if (introspect === undefined) throw new NotApplicable('there is no introspection endpoint')
      const client = await ownConfidentialClient(world)
      await world.runInFinalStage(async () => {
        const { access, seconds } = await world.obtainTokens({}, client)
        if (seconds === undefined)
          throw new NotApplicable('the lifetime of access tokens is unknown')
        const introspector = await introspectorOf(world, client)
        const request = buildTokenEndpointRequest('introspect', introspect, introspector, {
          token: access,
        })
        const valid = await world.send(request)
        if (members(valid)['active'] !== true) {
          await world.requireMet('AUTH-PROVIDER-04', valid.summary)
          throw introspectionNotCovered(valid.summary)
        }
        // Adds ten minutes, because servers allow for clock skew.
        const expired = await world.withClockAhead(seconds + 600, () => world.send(request))
        world.expect(expired, isActive(false))
      })
    },
  }),
]

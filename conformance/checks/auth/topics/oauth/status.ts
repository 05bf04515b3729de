import { useUntilRefused } from '../../support/oauth/token-use.ts'
import { randomBytes } from 'node:crypto'
import { type Expectation, NotApplicable, NotCovered, labelled } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../../support/client.ts'
import { check } from '../../support/define.ts'
import { buildTokenEndpointRequest, type Tokens } from '../../support/grant.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { members } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import { confidentialClient } from '../../support/oauth/clients-and-codes.ts'

const patterns = ['oauth-provider'] as const

/**
 * A client with a secret, because a server may not let public clients ask about tokens. Each name
 * is used for one grant, because a server may revoke a client's earlier grants.
 */
const ownConfidentialClient = (world: AuthWorld, name: string): Promise<Client> =>
  world.auth.registration === false ? world.getClient() : confidentialClient(world, name)

const isActive = (active: boolean): Expectation<HttpExchange> => ({
  name: `returns active: ${active}`,
  expected: `status 200 and active: ${active}`,
  test: (exchange) => exchange.status === 200 && members(exchange)['active'] === active,
})

const noLongerWorks: Expectation<readonly HttpExchange[]> = {
  name: 'no longer works',
  expected: 'a refusal on every transport',
  test: (exchanges) => !exchanges.some(isServed),
  received: (exchanges) => exchanges.map(({ summary }) => summary).join(' | '),
}

/** Introspection and revocation. */
export const statusChecks = [
  check('AUTH-PROVIDER-03', {
    title: 'supports token introspection',
    patterns,
    async run({ findEndpoints, expect }) {
      const { metadata, introspect } = await findEndpoints()
      // The document names no path for it, so only metadata can name one.
      if (metadata === undefined)
        throw new NotCovered('there is no metadata to name an introspection endpoint')
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
      const client = await ownConfidentialClient(world, 'provider 04')
      const { access } = await world.obtainTokens({}, client)
      const newIntrospection = (token: string): HttpRequest =>
        buildTokenEndpointRequest('introspect', introspect, client, { token })
      const [valid, invented] = await Promise.all([
        world.send(newIntrospection(access)),
        world.send(
          newIntrospection(world.knownValues.add(randomBytes(32).toString('base64url'), 'token')),
        ),
      ])
      // RFC 7662 §2.1 does not say which clients may ask.
      if (valid.status === 401 || valid.status === 403)
        throw new NotCovered(`the server does not let clients use introspection: ${valid.summary}`)
      world.expect(valid, labelled('a valid token', isActive(true)))
      world.expect(invented, labelled('an invented token', isActive(false)))
    },
  }),

  check('AUTH-PROVIDER-05', {
    title: 'refuses a revoked token',
    patterns,
    async run(world) {
      const { revoke } = await world.findEndpoints()
      if (revoke === undefined) throw new NotApplicable('there is no revocation endpoint')
      const [one, other] = await Promise.all(
        ['provider 05', 'provider 05, to refresh'].map(async (name) =>
          world.obtainTokens({}, await ownConfidentialClient(world, name)),
        ),
      )
      if (one === undefined || other === undefined) return
      const revokeToken = (token: string, { grant: { client } }: Tokens) =>
        world.send(buildTokenEndpointRequest('revoke', revoke, client, { token }))
      const isUnsupported = (exchange: HttpExchange) =>
        members(exchange)['error'] === 'unsupported_token_type'
      const isRevoked: Expectation<HttpExchange> = {
        name: 'is revoked',
        expected: 'status 200',
        test: ({ status: got }) => got === 200,
      }

      const before = await world.useToken(one.access)
      const revoked = await revokeToken(one.access, one)
      // RFC 7009 §2: a server may not support the revocation of access tokens, and says so.
      if (!isUnsupported(revoked)) {
        for (const served of before)
          if (!isServed(served)) await world.requireMet(world.servedRequirement, served.summary)
        world.expect(revoked, labelled('an access token', isRevoked))
        world.expectValue(
          await useUntilRefused(world, one.access),
          labelled('an access token', noLongerWorks),
        )
      }
      if (other.refresh === undefined) {
        if (isUnsupported(revoked))
          throw new NotApplicable(
            'access tokens cannot be revoked, and the server issues no refresh tokens',
          )
        return
      }
      world.expect(await revokeToken(other.refresh, other), labelled('a refresh token', isRevoked))
      world.expectValue(
        [await world.send(await world.newRefreshRequest(other))],
        labelled('a refresh token', noLongerWorks),
      )
    },
  }),
]

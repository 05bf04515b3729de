import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  labelled,
} from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import type { Client } from '../../support/client.ts'
import { check, oauth } from '../../support/define.ts'
import type { Tokens } from '../../support/grant.ts'
import { members } from '../../support/expectations.ts'
import { newUnknownToken } from '../../support/oauth/clients-and-codes.ts'
import { withoutTrailingSlash } from '../../support/oauth/metadata.ts'
import { requireTwoScopes, scopesIn, scopesNotCovered } from '../../support/oauth/scopes.ts'
import { Introspection, isActive, Revocation } from '../../support/oauth/token-status.ts'
import { isInSeconds } from '../../support/oauth/times.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import type { AuthWorld } from '../../support/world.ts'

/** Obtains tokens with a scope, which may be known only from the metadata. */
const obtainScoped = (world: AuthWorld, client: Client, scope: string): Promise<Tokens> =>
  world.obtainTokens({ scope }, client).catch((error: unknown) => {
    // Possibly, the client is not allowed to request the scope in the metadata.
    if (!(error instanceof Blocked) || world.auth.scope !== undefined) throw error
    throw scopesNotCovered(error.message)
  })

const describesNothing: Expectation<HttpExchange> = {
  name: 'describes no token',
  expected: 'a refusal, or active: false',
  test: (exchange) => members(exchange)['active'] !== true,
}

const hasNoDetails: Expectation<HttpExchange> = {
  name: 'has no further field',
  expected: 'active: false, and no other field',
  test: (exchange) => Object.keys(members(exchange)).every((name) => name === 'active'),
  received: (exchange) => `the fields ${Object.keys(members(exchange)).join(', ')}`,
}

const hasOnlyScopes = (granted: readonly string[]): Expectation<HttpExchange> => ({
  name: 'has no further scope',
  expected: `no scope other than ${granted.join(' ')}`,
  test: (exchange) => scopesIn(members(exchange)['scope']).every((one) => granted.includes(one)),
  received: (exchange) => `scope ${String(members(exchange)['scope'])}`,
})

const isText = (value: unknown) => typeof value === 'string'

/** The types of the fields of a description (RFC 7662 §2.2). */
const types: readonly (readonly [
  expected: string,
  names: readonly string[],
  test: (value: unknown) => boolean,
])[] = [
  ['a string', ['scope', 'client_id', 'username', 'token_type', 'sub', 'iss', 'jti'], isText],
  [
    'a string or an array of strings',
    ['aud'],
    (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  ],
  [
    'an integer, in seconds since 1970',
    ['exp', 'iat', 'nbf'],
    (value) => Number.isInteger(value) && isInSeconds(Number(value)),
  ],
]

/** Expects a value of a field that may be absent. Null counts as absence. */
const hasField = (
  quality: 'valid' | 'the right',
  name: string,
  expected: string,
  test: (value: unknown) => boolean,
): Expectation<HttpExchange> => ({
  name: `has ${quality} ${name}`,
  expected: `${name}: ${expected}, or no ${name}`,
  test: (exchange) => {
    const value = members(exchange)[name]
    return value === undefined || value === null || test(value)
  },
  received: (exchange) => `${name}: ${JSON.stringify(members(exchange)[name])}`,
})

const typesOfFields = types.flatMap(([expected, names, test]) =>
  names.map((name) => hasField('valid', name, expected, test)),
)

/** In seconds, the difference between two clocks that is allowed. */
const tolerance = 600

/** Expects what is known about a token of the client. `now` is in seconds since 1970. */
const factsOfFields = (
  clientId: string,
  issuer: string | undefined,
  now: number,
): readonly Expectation<HttpExchange>[] => [
  hasField('the right', 'client_id', clientId, (value) => value === clientId),
  hasField('the right', 'exp', 'a future time', (value) => Number(value) > now - tolerance),
  hasField('the right', 'iat', 'a past time', (value) => Number(value) < now + tolerance),
  ...(issuer === undefined
    ? []
    : [
        hasField(
          'the right',
          'iss',
          issuer,
          (value) => withoutTrailingSlash(value) === withoutTrailingSlash(issuer),
        ),
      ]),
]

/** Checks of introspection. */
export const introspectionChecks = [
  check('AUTH-PROVIDER-03', {
    title: 'supports token introspection',
    patterns: ['oauth-provider'],
    async run({ findEndpoints, expect }) {
      const { metadata, introspect } = await findEndpoints()
      // The contract defines no path for introspection, so only the metadata can contain its URL.
      if (metadata === undefined)
        throw new NotCovered(
          'the server has no metadata, which would contain the URL of the introspection endpoint',
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
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { access } = await world.obtainTokens({}, client)
      const [valid, invented] = await Promise.all([
        introspection.sendAllowed(access),
        introspection.send(world.knownValues.add(newUnknownToken(), 'token')),
      ])
      world.expect(valid, labelled('a valid token', isActive(true)))
      world.expect(invented, labelled('an invented token', isActive(false)))
      // If the hint is wrong, the server must also search its other kinds of tokens (RFC 7662
      // §2.1).
      world.expect(
        await introspection.send(access, 'refresh_token'),
        labelled('a valid token with a wrong hint', isActive(true)),
      )
    },
  }),

  check('AUTH-PROVIDER-04', {
    title: 'reports a revoked token as inactive',
    patterns: oauth,
    async run(world) {
      const revocation = await Revocation.of(world)
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { access } = await world.obtainTokens({}, client)
      await introspection.requireActive(access)
      const isRevoked = (await revocation.send(client, access)).status === 200
      if (isRevoked)
        world.expect(await introspection.send(access), labelled('a revoked token', isActive(false)))
      const { refresh } = await world.obtainTokens({}, client)
      // A server may describe only access tokens.
      if (
        refresh !== undefined &&
        members(await introspection.send(refresh))['active'] === true &&
        (await revocation.send(client, refresh)).status === 200
      )
        world.expect(
          await introspection.send(refresh),
          labelled('a revoked refresh token', isActive(false)),
        )
      else if (!isRevoked) throw new NotApplicable('access tokens cannot be revoked')
    },
  }),

  check('AUTH-PROVIDER-04', {
    title: 'reports a replaced refresh token as inactive if it refuses it',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const first = await world.obtainTokens({}, client)
      if (first.refresh === undefined)
        throw new NotApplicable('the server issues no refresh tokens')
      if (members(await introspection.sendAllowed(first.refresh))['active'] !== true)
        throw new NotApplicable('the server describes only access tokens')
      const second = world.readTokens(
        await world.sendOrBlock(await world.newRefreshRequest(first)),
        first.grant,
      )
      if (second.refresh === undefined || second.refresh === first.refresh)
        throw new NotApplicable('a refresh does not replace the refresh token')
      // Once the new token is used, the server knows that the client has received it.
      await world.sendOrBlock(await world.newRefreshRequest(second))
      const described = await introspection.send(first.refresh)
      // A server may accept a replaced token again for a while, and then rightly calls it active.
      const used = await world.send(await world.newRefreshRequest(first))
      if (isServed(used))
        throw new NotApplicable('the server still accepts replaced refresh tokens')
      world.expect(described, labelled('a replaced refresh token', isActive(false)))
    },
  }),

  check('AUTH-PROVIDER-10', {
    title: 'describes no token to callers without valid credentials',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { access } = await world.obtainTokens({}, introspection.client)
      world.expect(
        await introspection.sendWithoutCredentials(access),
        labelled('no credentials', describesNothing),
      )
      const wrong = await introspection.sendWithWrongSecret(access)
      if (wrong !== undefined) world.expect(wrong, labelled('a wrong secret', describesNothing))
    },
  }),

  check('AUTH-PROVIDER-12', {
    title: 'reports only the scopes that the token response granted',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { narrow: scope } = await requireTwoScopes(world)
      const tokens = await obtainScoped(world, client, scope)
      const response = await introspection.requireActive(tokens.access)
      if (typeof members(response)['scope'] !== 'string')
        throw new NotApplicable('introspection returns no scope')
      world.expect(
        response,
        labelled('a token issued for a code', hasOnlyScopes(scopesIn(tokens.scope ?? scope))),
      )
    },
  }),

  check('AUTH-PROVIDER-12', {
    title: 'reports only the scopes of a token from a refresh with fewer scopes',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { narrow, wider } = await requireTwoScopes(world)
      const all = [narrow, ...wider].join(' ')
      const first = await obtainScoped(world, client, all)
      if (first.refresh === undefined)
        throw new NotApplicable('the server issues no refresh tokens')
      const granted = scopesIn(first.scope ?? all)
      if (granted.length < 2) throw new NotApplicable('the server grants only one scope')
      const refreshed = await world.send(
        await world.newRefreshRequest(first, { scope: granted[0] }),
      )
      // A server may ignore the requested scope, if the response then contains the granted one.
      if (!isServed(refreshed)) await world.requireMet('AUTH-REFRESH-07', refreshed.summary)
      const tokens = world.readTokens(refreshed, first.grant)
      world.expect(
        await introspection.requireActive(tokens.access),
        labelled(
          'a token issued for a refresh token with fewer scopes',
          hasOnlyScopes(scopesIn(tokens.scope ?? granted[0])),
        ),
      )
    },
  }),

  check('AUTH-PROVIDER-11', {
    title: 'reports an expired token as inactive',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      await world.runInFinalStage(async () => {
        const { access, seconds } = await world.obtainTokens({}, client)
        if (seconds === undefined)
          throw new NotApplicable('the lifetime of access tokens is unknown')
        await introspection.requireActive(access)
        // Adds ten minutes, because servers allow for clock skew.
        world.expect(
          await world.withClockAhead(seconds + 600, () => introspection.send(access)),
          isActive(false),
        )
      })
    },
  }),

  check('AUTH-PROVIDER-15', {
    title: 'returns no details of a token that is inactive',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const revocation = await Revocation.of(world)
      const { access } = await world.obtainTokens({}, client)
      await introspection.requireActive(access)
      await revocation.send(client, access)
      const response = await introspection.send(access)
      if (members(response)['active'] !== false) {
        await world.requireMet('AUTH-PROVIDER-04', response.summary)
        throw new NotApplicable('access tokens cannot be revoked')
      }
      world.expect(response, hasNoDetails)
    },
  }),

  check('AUTH-PROVIDER-16', {
    title: 'returns the fields of a valid token with the right types',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { access } = await world.obtainTokens({}, client)
      world.expect(await introspection.requireActive(access), ...typesOfFields)
    },
  }),

  check('AUTH-PROVIDER-18', {
    title: 'returns the client, the issuer and the times of a valid token',
    patterns: oauth,
    async run(world) {
      const introspection = await Introspection.of(world)
      const { client } = introspection
      const { issuer } = await world.findEndpoints()
      const { access } = await world.obtainTokens({}, client)
      const now = world.clock.realTime() / 1000
      world.expect(
        await introspection.requireActive(access),
        ...factsOfFields(client.id, issuer, now),
      )
    },
  }),
]

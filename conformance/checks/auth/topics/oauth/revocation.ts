import { type Expectation, NotApplicable, labelled } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { hasStatus, served } from '../../support/expectations.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { newUnknownToken, twoClients } from '../../support/oauth/clients-and-codes.ts'
import {
  isUnsupportedType,
  noTransportServes,
  ownConfidentialClient,
  Revocation,
  withoutSecret,
} from '../../support/oauth/token-status.ts'
import { openSessionWith } from '../../support/own-session.ts'
import {
  noLongerWorks,
  requireWorkingToken,
  useUntilRefused,
} from '../../support/oauth/token-use.ts'

const isRevoked: Expectation<HttpExchange> = {
  name: 'is revoked',
  expected: 'status 200',
  test: ({ status }) => status === 200,
}

const noRefreshTokens = () => new NotApplicable('the server issues no refresh tokens')

/** Checks of revocation. */
export const revocationChecks = [
  check('AUTH-PROVIDER-05', {
    title: 'refuses a revoked token',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const client = await ownConfidentialClient(world)

      // If the hint is wrong, the server must also search its other kinds of tokens (RFC 7009
      // §2.1). Obtains each grant after the previous revocation, which may end other grants of the
      // client.
      let isSupported = true
      for (const [label, hint] of [
        ['an access token', undefined],
        ['an access token with a wrong hint', 'refresh_token'],
      ] as const) {
        const { access } = await world.obtainTokens({}, client)
        await requireWorkingToken(world, access)
        const session = hint === undefined ? await openSessionWith(world, access) : undefined
        const revoked = await revocation.send(client, access, hint)
        if (hint === undefined && isUnsupportedType(revoked)) {
          isSupported = false
          break
        }
        world.expect(revoked, labelled(label, isRevoked))
        world.expectValue(await useUntilRefused(world, access), labelled(label, noTransportServes))
        if (session !== undefined)
          world.expect(
            await world.send(session.request(`Bearer ${access}`)),
            labelled('an access token in the session that it opened', noLongerWorks),
          )
      }
      const other = await world.obtainTokens({}, client)
      if (other.refresh === undefined) {
        if (!isSupported)
          throw new NotApplicable(
            'access tokens cannot be revoked, and the server issues no refresh tokens',
          )
        return
      }
      world.expect(
        await revocation.send(client, other.refresh),
        labelled('a refresh token', isRevoked),
      )
      world.expectValue(
        [await world.send(await world.newRefreshRequest(other))],
        labelled('a refresh token', noTransportServes),
      )
    },
  }),

  check('AUTH-PROVIDER-08', {
    title: 'returns 200 for the revocation of an unknown token',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const client = await ownConfidentialClient(world)
      const unknown = world.knownValues.add(newUnknownToken(), 'token')
      const hints = {
        'a request without a hint': undefined,
        'a request with a hint': 'refresh_token',
        'a request with an unknown hint': 'touchstone_token',
      }
      for (const [label, hint] of Object.entries(hints))
        world.expect(await revocation.send(client, unknown, hint), labelled(label, hasStatus(200)))
      const { access } = await world.obtainTokens({}, client)
      // A server need not support the revocation of access tokens.
      if ((await revocation.send(client, access)).status === 200)
        world.expect(
          await revocation.send(client, access),
          labelled('a token that was revoked before', hasStatus(200)),
        )
    },
  }),

  check('AUTH-PROVIDER-09', {
    title: 'keeps tokens that other clients, or callers without the secret, try to revoke',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const [client, other] = await twoClients(world, ownConfidentialClient)
      const tokens = await world.obtainTokens({}, client)
      await requireWorkingToken(world, tokens.access)
      const { access, refresh } = tokens
      for (const token of [access, ...(refresh === undefined ? [] : [refresh])])
        for (const caller of [other, withoutSecret(client)]) await revocation.send(caller, token)
      const used = await world.useToken(access)
      if (refresh !== undefined)
        world.expect(
          await world.send(await world.newRefreshRequest(tokens)),
          labelled('the refresh token', served),
        )
      for (const response of used) world.expect(response, labelled('the access token', served))
    },
  }),

  check('AUTH-PROVIDER-17', {
    title: 'keeps the tokens of other clients if a client revokes its own',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const [client, other] = await twoClients(world, ownConfidentialClient)
      // Other checks may run flows with the second client, which can end its earlier tokens.
      await world.runInFinalStage(async () => {
        const { access, refresh } = await world.obtainTokens({}, client)
        const kept = await world.obtainTokens({}, other)
        await requireWorkingToken(world, kept.access)
        if (!(await world.useToken(access)).every(isServed))
          throw new NotApplicable('a user has tokens of only one client at a time')
        for (const token of [access, ...(refresh === undefined ? [] : [refresh])])
          await revocation.send(client, token)
        for (const response of await world.useToken(kept.access))
          world.expect(response, labelled('the access token of another client', served))
        if (kept.refresh !== undefined)
          world.expect(
            await world.send(await world.newRefreshRequest(kept)),
            labelled('the refresh token of another client', served),
          )
      })
    },
  }),

  check('AUTH-PROVIDER-13', {
    title: 'revokes the access tokens of a revoked refresh token',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const client = await ownConfidentialClient(world)
      const single = await world.obtainTokens({}, client)
      if (isUnsupportedType(await revocation.send(client, single.access)))
        throw new NotApplicable('access tokens cannot be revoked')

      const first = await world.obtainTokens({}, client)
      if (first.refresh === undefined) throw noRefreshTokens()
      const second = world.readTokens(
        await world.sendOrBlock(await world.newRefreshRequest(first)),
        first.grant,
      )
      await requireWorkingToken(world, second.access)
      const revoked = await revocation.send(client, second.refresh ?? first.refresh)
      if (revoked.status !== 200) await world.requireMet('AUTH-PROVIDER-05', revoked.summary)
      const tokens = {
        'an access token issued for the code': first.access,
        'an access token issued for a refresh token': second.access,
      }
      for (const [label, token] of Object.entries(tokens))
        world.expectValue(await useUntilRefused(world, token), labelled(label, noTransportServes))
    },
  }),

  check('AUTH-PROVIDER-14', {
    title: 'reports an error if the token is missing, or belongs to another client',
    patterns,
    async run(world) {
      const revocation = await Revocation.of(world)
      const [client, other] = await twoClients(world, ownConfidentialClient)
      const { access, refresh } = await world.obtainTokens({}, client)
      world.expect(
        await revocation.send(other, refresh ?? access),
        labelled('a token of another client', hasStatus(400)),
      )
      world.expect(await revocation.send(client, undefined), labelled('no token', hasStatus(400)))
    },
  }),
]

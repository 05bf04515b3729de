import { randomBytes } from 'node:crypto'
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
import { isServed } from '../../support/protected-endpoints.ts'
import { hasMember } from '../../support/contract.ts'
import { hasStatus, members, refusedWith, served } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  changeOneCharacter,
  confidentialClient,
  invalidGrant,
  newUnknownToken,
  ownClient,
  twoClients,
} from '../../support/oauth/clients-and-codes.ts'
import { requireTwoScopes, scopesIn, scopesToWiden } from '../../support/oauth/scopes.ts'
import { openSessionWith } from '../../support/own-session.ts'
import { requireWorkingToken, noLongerWorks } from '../../support/oauth/token-use.ts'

/**
 * Ends the check as not applicable if the server issues refresh tokens, but only to clients with a
 * secret. It decides to whom it issues them (RFC 6749 §1.5).
 */
async function requireForPublicClients(world: AuthWorld, client: Client): Promise<void> {
  if (client.method !== 'none' || world.auth.registration === false) return
  const isIssued = await world.shared('refresh token of a client with a secret', async (common) => {
    try {
      const tokens = await common.obtainTokens({}, await common.leaseClient('client_secret_post'))
      return tokens.refresh !== undefined
    } catch (error) {
      // Then no client with a secret shows that the server issues refresh tokens.
      if ([Blocked, NotApplicable, NotCovered].some((kind) => error instanceof kind)) return false
      throw error
    }
  })
  if (isIssued)
    throw new NotApplicable('the server issues refresh tokens only to clients with a secret')
}

/** Refreshes the tokens of a client twice, and uses the new access token. */
async function expectRefreshes(world: AuthWorld, client: Client): Promise<void> {
  const { pattern, obtainTokens, newRefreshRequest, send, expect, expectValue } = world
  const first = await obtainTokens({}, client)
  if (first.refresh === undefined) {
    await requireForPublicClients(world, client)
    if (pattern === 'oauth-proxy') throw new NotApplicable('the server issues no refresh tokens')
  }
  expectValue(first, {
    name: 'there is a refresh token',
    expected: 'the field refresh_token (a string)',
    test: (tokens) => tokens.refresh !== undefined,
    received: ({ exchange: { summary } }) => summary,
  })
  const response = await send(await newRefreshRequest(first))
  expect(response, served, hasMember('token success', 'access_token'))
  const second = world.readTokens(response, first.grant)
  for (const used of await world.useToken(second.access))
    expect(used, labelled('the new access token', served))
  // If the server returns no new refresh token, the client keeps the old one.
  const newest = { ...second, refresh: second.refresh ?? first.refresh }
  expect(
    await send(await newRefreshRequest(newest)),
    labelled('the refresh token that the last refresh returned', served),
  )
}

/**
 * Obtains tokens that include a refresh token. A server with the pattern `oauth-proxy` need not
 * issue refresh tokens. AUTH-REFRESH-01 requires them with the pattern `oauth-provider`.
 */
async function obtainRefreshable(
  world: AuthWorld,
  client: Client,
  changes: Parameters<AuthWorld['obtainTokens']>[0] = {},
): Promise<Tokens & { refresh: string }> {
  const { obtainTokens, pattern } = world
  const tokens = await obtainTokens(changes, client)
  const { refresh } = tokens
  if (refresh !== undefined) return { ...tokens, refresh }
  await requireForPublicClients(world, client)
  if (pattern === 'oauth-provider')
    throw new Blocked('AUTH-REFRESH-01', 'there is no refresh token')
  throw new NotApplicable('the server issues no refresh tokens')
}

/**
 * Expects that a refresh token is refused with the credentials of another client, and accepted with
 * those of the client to which it was issued.
 */
async function expectRefusedForOther(
  world: AuthWorld,
  getOwnClient: typeof ownClient,
): Promise<void> {
  const { newRefreshRequest, expectRefused } = world
  const [client, other] = await twoClients(world, getOwnClient)
  const [first, last] = [
    await obtainRefreshable(world, client),
    await obtainRefreshable(world, client),
  ]
  await expectRefused(await newRefreshRequest(first, {}, other), invalidGrant, {
    contrast: await newRefreshRequest(last),
  })
}

const grantsNoMore = (granted: readonly string[]): Expectation<HttpExchange> => ({
  name: 'grants no wider scope',
  expected: `an error, or no scope other than ${granted.join(' ') || 'none'}`,
  test: (exchange) =>
    exchange.status === 400 ||
    (isServed(exchange) &&
      scopesIn(members(exchange)['scope']).every((one) => granted.includes(one))),
})

/** Checks of refresh tokens, and of the expiry of access tokens. */
export const refreshChecks = [
  check('AUTH-REFRESH-01', {
    title: 'exchanges a refresh token for an access token that works',
    patterns: oauth,
    run: async (world) => expectRefreshes(world, await ownClient(world)),
  }),
  check('AUTH-REFRESH-01', {
    title: 'exchanges a refresh token of a client with a secret for an access token',
    patterns: oauth,
    run: async (world) => expectRefreshes(world, await confidentialClient(world)),
  }),
  check('AUTH-REFRESH-02', {
    title: 'refuses a refresh token of another client',
    door: 'a client without a secret',
    patterns: oauth,
    run: (world) => expectRefusedForOther(world, ownClient),
  }),
  check('AUTH-REFRESH-02', {
    title: 'refuses a refresh token of another client with a secret',
    door: 'a client with a secret',
    patterns: oauth,
    run: (world) => expectRefusedForOther(world, confidentialClient),
  }),
  check('AUTH-TOKEN-07', {
    title: 'refuses a refresh token without the secret of its client',
    patterns: oauth,
    async run(world) {
      const { newRefreshRequest, expectRefused } = world
      const client = await confidentialClient(world)
      const [first, second, last] = [
        await obtainRefreshable(world, client),
        await obtainRefreshable(world, client),
        await obtainRefreshable(world, client),
      ]
      const contrast = await newRefreshRequest(last)
      const wrong = {
        'no secret': await newRefreshRequest(first, { client_secret: undefined }),
        'another secret': await newRefreshRequest(second, { client_secret: newUnknownToken() }),
      }
      for (const [label, request] of Object.entries(wrong))
        await expectRefused(request, refusedWith([400, 401], 'invalid_client'), {
          contrast,
          label,
        })
    },
  }),
  check('AUTH-TOKEN-06', {
    title: 'refuses a refresh token from an unknown client',
    patterns: oauth,
    async run(world) {
      const { newRefreshRequest, expectRefused } = world
      const client = await ownClient(world)
      const [first, last] = [
        await obtainRefreshable(world, client),
        await obtainRefreshable(world, client),
      ]
      const unknown = { ...client, id: `touchstone-${randomBytes(8).toString('hex')}` }
      // Both errors are correct: the client is unknown, and the refresh token was issued to another
      // client.
      await expectRefused(
        await newRefreshRequest(first, {}, unknown),
        refusedWith([400, 401], 'invalid_client', 'invalid_grant'),
        { contrast: await newRefreshRequest(last) },
      )
    },
  }),
  check('AUTH-REFRESH-03', {
    title: 'refuses a refresh token that was not issued',
    patterns: oauth,
    async run(world) {
      const { newRefreshRequest, expectRefused, send, expect } = world
      const client = await ownClient(world)
      const [first, last] = [
        await obtainRefreshable(world, client),
        await obtainRefreshable(world, client),
      ]
      const contrast = await newRefreshRequest(last)
      await Promise.all([
        expectRefused(
          await newRefreshRequest(first, { refresh_token: newUnknownToken() }),
          invalidGrant,
          {
            contrast,
            label: 'an invented token',
          },
        ),
        expectRefused(
          await newRefreshRequest(first, { refresh_token: changeOneCharacter(first.refresh) }),
          invalidGrant,
          {
            contrast,
            label: 'one character changed',
          },
        ),
        expectRefused(
          await newRefreshRequest(first, { refresh_token: first.grant.code }),
          invalidGrant,
          {
            contrast,
            label: 'a code',
          },
        ),
        // This request is not compared with a valid one: the two would count as equal, because
        // access tokens and refresh tokens are masked in the same way.
        send(await newRefreshRequest(first, { refresh_token: first.access })).then((response) =>
          expect(response, labelled('an access token', invalidGrant)),
        ),
      ])
    },
  }),
  check('AUTH-REFRESH-04', {
    title: 'grants no wider scope for a refresh token',
    patterns: oauth,
    async run(world) {
      const { auth, expectRefused, newRefreshRequest } = world
      const client = await ownClient(world)
      const { narrow, wider } = await scopesToWiden(world)
      // If the client is not allowed to request the scope in the metadata, requests the default
      // scope.
      const narrowed = await obtainRefreshable(world, client, { scope: narrow }).catch(
        (error: unknown) => {
          if (error instanceof Blocked && auth.scope === undefined) return undefined
          throw error
        },
      )
      const scope = narrowed === undefined ? auth.scope : narrow
      const first = narrowed ?? (await obtainRefreshable(world, client))
      const [second, last] = [
        await obtainRefreshable(world, client, { scope }),
        await obtainRefreshable(world, client, { scope }),
      ]
      const granted = scopesIn(first.scope ?? scope)
      const contrast = await newRefreshRequest(last, { scope: granted.join(' ') || undefined })
      const missing = wider.filter((one) => !granted.includes(one))
      const attempts = {
        'a scope that does not exist': { tokens: first, scopes: ['touchstone:everything'] },
        ...(missing.length === 0
          ? {}
          : { 'a known scope that the user did not approve': { tokens: second, scopes: missing } }),
      }
      await Promise.all(
        Object.entries(attempts).map(async ([label, { tokens, scopes }]) => {
          const response = await expectRefused(
            await newRefreshRequest(tokens, { scope: [...granted, ...scopes].join(' ') }),
            grantsNoMore(granted),
            { contrast, label },
          )
          // A response without `scope` grants the requested scope (OAuth 2.1 §3.2.3). But a server
          // that ignores the requested scope may also omit `scope`, and grant no more than before.
          // So the result is unknown.
          if (isServed(response) && !('scope' in members(response)))
            throw new NotCovered('the response does not contain the granted scope')
        }),
      )
    },
  }),
  check('AUTH-REFRESH-04', {
    title: 'grants no wider scope at a second refresh',
    patterns: oauth,
    async run(world) {
      const { newRefreshRequest, sendOrBlock, readTokens, expect } = world
      const { narrow } = await requireTwoScopes(world)
      const first = await obtainRefreshable(world, await ownClient(world), { scope: narrow })
      const second = readTokens(await sendOrBlock(await newRefreshRequest(first)), first.grant)
      const newest = { ...second, refresh: second.refresh ?? first.refresh }
      expect(
        await sendOrBlock(await newRefreshRequest(newest)),
        labelled('a second refresh without a scope', grantsNoMore(scopesIn(first.scope ?? narrow))),
      )
    },
  }),
  check('AUTH-REFRESH-07', {
    title: 'keeps the scope of a refresh token after a refresh with fewer scopes',
    patterns: oauth,
    async run(world) {
      const { newRefreshRequest, sendOrBlock, readTokens, send, expect } = world
      const { narrow, wider } = await requireTwoScopes(world)
      const client = await ownClient(world)
      const all = [narrow, ...wider].join(' ')
      const first = await obtainRefreshable(world, client, { scope: all })
      const granted = scopesIn(first.scope ?? all)
      if (granted.length < 2) throw new NotApplicable('the server grants only one scope')
      const scope = granted.join(' ')
      const contrast = await obtainRefreshable(world, client, { scope: all })
      await sendOrBlock(await newRefreshRequest(contrast, { scope }))
      const narrowed = await obtainRefreshable(world, client, { scope: all })
      const second = readTokens(
        await sendOrBlock(await newRefreshRequest(narrowed, { scope: granted[0] })),
        narrowed.grant,
      )
      const newest = { ...second, refresh: second.refresh ?? narrowed.refresh }
      expect(await send(await newRefreshRequest(newest, { scope })), {
        name: 'grants all scopes again',
        expected: `tokens with all these scopes: ${scope}`,
        test: (exchange) => {
          const returned = members(exchange)['scope']
          return (
            isServed(exchange) &&
            (returned === undefined || granted.every((one) => scopesIn(returned).includes(one)))
          )
        },
      })
    },
  }),
  check('AUTH-REFRESH-05', {
    title: 'refuses a used refresh token of a client without a secret',
    patterns: oauth,
    async run(world) {
      const { runInFinalStage, newRefreshRequest, sendOrBlock, send, expect, readTokens } = world
      const client = await ownClient(world)
      if (client.secret !== undefined) throw new NotApplicable('the client has a secret')
      await runInFinalStage(async () => {
        const first = await obtainRefreshable(world, client)
        const request = await newRefreshRequest(first)
        const second = readTokens(await sendOrBlock(request), first.grant)
        expect(second.exchange, {
          name: 'returns another refresh token',
          expected: 'a new refresh_token',
          test: () => second.refresh !== undefined && second.refresh !== first.refresh,
        })
        // Until the new token is used, the server cannot know that the client has received it.
        if (second.refresh !== undefined && second.refresh !== first.refresh)
          await sendOrBlock(await newRefreshRequest(second))
        expect(await send(request), labelled('the old refresh token', hasStatus(400)))
      })
    },
  }),
  check('AUTH-REFRESH-08', {
    title: 'revokes the newest refresh token if a replaced one is used',
    patterns: oauth,
    async run(world) {
      const { runInFinalStage, newRefreshRequest, sendOrBlock, send, expect, readTokens } = world
      const client = await ownClient(world)
      if (client.secret !== undefined) throw new NotApplicable('the client has a secret')
      const refresh = async (tokens: Tokens) =>
        readTokens(await sendOrBlock(await newRefreshRequest(tokens)), tokens.grant)
      await runInFinalStage(async () => {
        for (const [label, replacements] of [
          ['the last replaced token', 1],
          ['the first of several replaced tokens', 3],
        ] as const) {
          const first = await obtainRefreshable(world, client)
          let newest: Tokens = first
          for (let count = 0; count < replacements; count += 1) {
            const next = await refresh(newest)
            if (next.refresh === undefined || next.refresh === newest.refresh)
              throw new NotApplicable('a refresh does not replace the refresh token')
            newest = next
          }
          // A server may accept a replaced token again, for example if its response was lost.
          if (isServed(await send(await newRefreshRequest(first))))
            throw new NotApplicable('the server still accepts the replaced refresh token')
          expect(await send(await newRefreshRequest(newest)), labelled(label, hasStatus(400)))
        }
      })
    },
  }),
  check('AUTH-REFRESH-06', {
    title: 'refuses an expired access token',
    patterns: oauth,
    async run(world) {
      const { runInFinalStage, withClockAhead, obtainTokens, useToken, expect } = world
      const client = await ownClient(world)
      await runInFinalStage(async () => {
        const first = await obtainTokens({}, client)
        const all = [first]
        if (first.refresh !== undefined)
          all.push(
            world.readTokens(
              await world.sendOrBlock(await world.newRefreshRequest(first)),
              first.grant,
            ),
          )
        // A refresh may invalidate earlier access tokens, so only the newest must work before it
        // expires.
        const { access, seconds } = all.at(-1)!
        if (seconds === undefined)
          throw new NotApplicable('the lifetime of access tokens is unknown')
        await requireWorkingToken(world, access)
        const session = await openSessionWith(world, access)
        // Adds ten minutes, because servers allow for clock skew.
        const labels = [
          'an access token issued for a code',
          'an access token issued for a refresh token',
        ]
        await withClockAhead(seconds + 600, async () => {
          for (const [at, { access: token }] of all.entries())
            for (const response of await useToken(token))
              expect(response, labelled(labels[at]!, noLongerWorks))
          if (session !== undefined)
            expect(
              await world.send(session.request(`Bearer ${access}`)),
              labelled('an access token in the session that it opened', noLongerWorks),
            )
        })
      })
    },
  }),
]

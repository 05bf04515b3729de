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
import { isServed } from '../../support/places.ts'
import { members, served } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  changed,
  confidential,
  invalidGrant,
  invented,
  own,
  two,
} from '../../support/oauth/granting.ts'
import { scopesIn, widerThan } from '../../support/oauth/scopes.ts'
import { works, worksNoMore } from '../../support/oauth/token-use.ts'

/** Tokens of which one refreshes. A proxy may do without; a provider's own row says that it may not. */
async function refreshable(
  { tokens, pattern }: AuthWorld,
  client: Client,
  changes: Parameters<AuthWorld['tokens']>[0] = {},
): Promise<Tokens & { refresh: string }> {
  const given = await tokens(changes, client)
  const { refresh } = given
  if (refresh !== undefined) return { ...given, refresh }
  if (pattern === 'oauth-provider')
    throw new Blocked('AUTH-REFRESH-01', 'there is no refresh token')
  throw new NotApplicable('there are no refresh tokens')
}

/** A refresh token with another client, beside one with its own. */
async function forAnother(
  world: AuthWorld,
  ours: (name: string) => Promise<Client>,
): Promise<void> {
  const { refreshing, refuses } = world
  const [client, other] = await two(ours, 'refresh 02')
  const [first, last] = [await refreshable(world, client), await refreshable(world, client)]
  await refuses(await refreshing(first, {}, other), invalidGrant, {
    contrast: await refreshing(last),
  })
}

const noMore = (granted: readonly string[]): Expectation<HttpExchange> => ({
  name: 'allows no more',
  expected: `an error, or no scope but ${granted.join(' ') || 'none'}`,
  test: (exchange) =>
    exchange.status === 400 ||
    (isServed(exchange) &&
      scopesIn(members(exchange)['scope']).every((one) => granted.includes(one))),
})

/** Checks of refresh tokens, and the end of access tokens. */
export const refresh = [
  check('AUTH-REFRESH-01', {
    title: 'gives a new access token for a refresh token, and serves whoever has it',
    patterns: oauth,
    async play(world) {
      const { pattern, tokens, refreshing, send, expect, expectOf, received, use } = world
      const first = await tokens({}, await own(world, 'refresh 01'))
      if (first.refresh === undefined && pattern === 'oauth-proxy')
        throw new NotApplicable('there are no refresh tokens')
      expectOf(first, {
        name: 'there is a refresh token',
        expected: 'a text refresh_token',
        test: (given) => given.refresh !== undefined,
        received: ({ answer: { summary } }) => summary,
      })
      const came = await send(await refreshing(first))
      expect(came, served, {
        name: 'gives an access token',
        expected: 'a text access_token',
        test: (exchange) => typeof members(exchange)['access_token'] === 'string',
      })
      for (const used of await use(received(came, first.grant).access))
        expect(used, labelled('the new token', served))
    },
  }),
  check('AUTH-REFRESH-02', {
    title: 'refuses a refresh token of another client',
    patterns: oauth,
    play: (world) => forAnother(world, (name) => own(world, name)),
  }),
  check('AUTH-REFRESH-02', {
    title: 'refuses a refresh token of another client, whatever secret comes with it',
    patterns: oauth,
    play: (world) => forAnother(world, (name) => confidential(world, name)),
  }),
  check('AUTH-REFRESH-03', {
    title: 'refuses a refresh token that was never given',
    patterns: oauth,
    async play(world) {
      const { refreshing, refuses, send, expect } = world
      const client = await own(world, 'refresh 03')
      const [first, last] = [await refreshable(world, client), await refreshable(world, client)]
      const contrast = await refreshing(last)
      await Promise.all([
        refuses(await refreshing(first, { refresh_token: invented() }), invalidGrant, {
          contrast,
          label: 'an invented token',
        }),
        refuses(await refreshing(first, { refresh_token: changed(first.refresh) }), invalidGrant, {
          contrast,
          label: 'one character changed',
        }),
        refuses(await refreshing(first, { refresh_token: first.grant.code }), invalidGrant, {
          contrast,
          label: 'a code',
        }),
        // Of the same kind as a refresh token, but no such token.
        send(await refreshing(first, { refresh_token: first.access })).then((came) =>
          expect(came, labelled('an access token', invalidGrant)),
        ),
      ])
    },
  }),
  check('AUTH-REFRESH-04', {
    title: 'gives no wider scope for a refresh token',
    patterns: oauth,
    async play(world) {
      const { auth, refuses, refreshing } = world
      const client = await own(world, 'refresh 04')
      const { narrow, wider } = await widerThan(world)
      // What the metadata name is not everybody's to ask for.
      const narrowed = await refreshable(world, client, { scope: narrow }).catch(
        (error: unknown) => {
          if (error instanceof Blocked && auth.scope === undefined) return undefined
          throw error
        },
      )
      const scope = narrowed === undefined ? auth.scope : narrow
      const first = narrowed ?? (await refreshable(world, client))
      const [second, last] = [
        await refreshable(world, client, { scope }),
        await refreshable(world, client, { scope }),
      ]
      const granted = scopesIn(first.scope ?? scope)
      const contrast = await refreshing(last, { scope: granted.join(' ') || undefined })
      const more = wider.filter((one) => !granted.includes(one))
      const asking = {
        'an invented scope': { tokens: first, scopes: ['touchstone:everything'] },
        ...(more.length === 0 ? {} : { 'a scope of the server': { tokens: second, scopes: more } }),
      }
      await Promise.all(
        Object.entries(asking).map(async ([label, { tokens, scopes }]) => {
          const came = await refuses(
            await refreshing(tokens, { scope: [...granted, ...scopes].join(' ') }),
            noMore(granted),
            { contrast, label },
          )
          // An answer that tells no scope gives what was asked for (§3.2.3); but whoever passes the parameter over has given no more.
          if (isServed(came) && !('scope' in members(came)))
            throw new NotCovered('the answer does not tell which scope it gave')
        }),
      )
    },
  }),
  check('AUTH-REFRESH-05', {
    title: 'what becomes of a refresh token after it was used',
    patterns: oauth,
    async play(world) {
      const { last, refreshing, sendOrBlock, send, observe, received, use } = world
      const client = await own(world, 'refresh 05')
      await last(async () => {
        const first = await refreshable(world, client)
        const request = await refreshing(first)
        const second = received(await sendOrBlock(request), first.grant)
        const again = await send(request)
        const after: HttpExchange[] = await use(second.access)
        observe(
          isServed(again)
            ? 'the old refresh token works on'
            : `the old refresh token is refused with ${again.status ?? 'no status'}, and the new access token ${after.every(isServed) ? 'works' : 'has ended'}`,
        )
      })
    },
  }),
  check('AUTH-REFRESH-06', {
    title: 'serves nobody whose access token has expired',
    patterns: ['oauth-provider'],
    async play(world) {
      const { last, ahead, tokens, use, expect } = world
      const client = await own(world, 'refresh 06')
      await last(async () => {
        const { access, seconds } = await tokens({}, client)
        if (seconds === undefined) throw new NotApplicable('no lifetime is told')
        await works(world, access)
        // Ten minutes more: clocks are given leeway.
        for (const came of await ahead(seconds + 600, () => use(access))) expect(came, worksNoMore)
      })
    },
  }),
]

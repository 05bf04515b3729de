import type { IdentityUser } from '../../../../wire/index.ts'
import type { AuthWorld } from '../../support/world.ts'
import { codeIn } from '../../support/authorization-flow.ts'
import { callWhoami, callWhoamiInterleaved, type WhoamiResult } from '../../support/whoami.ts'
import { type Expectation, NotApplicable } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { expectOwnSession } from '../../support/own-session.ts'
import { members } from '../../support/expectations.ts'
import { noLongerWorks } from '../../support/oauth/token-use.ts'
import {
  exchangeUpstreamCode,
  obtainUpstreamTokens,
  requireUpstreamLogin,
  startUpstreamFlow,
  startUpstreamLogin,
  upstreamTokens,
  type UpstreamTokens,
} from '../../support/oauth/upstream-login.ts'

const patterns = ['oauth-proxy'] as const

/**
 * Whether a string contains `word` as a separate word. The email begins with the login, so a simple
 * search for the login would find the email.
 */
const containsWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replace(/\W/g, '\\$&')}(?![\\w@-])`, 'i').test(text)

/** What the tool returned for the token of a user. */
interface ShownUser extends WhoamiResult {
  readonly user: IdentityUser
}

/** Calls the tool for a user, in a session of that user or of `opener`, another user. */
const callFor = async (
  world: AuthWorld,
  { login, tokens }: UpstreamTokens,
  opener: UpstreamTokens = { login, tokens },
): Promise<ShownUser> => ({
  user: login.upstreamRequest.user,
  ...(await callWhoami(world, tokens.access, opener.tokens.access)),
})

const summaryOf = ({ exchange }: WhoamiResult): string => exchange.summary

/** Checks of the identity of users, and of the tokens of the client. */
export const proxyUserChecks = [
  check('AUTH-PROXY-05', {
    title: 'passes the login and email of the user to its tools',
    patterns,
    async run(world) {
      // Calls the tool for two users, so that a constant result does not pass.
      const results = await Promise.all(
        (await upstreamTokens(world)).map((one) => callFor(world, one)),
      )
      const returnsUser = (what: 'login' | 'email'): Expectation<readonly ShownUser[]> => ({
        name: `returns the ${what}`,
        expected: `the ${what} of each user: ${results.map(({ user }) => user[what]).join(', ')}`,
        test: (all) => all.every(({ user, text }) => containsWord(text, user[what])),
        received: (all) => all.map(summaryOf).join(' | '),
      })
      world.expectValue(results, returnsUser('login'), returnsUser('email'))
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'keeps the user of a token when it is refreshed',
    patterns,
    async run(world) {
      const first = await obtainUpstreamTokens(world, await startUpstreamLogin(world))
      // Another user signs in before the refresh, so that a server that remembers only the latest
      // user fails.
      await obtainUpstreamTokens(world, await startUpstreamLogin(world))
      if (first.tokens.refresh === undefined)
        throw new NotApplicable('the server issues no refresh tokens')
      const tokens = world.readTokens(
        await world.sendOrBlock(await world.newRefreshRequest(first.tokens)),
        first.tokens.grant,
      )
      world.expectValue(await callFor(world, { ...first, tokens }), {
        name: 'returns the same user',
        expected: `the login ${first.login.upstreamRequest.user.login}`,
        test: ({ user, text }) => containsWord(text, user.login),
        received: summaryOf,
      })
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'does not show a user to another user who sends a request in the same session',
    patterns,
    async run(world) {
      const [one, other] = await upstreamTokens(world)
      const shown = one!.login.upstreamRequest.user
      // The server may refuse the request, because the session belongs to another user.
      world.expectValue(await callFor(world, other!, one), {
        name: 'does not return the user who began the session',
        expected: `a refusal, or a result without the login ${shown.login}`,
        test: ({ text }) => !containsWord(text, shown.login),
        received: summaryOf,
      })
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'passes the user of each call if two users call at the same time',
    patterns,
    async run(world) {
      const [one, other] = await upstreamTokens(world)
      const logins = [one!, other!].map(({ login }) => login.upstreamRequest.user.login)
      const results = await callWhoamiInterleaved(world, [one!.tokens.access, other!.tokens.access])
      world.expectValue(results, {
        name: 'returns the user of each call',
        expected: `the login of each caller: ${logins.join(', ')}`,
        test: (all) =>
          all.every((own, at) => own.every(({ text }) => containsWord(text, logins[at]!))),
        received: (all) => all.flatMap((own) => own.map(summaryOf)).join(' | '),
      })
    },
  }),

  check('AUTH-PROXY-23', {
    title: 'does not serve a user in the session of another user',
    patterns,
    async run(world) {
      const [one, other] = await upstreamTokens(world)
      await expectOwnSession(world, one!.tokens.access, other!.tokens.access)
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'passes the email that a user has now',
    patterns,
    async run(world) {
      const [one] = await upstreamTokens(world)
      const { user: earlier } = one!.login.upstreamRequest
      const user = { ...earlier, email: `new-${earlier.email}` }
      const again = await obtainUpstreamTokens(
        world,
        await startUpstreamLogin(world, { behavior: { user } }),
      )
      world.expectValue(await callFor(world, again), {
        name: 'returns the new email',
        expected: `the email ${user.email}`,
        test: ({ text }) => containsWord(text, user.email),
        received: summaryOf,
      })
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'passes the user who signed in last in a browser',
    patterns,
    async run(world) {
      const first = await startUpstreamLogin(world)
      await obtainUpstreamTokens(world, first)
      const flow = await startUpstreamFlow(world, { earlierBrowser: first.browser })
      if (flow.upstreamRequest === undefined)
        throw new NotApplicable(
          'the server does not ask the identity provider again in the same browser',
        )
      const second = await obtainUpstreamTokens(world, requireUpstreamLogin(flow))
      world.expectValue(await callFor(world, second), {
        name: 'returns the second user of the browser',
        expected: `the login ${second.login.upstreamRequest.user.login}`,
        test: ({ user, text }) => containsWord(text, user.login),
        received: summaryOf,
      })
    },
  }),

  check('AUTH-PROXY-05', {
    title: 'passes a login with letters that are not ASCII',
    patterns,
    async run(world) {
      const [one] = await upstreamTokens(world)
      const known = one!.login.upstreamRequest.user
      const user = {
        ...known,
        id: known.id + 1_000_000,
        login: `zoë-${known.login}`,
        email: `zoe-${known.email}`,
      }
      const login = await startUpstreamLogin(world, { behavior: { user } })
      const end = await login.continueAt(login.callback)
      if (codeIn(end) === undefined)
        throw new NotApplicable('the server accepts no user with such a login')
      world.expectValue(await callFor(world, await exchangeUpstreamCode(world, login, end)), {
        name: 'returns the login with all letters',
        expected: `the login ${user.login}`,
        test: ({ text }) => containsWord(text, user.login),
        received: summaryOf,
      })
    },
  }),

  check('AUTH-PROXY-20', {
    title: 'discloses no codes, tokens or secrets of the identity provider',
    patterns,
    async run(world) {
      const { clientSecret } = world.auth.upstream ?? {}
      const [one] = await upstreamTokens(world)
      const { upstreamRequest } = one!.login
      const { grant, exchange } = one!.tokens
      const upstream = upstreamRequest.tokenRequests.flatMap(({ token }) => token ?? [])
      const hides = (
        what: string,
        values: readonly (string | undefined)[],
      ): Expectation<string> => ({
        name: `${what} contains no secret of the identity provider`,
        expected: 'no code, token or client secret of the identity provider',
        test: (text) => !values.some((value) => value !== undefined && text.includes(value)),
        received: () => 'a code, token or client secret of the identity provider',
      })
      // Compares with all codes, because a server may mix up users who sign in at the same time.
      const { authorizations } = await world.getIdentityProvider()
      const codes = authorizations.map(({ code }) => code)
      world.expectValue(grant.code, hides('the code', [...codes, ...upstream]))
      // AUTH-PROXY-13 compares the access token and the refresh token with the identity provider's
      // token.
      const { access_token: _, refresh_token: __, ...others } = members(exchange)
      world.expectValue(JSON.stringify(others), hides('the token response', upstream))
      const query = upstreamRequest.query.map(([, value]) => value).join(' ')
      world.expectValue(query, hides('the redirect to the identity provider', [clientSecret]))
      if (world.auth.whoami !== undefined) {
        const { text } = await callFor(world, one!)
        world.expectValue(text, hides('the result of the tool', upstream))
      }
    },
  }),

  check('AUTH-RESOURCE-03', {
    title: 'refuses a token of the identity provider',
    patterns,
    async run(world) {
      const [one] = await upstreamTokens(world)
      const issued = one!.login.upstreamRequest.tokenRequests.flatMap(({ token }) => token ?? [])
      const own = [one!.tokens.access, one!.tokens.refresh]
      for (const token of issued.filter((each) => !own.includes(each)))
        for (const response of await world.useToken(token)) world.expect(response, noLongerWorks)
    },
  }),

  check('AUTH-PROXY-13', {
    title: 'issues its own tokens, not those of the identity provider',
    patterns,
    async run(world) {
      const issued = (await upstreamTokens(world)).map(
        ({ login: { upstreamRequest }, tokens: { access, refresh } }) => ({
          access,
          refresh,
          upstream: upstreamRequest.tokenRequests.map(({ token }) => token),
        }),
      )
      type Issued = (typeof issued)[number]
      const isDistinct = (
        name: string,
        token: (one: Issued) => string | undefined,
      ): Expectation<readonly Issued[]> => ({
        name,
        expected: 'a token that differs from those of the identity provider',
        test: (all) =>
          all.every((one) => token(one) === undefined || !one.upstream.includes(token(one))),
        received: () => 'a token of the identity provider',
      })
      world.expectValue(
        issued,
        isDistinct('the access token is its own', ({ access }) => access),
        isDistinct('the refresh token is its own', ({ refresh }) => refresh),
      )
    },
  }),
]

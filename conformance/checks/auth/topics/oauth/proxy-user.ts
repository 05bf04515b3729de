import { callWhoami, type WhoamiResult } from '../../support/oauth/whoami.ts'
import { type Expectation } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { upstreamTokens } from '../../support/oauth/upstream-login.ts'

const patterns = ['oauth-proxy'] as const

/**
 * Whether a string contains a word, but not as part of another one: the login is also the beginning
 * of the email.
 */
const containsWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.toLowerCase().replace(/\W/g, '\\$&')}(?![\\w@-])`).test(text)

/** The identity of users, and the tokens of the client. */
export const proxyUserChecks = [
  check('AUTH-PROXY-05', {
    title: 'passes the login and email of the user to its tools',
    patterns,
    async run(world) {
      // Calls the tool for two users, so that a constant result does not pass.
      const results = await Promise.all(
        (await upstreamTokens(world)).map((one) => callWhoami(world, one)),
      )
      const returnsUser = (what: 'login' | 'email'): Expectation<readonly WhoamiResult[]> => ({
        name: `returns the ${what}`,
        expected: `the ${what} of each user: ${results.map(({ user }) => user[what]).join(', ')}`,
        test: (all) => all.every(({ user, text }) => containsWord(text, user[what])),
        received: (all) => all.map(({ summary }) => summary).join(' | '),
      })
      world.expectValue(results, returnsUser('login'), returnsUser('email'))
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
        expected: 'an access token that differs from that of the identity provider',
        test: (all) =>
          all.every((one) => token(one) === undefined || !one.upstream.includes(token(one))),
        received: () => 'the access token of the identity provider',
      })
      world.expectValue(
        issued,
        isDistinct('the access token is its own', ({ access }) => access),
        isDistinct('the refresh token is its own', ({ refresh }) => refresh),
      )
    },
  }),
]

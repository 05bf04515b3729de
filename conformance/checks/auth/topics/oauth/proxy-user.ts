import { whoami, type WhoamiResult } from '../../support/oauth/whoami.ts'
import { type Expectation } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { arrivals } from '../../support/oauth/trip.ts'

const patterns = ['oauth-proxy'] as const

/** Whether a text has a word, and not only as a part of another one: the login is not the beginning of the email. */
const says = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.toLowerCase().replace(/\W/g, '\\$&')}(?![\\w@-])`).test(text)

/** Who users are, and what is given for them. */
export const proxyUser = [
  check('AUTH-PROXY-05', {
    title: 'tells its tools login and email of the user',
    patterns,
    async play(world) {
      // Two users, so that nothing that is always told counts.
      const told = await Promise.all((await arrivals(world)).map((one) => whoami(world, one)))
      const tells = (what: 'login' | 'email'): Expectation<readonly WhoamiResult[]> => ({
        name: `tells the ${what}`,
        expected: `the ${what} of each user: ${told.map(({ user }) => user[what]).join(', ')}`,
        test: (all) => all.every(({ user, text }) => says(text, user[what])),
        received: (all) => all.map(({ summary }) => summary).join(' | '),
      })
      world.expectOf(told, tells('login'), tells('email'))
    },
  }),

  check('AUTH-PROXY-13', {
    title: 'gives its client another token than it got from the identity provider',
    patterns,
    async play(world) {
      const given = (await arrivals(world)).map(
        ({ trip: { asked }, tokens: { access, refresh } }) => ({
          access,
          refresh,
          upstream: asked.tokenRequests.map(({ token }) => token),
        }),
      )
      type Given = (typeof given)[number]
      const isOwn = (
        name: string,
        token: (one: Given) => string | undefined,
      ): Expectation<readonly Given[]> => ({
        name,
        expected: 'a token of its own',
        test: (all) =>
          all.every((one) => token(one) === undefined || !one.upstream.includes(token(one))),
        received: () => 'the token of the identity provider',
      })
      world.expectOf(
        given,
        isOwn('the access token is its own', ({ access }) => access),
        isOwn('the refresh token is its own', ({ refresh }) => refresh),
      )
    },
  }),
]

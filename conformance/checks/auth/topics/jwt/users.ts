import { type Expectation, labelled, NotApplicable } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { expectOwnSession } from '../../support/own-session.ts'
import {
  newUserClaims,
  requireShownUsers,
  signNamelessToken,
  shownUsers,
  signUserToken,
  type UserClaims,
} from '../../support/jwt/token-users.ts'
import { getValidToken } from '../../support/jwt/forgery-round.ts'
import { callWhoami, callWhoamiInterleaved, type WhoamiResult } from '../../support/whoami.ts'

const root = 'AUTH-JWT-01'
const patterns = ['jwt'] as const

/** What the tool returned, and the claims of users whom it must not show. */
interface Shown extends WhoamiResult {
  readonly others: readonly string[]
}

const showsNoOther: Expectation<readonly Shown[]> = {
  name: 'shows no claim of another token',
  expected: 'for each token, a result without the claims of the other tokens',
  test: (all) => all.every(({ text, others }) => !others.some((one) => text.includes(one))),
  received: (all) => all.map(({ exchange }) => exchange.summary).join(' | '),
}

const showsClaims = (
  name: string,
  values: readonly string[],
): Expectation<readonly WhoamiResult[]> => ({
  name,
  expected: `a result with ${values.join(', ')}`,
  test: (all) => all.every(({ text }) => values.every((one) => text.includes(one))),
  received: (all) => all.map(({ exchange }) => exchange.summary).join(' | '),
})

/** The values of some claims. */
const valuesOf = (claims: UserClaims, names: readonly (keyof UserClaims)[]): readonly string[] =>
  names.map((name) => claims[name])

/** Checks of the users whom tools see, which are those of the tokens. */
export const usersChecks = [
  check('AUTH-JWT-32', {
    title: 'passes the user of each token to tools',
    root,
    patterns,
    async run(world) {
      const { users, results, shown } = await shownUsers(world)
      const common = await callWhoami(world, await getValidToken(world))
      // With other claims in the target file, all tokens can name the same user by these.
      const { email, ...more } = world.auth.claims ?? {}
      const namesOnlyUser = Object.keys(more).every((name) => name in users[0].claims)
      const known =
        typeof email === 'string' && namesOnlyUser && common.text.includes(email) ? [email] : []
      const [first, second] = users.map((one) => Object.values(one.claims) as readonly string[])
      world.expectValue(
        [
          { ...results[0], others: [...second!, ...known] },
          { ...results[1], others: [...first!, ...known] },
        ],
        showsNoOther,
      )
      await requireShownUsers(world)
      world.expectValue(results, {
        name: 'shows the user of each token',
        expected: `in each result, the claims ${shown.join(', ')} of its token`,
        test: (all) =>
          all.every(({ text }, at) =>
            valuesOf(users[at]!.claims, shown).every((value) => text.includes(value)),
          ),
        received: (all) => all.map(({ exchange }) => exchange.summary).join(' | '),
      })
    },
  }),

  check('AUTH-JWT-32', {
    title: 'passes the user of each request to tools, and not the user who began the session',
    root,
    patterns,
    async run(world) {
      const { users, shown } = await requireShownUsers(world)
      const [one, other] = users
      // A newer token can contain other claims about the same user.
      const newer = await signUserToken(world, { ...newUserClaims(), sub: one.claims.sub })
      const changing = shown.filter((name) => name !== 'sub')
      const attempts = [
        ...(changing.length === 0
          ? []
          : ([
              ['a newer token in its own session', newer, newer, valuesOf(one.claims, changing)],
              ['a newer token of the same user', newer, one, valuesOf(one.claims, changing)],
            ] as const)),
        ['a token of another user', other, one, valuesOf(one.claims, shown)] as const,
      ]
      for (const [label, { token }, opener, others] of attempts)
        // The server may refuse the request, because the session belongs to another user.
        world.expectValue(
          [{ ...(await callWhoami(world, token, opener.token)), others }],
          labelled(label, showsNoOther),
        )
    },
  }),

  check('AUTH-JWT-32', {
    title: 'shows no user of an earlier token for a token that names no user',
    door: 'a token that names no user',
    root,
    patterns,
    async run(world) {
      const { users, shown } = await requireShownUsers(world)
      const token = await signNamelessToken(world)
      // The token before should be that of a known user, and not of another check.
      await world.runInFinalStage(async () => {
        for (const { claims, token: earlier } of users) {
          await callWhoami(world, earlier)
          world.expectValue(
            [{ ...(await callWhoami(world, token)), others: valuesOf(claims, shown) }],
            showsNoOther,
          )
        }
      })
    },
  }),

  check('AUTH-JWT-32', {
    title: 'passes the user of each call to tools if two users call at the same time',
    root,
    patterns,
    async run(world) {
      const { users, shown } = await requireShownUsers(world)
      const results = await callWhoamiInterleaved(world, [users[0].token, users[1].token])
      for (const [at, own] of results.entries())
        world.expectValue(
          own,
          showsClaims('shows the user of each call', valuesOf(users[at]!.claims, shown)),
        )
    },
  }),

  check('AUTH-JWT-33', {
    title: 'reads the claims of tokens as UTF-8',
    root,
    patterns,
    async run(world) {
      const { shown } = await requireShownUsers(world)
      const names = shown.filter((name) => name !== 'email')
      if (names.length === 0)
        throw new NotApplicable('the tool shows only an email, which has no such letters')
      const { claims, token } = await signUserToken(world, newUserClaims('zoë'))
      world.expectValue(
        [await callWhoami(world, token)],
        showsClaims('shows all letters', valuesOf(claims, names)),
      )
    },
  }),

  check('AUTH-JWT-34', {
    title: 'does not serve a user in the session of another user',
    root,
    patterns,
    async run(world) {
      const one = await signUserToken(world, newUserClaims())
      const other = await signUserToken(world, newUserClaims())
      await expectOwnSession(world, one.token, other.token)
    },
  }),
]

import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, NotCovered } from '../../../../engine/index.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import { newMintFor } from '../token-mint.ts'
import { isServed } from '../protected-endpoints.ts'
import { callWhoami, type WhoamiResult } from '../whoami.ts'
import type { AuthWorld } from '../world.ts'
import { getForgeryRound } from './forgery-round.ts'

/**
 * The claims with which tokens name users.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4.1.2
 * @see https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
const claimNames = ['sub', 'login', 'preferred_username', 'name', 'email'] as const
export type UserClaims = Readonly<Record<(typeof claimNames)[number], string>>

/** A user and a valid token that names this user. */
export interface TokenUser {
  readonly claims: UserClaims
  readonly token: string
}

/** The claims of a user that no other token of the run names. `letters` begin most of them. */
export function newUserClaims(letters = 'ts'): UserClaims {
  const tag = randomBytes(5).toString('hex')
  return {
    sub: `${letters}-subject-${tag}`,
    login: `${letters}-login-${tag}`,
    preferred_username: `${letters}-username-${tag}`,
    name: `${letters}-name-${tag}`,
    email: `ts-${tag}@people.example`,
  }
}

/** Signs a token for a user, see `signClaims`. */
export const signUserToken = async (world: AuthWorld, claims: UserClaims): Promise<TokenUser> => ({
  claims,
  token: await signClaims(world, claims),
})

/** Signs a token whose only claim about a user is a new `sub`, see `signClaims`. */
export const signNamelessToken = (world: AuthWorld): Promise<string> => {
  const absent = Object.fromEntries(claimNames.map((name) => [name, undefined]))
  return signClaims(world, { ...absent, sub: newUserClaims().sub })
}

/**
 * Signs a token with the claims of the target file and others, which replace them. Throws
 * `NotCovered` if the secret is not known, and `NotApplicable` if the server does not serve such a
 * user.
 */
async function signClaims(
  world: AuthWorld,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { auth, clock, knownValues, send } = world
  const { token: _, ...keys } = auth
  const mint = newMintFor({ ...keys, claims: { ...auth.claims, ...claims } }, () =>
    clock.realTime(),
  )
  if (mint === undefined || auth.secret === undefined)
    throw new NotCovered<ToolsNeed>('the suite cannot sign tokens of other users', [
      'tools.auth.secret',
    ])
  const token = knownValues.add(mint.validToken(), 'token')
  const { mainEndpoint } = await getForgeryRound(world)
  const exchange = await send(mainEndpoint.request(`Bearer ${token}`))
  if (exchange.status === 401 || exchange.status === 403)
    throw new NotApplicable('the server does not serve users whom it does not know')
  if (!isServed(exchange)) throw new Blocked('AUTH-JWT-01', exchange.summary)
  return token
}

/** Two users, and the claims that the tool of `tools.auth.whoami` shows of the first one. */
export interface ShownUsers {
  readonly users: readonly [TokenUser, TokenUser]
  readonly results: readonly [WhoamiResult, WhoamiResult]
  readonly shown: readonly (keyof UserClaims)[]
}

/** Two users whom all checks of the run share. */
export const shownUsers = (world: AuthWorld): Promise<ShownUsers> =>
  world.shared('users of tokens', async (common) => {
    const users = [
      await signUserToken(common, newUserClaims()),
      await signUserToken(common, newUserClaims()),
    ] as const
    const results = [
      await callWhoami(common, users[0].token),
      await callWhoami(common, users[1].token),
    ] as const
    const shown = claimNames.filter((name) =>
      results.some(({ text }, at) => text.includes(users[at]!.claims[name])),
    )
    return { users, results, shown }
  })

/** Ends the check as not covered if the tool shows no claim of the tokens. */
export async function requireShownUsers(world: AuthWorld): Promise<ShownUsers> {
  const found = await shownUsers(world)
  if (found.shown.length === 0)
    throw new NotCovered<ToolsNeed>('the tool shows no claim of the token', [
      'tools.auth.whoami.tool',
    ])
  return found
}

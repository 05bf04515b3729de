import type { RequirementId } from '../../../../../generated/requirements/index.ts'
import {
  type Expectation,
  NotCovered,
  labelled,
  type ActingCheck,
} from '../../../../engine/index.ts'
import type { ExpiringTokens, Forgery } from '../../../../wire/index.ts'
import { check, type WithAuth } from '../../support/define.ts'
import {
  endpointInSession,
  isServed,
  type ProtectedEndpoint,
} from '../../support/protected-endpoints.ts'
import type { AuthWorld } from '../../support/world.ts'
import { attemptsAtMain, getForgeryRound, getMint } from '../../support/jwt/forgery-round.ts'
import { expectEach, refused } from '../../support/jwt/refusal-text.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const fetchesNothing: Expectation<readonly string[]> = {
  name: 'does not request the URLs in the token',
  expected: "no request to the suite's key server, to which URLs in the tokens point",
  test: (paths) => paths.length === 0,
  received: (paths) => [...new Set(paths)].join(', '),
}

/**
 * The keys of the target file that forgeries need in addition to the secret. For example, to forge
 * a token with a wrong issuer, the suite needs to know the right one.
 */
const neededKeys: Readonly<Partial<Record<Forgery, ToolsNeed>>> = {
  issuer: 'tools.auth.issuer',
  audience: 'tools.auth.audience',
}

/** Defines a check that the server refuses all tokens with one kind of forgery. */
const forgeryCheck = (
  requirement: RequirementId,
  title: string,
  forgery: Forgery,
): ActingCheck<WithAuth> =>
  check(requirement, {
    title,
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const round = await getForgeryRound(world)
      const attempts = attemptsAtMain(round).filter(({ forged }) => forged?.forgery === forgery)
      if (attempts.length === 0) await getMint(world)
      if (attempts.length === 0)
        throw new NotCovered<ToolsNeed>(
          'the target file does not contain what the suite needs to forge the tokens of this check',
          [neededKeys[forgery] ?? 'tools.auth.secret'],
        )
      expectEach(
        world,
        attempts.map(({ forged, exchange }) => [
          [exchange],
          labelled(`a token ${forged!.name}`, refused),
        ]),
      )
      if (forgery === 'key') world.expectValue(round.requestedPaths, fetchesNothing)
    },
  })

/**
 * Lifetimes of tokens in seconds, tried in turn until the server accepts a token before it expires.
 * A slow server needs a longer lifetime.
 */
const lifetimes = [0.4, 4, 15]
/** The maximum time to wait after the expiry, to allow for clock skew, in seconds. */
const toleratedSkew = 3

/**
 * Uses a token before it expires. Returns the token, a generator of other tokens with that expiry,
 * and the endpoint of the session that the request opened, if it did.
 */
async function useBeforeExpiry(
  world: AuthWorld,
  endpoint: ProtectedEndpoint,
): Promise<{ used: string; tokens: ExpiringTokens; inSession: ProtectedEndpoint | undefined }> {
  const mint = await getMint(world)
  for (const seconds of lifetimes) {
    const tokens = mint.expiringIn(seconds)
    if (tokens === undefined)
      throw new NotCovered<ToolsNeed>('the suite cannot sign a token that expires soon', [
        'tools.auth.secret',
      ])
    const used = world.knownValues.add(tokens.newToken(), 'token')
    const exchange = await world.send(endpoint.request(`Bearer ${used}`))
    if (isServed(exchange)) return { used, tokens, inSession: endpointInSession(exchange) }
  }
  throw new NotCovered('the server accepts no token that expires soon')
}

/**
 * Waits until the server refuses a new token with this expiry. Each token is used only once,
 * because a server may cache tokens that it has accepted.
 */
async function waitForExpiry(
  world: AuthWorld,
  endpoint: ProtectedEndpoint,
  { expireAt, newToken }: ExpiringTokens,
): Promise<void> {
  const { clock, knownValues, send, wait } = world
  while (clock.realTime() < expireAt)
    await wait(expireAt - clock.realTime(), 'the expiry of a token')
  for (;;) {
    const unused = knownValues.add(newToken(), 'token')
    if (!isServed(await send(endpoint.request(`Bearer ${unused}`)))) return
    if (clock.realTime() > expireAt + toleratedSkew * 1000) throw clockSkewNotCovered()
    await wait(500)
  }
}

const clockSkewNotCovered = () =>
  new NotCovered(`the server tolerates more than ${toleratedSkew} seconds of clock skew`)

export const forgedTokensChecks = [
  check('AUTH-JWT-13', {
    title: 'refuses a token that has expired since it was used',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const { mainEndpoint } = await getForgeryRound(world)
      const expired = (await getMint(world)).expiringIn(-toleratedSkew - 1)
      if (expired !== undefined) {
        const token = world.knownValues.add(expired.newToken(), 'token')
        if (isServed(await world.send(mainEndpoint.request(`Bearer ${token}`))))
          throw clockSkewNotCovered()
      }
      const { used, tokens, inSession } = await useBeforeExpiry(world, mainEndpoint)
      await waitForExpiry(world, mainEndpoint, tokens)
      // The server has just refused a new token that expired at the same time. It must also refuse
      // the token that it accepted before.
      world.expect(await world.send(mainEndpoint.request(`Bearer ${used}`)), refused)
      if (inSession !== undefined)
        world.expect(
          await world.send(inSession.request(`Bearer ${used}`)),
          labelled('in the session that the token opened', refused),
        )
    },
  }),
  forgeryCheck('AUTH-JWT-06', 'refuses tokens whose signature does not match', 'secret'),
  forgeryCheck('AUTH-JWT-07', 'refuses tokens of other issuers', 'issuer'),
  forgeryCheck('AUTH-JWT-08', 'refuses tokens for other audiences', 'audience'),
  forgeryCheck('AUTH-JWT-09', 'refuses unsigned tokens', 'unsigned'),
  forgeryCheck('AUTH-JWT-10', 'refuses tokens with other algorithms', 'algorithm'),
  forgeryCheck('AUTH-JWT-11', 'trusts no key that a token contains or refers to', 'key'),
  forgeryCheck('AUTH-JWT-12', 'refuses tokens with unknown critical extensions', 'critical'),
  forgeryCheck('AUTH-JWT-13', 'refuses expired tokens', 'expiry'),
  forgeryCheck('AUTH-JWT-14', 'refuses tokens that are not valid yet', 'begin'),
  forgeryCheck('AUTH-JWT-15', 'refuses strings that are not a signed JWT with claims', 'form'),
]

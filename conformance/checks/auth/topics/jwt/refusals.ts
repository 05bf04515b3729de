import { labelled } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { isServed, type ProtectedEndpoint } from '../../support/protected-endpoints.ts'
import { hasStatus } from '../../support/expectations.ts'
import { hasHeader } from '../../support/contract.ts'
import {
  attemptsAtMain,
  getMint,
  getForgeryRound,
  getValidToken,
  type ForgeryRound,
  type TokenAttempt,
} from '../../support/jwt/forgery-round.ts'
import { basicCredential } from '../../support/grant.ts'
import { opaqueTokenNotCovered } from '../../support/token-mint.ts'
import { expectEach, says, containsNo } from '../../support/jwt/refusal-text.ts'

const root = 'AUTH-JWT-01'
const patterns = ['jwt'] as const

// Only refusals are judged here. If a forged token is accepted, other requirements report it.
const refusalsIn = (
  attempts: readonly TokenAttempt[],
  test: (one: TokenAttempt) => boolean,
): HttpExchange[] =>
  attempts.filter((one) => test(one) && !isServed(one.exchange)).map((one) => one.exchange)
const withStatus = ({ attempts }: ForgeryRound, status: number): HttpExchange[] =>
  attempts.map((one) => one.exchange).filter((one) => one.status === status)

/**
 * Endpoints that accepted a request whose token the main endpoint refused. Their refusals prove
 * nothing, because the reason may be something other than the token, such as a stream that is
 * already open.
 */
function inconsistentEndpoints({
  mainEndpoint,
  attempts,
}: ForgeryRound): ReadonlySet<ProtectedEndpoint> {
  const refused = new Set(
    attempts
      .filter(({ endpoint, exchange }) => endpoint === mainEndpoint && !isServed(exchange))
      .map(({ forged }) => forged?.name),
  )
  return new Set(
    attempts
      .filter(
        ({ endpoint, forged, exchange }) =>
          endpoint !== mainEndpoint && refused.has(forged?.name) && isServed(exchange),
      )
      .map(({ endpoint }) => endpoint),
  )
}

/**
 * The maximum number of times that a request without a response is sent. A server that refuses
 * early may close the connection before its response can be read.
 */
const maxTries = 4

/** Checks of the responses to requests without a valid token. */
export const refusalsChecks = [
  check('AUTH-JWT-02', {
    title: 'returns 401 without an Authorization header',
    root,
    patterns,
    async run(world) {
      const round = await getForgeryRound(world)
      const hasNoToken = (one: TokenAttempt) => one.forged === undefined
      const refusedAtMain = attemptsAtMain(round)
        .filter(hasNoToken)
        .map((one) => one.exchange)
      expectEach(world, [
        [refusedAtMain, hasStatus(401)],
        [refusalsIn(round.attempts, hasNoToken), labelled('the other endpoints', hasStatus(401))],
      ])
    },
  }),

  check('AUTH-JWT-02', {
    title: 'refuses a token outside the Authorization header',
    root,
    patterns,
    async run(world) {
      const { mainEndpoint } = await getForgeryRound(world)
      const token = await getValidToken(world)
      const request = mainEndpoint.request()
      const url = new URL(request.url)
      url.searchParams.set('access_token', token)
      const having = (headers: Readonly<Record<string, string>>) => ({
        ...request,
        headers: { ...request.headers, ...headers },
      })
      const requests = {
        'a token in the URL': { ...request, url: url.href },
        'a token in a cookie': having({ Cookie: `access_token=${token}; token=${token}` }),
        'a token in another header': having({ 'X-Access-Token': token, 'X-Api-Key': token }),
      }
      for (const [label, one] of Object.entries(requests))
        world.expect(await world.send(one), labelled(label, hasStatus(401)))
    },
  }),

  check('AUTH-JWT-03', {
    title: 'states in 401 responses that the request is unauthorized',
    root,
    patterns,
    async run(world) {
      const round = await getForgeryRound(world)
      const exchanges = withStatus(
        { ...round, attempts: round.attempts.filter(({ forged }) => forged === undefined) },
        401,
      )
      if (exchanges.length === 0) await world.requireMet('AUTH-JWT-02')
      expectEach(world, [[exchanges, says('unauthorized')]])
    },
  }),

  check('AUTH-JWT-31', {
    title: 'sends a WWW-Authenticate challenge with 401',
    root,
    patterns,
    async run(world) {
      const exchanges = withStatus(await getForgeryRound(world), 401)
      if (exchanges.length === 0) await world.requireMet('AUTH-JWT-02')
      expectEach(world, [[exchanges, hasHeader('AUTH-JWT-31')]])
    },
  }),

  check('AUTH-JWT-04', {
    title: 'returns 403 for tokens that fail verification',
    root,
    patterns,
    async run(world) {
      const round = await getForgeryRound(world)
      const inconsistent = inconsistentEndpoints(round)
      const atMain = attemptsAtMain(round).filter(({ forged }) => forged !== undefined)
      if (atMain.length === 0) throw opaqueTokenNotCovered()
      const refusedAtMain = atMain.flatMap(({ forged, exchange }) =>
        isServed(exchange) ? [] : forged!.name,
      )
      // Other requirements report accepted tokens. But a server that returns 2xx for all forged
      // tokens may refuse them in the body, so this check reports the status.
      if (refusedAtMain.length === 0) {
        const exchanges = atMain.map(({ exchange }) => exchange)
        expectEach(world, [[exchanges, labelled('forged tokens', hasStatus(403))]])
      }
      expectEach(
        world,
        refusedAtMain.map((name) => [
          refusalsIn(
            round.attempts,
            ({ forged, endpoint }) => forged?.name === name && !inconsistent.has(endpoint),
          ),
          labelled(`a token ${name}`, hasStatus(403)),
        ]),
      )
    },
  }),

  check('AUTH-JWT-05', {
    title: 'states in 403 responses that the token is invalid',
    root,
    patterns,
    async run(world) {
      const exchanges = withStatus(await getForgeryRound(world), 403)
      if (exchanges.length === 0) await world.requireMet('AUTH-JWT-04')
      expectEach(world, [[exchanges, says('invalid')]])
    },
  }),

  check('AUTH-JWT-17', {
    title: 'returns no secrets, claims or stack traces in refusals',
    root,
    patterns,
    async run(world) {
      const { attempts } = await getForgeryRound(world)
      const all = refusalsIn(attempts, () => true)
      const payloads = attempts
        .flatMap(({ forged }) => (forged === undefined ? [] : [forged.token.split('.')[1] ?? '']))
        .filter((part) => part.length > 40)
      const { secret } = world.auth
      expectEach(world, [
        ...(secret === undefined ? [] : ([[all, containsNo.secret(secret)]] as const)),
        // The suite generated these values, and they occur only in its tokens.
        [all, containsNo.claims(['somebody-else', ...new Set(payloads)])],
        [all, containsNo.trace],
      ])
    },
  }),

  check('AUTH-JWT-18', {
    title: 'refuses an invalid token of 64 KiB',
    root,
    patterns,
    async run(world) {
      const { endpoints } = await getForgeryRound(world)
      const mint = await getMint(world)
      const longToken = mint.forged().find(({ forgery }) => forgery === 'size')
      const exchanges = await Promise.all(
        endpoints.map(async (endpoint) => {
          let exchange = await world.send(endpoint.request(`Bearer ${longToken!.token}`))
          // Repeats a request without a response, because the connection may have been closed for
          // another reason.
          for (let count = 1; exchange.status === undefined && count < maxTries; count += 1)
            exchange = await world.send(endpoint.request(`Bearer ${longToken!.token}`))
          return exchange
        }),
      )
      const isRefused = ({ status = 0 }: HttpExchange) => status >= 400 && status < 500
      // Judges the first exchange that is not a refusal or, if all are refusals, the first one.
      world.expect(exchanges.find((one) => !isRefused(one)) ?? exchanges[0]!, {
        name: 'is refused',
        expected: 'a status from 400 to 499',
        test: isRefused,
      })
    },
  }),

  check('AUTH-JWT-27', {
    title: 'refuses an Authorization header without a bearer token',
    root,
    patterns,
    async run(world) {
      const { mainEndpoint } = await getForgeryRound(world)
      const validToken = await getValidToken(world)
      const headers = {
        'Basic credentials': basicCredential('touchstone', 'touchstone'),
        'a valid token as Basic': `Basic ${validToken}`,
        'a valid token as the password of Basic credentials': basicCredential(
          'touchstone',
          validToken,
        ),
        'a valid token with the scheme Token': `Token ${validToken}`,
        'a valid token without a scheme': validToken,
        'Bearer without a token': 'Bearer',
      }
      for (const [name, header] of Object.entries(headers))
        world.expect(
          await world.send(mainEndpoint.request(header)),
          labelled(name, hasStatus(401, 403)),
        )
    },
  }),
]

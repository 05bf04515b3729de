import { type Expectation, judge, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth, watch } from '../../support/define.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { confidentialClient, ownClient } from '../../support/oauth/clients-and-codes.ts'

const isJson = (exchange: HttpExchange): boolean =>
  /^application\/json *(;|$)/i.test(exchange.header('content-type') ?? '')
const isJsonObject: Expectation<HttpExchange> = {
  name: 'is JSON',
  expected: 'a JSON object with the content type application/json',
  test: (exchange) => isJson(exchange) && Object.keys(members(exchange)).length > 0,
}
const hasAccessToken: Expectation<HttpExchange> = {
  name: 'returns an access token',
  expected: 'the field access_token (a string)',
  test: (exchange) =>
    typeof members(exchange)['access_token'] === 'string' &&
    members(exchange)['access_token'] !== '',
}
const isBearer: Expectation<HttpExchange> = {
  name: 'returns its type',
  expected: 'token_type Bearer, in upper or lower case',
  test: (exchange) => /^bearer$/i.test(String(members(exchange)['token_type'])),
}

/**
 * Whether a response is one of the token endpoint to a form. Requests in another format may be
 * refused in other ways.
 */
const isTokenResponse = ({ operation, request: { body } }: HttpExchange): boolean =>
  (operation === 'token' || operation === 'refresh') && body?.kind === 'fields'
const hasTokens = (exchange: HttpExchange): boolean =>
  isTokenResponse(exchange) && isServed(exchange) && 'access_token' in members(exchange)

const forbidsCaching: Expectation<HttpExchange> = {
  name: 'forbids caching',
  expected: 'Cache-Control with no-store',
  test: (exchange) =>
    exchange
      .headersOf('cache-control')
      .some((value) => value.split(',').some((one) => one.trim().toLowerCase() === 'no-store')),
}
const hasLifetime: Expectation<HttpExchange> = {
  name: 'returns the lifetime',
  expected: 'the field expires_in, greater than 0',
  test: (exchange) => Number(members(exchange)['expires_in']) > 0,
}
const isInteger: Expectation<Readonly<Record<string, unknown>>> = {
  name: 'returns the lifetime as an integer',
  expected: 'the field expires_in (an integer of at least 0)',
  test: (body) => Number.isInteger(body['expires_in']) && Number(body['expires_in']) >= 0,
  received: (body) => JSON.stringify(body['expires_in']),
}

const isError: Expectation<HttpExchange> = {
  name: 'is an error in JSON',
  expected: 'a JSON object with the field error and the content type application/json',
  test: (exchange) =>
    isJson(exchange) &&
    typeof members(exchange)['error'] === 'string' &&
    members(exchange)['error'] !== '',
}
const hasStatusOfError: Expectation<HttpExchange> = {
  name: 'has the status of its error',
  expected: 'status 400, or 401 for invalid_client',
  test: (exchange) =>
    exchange.status === 400 ||
    (exchange.status === 401 && members(exchange)['error'] === 'invalid_client'),
}

/** Issued tokens. */
export const tokenChecks = [
  check('AUTH-TOKEN-01', {
    title: 'exchanges a code and its verifier for an access token',
    patterns: oauth,
    async run(world) {
      const { obtainGrant, newTokenRequest, send, expect, readTokens } = world
      const code = await obtainGrant({}, await ownClient(world, 'token 01'))
      const response = await send(await newTokenRequest(code))
      expect(response, hasStatus(200), isJsonObject, hasAccessToken, isBearer)
      readTokens(response, code)
    },
  }),
  watch('AUTH-TOKEN-02', {
    title: 'forbids caching of responses with tokens',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      hasTokens(exchange)
        ? [{ name: forbidsCaching.name, ...judge(forbidsCaching, exchange) }]
        : [],
  }),
  watch('AUTH-TOKEN-03', {
    title: 'returns the lifetime of an access token',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      hasTokens(exchange) ? [{ name: hasLifetime.name, ...judge(hasLifetime, exchange) }] : [],
  }),
  check('AUTH-TOKEN-21', {
    title: 'returns the lifetime as an integer',
    patterns: oauth,
    async run(world) {
      const { obtainTokens, newRefreshRequest, send, expectValue } = world
      const first = await obtainTokens({}, await ownClient(world, 'token 21'))
      const second =
        first.refresh === undefined ? undefined : await send(await newRefreshRequest(first))
      const bodies = [first.exchange, ...(second === undefined ? [] : [second])]
        .map(members)
        .filter((one) => 'expires_in' in one)
      if (bodies.length === 0) throw new NotApplicable('the responses contain no lifetime')
      for (const one of bodies) expectValue(one, isInteger)
    },
  }),
  watch('AUTH-TOKEN-17', {
    title: 'returns token errors in JSON with the required status',
    sources: ['AUTH-TOKEN-09', 'AUTH-TOKEN-01'],
    examine: (exchange) =>
      isTokenResponse(exchange) && (exchange.status ?? 0) >= 400 && exchange.status !== 429
        ? [isError, hasStatusOfError].map((one) => ({ name: one.name, ...judge(one, exchange) }))
        : [],
  }),
  check('AUTH-TOKEN-18', {
    title: 'records how a token request in JSON is handled',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest, obtainGrant, sendOrBlock, send, observe } = world
      const [first, second] = [
        await obtainGrant({}, await ownClient(world, 'token 18')),
        await obtainGrant({}, await ownClient(world, 'token 18, second')),
      ]
      const request = await newTokenRequest(first)
      const fields = request.body?.kind === 'fields' ? request.body.fields : []
      const [response] = await Promise.all([
        send({
          ...request,
          operation: 'token in JSON',
          body: { kind: 'json', value: Object.fromEntries(fields) },
        }),
        sendOrBlock(await newTokenRequest(second)),
      ])
      observe(
        isServed(response)
          ? 'a token request in JSON is accepted'
          : `a token request in JSON is refused: ${response.status === undefined ? 'no response' : `status ${response.status}`}`,
      )
    },
  }),
  check('AUTH-TOKEN-19', {
    title: 'records how a token request with another redirect URI or none is handled',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest, obtainGrant, sendOrBlock, send, observe } = world
      const [other, none, last] = [
        await obtainGrant({}, await ownClient(world, 'token 19')),
        await obtainGrant({}, await ownClient(world, 'token 19, second')),
        await obtainGrant({}, await ownClient(world, 'token 19, third')),
      ]
      const sent = {
        'another redirect URI': await newTokenRequest(other, {
          redirect_uri: `${other.authorization.redirectUri}/other`,
        }),
        'no redirect URI': await newTokenRequest(none, { redirect_uri: undefined }),
      }
      await sendOrBlock(await newTokenRequest(last))
      for (const [label, request] of Object.entries(sent)) {
        const response = await send(request)
        const error = String(members(response)['error'] ?? '')
        const outcome = isServed(response)
          ? 'accepted'
          : `refused with ${response.status ?? 'no status'} ${error}`
        observe(`${label}: ${outcome}`)
      }
    },
  }),
  ...(
    [
      ['client_secret_post', 'in the body'],
      ['client_secret_basic', 'in the Authorization header'],
    ] as const
  ).map(([method, location]) =>
    check('AUTH-TOKEN-20', {
      title: `accepts a client secret ${location}`,
      patterns: oauth,
      async run(world) {
        const { obtainGrant, newTokenRequest, expectSuccess, readTokens } = world
        const code = await obtainGrant({}, await confidentialClient(world, 'token 20', method))
        readTokens(
          await expectSuccess(await newTokenRequest(code), undefined, hasAccessToken),
          code,
        )
      },
    }),
  ),
]

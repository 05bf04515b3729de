import { type Expectation, judge, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth, watch } from '../../support/define.ts'
import { isServed } from '../../support/places.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { confidential, own } from '../../support/oauth/granting.ts'

const isJson = (exchange: HttpExchange): boolean =>
  /^application\/json *(;|$)/i.test(exchange.header('content-type') ?? '')
const json: Expectation<HttpExchange> = {
  name: 'is JSON',
  expected: 'an object in application/json',
  test: (exchange) => isJson(exchange) && Object.keys(members(exchange)).length > 0,
}
const accessToken: Expectation<HttpExchange> = {
  name: 'gives an access token',
  expected: 'a text access_token',
  test: (exchange) =>
    typeof members(exchange)['access_token'] === 'string' &&
    members(exchange)['access_token'] !== '',
}
const tokenType: Expectation<HttpExchange> = {
  name: 'gives its type',
  expected: 'a token_type of Bearer, in any case',
  test: (exchange) => /^bearer$/i.test(String(members(exchange)['token_type'])),
}

/** Whether an answer is one of the token endpoint to a form. What is sent there in other ways may be refused in other ways. */
const isOfToken = ({ operation, request: { body } }: HttpExchange): boolean =>
  (operation === 'token' || operation === 'refresh') && body?.kind === 'fields'
const givesTokens = (exchange: HttpExchange): boolean =>
  isOfToken(exchange) && isServed(exchange) && 'access_token' in members(exchange)

const notStored: Expectation<HttpExchange> = {
  name: 'forbids to store it',
  expected: 'Cache-Control with no-store',
  test: (exchange) =>
    exchange
      .headersOf('cache-control')
      .some((value) => value.split(',').some((one) => one.trim().toLowerCase() === 'no-store')),
}
const lifetime: Expectation<HttpExchange> = {
  name: 'tells the lifetime',
  expected: 'expires_in, more than 0',
  test: (exchange) => Number(members(exchange)['expires_in']) > 0,
}
const wholeNumber: Expectation<Readonly<Record<string, unknown>>> = {
  name: 'tells the lifetime as a whole number',
  expected: 'expires_in as a number without a fraction',
  test: (told) => Number.isInteger(told['expires_in']),
  received: (told) => JSON.stringify(told['expires_in']),
}

const isError: Expectation<HttpExchange> = {
  name: 'is an error in JSON',
  expected: 'an object with error in application/json',
  test: (exchange) =>
    isJson(exchange) &&
    typeof members(exchange)['error'] === 'string' &&
    members(exchange)['error'] !== '',
}
const statusOfRefusal: Expectation<HttpExchange> = {
  name: 'has the status of its error',
  expected: 'status 400, or 401 for invalid_client',
  test: (exchange) =>
    exchange.status === 400 ||
    (exchange.status === 401 && members(exchange)['error'] === 'invalid_client'),
}

/** Checks of the token endpoint: what it gives. */
export const token = [
  check('AUTH-TOKEN-01', {
    title: 'gives an access token for a code and its verifier',
    patterns: oauth,
    async play(world) {
      const { grant, exchange, send, expect, received } = world
      const code = await grant({}, await own(world, 'token 01'))
      const given = await send(await exchange(code))
      expect(given, hasStatus(200), json, accessToken, tokenType)
      received(given, code)
    },
  }),
  watch('AUTH-TOKEN-02', {
    title: 'forbids to store answers with tokens',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      givesTokens(exchange) ? [{ name: notStored.name, ...judge(notStored, exchange) }] : [],
  }),
  watch('AUTH-TOKEN-03', {
    title: 'tells for how long an access token lives',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      givesTokens(exchange) ? [{ name: lifetime.name, ...judge(lifetime, exchange) }] : [],
  }),
  check('AUTH-TOKEN-21', {
    title: 'tells the lifetime as a whole number',
    patterns: oauth,
    async play(world) {
      const { tokens, refreshing, send, expectOf } = world
      const first = await tokens({}, await own(world, 'token 21'))
      const second = first.refresh === undefined ? undefined : await send(await refreshing(first))
      const told = [first.answer, ...(second === undefined ? [] : [second])]
        .map(members)
        .filter((one) => 'expires_in' in one)
      if (told.length === 0) throw new NotApplicable('no lifetime is told')
      for (const one of told) expectOf(one, wholeNumber)
    },
  }),
  watch('AUTH-TOKEN-17', {
    title: 'refuses in JSON, with the status of the error',
    sources: ['AUTH-TOKEN-09', 'AUTH-TOKEN-01'],
    examine: (exchange) =>
      isOfToken(exchange) && (exchange.status ?? 0) >= 400 && exchange.status !== 429
        ? [isError, statusOfRefusal].map((one) => ({ name: one.name, ...judge(one, exchange) }))
        : [],
  }),
  check('AUTH-TOKEN-18', {
    title: 'what becomes of a request in JSON',
    patterns: oauth,
    async play(world) {
      const { exchange, grant, sendOrBlock, send, observe } = world
      const [first, second] = [
        await grant({}, await own(world, 'token 18')),
        await grant({}, await own(world, 'token 18 too')),
      ]
      const request = await exchange(first)
      const fields = request.body?.kind === 'fields' ? request.body.fields : []
      const [came] = await Promise.all([
        send({
          ...request,
          operation: 'token in JSON',
          body: { kind: 'json', value: Object.fromEntries(fields) },
        }),
        sendOrBlock(await exchange(second)),
      ])
      observe(
        isServed(came) ? 'JSON is taken' : `JSON is refused with ${came.status ?? 'no status'}`,
      )
    },
  }),
  check('AUTH-TOKEN-19', {
    title: 'what becomes of a code with another redirect URI, or with none',
    patterns: oauth,
    async play(world) {
      const { exchange, grant, sendOrBlock, send, observe } = world
      const [other, none, last] = [
        await grant({}, await own(world, 'token 19')),
        await grant({}, await own(world, 'token 19 too')),
        await grant({}, await own(world, 'token 19 beside')),
      ]
      const sent = {
        'another redirect URI': await exchange(other, {
          redirect_uri: `${other.ask.redirectUri}/other`,
        }),
        'no redirect URI': await exchange(none, { redirect_uri: undefined }),
      }
      await sendOrBlock(await exchange(last))
      for (const [label, request] of Object.entries(sent)) {
        const came = await send(request)
        observe(
          `${label}: ${isServed(came) ? 'taken' : `refused with ${came.status ?? 'no status'} ${String(members(came)['error'] ?? '')}`}`,
        )
      }
    },
  }),
  ...(
    [
      ['client_secret_post', 'in the body'],
      ['client_secret_basic', 'in the Authorization header'],
    ] as const
  ).map(([method, where]) =>
    check('AUTH-TOKEN-20', {
      title: `gives tokens to a client that shows its secret ${where}`,
      patterns: oauth,
      async play(world) {
        const { grant, exchange, expectSuccess, received } = world
        const code = await grant({}, await confidential(world, 'token 20', method))
        received(await expectSuccess(await exchange(code), undefined, accessToken), code)
      },
    }),
  ),
]

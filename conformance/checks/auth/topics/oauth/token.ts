import { randomBytes } from 'node:crypto'
import { type Expectation, judge, labelled, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth, watch } from '../../support/define.ts'
import {
  conformsIfPresent,
  conformsTo,
  hasContentType,
  hasHeader,
  hasMember,
} from '../../support/contract.ts'
import { challengeOf } from '../../support/flow-request.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { hasStatus, members } from '../../support/expectations.ts'
import { confidentialClient, ownClient } from '../../support/oauth/clients-and-codes.ts'

/**
 * Whether an exchange is the token endpoint's response to a form. Requests in another format may be
 * refused in other ways, so the checks that examine every response ignore them.
 */
const isTokenResponse = ({ operation, request: { body } }: HttpExchange): boolean =>
  (operation === 'token' || operation === 'refresh') && body?.kind === 'fields'
const hasTokens = (exchange: HttpExchange): boolean =>
  isTokenResponse(exchange) && isServed(exchange) && 'access_token' in members(exchange)
const isTokenError = (exchange: HttpExchange): boolean =>
  isTokenResponse(exchange) && (exchange.status ?? 0) >= 400 && exchange.status !== 429

const isPositive: Expectation<HttpExchange> = {
  name: 'returns a lifetime that has not ended',
  expected: 'the field expires_in, greater than 0',
  test: (exchange) =>
    members(exchange)['expires_in'] === undefined || Number(members(exchange)['expires_in']) > 0,
}
const hasStatusOfError: Expectation<HttpExchange> = {
  name: 'has the status of its error',
  expected: 'status 400, or 401 for invalid_client',
  test: (exchange) =>
    exchange.status === 400 ||
    (exchange.status === 401 && members(exchange)['error'] === 'invalid_client'),
}

/** Checks of issued tokens. */
export const tokenChecks = [
  check('AUTH-TOKEN-01', {
    title: 'exchanges a code and its verifier for an access token',
    door: 'a verifier of 43 characters',
    patterns: oauth,
    async run(world) {
      const { obtainGrant, newTokenRequest, send, expect, readTokens } = world
      const grant = await obtainGrant({}, await ownClient(world))
      const response = await send(await newTokenRequest(grant))
      expect(
        response,
        hasStatus(200),
        hasContentType('AUTH-TOKEN-01'),
        ...conformsTo('token success', 'AUTH-TOKEN-01'),
      )
      readTokens(response, grant)
    },
  }),
  check('AUTH-TOKEN-01', {
    title: 'exchanges a code and a verifier of the maximum length',
    door: 'a verifier of 128 characters',
    patterns: oauth,
    async run(world) {
      // The alphabet of other verifiers lacks two of the allowed characters.
      const code_verifier = world.knownValues.add(
        `${randomBytes(96).toString('base64url').slice(2)}.~`,
        'verifier',
      )
      const code_challenge = challengeOf(code_verifier)
      const grant = await world.obtainGrant({ code_challenge }, await ownClient(world))
      world.expect(
        await world.send(await world.newTokenRequest(grant, { code_verifier })),
        hasMember('token success', 'access_token'),
      )
    },
  }),
  watch('AUTH-TOKEN-02', {
    title: 'forbids caching of responses with tokens',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      hasTokens(exchange) ? [judge(hasHeader('AUTH-TOKEN-02'), exchange)] : [],
  }),
  watch('AUTH-TOKEN-03', {
    title: 'returns the lifetime of an access token',
    sources: ['AUTH-TOKEN-01'],
    examine: (exchange) =>
      hasTokens(exchange)
        ? [...conformsTo('token success', 'AUTH-TOKEN-03'), isPositive].map((one) =>
            judge(one, exchange),
          )
        : [],
  }),
  check('AUTH-TOKEN-21', {
    title: 'returns the lifetime as an integer',
    patterns: oauth,
    async run(world) {
      const { obtainTokens, newRefreshRequest, send, expect } = world
      const first = await obtainTokens({}, await ownClient(world))
      const second =
        first.refresh === undefined ? undefined : await send(await newRefreshRequest(first))
      const responses = [first.exchange, ...(second === undefined ? [] : [second])].filter(
        (one) => 'expires_in' in members(one),
      )
      if (responses.length === 0) throw new NotApplicable('the responses contain no lifetime')
      for (const one of responses) expect(one, ...conformsTo('token success', 'AUTH-TOKEN-21'))
    },
  }),
  watch('AUTH-TOKEN-17', {
    title: 'returns token errors in JSON with the required status',
    sources: ['AUTH-TOKEN-09', 'AUTH-TOKEN-01'],
    examine: (exchange) =>
      isTokenError(exchange)
        ? [
            hasContentType('AUTH-TOKEN-17'),
            ...conformsTo('token failure', 'AUTH-TOKEN-17'),
            hasStatusOfError,
          ].map((one) => judge(one, exchange))
        : [],
  }),
  watch('AUTH-TOKEN-26', {
    title: 'returns optional members of token responses with the right types',
    sources: ['AUTH-TOKEN-01'],
    examine(exchange) {
      if (!hasTokens(exchange) && !isTokenError(exchange)) return []
      const [label, message] = isTokenError(exchange)
        ? (['a response with an error', 'token failure'] as const)
        : (['a response with tokens', 'token success'] as const)
      return conformsIfPresent(exchange, message, 'AUTH-TOKEN-26').map((one) =>
        judge(labelled(label, one), exchange),
      )
    },
  }),
  check('AUTH-TOKEN-18', {
    title: 'records how a token request in JSON is handled',
    patterns: oauth,
    async run(world) {
      const { newTokenRequest, obtainGrant, sendOrBlock, send, observe } = world
      const client = await ownClient(world)
      await sendOrBlock(await newTokenRequest(await obtainGrant({}, client)))
      const request = await newTokenRequest(await obtainGrant({}, client))
      const fields = request.body?.kind === 'fields' ? request.body.fields : []
      const response = await send({
        ...request,
        operation: 'token in JSON',
        body: { kind: 'json', value: Object.fromEntries(fields) },
      })
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
      const client = await ownClient(world)
      await sendOrBlock(await newTokenRequest(await obtainGrant({}, client)))
      const changes = {
        'another redirect URI': { redirect_uri: `${client.redirectUri}/other` },
        'no redirect URI': { redirect_uri: undefined },
      }
      for (const [label, change] of Object.entries(changes)) {
        const grant = await obtainGrant({}, client)
        const response = await send(await newTokenRequest(grant, change))
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
      door: `a secret ${location}`,
      patterns: oauth,
      async run(world) {
        const { obtainGrant, newTokenRequest, expectSuccess, readTokens } = world
        const grant = await obtainGrant({}, await confidentialClient(world, method))
        readTokens(
          await expectSuccess(
            await newTokenRequest(grant),
            undefined,
            hasMember('token success', 'access_token'),
          ),
          grant,
        )
      },
    }),
  ),
]

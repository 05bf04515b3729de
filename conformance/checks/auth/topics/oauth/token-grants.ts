import { labelled, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { members } from '../../support/expectations.ts'
import { buildTokenEndpointRequest } from '../../support/grant.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import { getPublicClient } from '../../support/oauth/flows.ts'
import { looksRandom } from '../../support/oauth/randomness.ts'

const hasNoToken: Expectation<HttpExchange> = {
  name: 'returns no token',
  expected: 'a 4xx status and no access_token',
  test: (exchange) =>
    (exchange.status ?? 0) >= 400 &&
    (exchange.status ?? 0) < 500 &&
    members(exchange)['access_token'] === undefined,
}

/** Returns a GET request with the fields of the request in its query. */
function toGetRequest({ headers, ...request }: HttpRequest): HttpRequest {
  const url = new URL(request.url)
  const fields = request.body?.kind === 'fields' ? request.body.fields : []
  for (const [name, value] of fields) url.searchParams.append(name, value)
  const { operation, timeout } = request
  return {
    operation: `${operation} by GET`,
    method: 'GET',
    url: url.href,
    ...(headers === undefined ? {} : { headers }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/**
 * The minimum number of characters of a random value with 128 bits. One character has at most 6.6
 * bits.
 */
const minLength = 20

const cannotBeGuessed: Expectation<readonly string[]> = {
  name: 'cannot be guessed',
  expected: `at least ${minLength} characters, of which many differ between values`,
  test: (values) => values.every(({ length }) => length >= minLength) && looksRandom(values),
  received: (values) => `values of ${values.map(({ length }) => length).join(', ')} characters`,
}

/** Checks of token requests that must not succeed, and of the randomness of codes and tokens. */
export const tokenGrantsChecks = [
  check('AUTH-TOKEN-22', {
    title: 'refuses the client_credentials grant to a client without a secret',
    patterns: oauth,
    async run(world) {
      const client = await getPublicClient(world)
      await world.requireMet('AUTH-TOKEN-01')
      const { token } = await world.findEndpoints()
      world.expect(
        await world.send(
          buildTokenEndpointRequest('token', token, client, { grant_type: 'client_credentials' }),
        ),
        hasNoToken,
      )
    },
  }),
  check('AUTH-TOKEN-23', {
    title: 'issues codes and tokens that cannot be guessed',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      const issued = [
        await world.obtainTokens({}, client),
        await world.obtainTokens({}, client),
        await world.obtainTokens({}, client),
      ]
      const kinds = {
        codes: issued.map(({ grant }) => grant.code),
        'access tokens': issued.map(({ access }) => access),
        'refresh tokens': issued.flatMap(({ refresh }) => refresh ?? []),
      }
      for (const [label, values] of Object.entries(kinds))
        world.expectValue(values, labelled(label, cannotBeGuessed))
    },
  }),
  check('AUTH-TOKEN-24', {
    title: 'issues no token for a GET request',
    patterns: oauth,
    async run(world) {
      const client = await ownClient(world)
      const tokens = await world.obtainTokens({}, client)
      const requests = {
        'a code': await world.newTokenRequest(await world.obtainGrant({}, client)),
        ...(tokens.refresh === undefined
          ? {}
          : { 'a refresh token': await world.newRefreshRequest(tokens) }),
      }
      for (const [label, request] of Object.entries(requests))
        world.expect(await world.send(toGetRequest(request)), labelled(label, hasNoToken))
    },
  }),
]

import { expectServedAtEntryPoints, expectAtEndpoints } from '../../support/oauth/resource-use.ts'
import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, labelled, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { swapCase } from '../../../../wire/swap-case.ts'
import { isCaseSensitive } from '../../../shared/access-tokens.ts'
import { check, oauth } from '../../support/define.ts'
import { isEntryPoint } from '../../support/probed-endpoints.ts'
import { isServed, type ProtectedEndpoint } from '../../support/protected-endpoints.ts'
import { basicCredential } from '../../support/grant.ts'
import { served } from '../../support/expectations.ts'
import { hasHeader } from '../../support/contract.ts'
import { challengesIn } from '../../support/oauth/challenges.ts'
import {
  changeOneCharacter,
  confidentialClient,
  ownClient,
} from '../../support/oauth/clients-and-codes.ts'

const isRefusal = ({ status = 0 }: HttpExchange): boolean => status >= 400 && status < 500
const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a 4xx status',
  test: isRefusal,
}
const is401: Expectation<HttpExchange> = {
  name: 'has status 401',
  expected: 'status 401',
  test: ({ status }) => status === 401,
}
const invalidToken: Expectation<HttpExchange> = {
  name: 'has the error invalid_token',
  expected: 'WWW-Authenticate with error="invalid_token"',
  test: (exchange) =>
    challengesIn(exchange).some((one) => /\berror *= *"?invalid_token\b/i.test(one)),
}

const withToken = (token: string) => (endpoint: ProtectedEndpoint) =>
  endpoint.request(`Bearer ${token}`)

function withTokenInQuery(request: HttpRequest, token: string): HttpRequest {
  const url = new URL(request.url)
  url.searchParams.set('access_token', token)
  return { ...request, url: url.href }
}

const hasNoErrorCode: Expectation<HttpExchange> = {
  name: 'has a challenge without an error code',
  expected: 'WWW-Authenticate without `error`',
  test: (exchange) => !challengesIn(exchange).some((one) => /\berror *=/i.test(one)),
}

/** Checks of access to the protected endpoints. */
export const resourceChecks = [
  check('AUTH-RESOURCE-01', {
    title: 'accepts a valid token on every transport',
    patterns: oauth,
    async run({ probeEndpoints, expect, requireMet }) {
      for (const { endpoint, exchange } of (await probeEndpoints()).filter(isEntryPoint)) {
        // Other requirements report a broken transport. Here, only 401 and 403 count as a request
        // for credentials.
        if (!isServed(exchange) && exchange.status !== 401 && exchange.status !== 403) {
          const root = endpoint.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01'
          await requireMet(root, exchange.summary)
          if (exchange.status === undefined) throw new Blocked(root, exchange.summary)
        }
        expect(exchange, served)
      }
    },
  }),
  check('AUTH-RESOURCE-02', {
    title: 'returns 401 and a Bearer challenge if there is no token',
    patterns: oauth,
    async run(world) {
      await expectAtEndpoints(
        world,
        (await world.probeEndpoints()).filter(({ endpoint }) => !endpoint.inSession),
        (endpoint) => endpoint.request(),
        is401,
        hasHeader('AUTH-RESOURCE-02'),
      )
    },
  }),
  check('AUTH-RESOURCE-03', {
    title: 'refuses a token that was not issued',
    patterns: oauth,
    async run(world) {
      const { probeEndpoints, obtainTokens } = world
      const { access } = await obtainTokens({}, await ownClient(world))
      const endpoints = (await probeEndpoints()).filter(
        ({ endpoint }) => !endpoint.inSession && !endpoint.isFurther,
      )
      const wrong = {
        'an invented token': randomBytes(32).toString('base64url'),
        'one character changed': changeOneCharacter(access),
        'a token cut short': access.slice(0, -4),
        'a token with characters added': `${access}AAAA`,
        ...(isCaseSensitive(access)
          ? { 'a token with upper and lower case swapped': swapCase(access) }
          : {}),
      }
      await Promise.all(
        Object.entries(wrong).map(([label, token]) =>
          expectAtEndpoints(world, endpoints, withToken(token), labelled(label, refused)),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-04', {
    title: 'returns 401 with invalid_token for an invalid token',
    patterns: oauth,
    async run(world) {
      const endpoints = (await world.probeEndpoints()).filter(isEntryPoint)
      await expectAtEndpoints(
        world,
        endpoints,
        withToken(randomBytes(32).toString('base64url')),
        is401,
        invalidToken,
      )
    },
  }),
  check('AUTH-RESOURCE-05', {
    title: 'refuses a token in the query of the URL',
    patterns: oauth,
    async run(world) {
      const { probeEndpoints, obtainTokens } = world
      const { access } = await obtainTokens({}, await ownClient(world))
      await expectAtEndpoints(
        world,
        // Leaves out DELETE, because a server that serves this request would end a session of other
        // checks.
        (await probeEndpoints()).filter(
          ({ endpoint }) => !endpoint.isFurther && endpoint.method !== 'DELETE',
        ),
        (endpoint) => withTokenInQuery(endpoint.request(), access),
        refused,
      )
    },
  }),
  check('AUTH-RESOURCE-11', {
    title: 'accepts a token only in the Authorization header, with the scheme Bearer',
    patterns: oauth,
    async run(world) {
      const entryPoints = (await world.probeEndpoints()).filter(isEntryPoint)
      const { access } = await world.obtainTokens({}, await ownClient(world))
      const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        'without a scheme': { Authorization: access },
        'with the scheme Token': { Authorization: `Token ${access}` },
        'as the password of Basic credentials': {
          Authorization: basicCredential('touchstone', access),
        },
        'in a cookie': { Cookie: `access_token=${access}; token=${access}` },
        'in another header': { 'X-Access-Token': access, 'X-Api-Key': access },
      }
      for (const [label, headers] of Object.entries(places))
        await expectAtEndpoints(
          world,
          entryPoints,
          (endpoint) => {
            const request = endpoint.request()
            return { ...request, headers: { ...request.headers, ...headers } }
          },
          labelled(label, refused),
        )
    },
  }),
  check('AUTH-RESOURCE-06', {
    title: 'refuses a code and a refresh token as access tokens',
    patterns: oauth,
    async run(world) {
      const { obtainGrant, probeEndpoints, obtainTokens } = world
      const entryPoints = (await probeEndpoints()).filter(isEntryPoint)
      const client = await ownClient(world)
      const expectRefused = (label: string, value: string) =>
        expectAtEndpoints(world, entryPoints, withToken(value), labelled(label, refused))
      const { refresh } = await obtainTokens({}, client)
      if (refresh !== undefined) await expectRefused('a refresh token', refresh)
      await expectRefused('a code', (await obtainGrant({}, client)).code)
    },
  }),
  check('AUTH-RESOURCE-06', {
    title: 'refuses a client secret as an access token',
    door: 'a client secret',
    patterns: oauth,
    async run(world) {
      const { secret = '' } = await confidentialClient(world)
      await expectAtEndpoints(
        world,
        (await world.probeEndpoints()).filter(isEntryPoint),
        withToken(secret),
        refused,
      )
    },
  }),
  check('AUTH-RESOURCE-07', {
    title: 'checks the token of every request in a session',
    patterns: oauth,
    async run(world) {
      const endpoints = (await world.probeEndpoints()).filter(({ endpoint }) => endpoint.inSession)
      if (endpoints.length === 0) throw new NotApplicable('there are no sessions')
      const wrong = {
        'a request without a token': undefined,
        'an invented token': `Bearer ${randomBytes(32).toString('base64url')}`,
      }
      await Promise.all(
        Object.entries(wrong).map(([label, authorization]) =>
          expectAtEndpoints(
            world,
            endpoints,
            (endpoint) => endpoint.request(authorization),
            labelled(label, refused),
          ),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-08', {
    title: 'accepts the scheme Bearer in upper and lower case',
    patterns: oauth,
    async run(world) {
      const token = (await world.ensureToken()) ?? ''
      await Promise.all(
        ['bearer', 'BEARER'].map((scheme) =>
          expectServedAtEntryPoints(world, `the scheme ${scheme}`, `${scheme} ${token}`),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-09', {
    title: 'reports no error code to a request without a token',
    patterns: oauth,
    async run(world) {
      await expectAtEndpoints(
        world,
        (await world.probeEndpoints()).filter(isEntryPoint),
        (endpoint) => endpoint.request(),
        hasNoErrorCode,
      )
    },
  }),
]

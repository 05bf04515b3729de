import { Blocked, type Expectation } from '../../../../engine/index.ts'
import { HttpExchange, type HttpRequest } from '../../../../wire/index.ts'
import { pageOf } from '../../../../wire/oauth/browser.ts'
import { buildAuthorizationRequest } from '../../support/flow-request.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import {
  plainRegistration,
  requireDistinctClientIds,
} from '../../support/oauth/distinct-client-ids.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'

const redirects = [301, 302, 303, 307, 308]

/** A page, or a redirect without an error, shows that the endpoint is an authorization endpoint. */
const asksUser: Expectation<HttpExchange> = {
  name: 'shows a page or redirects',
  expected: 'a page or a redirect from GET /authorize',
  test: (exchange) => {
    const { status = 0 } = exchange
    return redirects.includes(status)
      ? exchange.header('location') !== undefined &&
          !/[?&#]error=/.test(exchange.header('location') ?? '')
      : status >= 200 && status < 300 && pageOf(exchange) !== undefined
  },
}
const hasStatus = (status: number): Expectation<HttpExchange> => ({
  name: 'works at the documented path',
  expected: `status ${status}`,
  test: (exchange) => exchange.status === status,
})

/**
 * Returns the request with another path. If this changes the URL (the metadata contains a different
 * one), also renames the operation, so that other checks do not judge the response.
 */
const atPath = (root: string, path: string, request: HttpRequest): HttpRequest => {
  const url = `${root}${path}`
  return url === request.url ? request : { ...request, url, operation: `POST ${path}` }
}

/** Checks of the documented paths of the three endpoints. The metadata may contain other URLs. */
export const endpointsChecks = [
  check('AUTH-ENDPOINT-01', {
    title: 'accepts authorization requests at GET /authorize',
    patterns,
    async run({ findEndpoints, getClient, auth, knownValues, send, expect }) {
      const { root } = await findEndpoints()
      expect(
        await send(
          buildAuthorizationRequest(`${root}/authorize`, await getClient(), auth, knownValues)
            .httpRequest,
        ),
        asksUser,
      )
    },
  }),

  check('AUTH-ENDPOINT-02', {
    title: 'issues tokens at POST /token',
    patterns,
    async run(world) {
      const { findEndpoints, obtainGrant, newTokenRequest, send, expect, requireMet } = world
      const { root, token } = await findEndpoints()
      const response = await send(
        atPath(
          root,
          '/token',
          await newTokenRequest(await obtainGrant({}, await ownClient(world))),
        ),
      )
      // If other checks use the same URL, AUTH-TOKEN-01 reports a broken token endpoint.
      if (
        response.status !== 200 &&
        token === `${root}/token` &&
        ![404, 405, 501].includes(response.status ?? 0)
      )
        await requireMet('AUTH-TOKEN-01', response.summary)
      expect(response, hasStatus(200))
    },
  }),

  check('AUTH-ENDPOINT-03', {
    title: 'registers clients at POST /register',
    patterns,
    async run(world) {
      const { findEndpoints, newRegistrationRequest, sendRegistration, expect } = world
      const { root, register } = await findEndpoints()
      const { response } =
        register === `${root}/register`
          ? await plainRegistration(world)
          : {
              response: await sendRegistration(
                atPath(root, '/register', await newRegistrationRequest()),
              ),
            }
      if (
        response.status !== 201 &&
        register === `${root}/register` &&
        ![404, 405, 501].includes(response.status ?? 0)
      )
        throw new Blocked('AUTH-REGISTER-01', response.summary)
      expect(response, hasStatus(201))
      await requireDistinctClientIds(world, response)
    },
  }),
]

import { type Expectation, labelled, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { codeIn } from '../../support/authorization-flow.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import { hasCode } from '../../support/oauth/flows.ts'
import { requireTwoScopes } from '../../support/oauth/scopes.ts'

/** A site whose scripts send requests. */
const otherOrigin = 'https://scripts.touchstone.example'

const isNotShared: Expectation<HttpExchange> = {
  name: 'is not shared with scripts',
  expected: 'no Access-Control-Allow-Origin header',
  test: (exchange) => exchange.header('access-control-allow-origin') === undefined,
  received: (exchange) =>
    `Access-Control-Allow-Origin: ${String(exchange.header('access-control-allow-origin'))}`,
}

/** The URL with its scheme and its host in upper case, which identifies the same resource. */
const withUpperCase = (url: string): string =>
  url.replace(/^[a-z]+:\/\/[^/?#]*/, (origin) => origin.toUpperCase())

/** Checks of valid requests in unusual forms, and of requests by scripts. */
export const authorizationRequestsChecks = [
  check('AUTH-AUTHORIZE-22', {
    title: 'does not let scripts of other sites read the authorization endpoint',
    patterns,
    async run(world) {
      const client = await ownClient(world)
      await world.obtainGrant({}, client)
      const { httpRequest } = await world.newAuthorizationRequest({}, client)
      const headers = { ...httpRequest.headers, Origin: otherOrigin }
      world.expect(
        await world.send({ ...httpRequest, headers }),
        labelled('a request', isNotShared),
      )
      world.expect(
        await world.send({
          ...httpRequest,
          operation: 'preflight',
          method: 'OPTIONS',
          headers: { Origin: otherOrigin, 'Access-Control-Request-Method': 'GET' },
        }),
        labelled('a preflight request', isNotShared),
      )
    },
  }),

  check('AUTH-AUTHORIZE-23', {
    title: 'accepts scopes in any order',
    patterns,
    async run(world) {
      const { narrow, wider } = await requireTwoScopes(world)
      const client = await ownClient(world)
      const scopes = [narrow, ...wider]
      const runWith = async (scope: string) =>
        world.runFlow(await world.newAuthorizationRequest({ scope }, client))
      const usual = await runWith(scopes.join(' '))
      if (codeIn(usual) === undefined)
        throw new NotApplicable('the client may not request all scopes of the metadata')
      world.expectValue(await runWith(scopes.toReversed().join(' ')), hasCode)
    },
  }),

  check('AUTH-AUTHORIZE-24', {
    title: 'accepts the scheme and host of a resource in upper case',
    patterns,
    async run(world) {
      const client = await ownClient(world)
      const { http, sse } = world.target
      const { resource = http ?? sse ?? '' } = world.auth
      const runWith = async (one: string) =>
        world.runFlow(await world.newAuthorizationRequest({ resource: one }, client))
      if (codeIn(await runWith(resource)) === undefined)
        throw new NotApplicable('the server does not accept the URL of its resource')
      world.expectValue(await runWith(withUpperCase(resource)), hasCode)
    },
  }),
]

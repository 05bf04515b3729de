import { type Expectation, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { codeIn } from '../../support/authorization-flow.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { members } from '../../support/expectations.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import {
  requireTwoScopes,
  scopesIn,
  scopesNotCovered,
  scopesToWiden,
} from '../../support/oauth/scopes.ts'

const hasScope: Expectation<HttpExchange> = {
  name: 'returns the granted scope',
  expected: 'the field scope, unless the server has granted the unknown scope',
  test: (exchange) => typeof members(exchange)['scope'] === 'string',
}

/** Checks of the scopes in responses with tokens. */
export const tokenScopesChecks = [
  check('AUTH-TOKEN-28', {
    title: 'grants the scope of the request to which a code belongs',
    patterns,
    async run(world) {
      const { narrow, wider } = await requireTwoScopes(world)
      const client = await ownClient(world)
      const usual = await world.obtainTokens({ scope: narrow }, client)
      const allowed = scopesIn(usual.scope ?? narrow)
      const first = await world.obtainGrant({ scope: narrow }, client)
      const later = await world.newAuthorizationRequest(
        { scope: [narrow, ...wider].join(' ') },
        client,
      )
      if (codeIn(await world.runFlow(later)) === undefined)
        throw new NotApplicable('the client may not request all scopes of the metadata')
      const response = await world.send(await world.newTokenRequest(first))
      if (!isServed(response))
        throw new NotApplicable('a later approval of a client ends its earlier codes')
      const granted = scopesIn(world.readTokens(response, first).scope ?? narrow)
      world.expect(response, {
        name: 'grants no scope of the later request',
        expected: `no scope other than ${allowed.join(' ')}`,
        test: () => granted.every((one) => allowed.includes(one)),
        received: () => `the scope ${granted.join(' ')}`,
      })
    },
  }),

  check('AUTH-TOKEN-29', {
    title: 'returns the granted scope if the client requests an unknown scope, too',
    patterns,
    async run(world) {
      const { narrow } = await scopesToWiden(world)
      if (narrow === undefined) throw scopesNotCovered('no scope is known')
      const client = await ownClient(world)
      const authorization = await world.newAuthorizationRequest(
        { scope: `${narrow} touchstone:everything` },
        client,
      )
      const flow = await world.runFlow(authorization)
      const code = codeIn(flow)
      if (code === undefined) throw new NotApplicable('the server refuses unknown scopes')
      const grant = { client, authorization, flow, code }
      const response = await world.sendOrBlock(await world.newTokenRequest(grant))
      world.readTokens(response, grant)
      world.expect(response, hasScope)
    },
  }),
]

import { type Expectation, labelled, NotApplicable } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { codeIn } from '../../support/authorization-flow.ts'
import type { Client } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import type { Grant } from '../../support/grant.ts'
import { isServed } from '../../support/protected-endpoints.ts'
import type { AuthWorld } from '../../support/world.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'

/** A resource of another server. Its domain is reserved (RFC 2606). */
const foreign = 'https://other.touchstone.example/mcp'

/** How the server treated a request for another resource. */
type Outcome = 'refused' | 'a token that it does not accept' | 'a token that it accepts'

const isForOther: Expectation<Outcome> = {
  name: 'accepts no token for another resource',
  expected: 'a refusal, or a token that the server does not accept',
  test: (outcome) => outcome !== 'a token that it accepts',
  received: (outcome) => outcome,
}

/** The outcome of a request whose response may contain a token. */
async function outcomeOf(world: AuthWorld, grant: Grant, response: HttpExchange): Promise<Outcome> {
  if (!isServed(response)) return 'refused'
  const { access } = world.readTokens(response, grant)
  return (await world.useToken(access)).some(isServed)
    ? 'a token that it accepts'
    : 'a token that it does not accept'
}

/** Requests a code for a resource, and exchanges it. */
async function authorizeFor(world: AuthWorld, client: Client, resource: string): Promise<Outcome> {
  const authorization = await world.newAuthorizationRequest({ resource }, client)
  const flow = await world.runFlow(authorization)
  const code = codeIn(flow)
  if (code === undefined) return 'refused'
  const grant: Grant = { client, authorization, flow, code }
  return outcomeOf(world, grant, await world.send(await world.newTokenRequest(grant)))
}

/** Checks of tokens that a client requests for another resource. */
export const resourceIndicatorsChecks = [
  check('AUTH-RESOURCE-10', {
    title: 'accepts no token that was requested for another resource',
    patterns,
    async run(world) {
      const client = await ownClient(world)
      const own = world.auth.resource ?? world.target.http ?? world.target.sse ?? foreign
      const outcomes: (readonly [label: string, outcome: Outcome])[] = [
        ['an authorization request for another host', await authorizeFor(world, client, foreign)],
        [
          'an authorization request for a longer path',
          await authorizeFor(world, client, `${own}-of-another`),
        ],
      ]
      const grant = await world.obtainGrant({}, client)
      const exchange = await world.send(await world.newTokenRequest(grant, { resource: foreign }))
      outcomes.push(['a token request', await outcomeOf(world, grant, exchange)])
      const tokens = await world.obtainTokens({}, client)
      if (tokens.refresh !== undefined) {
        const refreshed = await world.send(
          await world.newRefreshRequest(tokens, { resource: foreign }),
        )
        outcomes.push(['a refresh', await outcomeOf(world, tokens.grant, refreshed)])
      }
      // A server need not support the parameter (RFC 8707), and then ignores it everywhere.
      if (outcomes.every(([, outcome]) => !isForOther.test(outcome)))
        throw new NotApplicable('the server ignores the parameter resource')
      for (const [label, outcome] of outcomes)
        world.expectValue(outcome, labelled(label, isForOther))
    },
  }),
]

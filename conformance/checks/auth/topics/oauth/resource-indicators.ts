import { type Expectation, labelled, NotApplicable } from '../../../../engine/index.ts'
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

async function outcomeOf(world: AuthWorld, access: string): Promise<Outcome> {
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
  const response = await world.send(await world.newTokenRequest(grant))
  return isServed(response) ? outcomeOf(world, world.readTokens(response, grant).access) : 'refused'
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
      outcomes.push([
        'a token request',
        isServed(exchange)
          ? await outcomeOf(world, world.readTokens(exchange, grant).access)
          : 'refused',
      ])
      const tokens = await world.obtainTokens({}, client)
      if (tokens.refresh !== undefined) {
        const refreshed = await world.send(
          await world.newRefreshRequest(tokens, { resource: foreign }),
        )
        outcomes.push([
          'a refresh',
          isServed(refreshed)
            ? await outcomeOf(world, world.readTokens(refreshed, tokens.grant).access)
            : 'refused',
        ])
      }
      // A server need not support the parameter (RFC 8707), and then ignores it everywhere.
      if (outcomes.every(([, outcome]) => !isForOther.test(outcome)))
        throw new NotApplicable('the server ignores the parameter resource')
      for (const [label, outcome] of outcomes)
        world.expectValue(outcome, labelled(label, isForOther))
    },
  }),
]

import { check, oauth as patterns } from '../../support/define.ts'
import type { Client } from '../../support/client.ts'
import type { Changes } from '../../support/flow-request.ts'
import type { AuthWorld } from '../../support/world.ts'
import { successfulGrant, describeOutcome, getPublicClient } from '../../support/oauth/flows.ts'

/** Runs a flow with changed parameters, and describes its outcome. */
const outcomeOf = async (world: AuthWorld, changes: Changes, client: Client): Promise<string> =>
  describeOutcome(await world.runFlow(await world.newAuthorizationRequest(changes, client)))

/** Checks of the open requirements of the authorization endpoint. */
export const authorizationOpenChecks = [
  check('AUTH-AUTHORIZE-15', {
    title: 'records how PKCE challenges with the method plain are handled',
    patterns,
    async run(world) {
      const client = await getPublicClient(world)
      await successfulGrant(world, client)
      for (const [label, code_challenge_method] of [
        ['with the method plain', 'plain'],
        ['without a method', undefined],
      ] as const) {
        const outcome = await outcomeOf(world, { code_challenge_method }, client)
        world.observe(`a challenge ${label} leads to ${outcome}`)
      }
    },
  }),

  check('AUTH-AUTHORIZE-16', {
    title: 'records how a request without redirect_uri is handled',
    patterns,
    async run(world) {
      const client = await world.getClient()
      await successfulGrant(world, client)
      const outcome = await outcomeOf(world, { redirect_uri: undefined }, client)
      world.observe(`a request without redirect_uri leads to ${outcome}`)
    },
  }),

  check('AUTH-AUTHORIZE-17', {
    title: 'records how unknown scopes are handled',
    patterns,
    async run(world) {
      const client = await world.getClient()
      await successfulGrant(world, client)
      const { scope } = world.auth
      const unknown = 'touchstone:nothing'
      const scopes =
        scope === undefined
          ? { 'only an unknown scope': unknown }
          : {
              'only an unknown scope': unknown,
              'an unknown scope and known ones': `${scope} ${unknown}`,
            }
      for (const [label, one] of Object.entries(scopes)) {
        const outcome = await outcomeOf(world, { scope: one }, client)
        world.observe(`a request for ${label} leads to ${outcome}`)
      }
    },
  }),
]

import {
  identifyClient,
  newStepExpectation,
  newResourceRequest,
  discoveryModeOf,
} from '../../support/oauth/independent-client.ts'
import { Blocked } from '../../../../engine/index.ts'
import type { StepResult } from '../../../../wire/index.ts'
import { ThirdPartyClient } from '../../../../wire/oauth/third-party-client.ts'
import type { FlowRequest } from '../../support/flow-request.ts'
import { check, oauth } from '../../support/define.ts'
import type { Endpoints } from '../../support/endpoints.ts'
import { members } from '../../support/expectations.ts'
import { codeIn } from '../../support/authorization-flow.ts'

/** Whether the metadata declares that redirects contain the issuer (RFC 9207). */
const declaresIssuer = ({ metadata }: Endpoints): boolean =>
  metadata !== undefined &&
  members(metadata)['authorization_response_iss_parameter_supported'] === true

/** A check of the whole flow, with an OAuth client that other developers wrote. */
export const flowChecks = [
  check('AUTH-FLOW-01', {
    title: 'lets a third-party client register, get tokens and use them',
    patterns: oauth,
    async run(world) {
      const { auth, knownValues } = world
      const endpoints = await world.findEndpoints()
      const { root, issuer = root, authorize, token, register } = endpoints
      const client = await ThirdPartyClient.open({
        send: (request) =>
          request.operation === 'register' ? world.sendRegistration(request) : world.send(request),
        endpoints: {
          issuer,
          authorization_endpoint: authorize,
          token_endpoint: token,
          registration_endpoint: register,
        },
      })
      const expectStep = newStepExpectation(world)

      const algorithm = discoveryModeOf(endpoints)
      if (algorithm !== undefined)
        await expectStep(
          'reads the metadata',
          'usable metadata',
          await client.discover(root, algorithm),
          ['AUTH-META-01', 'AUTH-META-02', 'AUTH-META-08'],
        )

      const known = await identifyClient(world, client, expectStep)
      const started = await client.startAuthorization(known.redirectUri, {
        scope: auth.scope,
        resource: auth.resource,
      })
      const authorization: FlowRequest = {
        client: known,
        redirectUri: known.redirectUri,
        state: knownValues.add(started.state, 'state'),
        verifier: knownValues.add(started.verifier, 'verifier'),
        challenge: knownValues.add(started.challenge, 'challenge'),
        httpRequest: { operation: 'authorize', method: 'GET', url: started.url },
      }
      const flow = await world.runFlow(authorization)
      if (flow.destination === undefined) await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
      const readResult =
        flow.destination === undefined
          ? { code: 'unanswered' as const, problem: flow.summary }
          : await client.readRedirect(flow.destination, started, algorithm !== undefined)
      const redirect = await expectStep('is redirected', 'a usable redirect', readResult, [
        'AUTH-AUTHORIZE-01',
        'AUTH-AUTHORIZE-02',
        ...(declaresIssuer(endpoints) ? ['AUTH-AUTHORIZE-13' as const] : []),
      ])
      if (codeIn(flow) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', flow.summary)

      const tokens = await expectStep(
        'gets tokens',
        'usable tokens',
        await client.exchangeCode(redirect, known.redirectUri, started),
        ['AUTH-TOKEN-01'],
      )
      for (const token of [tokens.access, tokens.refresh])
        if (token !== undefined) knownValues.add(token, 'token')

      const resource = newResourceRequest(world)
      if (resource !== undefined)
        await expectStep(
          'uses the access token',
          'a 2xx status',
          requireSuccess(await client.callResource(tokens.access, resource)),
          [world.servedRequirement],
        )

      if (tokens.refresh === undefined) return
      const refreshed = await expectStep(
        'refreshes the tokens',
        'usable new tokens',
        await client.refresh(tokens.refresh),
        ['AUTH-REFRESH-01'],
      )
      for (const token of [refreshed.access, refreshed.refresh])
        if (token !== undefined) knownValues.add(token, 'token')
    },
  }),
]

const requireSuccess = (used: StepResult<number>): StepResult<number> =>
  'problem' in used || (used.value >= 200 && used.value < 300)
    ? used
    : { code: 'unusable', problem: `status ${used.value}` }

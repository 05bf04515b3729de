import { type Expectation, labelled } from '../../../../engine/index.ts'
import { returnedParameters, type AuthorizationFlow } from '../../support/authorization-flow.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { served } from '../../support/expectations.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import {
  getPublicClient,
  hasCode,
  hasNoCode,
  isError,
  runDeviatingFlow,
  successfulGrant,
} from '../../support/oauth/flows.ts'

/** RFC 8707 §2 has a separate error for a resource that is not a URI. */
const hasCodeOrInvalidTarget: Expectation<AuthorizationFlow> = {
  ...hasCode,
  expected: 'a code in the query, or the error invalid_target',
  test: (flow) => hasCode.test(flow) || returnedParameters(flow)['error'] === 'invalid_target',
}

/** Checks of authorization requests with repeated, unknown or empty parameters. */
export const requestParametersChecks = [
  check('AUTH-AUTHORIZE-18', {
    title: 'issues no code if a parameter is repeated',
    patterns,
    async run(world) {
      const client = await world.getClient()
      const control = await successfulGrant(world, client)
      const { state, challenge } = await world.newAuthorizationRequest({}, client)
      const twice = {
        state: [state ?? '', 'another'],
        response_type: ['code', 'code'],
        redirect_uri: [client.redirectUri, client.redirectUri],
        code_challenge: [challenge, control.authorization.challenge],
      }
      for (const [name, values] of Object.entries(twice)) {
        const request = await world.newAuthorizationRequest({ [name]: values }, client)
        const flow = await world.runFlow(request)
        world.expectValue(flow, labelled(name, hasNoCode), labelled(name, isError))
      }
    },
  }),

  check('AUTH-AUTHORIZE-19', {
    title: 'ignores unknown parameters',
    patterns,
    async run(world) {
      const client = await world.getClient()
      await successfulGrant(world, client)
      const request = await world.newAuthorizationRequest({ touchstone: 'unknown' }, client)
      world.expectValue(await world.runFlow(request), hasCode)
    },
  }),

  check('AUTH-TOKEN-30', {
    title: 'ignores unknown parameters of token requests',
    patterns,
    async run(world) {
      const { newTokenRequest, newRefreshRequest, readTokens, send, sendOrBlock } = world
      const client = await ownClient(world)
      const unknown = { touchstone: 'unknown' }
      const first = await world.obtainGrant({}, client)
      const response = await send(await newTokenRequest(first, unknown))
      const last = await world.obtainGrant({}, client)
      const tokens = readTokens(await sendOrBlock(await newTokenRequest(last)), last)
      world.expect(response, labelled('a request with a code', served))
      if (tokens.refresh !== undefined)
        world.expect(
          await send(await newRefreshRequest(tokens, unknown)),
          labelled('a request with a refresh token', served),
        )
    },
  }),

  check('AUTH-AUTHORIZE-20', {
    title: 'treats parameters without a value as omitted',
    patterns,
    async run(world) {
      const client = await world.getClient()
      await successfulGrant(world, client)
      // The successful request omits these parameters. Parameters that the target file sets are not
      // among them.
      const omitted = [
        ...(world.auth.scope === undefined ? ['scope'] : []),
        ...(world.auth.resource === undefined ? ['resource'] : []),
        'prompt',
      ]
      for (const name of omitted) {
        const request = await world.newAuthorizationRequest({ [name]: '' }, client)
        const flow = await world.runFlow(request)
        world.expectValue(
          flow,
          labelled(name, name === 'resource' ? hasCodeOrInvalidTarget : hasCode),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-21', {
    title: 'issues no code for an unknown challenge method',
    patterns,
    async run(world) {
      const client = await getPublicClient(world)
      const control = await successfulGrant(world, client)
      for (const method of ['S512', 's256', 'touchstone']) {
        const label = `the method ${method}`
        const flow = await runDeviatingFlow(
          world,
          await world.newAuthorizationRequest({ code_challenge_method: method }, client),
          control,
        )
        world.expectValue(flow, labelled(label, hasNoCode), labelled(label, isError))
      }
    },
  }),
]

import { NotApplicable, labelled } from '../../../../engine/index.ts'
import type { FlowRequest, Changes } from '../../support/flow-request.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { returnedParameters } from '../../support/authorization-flow.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  successfulGrant,
  isError,
  hasNoCode,
  hasNoToken,
  getPublicClient,
  runDeviatingFlow,
} from '../../support/oauth/flows.ts'

const noChallenge: Changes = { code_challenge: undefined, code_challenge_method: undefined }

/** Removes `code_challenge_method`, which has no meaning without a challenge. */
function withoutMethod(authorization: FlowRequest): FlowRequest {
  const url = new URL(authorization.httpRequest.url)
  url.searchParams.delete('code_challenge_method')
  return { ...authorization, httpRequest: { ...authorization.httpRequest, url: url.href } }
}

/**
 * Wrong requests whose client and redirect URI are known, so the server may redirect with an error.
 */
const wrongRequests = {
  'a request without PKCE': { changes: noChallenge, codes: ['invalid_request'] },
  'a request for a token': {
    changes: { response_type: 'token' },
    codes: ['unsupported_response_type', 'unauthorized_client', 'invalid_request'],
  },
  'a request without response_type': {
    changes: { response_type: undefined },
    codes: ['invalid_request', 'unsupported_response_type'],
  },
} as const satisfies Record<string, { changes: Changes; codes: readonly string[] }>

/**
 * Runs flows with wrong requests, and returns those that redirected to the client with an error.
 * Throws `NotApplicable` if there are none.
 */
async function flowsWithErrors(world: AuthWorld) {
  const client = await getPublicClient(world)
  await successfulGrant(world, client)
  const flows = await Promise.all(
    Object.entries(wrongRequests).map(async ([label, { changes, codes }]) => ({
      label,
      codes,
      flow: await world.runFlow(await world.newAuthorizationRequest(changes, client)),
    })),
  )
  const withErrors = flows.filter(({ flow }) => returnedParameters(flow)['error'] !== undefined)
  if (withErrors.length === 0)
    throw new NotApplicable('the server reports errors to users, not to clients')
  return withErrors
}

/** Checks of authorization requests with wrong parameters. */
export const authorizationErrorsChecks = [
  check('AUTH-AUTHORIZE-09', {
    title: 'issues no code to a public client without PKCE',
    patterns,
    async run(world) {
      const client = await getPublicClient(world)
      const control = await successfulGrant(world, client)
      const requests = {
        'S256 without a challenge': {
          authorization: await world.newAuthorizationRequest({ code_challenge: undefined }, client),
          control,
        },
        'no challenge and no method': {
          authorization: withoutMethod(await world.newAuthorizationRequest(noChallenge, client)),
          control: { ...control, authorization: withoutMethod(control.authorization) },
        },
        'an empty challenge': {
          authorization: await world.newAuthorizationRequest({ code_challenge: '' }, client),
          control,
        },
      }
      for (const [label, one] of Object.entries(requests)) {
        const flow = await runDeviatingFlow(world, one.authorization, one.control)
        world.expectValue(flow, labelled(label, hasNoCode), labelled(label, isError))
      }
    },
  }),

  check('AUTH-AUTHORIZE-10', {
    title: 'issues neither a code nor a token without response_type=code',
    patterns,
    async run(world) {
      const client = await getPublicClient(world)
      const control = await successfulGrant(world, client)
      for (const [label, response_type] of [
        ['a request for a token', 'token'],
        ['a request without response_type', undefined],
      ] as const) {
        const flow = await runDeviatingFlow(
          world,
          await world.newAuthorizationRequest({ response_type }, client),
          control,
        )
        world.expectValue(
          flow,
          labelled(label, hasNoToken),
          labelled(label, hasNoCode),
          labelled(label, isError),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-11', {
    title: 'returns the parameter state with errors',
    patterns,
    async run(world) {
      for (const { label, flow } of await flowsWithErrors(world)) {
        world.expectValue(
          flow,
          labelled(label, {
            name: 'returns the state',
            expected: 'the parameter state as it was sent',
            test: (one) => returnedParameters(one)['state'] === one.authorization.state,
          }),
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-12', {
    title: 'returns standard error codes',
    patterns,
    async run(world) {
      for (const { label, codes, flow } of await flowsWithErrors(world)) {
        world.expectValue(
          flow,
          labelled(label, {
            name: `has the error ${codes.join(' or ')}`,
            expected: `error ${codes.join(' or ')}`,
            test: (one) =>
              (codes as readonly string[]).includes(returnedParameters(one)['error'] ?? ''),
          }),
        )
      }
    },
  }),
]

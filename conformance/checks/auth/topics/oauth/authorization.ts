import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  labelled,
} from '../../../../engine/index.ts'
import { chooseControl } from '../../../../wire/oauth/choice.ts'
import type { AuthTarget } from '../../../tools/authentication.ts'
import {
  codeIn,
  returnedParameters,
  type AuthorizationFlow,
} from '../../support/authorization-flow.ts'
import type { FlowRequest } from '../../support/flow-request.ts'
import { ownClient } from '../../support/oauth/clients-and-codes.ts'
import { clientWithTwoUris, redirectUrisIn } from '../../support/oauth/known-clients.ts'
import { served } from '../../support/expectations.ts'
import type { AuthorizationWorld } from '../../support/authorization-world.ts'
import { type Client, clientIn, redirectUriOfIpv6 } from '../../support/client.ts'
import type { AuthWorld } from '../../support/world.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import {
  hasCode,
  isRedirected,
  requireBrowser,
  requireDecision,
} from '../../support/oauth/flows.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** A state with all kinds of characters that the standard allows. */
const unusualState = 'a&b=c?d/e f%20g+h;i#j"k\'l<m>~'

const hasState = (state: string | undefined): Expectation<AuthorizationFlow> => ({
  name: 'returns the state',
  expected: 'the parameter state as it was sent',
  test: (flow) => flow.destination?.searchParams.get('state') === state,
})
const keepsQuery: Expectation<AuthorizationFlow> = {
  name: 'keeps the query',
  expected: 'the registered query parameters app=1 and from=touchstone',
  test: ({ destination }) =>
    destination?.searchParams.get('app') === '1' &&
    destination.searchParams.get('from') === 'touchstone',
}
const hasIssuer = (issuer: string): Expectation<AuthorizationFlow> => ({
  name: 'returns the issuer',
  expected: `the parameter iss=${issuer}`,
  test: (flow) => returnedParameters(flow)['iss'] === issuer,
})

/** Expects a client to get a code that works at a port other than that of its redirect URI. */
async function expectAnyPort(world: AuthorizationWorld, client: Client): Promise<void> {
  await world.obtainGrant({}, client)
  const other = new URL(client.redirectUri)
  const port = String(world.randomInt(10_000, 60_000))
  other.port = port === other.port ? '9999' : port
  const flow = await world.runFlow(
    await world.newAuthorizationRequest({ redirect_uri: other.href }, client),
  )
  world.expectValue(
    flow,
    isRedirected,
    {
      name: 'redirects to the other port',
      expected: `port ${other.port}`,
      test: ({ destination }) => destination?.port === other.port,
    },
    hasCode,
  )
  const { authorization } = flow
  const code = world.knownValues.add(codeIn(flow)!, 'code')
  world.expect(
    await world.send(await world.newTokenRequest({ client, authorization, flow, code })),
    labelled('the exchange of the code', served),
  )
}

/** A client whose redirect URI is on [::1]: the client in the target file, or a new one. */
async function clientOfIpv6(world: AuthWorld): Promise<Client> {
  if (world.auth.registration === false) {
    const client = await ownClient(world)
    if (new URL(client.redirectUri).hostname === '[::1]') return client
    throw new NotCovered<ToolsNeed>("the client's redirect URI is not on [::1]", [
      'tools.auth.registration',
    ])
  }
  const [name, metadata] = ['loopback IPv6', { redirect_uris: [redirectUriOfIpv6] }] as const
  const { response } = await world.registrationOf(name, metadata)
  if (clientIn(response, {}) === undefined)
    throw new NotApplicable('the server does not register redirect URIs on [::1]')
  return world.getClient(name, metadata)
}

/** The response that redirected to the client, if it was the response to a submitted form. */
const redirectAfterForm = ({ exchanges, destination }: AuthorizationFlow) =>
  destination === undefined || exchanges.at(-1)?.request.method !== 'POST'
    ? []
    : exchanges.slice(-1)
const not307: Expectation<AuthorizationFlow> = {
  name: 'has a status other than 307',
  expected: 'a status other than 307 (307 makes the browser send the form to the client, too)',
  test: (flow) => redirectAfterForm(flow).every(({ status }) => status !== 307),
}

/**
 * Throws `NotCovered` if the suite finds no button or link with which to approve on the last page.
 * The page may need scripts, or use words that the suite does not know.
 */
function requireReadablePage(
  { destination, pages, summary }: AuthorizationFlow,
  { approve }: AuthTarget,
): void {
  const page = pages.at(-1)
  if (destination !== undefined || page === undefined) return
  const control = chooseControl(page, 'approve', approve)
  // A string is the reason why there is no such control.
  if (typeof control !== 'string') return
  if (page.forms.length > 0) throw new NotCovered<ToolsNeed>(summary, ['tools.auth.approve'])
  if (page.hasScripts) throw new NotCovered<ToolsNeed>(summary, ['tools.auth.command'])
}

/**
 * If no code was returned, and AUTH-AUTHORIZE-01 (a valid request leads to a code) is not met,
 * blocks the check.
 */
async function requireApproval(world: AuthWorld, flow: AuthorizationFlow): Promise<void> {
  if (codeIn(flow) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
}

/** Checks of the responses to valid authorization requests. */
export const authorizationChecks = [
  check('AUTH-AUTHORIZE-01', {
    title: 'redirects to the client with a code',
    patterns,
    async run({ findEndpoints, newAuthorizationRequest, runFlow, auth, expectValue }) {
      const { root, authorize } = await findEndpoints()
      const flow = await runFlow(await newAuthorizationRequest())
      const [first] = flow.exchanges
      if (
        authorize === `${root}/authorize` &&
        first !== undefined &&
        [404, 405, 501].includes(first.status ?? 0)
      )
        throw new Blocked('AUTH-ENDPOINT-01', flow.summary)
      requireReadablePage(flow, auth)
      expectValue(flow, isRedirected, hasCode)
    },
  }),

  check('AUTH-AUTHORIZE-02', {
    title: 'returns the parameter state unchanged',
    patterns,
    async run(world) {
      for (const [label, state] of [
        ['a state of letters', undefined],
        ['a state of other characters', unusualState],
        ['a state of 300 characters', 'Touchstone'.repeat(30)],
      ] as const) {
        const authorization = await world.newAuthorizationRequest(
          state === undefined ? {} : { state },
        )
        const flow = await world.runFlow(authorization)
        await requireApproval(world, flow)
        world.expectValue(flow, labelled(label, hasState(authorization.state)))
      }
    },
  }),

  check('AUTH-AUTHORIZE-02', {
    title: 'returns no state if the request contains none',
    door: 'no state',
    patterns,
    async run(world) {
      const flow = await world.runFlow(await world.newAuthorizationRequest({ state: undefined }))
      if (codeIn(flow) === undefined) {
        await world.requireMet('AUTH-AUTHORIZE-01', flow.summary)
        throw new NotApplicable('the server requires a state')
      }
      world.expectValue(flow, {
        name: 'returns no state',
        expected: 'no parameter state',
        test: ({ destination }) => destination?.searchParams.has('state') === false,
      })
    },
  }),

  check('AUTH-AUTHORIZE-03', {
    title: 'keeps the query of a redirect URI',
    patterns,
    async run(world) {
      const flow = await world.runFlow(await newRequestWithQuery(world))
      await requireApproval(world, flow)
      world.expectValue(flow, keepsQuery)
    },
  }),

  check('AUTH-AUTHORIZE-08', {
    title: 'accepts a loopback redirect URI with any port',
    door: 'IPv4',
    patterns,
    async run(world) {
      requireBrowser(world)
      const client = await ownClient(world)
      const { protocol, hostname } = new URL(client.redirectUri)
      if (protocol !== 'http:' || !hostname.startsWith('127.'))
        throw new NotCovered<ToolsNeed>("the client's redirect URI is not on 127.0.0.1", [
          'tools.auth.redirectUri',
        ])
      await expectAnyPort(world, client)
    },
  }),

  check('AUTH-AUTHORIZE-08', {
    title: 'accepts a loopback redirect URI of IPv6 with any port',
    door: 'IPv6',
    patterns,
    async run(world) {
      requireBrowser(world)
      await expectAnyPort(world, await clientOfIpv6(world))
    },
  }),

  check('AUTH-AUTHORIZE-13', {
    title: 'returns iss to the client if the metadata declares this parameter',
    patterns,
    async run(world) {
      const { metadata, issuer } = await world.findEndpoints()
      const isDeclared =
        metadata !== undefined &&
        (metadata.json as Record<string, unknown>)[
          'authorization_response_iss_parameter_supported'
        ] === true
      if (!isDeclared)
        throw new NotApplicable('the metadata does not declare that responses contain iss')
      if (issuer === undefined) throw new Blocked('AUTH-META-01', 'the metadata contains no issuer')
      const flow = await world.runFlow(await world.newAuthorizationRequest())
      await requireApproval(world, flow)
      world.expectValue(flow, labelled('a response with a code', hasIssuer(issuer)))
      const refused = await world.runFlow(
        await world.newAuthorizationRequest({ response_type: undefined }),
      )
      if (returnedParameters(refused)['error'] !== undefined)
        world.expectValue(refused, labelled('a response with an error', hasIssuer(issuer)))
      if (world.auth.consent === 'auto') return
      const denied = await world.runFlow(await world.newAuthorizationRequest(), 'deny')
      if (returnedParameters(denied)['error'] !== undefined)
        world.expectValue(denied, labelled('a response after a denial', hasIssuer(issuer)))
    },
  }),

  check('AUTH-AUTHORIZE-14', {
    title: 'does not redirect with 307 after a form',
    patterns,
    async run(world) {
      requireBrowser(world)
      requireDecision(world)
      const flow = await world.runFlow(await world.newAuthorizationRequest())
      await requireApproval(world, flow)
      const denied = await world.runFlow(await world.newAuthorizationRequest(), 'deny')
      if ([flow, denied].every((one) => redirectAfterForm(one).length === 0))
        throw new NotApplicable('the server does not redirect to the client after a form')
      world.expectValue(flow, labelled('the redirect after an approval', not307))
      world.expectValue(denied, labelled('the redirect after a denial', not307))
    },
  }),
]

/**
 * A request with a query in the redirect URI. With a consent program, the suite listens at only one
 * URL, so a separate client is registered for that URL with a query.
 */
async function newRequestWithQuery(world: AuthWorld): Promise<FlowRequest> {
  const { user } = await world.harness()
  if (user === undefined) {
    const client = await clientWithTwoUris(world)
    return world.newAuthorizationRequest(
      { redirect_uri: redirectUrisIn(client.metadata)[1]! },
      client,
    )
  }
  return world.newAuthorizationRequest(
    {},
    await world.getClient('with a query', {
      redirect_uris: [`${user.redirectUri}?app=1&from=touchstone`],
    }),
  )
}

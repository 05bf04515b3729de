import type { Decision } from '../../../../wire/oauth/button-meaning.ts'
import { isDeepStrictEqual } from 'node:util'
import { NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { ShownPage } from '../../../../wire/index.ts'
import { chooseControl } from '../../../../wire/oauth/choice.ts'
import type { AuthTarget } from '../../../tools/authentication.ts'
import type { FlowRequest } from '../flow-request.ts'
import type { Client } from '../client.ts'
import type { Grant } from '../grant.ts'
import { codeIn, returnedParameters, type AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

// Expectations of authorization flows, and the conditions under which checks of flows can run.

export const isRedirected: Expectation<AuthorizationFlow> = {
  name: 'redirects to the client',
  expected: 'a redirect to the redirect URI',
  test: ({ destination }) => destination !== undefined,
}
export const hasCode: Expectation<AuthorizationFlow> = {
  name: 'returns a code',
  expected: 'a code in the query',
  test: (flow) => (codeIn(flow) ?? '') !== '',
}
export const hasNoCode: Expectation<AuthorizationFlow> = {
  name: 'returns no code',
  expected: 'no code',
  test: (flow) => returnedParameters(flow)['code'] === undefined,
}
export const hasNoToken: Expectation<AuthorizationFlow> = {
  name: 'returns no token',
  expected: 'no token',
  test: (flow) =>
    returnedParameters(flow)['access_token'] === undefined &&
    returnedParameters(flow)['id_token'] === undefined,
}
export const isNotRedirected: Expectation<AuthorizationFlow> = {
  name: 'does not redirect to the client',
  expected: 'no redirect to a redirect URI',
  test: ({ destination }) => destination === undefined,
}
/** The server may report an error to the user on a page, or to the client by a redirect. */
export const isError: Expectation<AuthorizationFlow> = {
  name: 'reports an error',
  expected: 'an error, on a page or in the redirect',
  test: (flow) =>
    flow.destination === undefined || (returnedParameters(flow)['error'] ?? '') !== '',
}

/** The one successful authorization of a client in a run, with which wrong flows are compared. */
export const successfulGrant = (world: AuthWorld, client: Client): Promise<Grant> =>
  world.shared(`successful grant of ${client.id}`, (common) => common.obtainGrant({}, client))

/** Runs a flow whose request differs in one detail from one that led to a code. */
export function runDeviatingFlow(
  world: AuthWorld,
  authorization: FlowRequest,
  { authorization: control }: Grant,
  decision: Decision = 'approve',
): Promise<AuthorizationFlow> {
  world.recordDifference(control.httpRequest, authorization.httpRequest)
  return world.runFlow(authorization, decision)
}

/**
 * For checks of pages: throws `NotCovered` if there is a consent program, which does not report the
 * pages that it shows.
 */
export function requireBrowser({ auth: { consent } }: AuthWorld): void {
  if (consent === 'command')
    throw new NotCovered<ToolsNeed>(
      'the suite cannot see the pages that the consent program opens',
      ['tools.auth.consent'],
    )
}

/**
 * For checks of the consent page: throws `NotCovered` if there is a consent program, or if the
 * server does not ask its users for approval.
 */
export function requireConsentPage(world: AuthWorld): void {
  requireBrowser(world)
  requireDecision(world)
}

/**
 * For checks in which a user decides: throws `NotCovered` if the server does not ask its users for
 * approval.
 */
export function requireDecision({ auth: { consent } }: AuthWorld): void {
  if (consent === 'auto')
    throw new NotCovered<ToolsNeed>('the server does not ask its users for approval', [
      'tools.auth.consent',
    ])
}

/**
 * A client that no user has approved, or the client in the target file if clients cannot register
 * themselves. A server may remember approvals, and revoke earlier grants when a client is approved
 * again.
 */
export const unapprovedClient = (
  world: AuthWorld,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Client> =>
  world.auth.registration === false ? world.getClient() : world.getClient(name, metadata)

/** Whether a page has a button or link that denies, other than the one that approves. */
export function offersDenial(page: ShownPage, { approve, deny }: AuthTarget): boolean {
  const choice = chooseControl(page, 'deny', deny)
  return (
    typeof choice !== 'string' &&
    !isDeepStrictEqual(choice, chooseControl(page, 'approve', approve))
  )
}

/** A client without a secret. Throws `NotCovered` if every client has a secret. */
export async function getPublicClient(world: AuthWorld): Promise<Client> {
  const known = await world.getClient()
  if (known.method === 'none') return known
  const registered = await world.getClient('public, registered')
  if (registered.method === 'none') return registered
  throw new NotCovered<ToolsNeed>('every client has a secret', ['tools.auth.registration'])
}

/** Describes the outcome of a flow. */
export function describeOutcome(flow: AuthorizationFlow): string {
  const { error } = returnedParameters(flow)
  if (codeIn(flow) !== undefined) return 'a code'
  if (error !== undefined) return `the error ${error}`
  const last = flow.exchanges.at(-1)
  return flow.destination === undefined && last?.status !== undefined
    ? `a page with status ${last.status}`
    : flow.summary.slice(0, 120)
}

import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import { codeIn, type AuthorizationFlow } from '../authorization-flow.ts'
import type { Client } from '../client.ts'
import { members } from '../expectations.ts'
import type { Grant } from '../grant.ts'
import type { AuthWorld } from '../world.ts'
import { deniedClient } from './known-clients.ts'
import { requireTwoScopes, scopesIn } from './scopes.ts'
import { requireConsentPages, textOf } from './shown-pages.ts'

/**
 * The result of a flow in which a user approved one scope, on pages that did not name other scopes.
 */
interface NarrowApproval {
  readonly grant: Grant
  readonly approved: string
  /** Scopes that the pages of this flow did not name. Pages name them if they are requested. */
  readonly others: readonly string[]
}

/**
 * Lets a user approve a request of a new client for one scope. Throws `NotCovered` if consent
 * pages do not name the requested scopes, because what users approve is then unknown.
 */
export async function approveOneScope(world: AuthWorld, client: Client): Promise<NarrowApproval> {
  const { narrow: approved, wider } = await requireTwoScopes(world)
  const grant = await world.obtainGrant({ scope: approved }, client).catch((error: unknown) => {
    // Possibly, the client is not allowed to request the scope in the metadata.
    if (!(error instanceof Blocked) || world.auth.scope !== undefined) throw error
    throw new NotCovered<ToolsNeed>(error.message, ['tools.auth.scope'])
  })
  const seen = textOf(requireConsentPages(grant.flow))
  const shown = textOf(await pagesFor(world, await deniedClient(world), [approved, ...wider]))
  const others = wider
    .filter((scope) => shown.includes(scope.toLowerCase()))
    .filter((scope) => !seen.includes(scope.toLowerCase()))
  if (others.length === 0)
    throw new NotCovered('the consent page does not name the scopes of a request')
  return { grant, approved, others }
}

/** The pages that a user sees for a request for these scopes. */
async function pagesFor(
  world: AuthWorld,
  client: Client,
  scopes: readonly string[],
): Promise<AuthorizationFlow['pages']> {
  const request = await world.newAuthorizationRequest({ scope: scopes.join(' ') }, client)
  return (await world.runFlow(request, 'deny')).pages
}

/**
 * Requests more scopes in the same browser. Returns the additional scopes that the server grants
 * without asking the user.
 */
export async function requestMoreScopes(
  world: AuthWorld,
  { grant: { client, flow: approval }, approved, others }: NarrowApproval,
): Promise<readonly string[]> {
  const { browser } = approval
  if (browser === undefined) throw new Blocked('AUTH-AUTHORIZE-01', 'there was no browser')
  const scope = [approved, ...others].join(' ')
  const authorization = await world.newAuthorizationRequest({ scope }, client)
  const { destination, exchanges } = await browser.open(authorization.httpRequest.url, {
    operation: 'authorize',
  })
  const flow: AuthorizationFlow = {
    authorization,
    destination,
    exchanges,
    pages: [],
    browser,
    summary: 'the user was not asked',
  }
  const code = codeIn(flow)
  if (code === undefined) return []
  world.knownValues.add(code, 'code')
  const response = await world.sendOrBlock(
    await world.newTokenRequest({ client, authorization, flow, code }),
  )
  // Without `scope`, the response grants what was requested (OAuth 2.1 §3.2.3).
  const granted = scopesIn(members(response)['scope'] ?? scope)
  return others.filter((one) => granted.includes(one))
}

import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { HttpExchange, ShownPage } from '../../../../wire/index.ts'
import type { Changes } from '../flow-request.ts'
import type { Client } from '../client.ts'
import { codeIn, type AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'
import { offersDenial } from './flows.ts'
import { firstFlowIn } from './known-clients.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** The visible text of pages, in lower case. */
export const textOf = (pages: readonly ShownPage[]): string =>
  pages
    .map(({ title, text }) => `${title} ${text}`)
    .join(' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')

/** The pages of a flow. Blocks the check if the user was not asked, or if no code was returned. */
export function requireConsentPages(flow: AuthorizationFlow): readonly ShownPage[] {
  if (codeIn(flow) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', flow.summary)
  if (flow.pages.length === 0)
    throw new Blocked('AUTH-CONSENT-01', 'the user was not asked', 'a page that asks the user')
  return flow.pages
}

/**
 * Returns a client and the text of its first flow. This is the text of all pages, because sign-in
 * and approval may be on different pages. If clients cannot register themselves, uses the client in
 * the target file, and the user denies, so that the server also asks in later flows.
 */
export async function readConsentText(world: AuthWorld): Promise<ConsentText> {
  await world.requireMet('AUTH-AUTHORIZE-01')
  if (world.auth.registration === false)
    return readConsentTextOf(world, await world.getClient(), {})
  const { client, flow } = await firstFlowIn(world)
  return textOfFlow(world, client, flow)
}

interface ConsentText {
  text: string
  client: Client
}

/**
 * Like `readConsentText`, for an authorization request with `changes`. The client must be new,
 * because a server need not ask again for an approved client.
 */
export async function readConsentTextOf(
  world: AuthWorld,
  client: Client,
  changes: Changes,
): Promise<ConsentText> {
  const request = await world.newAuthorizationRequest(changes, client)
  return textOfFlow(
    world,
    client,
    await world.runFlow(request, client.metadata === undefined ? 'deny' : 'approve'),
  )
}

function textOfFlow(world: AuthWorld, client: Client, flow: AuthorizationFlow): ConsentText {
  const isNew = client.metadata !== undefined
  if (flow.pages.length === 0)
    throw new Blocked('AUTH-CONSENT-01', 'the user was not asked', 'a page that asks the user')
  if (
    isNew ? codeIn(flow) === undefined : !flow.pages.some((page) => offersDenial(page, world.auth))
  )
    throw new NotCovered<ToolsNeed>(flow.summary, ['tools.auth.deny'])
  return { text: textOf(flow.pages), client }
}

/** Describes why other sites can show the page in a frame; empty if they cannot. */
export function framingProblem(exchange: HttpExchange): string {
  const policies = exchange
    .headersOf('content-security-policy')
    .flatMap((policy) => policy.split(','))
    .flatMap((policy) => policy.split(';'))
  const ancestors = policies
    .map((one) => one.trim().split(/\s+/))
    .filter(([name = '']) => name.toLowerCase() === 'frame-ancestors')
    .map(([, ...sources]) => sources)
  // If there is a frame-ancestors directive, browsers ignore the older header X-Frame-Options.
  if (ancestors.length > 0)
    return ancestors.some(
      (sources) => !sources.some((source) => /^(\*|https?:(\/\/\*)?)$/i.test(source)),
    )
      ? ''
      : 'frame-ancestors allows all sites'
  const options = exchange
    .headersOf('x-frame-options')
    .flatMap((one) => one.split(','))
    .map((one) => one.trim().toLowerCase())
  return options.some((one) => one === 'deny' || one === 'sameorigin')
    ? ''
    : 'no frame-ancestors, and no X-Frame-Options with DENY or SAMEORIGIN'
}

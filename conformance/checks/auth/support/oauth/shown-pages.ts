import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { HttpExchange, ShownPage } from '../../../../wire/index.ts'
import type { Changes } from '../flow-request.ts'
import type { Client } from '../client.ts'
import { codeIn, type AuthorizationFlow } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'
import { unapprovedClient, offersDenial } from './flows.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** The visible text of pages, in lower case. */
const textOf = (pages: readonly ShownPage[]): string =>
  pages
    .map(({ title, text }) => `${title} ${text}`)
    .join(' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')

/** The pages of a flow. Blocks the check if the user was not asked, or if no code was returned. */
export function requireConsentPages(flow: AuthorizationFlow): readonly ShownPage[] {
  if (codeIn(flow) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', flow.summary)
  if (flow.pages.length === 0) throw new Blocked('AUTH-CONSENT-01', 'the user was not asked')
  return flow.pages
}

/**
 * Runs a flow in which the user is asked for consent. Returns the text of all its pages, because
 * sign-in and approval may be on different ones, and the client. The client is a new one with
 * `metadata`, known to the checks as `name`, because a server need not ask again for an approved
 * client. If no client can be registered, the user denies, so that the server asks again.
 */
export async function readConsentText(
  world: AuthWorld,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
  changes: Changes = {},
): Promise<{ text: string; client: Client }> {
  await world.requireMet('AUTH-AUTHORIZE-01')
  const client = await unapprovedClient(world, name, metadata)
  const isNew = client.metadata !== undefined
  const flow = await world.runFlow(
    await world.newAuthorizationRequest(changes, client),
    isNew ? 'approve' : 'deny',
  )
  if (flow.pages.length === 0) throw new Blocked('AUTH-CONSENT-01', 'the user was not asked')
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
  // If there is such a policy, browsers ignore the older header.
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
    : 'neither frame-ancestors nor X-Frame-Options'
}

import type { Decision } from '../../../../wire/oauth/button-meaning.ts'
import { isDeepStrictEqual } from 'node:util'
import { NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { ShownPage } from '../../../../wire/index.ts'
import { chooseControl } from '../../../../wire/oauth/choice.ts'
import type { AuthTarget } from '../../../tools/authentication.ts'
import type { Ask } from '../ask.ts'
import type { Client } from '../client.ts'
import type { Grant } from '../grant.ts'
import { codeIn, told, type Walk } from '../walk.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

// What checks have in common that go the way of a user, and look at where it leads.

export const comesBack: Expectation<Walk> = {
  name: 'comes back',
  expected: 'the browser is sent back to the redirect URI',
  test: ({ back }) => back !== undefined,
}
export const bringsCode: Expectation<Walk> = {
  name: 'brings a code',
  expected: 'a code in the query',
  test: (walk) => (codeIn(walk) ?? '') !== '',
}
export const noCode: Expectation<Walk> = {
  name: 'brings no code',
  expected: 'no code comes back',
  test: (walk) => told(walk)['code'] === undefined,
}
export const noToken: Expectation<Walk> = {
  name: 'brings no token',
  expected: 'no token comes back',
  test: (walk) => told(walk)['access_token'] === undefined && told(walk)['id_token'] === undefined,
}
export const staysHere: Expectation<Walk> = {
  name: 'sends nobody back',
  expected: 'nobody is sent to a redirect URI',
  test: ({ back }) => back === undefined,
}
/** A user may be told of an error on a page, and a client by where it is sent back to. */
export const isError: Expectation<Walk> = {
  name: 'is an error',
  expected: 'an error, on a page or sent back',
  test: (walk) => walk.back === undefined || (told(walk)['error'] ?? '') !== '',
}

/** A good way of a client, gone once in a run: whoever shows what leads elsewhere stands on it. */
export const goodGrant = (world: AuthWorld, client: Client): Promise<Grant> =>
  world.shared(`good walk of ${client.id}`, (common) => common.grant({}, client))

/** Goes a way that differs in a single factor from one that led to a code. */
export function strays(
  world: AuthWorld,
  ask: Ask,
  { ask: good }: Grant,
  decision: Decision = 'approve',
): Promise<Walk> {
  world.differsFrom(good.request, ask.request)
  return world.walk(ask, decision)
}

/** For whoever looks at what a browser is shown: a program keeps that to itself. */
export function needsBrowser({ auth: { consent } }: AuthWorld): void {
  if (consent === 'command')
    throw new NotCovered<ToolsNeed>('what a program is shown, the suite does not see', [
      'tools.auth.consent',
    ])
}

/** For whoever looks at the page that asks a user. */
export function needsPages(world: AuthWorld): void {
  needsBrowser(world)
  needsDecision(world)
}

/** For whoever lets a user decide. */
export function needsDecision({ auth: { consent } }: AuthWorld): void {
  if (consent === 'auto') throw new NotCovered<ToolsNeed>('nobody is asked', ['tools.auth.consent'])
}

/** A client that nobody has allowed before, where clients may register: a server may remember whom a user has allowed, and another may end what was allowed before. */
export const newcomer = (
  world: AuthWorld,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Client> =>
  world.auth.registration === false ? world.client() : world.client(name, metadata)

/** Whether one can deny on a page, and not only sign in there, as whoever approves does. */
export function offersDenial(page: ShownPage, { approve, deny }: AuthTarget): boolean {
  const choice = chooseControl(page, 'deny', deny)
  return (
    typeof choice !== 'string' &&
    !isDeepStrictEqual(choice, chooseControl(page, 'approve', approve))
  )
}

/** A client that can prove nothing. */
export async function publicClient(world: AuthWorld): Promise<Client> {
  const known = await world.client()
  if (known.method === 'none') return known
  const own = await world.client('public of its own')
  if (own.method === 'none') return own
  throw new NotCovered<ToolsNeed>('no client is public', ['tools.auth.registration'])
}

/** What became of a walk, in words. */
export function outcomeOf(walk: Walk): string {
  const { error } = told(walk)
  if (codeIn(walk) !== undefined) return 'a code'
  if (error !== undefined) return `the error ${error}`
  const last = walk.exchanges.at(-1)
  return walk.back === undefined && last?.status !== undefined
    ? `a page with status ${last.status}`
    : walk.summary.slice(0, 120)
}

import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { HttpExchange, ShownPage } from '../../../../wire/index.ts'
import type { Changes } from '../ask.ts'
import type { Client } from '../client.ts'
import { codeIn, type Walk } from '../walk.ts'
import type { AuthWorld } from '../world.ts'
import { newcomer, offersDenial } from './walks.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** What a person reads on the way, in small letters. */
const textOf = (pages: readonly ShownPage[]): string =>
  pages
    .map(({ title, text }) => `${title} ${text}`)
    .join(' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')

/** A way on which a user was asked. */
export function shown(walk: Walk): readonly ShownPage[] {
  if (codeIn(walk) === undefined) throw new Blocked('AUTH-AUTHORIZE-01', walk.summary)
  if (walk.pages.length === 0) throw new Blocked('AUTH-CONSENT-01', 'no page asked')
  return walk.pages
}

/**
 * What a user is told who is asked for the first time: all pages up to the return, since who one is may be asked on another page than what one allows. A client
 * that has been allowed something before may be asked for nothing any more; where there is no other, the user denies.
 */
export async function toldTo(
  world: AuthWorld,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
  changes: Changes = {},
): Promise<{ text: string; client: Client }> {
  await world.requireMet('AUTH-AUTHORIZE-01')
  const client = await newcomer(world, name, metadata)
  const isNew = client.metadata !== undefined
  const walk = await world.walk(await world.ask(changes, client), isNew ? 'approve' : 'deny')
  if (walk.pages.length === 0) throw new Blocked('AUTH-CONSENT-01', 'no page asked')
  if (
    isNew ? codeIn(walk) === undefined : !walk.pages.some((page) => offersDenial(page, world.auth))
  )
    throw new NotCovered<ToolsNeed>(walk.summary, ['tools.auth.deny'])
  return { text: textOf(walk.pages), client }
}

/** By what a page forbids others to put it into a frame. */
export function framed(exchange: HttpExchange): string {
  const policies = exchange
    .headersOf('content-security-policy')
    .flatMap((policy) => policy.split(','))
    .flatMap((policy) => policy.split(';'))
  const ancestors = policies
    .map((one) => one.trim().split(/\s+/))
    .filter(([name = '']) => name.toLowerCase() === 'frame-ancestors')
    .map(([, ...sources]) => sources)
  // Where there is such a policy, browsers pass over the older header.
  if (ancestors.length > 0)
    return ancestors.some(
      (sources) => !sources.some((source) => /^(\*|https?:(\/\/\*)?)$/i.test(source)),
    )
      ? ''
      : 'frame-ancestors allows everybody'
  const options = exchange
    .headersOf('x-frame-options')
    .flatMap((one) => one.split(','))
    .map((one) => one.trim().toLowerCase())
  return options.some((one) => one === 'deny' || one === 'sameorigin')
    ? ''
    : 'neither frame-ancestors nor X-Frame-Options'
}

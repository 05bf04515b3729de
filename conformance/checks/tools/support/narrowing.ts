import { formatArgument } from './declared-formats.ts'
import { isObject } from '../../../engine/index.ts'
import type { Session } from './client-session.ts'
import { listsOfStrings } from './query-field.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Finds an argument that probably narrows the search: an optional list of strings, such as tags.
 * Its only string is one that some of the found items, but not all, have in their field of the same
 * name; if there are several, the most frequent one. Returns undefined if there is no such string,
 * or if the search refuses it.
 */
export async function findNarrowing(
  world: ToolsWorld,
  session: Session,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const { tool, arguments: args } = world.target.search!
  const search = (more: Readonly<Record<string, unknown>>) =>
    session.call(tool, { ...args, ...formatArgument(session, { tool }, 'json'), ...more })
  for (const field of listsOfStrings(world, session)) {
    const items = itemsOf(jsonOf(await search({})) ?? {}) ?? []
    const lists = items.map((item) => (isObject(item) ? item[field] : undefined))
    const counts = new Map<string, number>()
    for (const list of lists)
      for (const one of new Set(Array.isArray(list) ? (list as unknown[]) : []))
        if (typeof one === 'string') counts.set(one, (counts.get(one) ?? 0) + 1)
    const [most] = [...counts]
      .filter(([, count]) => count < items.length)
      .toSorted(([, one], [, other]) => other - one)
    if (most === undefined) continue
    const narrowing = { [field]: [most[0]] }
    if (isSuccess(await search(narrowing))) return narrowing
  }
  return undefined
}

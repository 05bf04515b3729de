import { isObject } from '../../../engine/index.ts'
import type { Session } from './client-session.ts'
import { listsOfStrings } from './query-field.ts'
import { isSuccess, itemsOf, jsonOf } from './results.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Finds arguments that probably narrow the search: an optional list of strings, such as tags, with
 * a string that some of the items found have in a field of the same name. Prefers the string of the
 * most items, but not of all. Undefined if there is none, or if the search refuses it.
 */
export async function findNarrowing(
  world: ToolsWorld,
  session: Session,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const { tool, arguments: args } = world.target.search!
  const search = (more: Readonly<Record<string, unknown>>) =>
    session.call(tool, { ...args, response_format: 'json', ...more })
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

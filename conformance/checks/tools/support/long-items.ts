import { isObject, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { isSuccess, textOf } from './results.ts'
import { charactersOf, maxCharacters } from './truncated-pages.ts'
import { observeLastRequest } from './upstream-request.ts'
import type { ToolsWorld } from './world.ts'

/** The length of a lengthened string, in characters: longer than any result may be. */
const longLength = 2 * maxCharacters
/** The maximum number of strings of an item that are lengthened, one after the other. */
const maxAttempts = 5

/**
 * Makes the `get` call of the target file with one string in the upstream's response lengthened.
 * Tries several strings, because a tool may refuse a long identifier or date. Returns the first
 * result in which the tool passed on the long string; undefined if it passed on none.
 */
export async function requestLongItem(
  world: ToolsWorld,
  session: Session,
  more: Readonly<Record<string, unknown>>,
): Promise<McpExchange | undefined> {
  const { target, timeout } = world
  const { upstream } = await world.harness()
  if (upstream?.forward === undefined)
    throw new NotCovered<ToolsNeed>('the suite cannot change the responses of the upstream', [
      'tools.upstream.forward',
    ])
  return world.withExclusiveUpstream(session, async (alone) => {
    const request = await observeLastRequest(upstream, () =>
      world.callOrBlock(alone, target.get!, more),
    )
    const item = await upstream.readReal(request, timeout)
    for (const path of longestStrings(item)) {
      const override = upstream.override({ status: 200, body: lengthen(item, path) }, request)
      const exchange = await alone.call(target.get!.tool, { ...target.get!.arguments, ...more })
      override.stop()
      if (isPassedOn(exchange, stringAt(item, path))) return exchange
    }
    return undefined
  })
}

/**
 * Whether a successful result is too long, or contains the string twice, separated by a space, as
 * only a lengthened string does.
 */
const isPassedOn = (exchange: McpExchange, text: string): boolean =>
  isSuccess(exchange) &&
  (charactersOf(exchange) > maxCharacters || textOf(exchange).includes(`${text} ${text}`))

/** The keys that lead to a value of a JSON document. */
type Path = readonly (string | number)[]

/** The paths of the longest strings, which are the most likely to be prose. */
const longestStrings = (item: unknown): Path[] =>
  pathsOfStrings(item)
    .toSorted((one, other) => stringAt(item, other).length - stringAt(item, one).length)
    .slice(0, maxAttempts)

function pathsOfStrings(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [path]
  if (Array.isArray(value)) return value.flatMap((one, at) => pathsOfStrings(one, [...path, at]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => pathsOfStrings(one, [...path, name]))
}

const stringAt = (item: unknown, path: Path): string =>
  path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    item,
  ) as string

/** A copy in which the string at the path is repeated until it is too long for a result. */
function lengthen(item: unknown, path: Path): unknown {
  const copy = structuredClone({ item })
  const whole: Path = ['item', ...path]
  const parent = whole
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], copy)
  const text = stringAt(item, path)
  ;(parent as Record<string | number, unknown>)[whole.at(-1)!] = `${text} `
    .repeat(Math.ceil(longLength / (text.length + 1)))
    .trimEnd()
  return copy.item
}

import type { McpExchange } from '../../../wire/index.ts'
import type { InvalidCall } from './invalid-calls.ts'
import { breachesOf, locateInput, negativesOf, type Negative } from './negatives/index.ts'
import { adopt } from './adopted-arguments.ts'
import { readingCalls, type PlainCall, type ReadingCall } from './plain-calls.ts'
import { commonNames, possibleQueries } from './query-field.ts'
import { isRefusal, isSuccess, itemsOf, jsonOf, textOf } from './results.ts'
import type { Session } from './client-session.ts'
import { jsonArgument, type Tool } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/** A successful call of a tool that may write, with one of its strings. */
interface StoredValue {
  readonly tool: Tool
  readonly field: string
  readonly value: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A call of a tool that only reads. `find` returns the part of its result that contains data. */
interface Reading {
  readonly tool: string
  argumentsFor(value: string): Readonly<Record<string, unknown>>
  find(exchange: McpExchange): string
}

/** Calls with the same unique string in one field that were refused for another field. */
export interface RefusedMarks {
  readonly calls: readonly InvalidCall[]
  readonly mark: string
  /** The readings after the refusals whose result contains the mark. */
  readonly found: readonly McpExchange[]
}

/** The fewest characters of a string that the suite searches in results. */
const minLength = 3
/** How many refused calls are made for one field. */
const maxCalls = 12

const isString = (value: unknown): value is string => typeof value === 'string'

/** The JSON of a result if there is any, so that escapes do not matter; otherwise its text. */
const dataOf = (exchange: McpExchange): string => {
  const json = jsonOf(exchange)
  return json === undefined ? textOf(exchange) : JSON.stringify(json)
}
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)
const contains = (data: string, value: string): boolean =>
  data.includes(value) || data.includes(inJson(value))

/** The strings of the calls that the target file names, of tools that may write. */
export function storedValues(
  { target }: ToolsWorld,
  plain: readonly PlainCall[],
): readonly StoredValue[] {
  const { search, long, get } = target
  return plain.flatMap(({ call, tool, isNamed, exchange }) => {
    const mayWrite =
      isNamed &&
      tool !== undefined &&
      tool.annotations['readOnlyHint'] !== true &&
      ![search, long, get].some((named) => named?.tool === call.tool)
    if (!mayWrite || !isSuccess(exchange)) return []
    return Object.entries(call.arguments)
      .filter(([field]) => !commonNames.includes(field))
      .flatMap(([field, value]) =>
        isString(value) && value.trim().length >= minLength
          ? [{ tool, field, value, arguments: call.arguments }]
          : [],
      )
  })
}

/** Invalid arguments with a unique string in the field of a stored value, which itself is valid. */
function markedNegatives({
  tool,
  field,
  arguments: args,
}: StoredValue): { mark: string; negatives: readonly Negative[] } | undefined {
  const { located, root } = locateInput(tool)
  const unique = crypto.randomUUID().replaceAll('-', '')
  // A field may allow only letters, or only a few characters.
  const letters = unique.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
  const mark = [
    `touchstone ${unique.slice(0, 12)}`,
    `touchstone${letters}`,
    letters.slice(0, 10),
  ].find((candidate) => breachesOf({ ...args, [field]: candidate }, located, root).size === 0)
  if (mark === undefined) return undefined
  const negatives = negativesOf(tool, { ...args, [field]: mark }).filter(
    (negative) => negative.field !== field && negative.arguments[field] === mark,
  )
  const firsts = negatives.filter(
    (one, index) => negatives.findIndex((other) => other.field === one.field) === index,
  )
  return { mark, negatives: firsts.slice(0, maxCalls) }
}

/**
 * Returns the calls that may show what a tool has stored: the search for the value, and the other
 * tools that only read, with those arguments of the call that they have, too.
 */
function readingsOf(
  world: ToolsWorld,
  session: Session,
  { field, arguments: args }: StoredValue,
  reading: readonly ReadingCall[],
): readonly Reading[] {
  const { search } = world.target
  return reading.map(({ call, tool }): Reading => {
    const [query, ...otherQueries] =
      call.tool === search?.tool ? possibleQueries(world, session) : []
    if (query !== undefined && otherQueries.length === 0)
      return {
        tool: call.tool,
        argumentsFor: (value) => ({ ...call.arguments, ...jsonArgument(tool), [query]: value }),
        // The rest of a result may repeat the query.
        find: (exchange) => JSON.stringify(itemsOf(jsonOf(exchange) ?? {}) ?? []),
      }
    const { [field]: _marked, ...others } = args
    return {
      tool: call.tool,
      argumentsFor: () => adopt({ call, tool }, others).call.arguments,
      find: dataOf,
    }
  })
}

/**
 * Calls tools that may write with invalid input that contains a unique string, and looks for this
 * string in the results of tools that only read. A tool that reads is used only if its result
 * contains the string of the call in the target file. Returns undefined for a value that no tool
 * returns.
 */
export async function findRefusedMarks(
  world: ToolsWorld,
  session: Session,
  stored: StoredValue,
): Promise<RefusedMarks | undefined> {
  const marked = markedNegatives(stored)
  if (marked === undefined || marked.negatives.length === 0) return undefined
  const { mark, negatives } = marked
  const all = readingsOf(world, session, stored, await readingCalls(world, undefined))
  const read = async ({ tool, argumentsFor }: Reading, value: string) =>
    session.call(tool, argumentsFor(value))
  const useful: Reading[] = []
  for (const one of all) {
    const usual = await read(one, stored.value)
    if (!isSuccess(usual) || !contains(one.find(usual), stored.value)) continue
    // A search may return an item for every query, such as one that repeats the query.
    const before = await read(one, mark)
    if (!contains(one.find(before), mark)) useful.push(one)
  }
  if (useful.length === 0) return undefined
  // Alone, because a valid call of another check may replace the string.
  return world.withExclusiveUpstream(session, async (alone) => {
    const sent: InvalidCall[] = []
    for (const negative of negatives)
      sent.push({ negative, exchange: await alone.call(negative.tool, negative.arguments) })
    // Other checks report accepted calls, which may store the mark.
    if (!sent.every(({ exchange }) => isRefusal(exchange))) return { calls: [], mark, found: [] }
    const found: McpExchange[] = []
    for (const one of useful) {
      const exchange = await alone.call(one.tool, one.argumentsFor(mark))
      if (contains(one.find(exchange), mark)) found.push(exchange)
    }
    return { calls: sent, mark, found }
  })
}

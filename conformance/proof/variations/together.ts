import { isObject, type JsonObject } from '../../../mocks/stateful/http/body.ts'
import type { AnyDeviation, FactorLevel } from './variation.ts'

type Around = (call: unknown, next: () => Promise<unknown>) => Promise<unknown>
type Delivering = (delivery: unknown) => unknown
type Door = (stream: unknown, headers: unknown, next: () => void) => void
type Definition = (definition: unknown) => unknown
type Message = (direction: unknown, message: unknown, where: unknown) => unknown
type Lines = (line: string) => string | Uint8Array | undefined
type Answered = (endpoint: unknown, reply: unknown, request: unknown) => unknown

/**
 * One server with several levels: what stands around an operation, or around the look at its input, is nested, the last level outermost; what stands before a
 * delivery or changes a definition, a message, a line or an answer comes in turn, and so do doors.
 */
export function together<D extends AnyDeviation>(
  levels: readonly FactorLevel<D>[],
): Pick<FactorLevel<D>, 'choices' | 'deviation' | 'warns'> {
  const placed = <Place extends object>(
    name: keyof AnyDeviation,
    join: (one: Place, other: Place) => Place,
  ): object => {
    const all = levels.flatMap(({ deviation }) => (deviation?.[name] as Place | undefined) ?? [])
    return all.length === 0 ? {} : { [name]: all.reduce(join) }
  }
  const rules = levels.map(({ deviation }) => deviation?.rules ?? {}).reduce(merged, {})
  const choices = levels
    .flatMap((level) => [level.choices ?? {}, level.deviation?.choices ?? {}])
    .reduce(merged, {})
  const deviation = {
    rules,
    ...placed<Around>('around', nested),
    ...placed<Around>('before', nested),
    ...placed<Delivering>('beforeDelivery', inTurn),
    ...placed<Door>('intercept', behind),
    ...placed<Definition>('definition', (first, then) => (definition) => then(first(definition))),
    ...placed<Message>(
      'message',
      (first, then) => (direction, message, where) =>
        [first(direction, message, where) ?? []]
          .flat()
          .flatMap((one) => then(direction, one, where) ?? []),
    ),
    ...placed<Answered>(
      'changeReply',
      (first, then) => async (endpoint, reply, request) =>
        then(endpoint, await first(endpoint, reply, request), request),
    ),
    ...placed<Lines>('lines', (first, then) => (line) => {
      const changed = first(line)
      return typeof changed === 'string' ? then(changed) : changed
    }),
  }
  return {
    choices,
    warns: [...new Set(levels.flatMap(({ warns = [] }) => warns))],
    deviation: deviation as unknown as D,
  }
}

/** One object with the members of two, and with those of the groups that they name alike. */
function merged(one: object, other: object): object {
  const joined = { ...one } as JsonObject
  for (const [name, value] of Object.entries(other) as [string, unknown][]) {
    const before = joined[name]
    joined[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value
  }
  return joined
}

const nested =
  (inner: Around, outer: Around): Around =>
  (call, next) =>
    outer(call, () => inner(call, next))
const inTurn =
  (first: Delivering, then: Delivering): Delivering =>
  async (delivery) => {
    const changed = await first(delivery)
    return changed === undefined ? undefined : then(changed)
  }
const behind =
  (first: Door, then: Door): Door =>
  (stream, headers, next) =>
    first(stream, headers, () => then(stream, headers, next))

import { isObject, type JsonObject } from '../../../mocks/stateful/http/body.ts'
import type { AnyDeviation, FactorValue } from './variation.ts'

type Around = (call: unknown, next: () => Promise<unknown>) => Promise<unknown>
type BeforeDelivery = (delivery: unknown) => unknown
type Intercept = (stream: unknown, headers: unknown, next: () => void) => void
type ChangeDefinition = (definition: unknown) => unknown
type ChangeMessage = (direction: unknown, message: unknown, transport: unknown) => unknown
type ChangeLine = (line: string) => string | Uint8Array | undefined
type ChangeReply = (endpoint: unknown, reply: unknown, request: unknown) => unknown

/**
 * Combines several values in one server. Wrappers are nested, with the last value outermost.
 * Functions that change something are called in the order of the values.
 */
export function combineValues<D extends AnyDeviation>(
  values: readonly FactorValue<D>[],
): Pick<FactorValue<D>, 'choices' | 'deviation' | 'unmet'> {
  const combine = <Change extends object>(
    name: keyof AnyDeviation,
    join: (one: Change, other: Change) => Change,
  ): object => {
    const all = values.flatMap(({ deviation }) => (deviation?.[name] as Change | undefined) ?? [])
    return all.length === 0 ? {} : { [name]: all.reduce(join) }
  }
  const rules = values.map(({ deviation }) => deviation?.rules ?? {}).reduce(mergeGroups, {})
  const choices = values
    .flatMap((value) => [value.choices ?? {}, value.deviation?.choices ?? {}])
    .reduce(mergeGroups, {})
  const basePath = values.findLast(({ deviation }) => deviation?.basePath !== undefined)?.deviation
    ?.basePath
  const deviation = {
    rules,
    ...(basePath === undefined ? {} : { basePath }),
    ...combine<Around>('around', nest),
    ...combine<Around>('aroundValidation', nest),
    ...combine<BeforeDelivery>('beforeDelivery', chainDeliveries),
    ...combine<Intercept>('intercept', chainIntercepts),
    ...combine<ChangeDefinition>(
      'definition',
      (first, then) => (definition) => then(first(definition)),
    ),
    ...combine<ChangeMessage>(
      'message',
      (first, then) => (direction, message, transport) =>
        [first(direction, message, transport) ?? []]
          .flat()
          .flatMap((one) => then(direction, one, transport) ?? []),
    ),
    ...combine<ChangeReply>(
      'changeReply',
      (first, then) => async (endpoint, reply, request) =>
        then(endpoint, await first(endpoint, reply, request), request),
    ),
    ...combine<ChangeLine>('lines', (first, then) => (line) => {
      const changed = first(line)
      return typeof changed === 'string' ? then(changed) : changed
    }),
  }
  return {
    choices,
    unmet: [...new Set(values.flatMap(({ unmet = [] }) => unmet))],
    deviation: deviation as unknown as D,
  }
}

/** Merges two objects. If both contain an object under the same name, merges these two as well. */
function mergeGroups(one: object, other: object): object {
  const joined = { ...one } as JsonObject
  for (const [name, value] of Object.entries(other) as [string, unknown][]) {
    const existing = joined[name]
    joined[name] = isObject(existing) && isObject(value) ? { ...existing, ...value } : value
  }
  return joined
}

const nest =
  (inner: Around, outer: Around): Around =>
  (call, next) =>
    outer(call, () => inner(call, next))
const chainDeliveries =
  (first: BeforeDelivery, then: BeforeDelivery): BeforeDelivery =>
  async (delivery) => {
    const changed = await first(delivery)
    return changed === undefined ? undefined : then(changed)
  }
const chainIntercepts =
  (first: Intercept, then: Intercept): Intercept =>
  (stream, headers, next) =>
    first(stream, headers, () => then(stream, headers, next))

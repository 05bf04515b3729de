import { isDeepStrictEqual } from 'node:util'

// Building blocks for deviations of the mocks. A deviation replaces rules of a mock, or wraps its
// requests, replies and messages.

/** Records that a server has just deviated. A fault that never deviates proves nothing. */
export type Hit = () => void

/** Makes one deviation. Called once for each server, so that a deviation can keep state. */
export type DeviationFactory<Deviation> = (hit: Hit) => Deviation

/** The result of a change function that changes nothing. */
export type Unchanged = undefined | void

/** Wraps every request: `next` handles it. */
export type Middleware<Call, Reply> = (call: Call, next: () => Promise<Reply>) => Promise<Reply>

/**
 * A replacement of rules. It is either an object with new rules, or a function that computes them.
 * For an object, a hit is counted whenever a new rule and the original rule return different
 * results. A function must count its hits itself. `About` lists the types of the function's further
 * arguments.
 */
export type RulesChange<Rules, About extends unknown[] = []> =
  Partial<Rules> | ((rules: Readonly<Rules>, hit: Hit, ...about: About) => Partial<Rules>)

/**
 * Makes deviations of one mock. `where` limits a deviation to some requests, such as the requests
 * of one operation.
 */
export interface Kit<Call, Reply, Rules, Where> {
  /** Replaces rules for all requests, or only for the requests that `where` selects. */
  replaceRules(change: RulesChange<Rules>): DeviationFactory<{ rules: Partial<Rules> }>
  replaceRules(
    change: RulesChange<Rules, [Call]>,
    where: Where,
  ): DeviationFactory<{ around: Middleware<Call, Reply> }>
  /** Wraps requests. */
  onRequest(
    act: (call: Call, next: () => Promise<Reply>, hit: Hit) => Promise<Reply>,
    where?: Where,
  ): DeviationFactory<{ around: Middleware<Call, Reply> }>
  /** Changes replies. A hit is counted if the reply differs, or if `change` throws a refusal. */
  onReply(
    change: (reply: Reply, call: Call) => Reply | Unchanged | Promise<Reply | Unchanged>,
    where?: Where,
  ): DeviationFactory<{ around: Middleware<Call, Reply> }>
}

/**
 * Makes the kit of a mock with these rules. `isSelected` decides whether `where` selects a request.
 */
export function newKit<
  Call extends { server: { rules: Rules } },
  Reply,
  Rules extends object,
  Where = never,
>(
  rules: Readonly<Rules>,
  isSelected: (call: Call, where: Where) => boolean = () => true,
): Kit<Call, Reply, Rules, Where> {
  const onRequest: Kit<Call, Reply, Rules, Where>['onRequest'] = (act, where) => (hit) => ({
    around: (call, next) =>
      where === undefined || isSelected(call, where) ? act(call, next, hit) : next(),
  })
  function replaceRules(change: RulesChange<Rules>): DeviationFactory<{ rules: Partial<Rules> }>
  function replaceRules(
    change: RulesChange<Rules, [Call]>,
    where: Where,
  ): DeviationFactory<{ around: Middleware<Call, Reply> }>
  function replaceRules(
    change: RulesChange<Rules, [Call]>,
    where?: Where,
  ): DeviationFactory<{ rules: Partial<Rules> } | { around: Middleware<Call, Reply> }> {
    if (where === undefined)
      return (hit) => ({ rules: changedRules(rules, change as RulesChange<Rules>, hit) })
    return onRequest((call, next, hit) => {
      replaceRulesOf(call, changedRules(call.server.rules, change, hit, call))
      return next()
    }, where)
  }
  return {
    onRequest,
    replaceRules,
    onReply: (change, where) =>
      onRequest(async (call, next, hit) => {
        const reply = await next()
        return applyChange(reply, hit, await countThrown(hit, () => change(reply, call)))
      }, where),
  }
}

/** Returns the new rules of a change. Computes them if the change is a function. */
export function changedRules<Rules extends object, About extends unknown[]>(
  rules: Readonly<Rules>,
  change: RulesChange<Rules, About>,
  hit: Hit,
  ...about: About
): Partial<Rules> {
  return typeof change === 'function' ? change(rules, hit, ...about) : countHits(rules, change, hit)
}

/**
 * Wraps each new rule so that it counts hits. Rules can be in groups, so groups are searched too.
 */
function countHits<Rules extends object>(
  rules: Readonly<Rules>,
  replacements: Partial<Rules>,
  hit: Hit,
): Partial<Rules> {
  type Rule = (...args: unknown[]) => unknown
  return Object.fromEntries(
    Object.entries(replacements).map(([name, value]): [string, unknown] => {
      const original = (rules as Record<string, unknown>)[name]
      if (typeof value === 'function') return [name, countHit(hit, original as Rule, value as Rule)]
      return [name, countHits(original as object, value as object, hit)]
    }),
  ) as Partial<Rules>
}

/**
 * Returns the replacement function, which counts a hit whenever its result differs from the
 * original's.
 */
export function countHit<Args extends unknown[], Result>(
  hit: Hit,
  original: (...args: Args) => Result,
  replacement: (...args: Args) => Result,
): (...args: Args) => Result {
  const compare = <T>(actual: T, expected: unknown): T => {
    if (!isDeepStrictEqual(actual, expected)) hit()
    return actual
  }
  return (...args) => {
    const [actual, expected] = [replacement(...args), original(...args)]
    return actual instanceof Promise || expected instanceof Promise
      ? (Promise.all([actual, expected]).then(([one, other]) => compare(one, other)) as Result)
      : compare(actual, expected)
  }
}

/** Returns `other`, or `value` if `other` is undefined. Counts a hit if they differ. */
export function applyChange<T>(value: T, hit: Hit, other: T | Unchanged): T {
  if (other === undefined || other === value) return value
  hit()
  return other as T
}

/** Counts a hit if `act` throws, because then the refusal is the deviation. */
export async function countThrown<T>(hit: Hit, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (refusal) {
    hit()
    throw refusal
  }
}

/** Replaces rules and choices for one call. */
export function replaceRulesOf<Rules extends object, Choices extends object>(
  call: { server: { rules: Rules; choices?: Choices } },
  rules: Partial<Rules>,
  choices?: Partial<Choices>,
): void {
  const { server } = call
  call.server = {
    ...server,
    rules: { ...server.rules, ...rules },
    ...(choices === undefined ? {} : { choices: { ...server.choices, ...choices } as Choices }),
  }
}

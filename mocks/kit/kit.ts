import { isDeepStrictEqual } from 'node:util'

// What deviations of the mocks are built from. A deviation replaces rules of a mock, or wraps its requests, replies and messages.

/** Reports that a server deviated just now. A fault that never deviates proves nothing. */
export type Hit = () => void

/** Makes one deviation. It is called once for each server, so that a deviation may have a state of its own. */
export type Make<Deviation> = (hit: Hit) => Deviation

/** What a change returns where it changes nothing. */
export type Unchanged = undefined | void

/** Wraps every request: `next` handles it. */
export type Wrap<Call, Reply> = (call: Call, next: () => Promise<Reply>) => Promise<Reply>

/** The rules that a change puts in the place of `rules`. Functions of an object count a hit whenever they differ from the rule; a function counts its own. */
export type RulesChange<Rules, About extends unknown[] = []> =
  Partial<Rules> | ((rules: Readonly<Rules>, hit: Hit, ...about: About) => Partial<Rules>)

/** The kit of one mock. `where` limits a deviation to some requests, such as those of one operation. */
export interface Kit<Call, Reply, Rules, Where> {
  /** Replaces rules: of the server, or with `where` for these requests only. */
  replaceRules(change: RulesChange<Rules>): Make<{ rules: Partial<Rules> }>
  replaceRules(
    change: RulesChange<Rules, [Call]>,
    where: Where,
  ): Make<{ around: Wrap<Call, Reply> }>
  /** Wraps requests. */
  onRequest(
    act: (call: Call, next: () => Promise<Reply>, hit: Hit) => Promise<Reply>,
    where?: Where,
  ): Make<{ around: Wrap<Call, Reply> }>
  /** Changes replies. Another reply than the given one, and a refusal that is thrown, counts as a hit. */
  onReply(
    change: (reply: Reply, call: Call) => Reply | Unchanged | Promise<Reply | Unchanged>,
    where?: Where,
  ): Make<{ around: Wrap<Call, Reply> }>
}

/** The kit of a mock that has these rules. `isAt` tells whether a request is one of those that `where` names. */
export function newKit<
  Call extends { server: { rules: Rules } },
  Reply,
  Rules extends object,
  Where = never,
>(
  rules: Readonly<Rules>,
  isAt: (call: Call, where: Where) => boolean = () => true,
): Kit<Call, Reply, Rules, Where> {
  const onRequest: Kit<Call, Reply, Rules, Where>['onRequest'] = (act, where) => (hit) => ({
    around: (call, next) =>
      where === undefined || isAt(call, where) ? act(call, next, hit) : next(),
  })
  function replaceRules(change: RulesChange<Rules>): Make<{ rules: Partial<Rules> }>
  function replaceRules(
    change: RulesChange<Rules, [Call]>,
    where: Where,
  ): Make<{ around: Wrap<Call, Reply> }>
  function replaceRules(
    change: RulesChange<Rules, [Call]>,
    where?: Where,
  ): Make<{ rules: Partial<Rules> } | { around: Wrap<Call, Reply> }> {
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
        return changed(reply, hit, await countThrown(hit, () => change(reply, call)))
      }, where),
  }
}

/** The rules that a change stands for. */
export function changedRules<Rules extends object, About extends unknown[]>(
  rules: Readonly<Rules>,
  change: RulesChange<Rules, About>,
  hit: Hit,
  ...about: About
): Partial<Rules> {
  return typeof change === 'function' ? change(rules, hit, ...about) : counted(rules, change, hit)
}

/** Rules may stand in groups; functions are replaced wherever they stand. */
function counted<Rules extends object>(
  rules: Readonly<Rules>,
  wrong: Partial<Rules>,
  hit: Hit,
): Partial<Rules> {
  type Rule = (...args: unknown[]) => unknown
  return Object.fromEntries(
    Object.entries(wrong).map(([name, value]): [string, unknown] => {
      const right = (rules as Record<string, unknown>)[name]
      if (typeof value === 'function') return [name, countHit(hit, right as Rule, value as Rule)]
      return [name, counted(right as object, value as object, hit)]
    }),
  ) as Partial<Rules>
}

/** A function that answers wrongly, and counts a hit whenever its answer is not the right one. */
export function countHit<Args extends unknown[], Result>(
  hit: Hit,
  right: (...args: Args) => Result,
  wrong: (...args: Args) => Result,
): (...args: Args) => Result {
  const compared = <T>(given: T, due: unknown): T => {
    if (!isDeepStrictEqual(given, due)) hit()
    return given
  }
  return (...args) => {
    const [given, due] = [wrong(...args), right(...args)]
    return given instanceof Promise || due instanceof Promise
      ? (Promise.all([given, due]).then(([one, other]) => compared(one, other)) as Result)
      : compared(given, due)
  }
}

/** What takes the place of a value; a hit, if that is another one. */
export function changed<T>(value: T, hit: Hit, other: T | Unchanged): T {
  if (other === undefined || other === value) return value
  hit()
  return other as T
}

/** Counts what is thrown as a hit: a refusal that should not be. */
export async function countThrown<T>(hit: Hit, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (refusal) {
    hit()
    throw refusal
  }
}

/** Other rules and choices for one call. */
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

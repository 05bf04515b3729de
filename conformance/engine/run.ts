import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check, ActingCheck } from './check.ts'
import type { Context, Run, RunOptions } from './context.ts'
import { findingOfFailedStep, judgeCheck, verdictOf } from './judge.ts'
import { Ledger, type Message } from './ledger.ts'
import { Random } from './random.ts'
import { SharedValues } from './shared-values.ts'
import { SharedExclusiveLock } from './shared-exclusive-lock.ts'
import { Stages, type Stage } from './stages.ts'
import { Blocked } from './signals.ts'
import { CheckTimer } from './timing.ts'
import type { Verdict } from './verdict.ts'
import { Waits } from './waits.ts'
import { Watch } from './watch.ts'

/** A promise with its resolve function. */
function newDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}

const metOutcomes = new Set<Verdict['verdict']>(['pass', 'warn', 'observed'])

/** The outcomes of checks that examined nothing. */
const openOutcomes = new Set<Verdict['verdict']>(['not covered', 'not applicable'])

/** Outcomes that an interrupted exchange may have caused. */
const outcomesToRetry = new Set<Verdict['verdict']>(['fail', 'warn', 'blocked', 'error'])

/**
 * After this many failed retries that had to wait, no check is retried that has to wait, and
 * interruptions count as failures of the target.
 */
const maxFailedRetries = 2

/** The result of running a check once. */
interface Attempt<M extends Message> {
  readonly verdict: Verdict
  readonly messages: readonly M[]
  /** Names of the shared values that the check used. */
  readonly sharedNames: ReadonlySet<string>
  /** Whether an exchange of the check was interrupted, and the check did not pass. */
  readonly deservesRetry: boolean
  /** Whether the suite waited for an interrupted exchange, so that a retry may wait again. */
  readonly hasWaited: boolean
}

/**
 * Starts a run of the selected checks, as concurrently as the gate, the locks and the stages allow.
 * Never rejects.
 */
export function startRun<World, M extends Message>(options: RunOptions<World, M>): Run {
  const {
    checks,
    selected = () => true,
    mayCauseMessages = () => true,
    missing = () => [],
    nameNeeds = (needed) => needed.join(', '),
    inapplicable = () => undefined,
    openWorld,
    cleanUp,
    gate,
    clock,
    seed,
    onMessage,
    onFailing,
    signal = new AbortController().signal,
    keepsAllExchanges = false,
  } = options
  const runStart = clock.now()
  const reportedChecks = checks.filter(selected)
  const watches = new Map<string, Watch<M>>()
  for (const check of checks) if (check.kind === 'watch') watches.set(check.key, new Watch(check))
  const byRequirement = new Map<string, Check<World, M>[]>()
  for (const check of checks)
    byRequirement.set(check.requirement, [...(byRequirement.get(check.requirement) ?? []), check])
  const roots = new Set(checks.map(({ root }) => root))
  /**
   * Checks of roots and checks with a lock send first, because other checks wait for them. The
   * others send in the order of `checks`, except that a check with `sendsEarly` is moved forward.
   */
  const priorityOf = (check: ActingCheck<World>): number => {
    const index = checks.indexOf(check)
    if (roots.has(check.requirement) || (check.exclusiveLock ?? check.sharedLock) !== undefined)
      return index - checks.length
    return check.sendsEarly === true ? index / 2 : index
  }
  const verdicts = new Map<string, Promise<Verdict>>()
  const sharedValues = new SharedValues<M>()
  const locks = new Map<string, SharedExclusiveLock>()
  const stages: Stages = new Stages((name, others) => waits.reaches([name], others))
  const waits = new Waits(() => stages.waitAdded())
  const timers = new Map<string, CheckTimer>()
  const cleanups: Promise<void>[] = []
  const pendingShows: Promise<void>[] = []
  /** The keys of the watching checks that were passed to `onFailing`. */
  const failing = new Set<string>()
  /** How many retries failed again: they were interrupted again, or blocked again. */
  let failedRetries = 0
  /** Whether the run was cancelled before every acting check had ended. */
  let isCutShort = false
  const deferredVerdicts = new Map(reportedChecks.map(({ key }) => [key, newDeferred<Verdict>()]))

  /** Returns a lock. Checks that share it go first, because they do not block each other. */
  const lockOf = (name: string) => {
    if (!locks.has(name)) locks.set(name, new SharedExclusiveLock({ sharersFirst: true }))
    return locks.get(name)!
  }

  /**
   * Waits until the holder, a check or a shared value, has the lock. Resolves to a function that
   * releases the lock.
   */
  async function acquireLock(
    holder: string,
    name: string,
    how: { shared: boolean },
  ): Promise<() => void> {
    const node = `lock ${name}`
    const release = await waits.during(holder, [node], () => lockOf(name).acquire(how))
    let released!: () => void
    void waits.during(node, [holder], () => new Promise<void>((resolve) => (released = resolve)))
    return () => {
      release()
      released()
    }
  }

  const announce = (verdict: Verdict) => deferredVerdicts.get(verdict.key)?.resolve(verdict)

  function contextOf(
    ledger: Ledger<M>,
    name: string,
    priority: number,
    dependencies: Set<string>,
    { requirement, waitForStage }: Partial<Pick<Context<M>, 'requirement' | 'waitForStage'>> = {},
  ): Context<M> {
    // Only checks have timers. Their waits for a shared value include what that value waits for.
    const timed: CheckTimer['during'] = (kind, what, work) =>
      timers.get(name)?.during(kind, what, work) ?? work
    return {
      ledger,
      gate,
      clock,
      random: new Random(`${seed} ${name}`),
      priority,
      signal,
      requirement,
      isMet: async (other) => {
        const unmet = waits.unlessCircular(name, checksOf(other), () => firstUnmet(other))
        return (await timed('requirement', other, unmet)) === undefined
      },
      waitForStage:
        waitForStage ??
        (() =>
          Promise.reject(
            new Error(
              'a shared value cannot wait for a stage, because the checks that use the value are active',
            ),
          )),
      async withLock(lock, work) {
        const release = await timed('lock', lock, acquireLock(name, lock, { shared: false }))
        try {
          return await work()
        } finally {
          release()
        }
      },
      shared<T>(value: string, make: (context: Context<M>) => Promise<T>): Promise<T> {
        ledger.usesSharedValue = true
        const made = waits.during(name, [value], () =>
          sharedValues.get(value, { name, uses: dependencies }, (own, theirs) =>
            make(contextOf(own, value, priority, theirs)),
          ),
        )
        return timed('value', value, made)
      },
    }
  }

  /** Runs a check after those of its root. Later calls return the promise of the first call. */
  function judgeOnce(check: ActingCheck<World>): Promise<Verdict> {
    let verdict = verdicts.get(check.key)
    if (verdict === undefined) {
      // The check starts only after its promise is stored. If it depends on itself through other
      // checks, these then find the promise and do not start the check again.
      verdict = Promise.resolve().then(() => runAfterRoot(check))
      verdicts.set(check.key, verdict)
      // A block is announced at the end of the run, when its first cause is known.
      void verdict.then((known) => known.verdict === 'blocked' || announce(known))
    }
    return verdict
  }

  async function runAfterRoot(check: ActingCheck<World>): Promise<Verdict> {
    const reason = inapplicable(check)
    if (reason !== undefined) return notApplicable(check, reason)
    const needs = missing(check)
    if (needs.length > 0) return notCovered(check, needs)
    if (check.root !== undefined && check.root !== check.requirement) {
      const { root } = check
      const failed = await timerOf(check).during(
        'requirement',
        root,
        waits.during(check.key, checksOf(root), () => firstUnmet(root)),
      )
      if (failed !== undefined) return blockedBy(check, root, failed)
    }
    return signal.aborted ? cancelled(check) : runWithRetry(check)
  }

  /**
   * Runs a check. If an exchange was interrupted and the check did not pass, runs it again alone: a
   * busy machine must not decide the verdict.
   */
  async function runWithRetry(check: ActingCheck<World>): Promise<Verdict> {
    stages.enter(check.key)
    const first = await attempt(check)
    const mayRetry = () => !signal.aborted && (failedRetries < maxFailedRetries || !first.hasWaited)
    if (!first.deservesRetry || !mayRetry()) return settle(check, first)
    await stages.waitUntilIdle(check.key)
    if (!mayRetry()) {
      stages.leave(check.key)
      return settle(check, first)
    }
    sharedValues.forget(sharedValues.withInterruption(first.sharedNames))
    const second = await attempt(check)
    if (!second.deservesRetry) {
      // The interruptions of the first attempt are not evidence: they did not occur again.
      const evidence = first.messages.filter((message) => message.isInterrupted !== true)
      showToWatches(evidence, check.key)
    } else if (second.hasWaited) failedRetries += 1
    return settle(check, second)
  }

  function timerOf({ key }: ActingCheck<World>): CheckTimer {
    const timer = timers.get(key) ?? new CheckTimer(clock, runStart)
    timers.set(key, timer)
    return timer
  }

  function settle(check: ActingCheck<World>, { verdict, messages }: Attempt<M>): Verdict {
    showToWatches(messages, check.key)
    return verdict
  }

  async function attempt(check: ActingCheck<World>): Promise<Attempt<M>> {
    let isActive = true
    const lockName = check.exclusiveLock ?? check.sharedLock
    let unlock =
      lockName === undefined
        ? undefined
        : await timerOf(check).during(
            'lock',
            lockName,
            acquireLock(check.key, lockName, { shared: check.exclusiveLock === undefined }),
          )
    const started = clock.now()
    timerOf(check).begin()
    let waited = 0
    let stageWait: Promise<boolean> | undefined
    const waitForStage = async (stage: Stage) => {
      if (unlock !== undefined)
        throw new Error(
          `a check that holds the lock "${lockName}" cannot wait for a stage, because others wait for the lock`,
        )
      let hasWaited = false
      // Several parts of a check may wait at the same time, but the check must be subtracted from
      // the active checks only once. So the parts wait one after the other.
      while (stageWait !== undefined) hasWaited = (await stageWait) || hasWaited
      const since = clock.now()
      const opened = timerOf(check).during(
        'stage',
        stage,
        stages.waitFor(check.key, stage, { isActive }),
      )
      stageWait = opened.finally(() => {
        waited += clock.now() - since
        stageWait = undefined
      })
      return (await stageWait) || hasWaited
    }
    const ledger = new Ledger<M>()
    const dependencies = new Set<string>()
    const world = openWorld(
      contextOf(ledger, check.key, priorityOf(check), dependencies, {
        requirement: check.requirement,
        waitForStage,
      }),
    )
    const verdict = await judgeCheck(check, world, ledger, {
      sharedMessages: () => sharedValues.shownMessagesOf(dependencies),
      keepsAllExchanges,
    })
    const durationMs = Math.round(clock.now() - started - waited)
    unlock?.()
    unlock = undefined
    isActive = false
    if (cleanUp !== undefined) cleanups.push(cleanUp(world))
    stages.leave(check.key)
    const { messages } = ledger
    const used = [...messages, ...sharedValues.shownMessagesOf(dependencies)]
    return {
      verdict: {
        // A wait ends as soon as the run is cancelled, so a check in progress proves nothing.
        ...(signal.aborted && !openOutcomes.has(verdict.verdict) ? cancelled(check) : verdict),
        durationMs,
        timing: timerOf(check).end([
          ...ledger.shownMessages,
          ...sharedValues.shownMessagesOf(dependencies),
        ]),
      },
      messages,
      sharedNames: dependencies,
      deservesRetry:
        outcomesToRetry.has(verdict.verdict) &&
        (messages.some((message) => message.isInterrupted) ||
          sharedValues.withInterruption(dependencies).length > 0),
      hasWaited: used.some(
        ({ isInterrupted, isClosedWithOthers }) => isInterrupted && isClosedWithOthers !== true,
      ),
    }
  }

  /**
   * Passes messages to the watching checks, after the run has sent the requests that it can send
   * now.
   */
  function showToWatches(messages: readonly M[], key: string): void {
    pendingShows.push(
      new Promise((shown) =>
        setImmediate(() => {
          for (const message of messages) {
            // The cancellation may have ended the exchange.
            if (signal.aborted && message.isInterrupted === true) continue
            const examined = new Map<string, boolean>()
            for (const watch of watches.values()) {
              const met = watch.examine(message, key)
              if (met !== undefined) examined.set(watch.check.key, met)
              if (met === false) reportFailing(watch)
            }
            onMessage?.(key, message, examined)
          }
          shown()
        }),
      ),
    )
  }

  /** Reports once that a watching check fails, whatever it examines in the rest of the run. */
  function reportFailing(watch: Watch<M>): void {
    const { check } = watch
    // A check of another level warns.
    if (onFailing === undefined || check.entry.level !== 'must' || failing.has(check.key)) return
    if (!deferredVerdicts.has(check.key)) return
    if (inapplicable(check) !== undefined || missing(check).length > 0) return
    const verdict = watch.verdict()
    if (verdict?.verdict !== 'fail') return
    failing.add(check.key)
    onFailing(verdict)
  }

  /** The verdict of a watching check on the messages so far; undefined if it examined none. */
  async function verdictOfWatch(watch: Watch<M>): Promise<Verdict | undefined> {
    await Promise.all(pendingShows)
    return watch.verdict()
  }

  /** The keys of the acting checks of a requirement. */
  const checksOf = (requirement: RequirementId): string[] =>
    (byRequirement.get(requirement) ?? [])
      .filter(({ kind }) => kind === 'act')
      .map(({ key }) => key)

  async function firstUnmet(requirement: RequirementId): Promise<Verdict | undefined> {
    for (const check of byRequirement.get(requirement) ?? []) {
      const verdict =
        check.kind === 'act'
          ? await judgeOnce(check)
          : await verdictOfWatch(watches.get(check.key)!)
      if (verdict !== undefined && !metOutcomes.has(verdict.verdict)) return verdict
    }
    return undefined
  }

  function blockedBy(check: Check<World, M>, root: RequirementId, failed: Verdict): Verdict {
    if (failed.verdict === 'not covered') return verdictOf(check, notCoveredAs(failed))
    // A check that depends on an absent optional feature does not apply either.
    if (failed.verdict === 'not applicable')
      return verdictOf(check, { verdict: 'not applicable', ...sameReason(failed) })
    const first = failed.verdict === 'blocked' ? (failed.blockedBy ?? root) : root
    const { message: reason, code: reasonCode } = new Blocked(first)
    return verdictOf(check, { verdict: 'blocked', blockedBy: first, reason, reasonCode })
  }

  /**
   * Runs a blocked check again alone. Returns undefined if the check is blocked again, or must not
   * be retried.
   */
  async function retryBlocked({ key }: Verdict): Promise<Verdict | undefined> {
    const check = checks.find((one) => one.key === key)
    if (check?.kind !== 'act' || failedRetries >= maxFailedRetries || signal.aborted)
      return undefined
    stages.enter(check.key)
    const second = await attempt(check)
    if (second.verdict.verdict !== 'blocked') return settle(check, second)
    failedRetries += 1
    return undefined
  }

  /** Describes the checks of a requirement for a report. */
  function describeChecks(requirement: string): string {
    const [first, ...others] = byRequirement.get(requirement) ?? []
    return first === undefined || others.length > 0
      ? `all checks of ${requirement}`
      : `the check of ${requirement} ("${first.title}")`
  }

  /** Whether checks block each other in a circle, of which this blocked check is a part. */
  async function isInCircle({ requirement, blockedBy }: Verdict): Promise<boolean> {
    const seen = new Set<RequirementId>()
    let next = blockedBy
    while (next !== undefined && next !== requirement && !seen.has(next)) {
      seen.add(next)
      next = (await firstUnmet(next))?.blockedBy
    }
    return next === requirement
  }

  /**
   * Follows a chain of blocks to the check that failed first, and returns the verdict with that
   * cause. If the root turns out to be met, the blocked check is retried. In a circle, no check
   * failed first, so a check whose own step failed counts as failed: otherwise nothing would fail.
   */
  async function followToCause(verdict: Verdict, seen = new Set<string>()): Promise<Verdict> {
    const { blockedBy: root, level, reasonCode, reason = '', expectations } = verdict
    if (verdict.verdict !== 'blocked' || root === undefined) return verdict
    if (reasonCode === 'step-failed' && level !== 'open' && (await isInCircle(verdict))) {
      const { blockedBy: _root, reason: _reason, reasonCode: _code, ...rest } = verdict
      return {
        ...rest,
        verdict: level === 'must' ? 'fail' : 'warn',
        expectations: [...expectations, findingOfFailedStep(reason)],
      }
    }
    if (seen.has(root)) return verdict
    seen.add(root)
    // If the requirement has no check, there is nothing to follow.
    if (!byRequirement.has(root)) return verdict
    // The check of the root may start only now. It needs a target on which the other checks have
    // cleaned up.
    await Promise.all(cleanups)
    const failed = await firstUnmet(root)
    if (failed === undefined)
      return (
        (await retryBlocked(verdict)) ?? {
          ...verdict,
          reason: `${verdict.reason ?? 'a step failed'}. This is unexpected, because ${describeChecks(root)} passed`,
          reasonCode: 'root-held-alone',
        }
      )
    if (failed.verdict === 'not covered') return { ...verdict, ...notCoveredAs(failed) }
    if (failed.verdict === 'not applicable')
      return { ...verdict, verdict: 'not applicable', ...sameReason(failed) }
    return {
      ...verdict,
      blockedBy: (await followToCause(failed, seen)).blockedBy ?? failed.requirement,
    }
  }

  async function judgeWatch(watch: Watch<M>): Promise<Verdict> {
    const { check } = watch
    const reason = inapplicable(check)
    if (reason !== undefined) return notApplicable(check, reason)
    const needs = missing(check)
    if (needs.length > 0) return notCovered(check, needs)
    // A violation counts even if other checks failed. The absence of violations counts only if the
    // root is met.
    const verdict = await verdictOfWatch(watch)
    if (verdict !== undefined && verdict.verdict !== 'pass') return verdict
    if (check.root !== undefined) {
      const failed = await firstUnmet(check.root)
      if (failed !== undefined) return blockedBy(check, check.root, failed)
    }
    if (isCutShort) return cancelled(check)
    if (verdict !== undefined) return verdict
    for (const source of check.sources) {
      const failed = await firstUnmet(source)
      if (failed !== undefined && failed.verdict !== 'not covered')
        return followToCause(blockedBy(check, source, failed))
    }
    return verdictOf(check, {
      verdict: 'not covered',
      reason:
        check.examines === undefined
          ? 'the suite received no message to examine'
          : `the suite received no ${check.examines}`,
      reasonCode: 'no-message',
    })
  }

  async function runAll(): Promise<Verdict[]> {
    const hasWatches = reportedChecks.some(({ kind }) => kind === 'watch')
    const acting = checks.filter(
      (check) =>
        check.kind === 'act' && (selected(check) || (hasWatches && mayCauseMessages(check))),
    ) as ActingCheck<World>[]
    const judged = await Promise.all(acting.map(judgeOnce))
    isCutShort = judged.some(({ reasonCode }) => reasonCode === 'cancelled')
    for (const { callers, messages } of sharedValues.messages)
      showToWatches(messages, checks.find(({ key }) => callers.has(key))!.key)
    const verdicts: Verdict[] = []
    for (const check of reportedChecks) {
      const verdict =
        check.kind === 'act'
          ? await followToCause(await judgeOnce(check))
          : await judgeWatch(watches.get(check.key)!)
      announce(verdict)
      verdicts.push(verdict)
    }
    return verdicts
  }

  function notCovered(check: Check<World, M>, needs: string[]): Verdict {
    return verdictOf(check, {
      verdict: 'not covered',
      needs,
      reason: `needs ${nameNeeds(needs)} in the target file`,
      reasonCode: 'key-missing',
    })
  }

  const all = runAll()
  return {
    keys: reportedChecks.map(({ key }) => key),
    verdict: (key) =>
      deferredVerdicts.get(key)?.promise ??
      Promise.reject(new Error(`"${key}" is not in this run`)),
    verdicts: all,
    end: all.then(() => Promise.all(cleanups)).then(() => {}),
  }
}

const cancelled = (check: Parameters<typeof verdictOf>[0]): Verdict =>
  verdictOf(check, {
    verdict: 'not covered',
    reason: 'the run was cancelled',
    reasonCode: 'cancelled',
  })

const notApplicable = (check: Parameters<typeof verdictOf>[0], reason: string): Verdict =>
  verdictOf(check, { verdict: 'not applicable', reason, reasonCode: 'other-form' })

/** The parts of a `not covered` verdict that apply to the checks that depend on it. */
const notCoveredAs = (failed: Verdict) =>
  ({ verdict: 'not covered', needs: failed.needs ?? [], ...sameReason(failed) }) as const

/** The reason of a verdict, for the checks that depend on it. */
const sameReason = ({
  reason = '',
  reasonCode = 'feature-absent',
}: Verdict): Pick<Verdict, 'reason' | 'reasonCode'> => ({ reason, reasonCode })

import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Check, PlayedCheck } from './check.ts'
import type { Context, Run, RunOptions } from './context.ts'
import { judgeCheck, verdictOf } from './judge.ts'
import { Ledger, type Message } from './ledger.ts'
import { SharedValues } from './shared-values.ts'
import { SharedExclusiveLock } from './shared-exclusive-lock.ts'
import { Stages, type Stage } from './stages.ts'
import { Blocked } from './signals.ts'
import type { ReasonCode, Verdict } from './verdict.ts'
import { Watch } from './watch.ts'

/** A promise that is kept from outside. */
function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((keep) => (resolve = keep))
  return { promise, resolve }
}

const sound = new Set<Verdict['verdict']>(['pass', 'warn', 'observed'])

/** What a time-out may have caused. */
const doubted = new Set<Verdict['verdict']>(['fail', 'warn', 'blocked', 'error'])

/** After so many second tries in vain, time-outs are the target's own. */
const triesInVain = 2

/** What came of playing a check once. */
interface Attempt<M extends Message> {
  readonly verdict: Verdict
  readonly messages: readonly M[]
  /** Names of the shared values that it used. */
  readonly uses: ReadonlySet<string>
  /** Whether it met a time-out and did not pass. */
  readonly isDoubtful: boolean
}

/** Starts a run: plays what is selected, as concurrently as the gate and the stages let it. Never rejects. */
export function startRun<World, M extends Message>(options: RunOptions<World, M>): Run {
  const {
    checks,
    selected = () => true,
    feeding = () => true,
    missing = () => [],
    excluded = () => undefined,
    open,
    leave,
    gate,
    clock,
    heard,
    signal = new AbortController().signal,
  } = options
  const reported = checks.filter(selected)
  const watches = new Map<string, Watch<M>>()
  for (const check of checks) if (check.kind === 'watch') watches.set(check.key, new Watch(check))
  const byRequirement = new Map<string, Check<World, M>[]>()
  for (const check of checks)
    byRequirement.set(check.requirement, [...(byRequirement.get(check.requirement) ?? []), check])
  const roots = new Set(checks.map(({ root }) => root))
  /** What others stand on sends first, and whoever holds them up by a word; then earlier checks before later ones. */
  const priorityOf = (check: PlayedCheck<World>): number => {
    const place = checks.indexOf(check)
    if (roots.has(check.requirement) || (check.exclusive ?? check.shares) !== undefined)
      return place - checks.length
    return check.early === true ? place / 2 : place
  }
  const judged = new Map<string, Promise<Verdict>>()
  const common = new SharedValues<M>()
  const locks = new Map<string, SharedExclusiveLock>()
  const stages = new Stages()
  const tidying: Promise<void>[] = []
  const showing: Promise<void>[] = []
  /** Second tries that met a time-out again. */
  let inVain = 0
  const announced = new Map(reported.map(({ key }) => [key, promised<Verdict>()]))

  /** Those that share a word go first: they hold up none of their like. */
  const lockOf = (word: string) => {
    if (!locks.has(word)) locks.set(word, new SharedExclusiveLock({ sharersFirst: true }))
    return locks.get(word)!
  }

  const announce = (verdict: Verdict) => announced.get(verdict.key)?.resolve(verdict)

  function contextOf(
    ledger: Ledger<M>,
    priority: number,
    uses: Set<string>,
    { requirement, turn }: Partial<Pick<Context<M>, 'requirement' | 'turn'>> = {},
  ): Context<M> {
    return {
      ledger,
      gate,
      clock,
      priority,
      signal,
      requirement,
      holds: async (row) => (await stages.ask(firstUnsound(row))) === undefined,
      turn:
        turn ??
        (() =>
          Promise.reject(
            new Error(
              'what is made for several cannot wait for a stage: whoever waits for it acts',
            ),
          )),
      shared<T>(name: string, make: (context: Context<M>) => Promise<T>): Promise<T> {
        return common.get(name, uses, (own, theirs) => make(contextOf(own, priority, theirs)))
      },
    }
  }

  /** Plays a check once, after its root. */
  function judgeOnce(check: PlayedCheck<World>): Promise<Verdict> {
    let verdict = judged.get(check.key)
    if (verdict === undefined) {
      verdict = playWhenRooted(check)
      judged.set(check.key, verdict)
      // A block is told at the end, when the first of all causes is known.
      void verdict.then((known) => known.verdict === 'blocked' || announce(known))
    }
    return verdict
  }

  async function playWhenRooted(check: PlayedCheck<World>): Promise<Verdict> {
    const why = excluded(check)
    if (why !== undefined) return ofOtherForm(check, why)
    const lacking = missing(check)
    if (lacking.length > 0) return notCovered(check, lacking)
    if (check.root !== undefined && check.root !== check.requirement) {
      const failed = await firstUnsound(check.root)
      if (failed !== undefined) return blockedBy(check, check.root, failed)
    }
    if (signal.aborted)
      return verdictOf(check, {
        verdict: 'not covered',
        reason: 'the run was called off',
        reasonCode: 'called-off',
      })
    return playNow(check)
  }

  /** Plays a check, and where it met a time-out and did not pass again, alone: a busy machine must not decide. */
  async function playNow(check: PlayedCheck<World>): Promise<Verdict> {
    stages.act()
    const first = await attempt(check)
    if (!first.isDoubtful || inVain >= triesInVain || signal.aborted) return settle(check, first)
    await stages.quiet()
    if (inVain >= triesInVain || signal.aborted) {
      stages.rest()
      return settle(check, first)
    }
    common.forget(common.timedOut(first.uses))
    const second = await attempt(check)
    if (second.isDoubtful) inVain += 1
    // What only a busy machine has broken off is no evidence.
    else
      show(
        first.messages.filter((message) => message.isTimedOut !== true),
        check.key,
      )
    return settle(check, second)
  }

  function settle(check: PlayedCheck<World>, { verdict, messages }: Attempt<M>): Verdict {
    show(messages, check.key)
    return verdict
  }

  async function attempt(check: PlayedCheck<World>): Promise<Attempt<M>> {
    let acts = true
    const word = check.exclusive ?? check.shares
    let unlock =
      word === undefined
        ? undefined
        : await lockOf(word).acquire({ shared: check.exclusive === undefined })
    const started = clock.now()
    let waited = 0
    const turn = async (stage: Stage) => {
      if (unlock !== undefined)
        throw new Error(
          `a check that has the word «${word}» cannot wait for a stage: others wait for the word`,
        )
      const since = clock.now()
      const came = await stages.turn(stage, { acts })
      waited += clock.now() - since
      return came
    }
    const ledger = new Ledger<M>()
    const uses = new Set<string>()
    const world = open(
      contextOf(ledger, priorityOf(check), uses, { requirement: check.requirement, turn }),
    )
    const verdict = await judgeCheck(check, world, ledger)
    const durationMs = Math.round(clock.now() - started - waited)
    unlock?.()
    unlock = undefined
    acts = false
    if (leave !== undefined) tidying.push(leave(world))
    stages.rest()
    const { messages } = ledger
    return {
      verdict: { ...verdict, durationMs },
      messages,
      uses,
      isDoubtful:
        doubted.has(verdict.verdict) &&
        (messages.some((message) => message.isTimedOut) || common.timedOut(uses).length > 0),
    }
  }

  /** Shows messages to the watching checks; not before what can be sent now is sent. */
  function show(messages: readonly M[], key?: string): void {
    showing.push(
      new Promise((shown) =>
        setImmediate(() => {
          for (const message of messages) {
            const examining = [...watches.values()].filter((watch) => watch.examine(message))
            if (key !== undefined)
              heard?.(
                key,
                message,
                examining.map(({ check }) => check.key),
              )
          }
          shown()
        }),
      ),
    )
  }

  /** What a watching check has found out up to now. */
  async function seenBy(watch: Watch<M>): Promise<Verdict | undefined> {
    await Promise.all(showing)
    return watch.verdict()
  }

  async function firstUnsound(requirement: RequirementId): Promise<Verdict | undefined> {
    for (const check of byRequirement.get(requirement) ?? []) {
      const verdict =
        check.kind === 'play' ? await judgeOnce(check) : await seenBy(watches.get(check.key)!)
      if (verdict !== undefined && !sound.has(verdict.verdict)) return verdict
    }
    return undefined
  }

  function blockedBy(check: Check<World, M>, root: RequirementId, failed: Verdict): Verdict {
    if (failed.verdict === 'not covered')
      return notCovered(check, failed.needs ?? [], failed.reasonCode)
    // What the document lets the target be without has nothing that could stand on it.
    if (failed.verdict === 'not applicable')
      return verdictOf(check, { verdict: 'not applicable', ...reasonOf(failed) })
    const first = failed.verdict === 'blocked' ? (failed.blockedBy ?? root) : root
    const { message: reason, code: reasonCode } = new Blocked(first)
    return verdictOf(check, { verdict: 'blocked', blockedBy: first, reason, reasonCode })
  }

  /** Follows a block to the check that failed first. */
  async function followed(verdict: Verdict, seen = new Set<string>()): Promise<Verdict> {
    const root = verdict.blockedBy
    if (verdict.verdict !== 'blocked' || root === undefined || seen.has(root)) return verdict
    seen.add(root)
    // A row that has no check is a cause that only messages show.
    if (!byRequirement.has(root)) return verdict
    // It may have to be tried now: the target shall be as it was before.
    await Promise.all(tidying)
    const failed = await firstUnsound(root)
    if (failed === undefined)
      return {
        ...verdict,
        reason: `${verdict.reason ?? ''}; ${root} itself held when it was tried alone`,
        reasonCode: 'root-held-alone',
      }
    if (failed.verdict === 'not covered')
      return {
        ...verdict,
        verdict: 'not covered',
        needs: failed.needs ?? [],
        reasonCode: failed.reasonCode ?? 'key-missing',
      }
    if (failed.verdict === 'not applicable')
      return { ...verdict, verdict: 'not applicable', ...reasonOf(failed) }
    return { ...verdict, blockedBy: (await followed(failed, seen)).blockedBy ?? failed.requirement }
  }

  async function watched(watch: Watch<M>): Promise<Verdict> {
    const { check } = watch
    const why = excluded(check)
    if (why !== undefined) return ofOtherForm(check, why)
    const lacking = missing(check)
    if (lacking.length > 0) return notCovered(check, lacking)
    // What was seen to be broken is broken, whatever else failed. That nothing was seen to break proves something only where the rest works.
    const verdict = await seenBy(watch)
    if (verdict !== undefined && verdict.verdict !== 'pass') return verdict
    if (check.root !== undefined) {
      const failed = await firstUnsound(check.root)
      if (failed !== undefined) return blockedBy(check, check.root, failed)
    }
    if (verdict !== undefined) return verdict
    for (const source of check.sources) {
      const failed = await firstUnsound(source)
      if (failed !== undefined && failed.verdict !== 'not covered')
        return followed(blockedBy(check, source, failed))
    }
    return verdictOf(check, {
      verdict: 'not covered',
      reason: 'no message of the kind that it examines was received',
      reasonCode: 'no-message',
    })
  }

  async function drive(): Promise<Verdict[]> {
    const feeds = reported.some(({ kind }) => kind === 'watch')
    const plays = checks.filter(
      (check) => check.kind === 'play' && (selected(check) || (feeds && feeding(check))),
    ) as PlayedCheck<World>[]
    await Promise.all(plays.map(judgeOnce))
    show(common.messages)
    const verdicts: Verdict[] = []
    for (const check of reported) {
      const verdict =
        check.kind === 'play'
          ? await followed(await judgeOnce(check))
          : await watched(watches.get(check.key)!)
      announce(verdict)
      verdicts.push(verdict)
    }
    return verdicts
  }

  function notCovered(
    check: Check<World, M>,
    needs: string[],
    reasonCode: ReasonCode = 'key-missing',
  ): Verdict {
    return verdictOf(check, {
      verdict: 'not covered',
      needs,
      reason: `needs ${needs.join(', ')} in the target file`,
      reasonCode,
    })
  }

  return {
    keys: reported.map(({ key }) => key),
    verdict: (key) =>
      announced.get(key)?.promise ?? Promise.reject(new Error(`«${key}» is not in this run`)),
    verdicts: drive(),
  }
}

const ofOtherForm = (check: Parameters<typeof verdictOf>[0], reason: string): Verdict =>
  verdictOf(check, { verdict: 'not applicable', reason, reasonCode: 'other-form' })

/** Why something is not applicable to what depends on it too. */
const reasonOf = ({
  reason = '',
  reasonCode = 'feature-absent',
}: Verdict): Pick<Verdict, 'reason' | 'reasonCode'> => ({ reason, reasonCode })

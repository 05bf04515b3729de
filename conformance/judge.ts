import type { Clock, Verdict } from './engine/index.ts'
import type { JournalFile } from './journal-file.ts'
import { startSuite, type Planned, type Selection } from './suite.ts'
import { secretsOf, type Target } from './target.ts'
import { verdictOfLostCheck, redactVerdict } from './verdicts.ts'
import { newRedactor } from './wire/secrets.ts'

export interface JudgeOptions {
  target: Target
  selection?: Selection
  /** Whether the target ends with the run, so that nothing needs to be deleted there. */
  throwaway?: boolean
  /** The list of what the run creates, for `touchstone clean`; by default, none is kept. */
  journal?: JournalFile | undefined
  /** Whether the verdicts of passed checks also contain exchanges; by default they do not. */
  keepsAllExchanges?: boolean
  /** The selected checks. If a check gets no verdict, that is an error of the suite. */
  planned: readonly Planned[]
  /** Called with the number of requests so far, whenever one is sent. */
  onExchange?: (total: number) => void
  /** Called with each verdict as soon as it is known. */
  onVerdict?: (verdict: Verdict) => void
  /** Called before `onVerdict` if a check that examines messages is already known to fail. */
  onFailing?: (verdict: Verdict) => void
  /** The clock of the run; by default, that of this process. */
  clock?: Clock
  /** Cancels the run: checks in progress end, and the suite deletes what it created. */
  signal?: AbortSignal
}

/** The result of a run, without secrets. */
export interface Judgement {
  /** One for each planned check, in the order of `JudgeOptions.planned`. */
  verdicts: Verdict[]
  /** What the run created at the target and could not delete. */
  left: string[]
  /** Lines of YAML that are suggested for the target file, derived from the target's responses. */
  proposals: string[]
  /** The versions of the protocol that a tool server and the suite agreed on. */
  protocolVersions: string[]
  /** The entries of `suite.absent` without any effect. */
  unusedAbsent: string[]
  /** Errors outside of all checks, such as an error in the cleanup or an unhandled rejection. */
  crashes: string[]
}

/**
 * Runs the checks in this process. Never rejects: an error of the suite becomes a crash, or the
 * verdict of each check that it prevented.
 */
export async function judge({
  target,
  selection = {},
  throwaway = false,
  journal,
  keepsAllExchanges = false,
  planned,
  onExchange,
  onVerdict,
  onFailing,
  clock,
  signal,
}: JudgeOptions): Promise<Judgement> {
  const redact = newRedactor(secretsOf(target))
  const known = new Map<string, Verdict>()
  const crashes: string[] = []
  const crash = (error: unknown) => {
    crashes.push(
      redact.sentence(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    )
  }
  const keep = (verdict: Verdict) => {
    const clean = redactVerdict(verdict, redact)
    known.set(clean.key, clean)
    onVerdict?.(clean)
  }
  const run = async () => {
    const suite = await startSuite(target, {
      selection,
      throwaway,
      journal,
      keepsAllExchanges,
      ...(onExchange === undefined ? {} : { onExchange }),
      ...(onFailing === undefined ? {} : { onFailing }),
      ...(clock === undefined ? {} : { clock }),
      ...(signal === undefined ? {} : { signal }),
    })
    await Promise.all(suite.planned.map(async ({ key }) => keep(await suite.verdict(key))))
    return suite.finish()
  }

  const left: string[] = []
  const proposals: string[] = []
  const protocolVersions: string[] = []
  const unusedAbsent: string[] = []
  const outside = watchProcess(crash)
  try {
    const end = await Promise.race([run(), outside.idle])
    left.push(...end.left.map(redact.sentence))
    proposals.push(...end.proposals.map(redact.sentence))
    protocolVersions.push(...end.protocolVersions.map(redact.sentence))
    unusedAbsent.push(...end.unusedAbsent)
  } catch (error) {
    crash(error)
  } finally {
    outside.stop()
  }
  const missing = planned.filter(({ key }) => !known.has(key))
  for (const check of missing) keep(verdictOfLostCheck(check, crashes))
  return {
    verdicts: planned.map(({ key }) => known.get(key)!),
    left,
    proposals,
    protocolVersions,
    unusedAbsent,
    // If a crash prevented verdicts, the verdicts of the lost checks report it.
    crashes: missing.length > 0 ? [] : crashes,
  }
}

/**
 * Catches unhandled errors. `idle` rejects when the process has nothing left to do, because pending
 * promises would then never settle.
 */
function watchProcess(crash: (error: unknown) => void): { idle: Promise<never>; stop(): void } {
  let ended!: () => void
  const idle = new Promise<never>((_, reject) => {
    ended = () => reject(new Error('the suite ended before every check had a verdict'))
  })
  process.on('uncaughtException', crash).on('unhandledRejection', crash).on('beforeExit', ended)
  return {
    idle,
    stop: () =>
      void process
        .off('uncaughtException', crash)
        .off('unhandledRejection', crash)
        .off('beforeExit', ended),
  }
}

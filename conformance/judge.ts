import type { Verdict } from './engine/index.ts'
import { startSuite, type Planned, type Selection } from './suite.ts'
import { secretsOf, type Target } from './target.ts'
import { lost, redacted } from './verdicts.ts'
import { newRedactor } from './wire/secrets.ts'

export interface JudgeOptions {
  target: Target
  selection?: Selection
  /** The target ends with the run: nothing needs to be deleted there. */
  throwaway?: boolean
  /** What the selection amounts to; a check of it that gets no verdict is an error of the suite. */
  planned: readonly Planned[]
  /** Called with each verdict as soon as it is known. */
  onVerdict?: (verdict: Verdict) => void
  /** Calls the run off: what is under way ends, what was made is deleted. */
  signal?: AbortSignal
}

/** What came of a run, without secrets. */
export interface Judgement {
  /** One for each planned check, in the plan's order. */
  verdicts: Verdict[]
  /** What the run made at the target and could not delete. */
  left: string[]
  /** What went wrong outside of every check: cleaning up, an unhandled rejection. */
  crashes: string[]
}

/** Judges a target in this process. Never rejects: what goes wrong with the suite itself is one of the crashes. */
export async function judge({
  target,
  selection = {},
  throwaway = false,
  planned,
  onVerdict,
  signal,
}: JudgeOptions): Promise<Judgement> {
  const redact = newRedactor(secretsOf(target))
  const known = new Map<string, Verdict>()
  const crashes: string[] = []
  const crash = (error: unknown) => {
    crashes.push(redact(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  }
  const keep = (verdict: Verdict) => {
    const clean = redacted(verdict, redact)
    known.set(clean.key, clean)
    onVerdict?.(clean)
  }
  const run = async () => {
    const suite = await startSuite(target, {
      selection,
      throwaway,
      ...(signal === undefined ? {} : { signal }),
    })
    await Promise.all(suite.planned.map(async ({ key }) => keep(await suite.verdict(key))))
    return suite.finish()
  }

  const left: string[] = []
  const outside = watchProcess(crash)
  try {
    left.push(...(await Promise.race([run(), outside.idle])).left.map(redact))
  } catch (error) {
    crash(error)
  } finally {
    outside.stop()
  }
  const missing = planned.filter(({ key }) => !known.has(key))
  for (const check of missing) keep(lost(check, crashes))
  return {
    verdicts: planned.map(({ key }) => known.get(key)!),
    left,
    // A crash that took verdicts with it is told by them.
    crashes: missing.length > 0 ? [] : crashes,
  }
}

/** Notices errors that nobody handles. `idle` rejects when the process has nothing left to do: what is still awaited then will never come. */
function watchProcess(crash: (error: unknown) => void): { idle: Promise<never>; stop(): void } {
  let ended!: () => void
  const idle = new Promise<never>((_, reject) => {
    ended = () => reject(new Error('the suite ended before all was judged'))
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

import { judge } from '../../../conformance/judge.ts'
import { PendingWaits, processClock, type Verdict } from '../../../conformance/engine/index.ts'
import type { Result } from '../../../conformance/report/index.ts'
import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import type { TestOptions } from './options.ts'
import { countOf, prepare, type Prepared } from './prepare.ts'
import type { FinishedRun } from './watch.ts'

/** Runs `touchstone test`. With --watch, repeats the run until the user quits. */
export async function run(given: TestOptions): Promise<void> {
  if (given.watch !== true) return void (await runOnce(given))
  const { watch } = await import('./watch.ts')
  await watch(given, runOnce)
}

/**
 * Finds the target, runs the checks in this process, and writes reports. Resolves to undefined if
 * the checks are only listed.
 */
async function runOnce(given: TestOptions): Promise<FinishedRun | undefined> {
  // After the first failure, most checks have no result, so the list would be incomplete.
  if (given.bail === true && given.writeExpected === true)
    throw new UsageError('--bail and --write-expected exclude each other.')
  const prepared = await prepare(given, 'npx touchstone test')
  if (prepared === undefined) return undefined
  const { runTarget, selection, keepsAllExchanges, planned, expected, options } = prepared
  const started = performance.now()
  const cancellation = new AbortController()
  /** With --bail, aborts at the first failure. */
  const failure = new AbortController()
  const stopListening = onInterrupt(() => {
    report.cancel()
    cancellation.abort()
  }, prepared)
  const waits = new PendingWaits(processClock)
  const report = prepared.open({ currentWait: () => waits.next })
  let firstFailure: string | undefined
  const endAfter = (verdict: Verdict) => {
    if (options.bail !== true || verdict.verdict !== 'fail') return
    firstFailure ??= verdict.key
    failure.abort()
  }
  let result: Result
  try {
    const judgement = await judge({
      target: runTarget.target,
      selection,
      throwaway: runTarget.bundled,
      journal: prepared.journal,
      keepsAllExchanges,
      planned,
      clock: waits.clock,
      onExchange: (total) => report.exchange(total),
      onVerdict(verdict) {
        const marked = expected?.mark(verdict) ?? verdict
        report.verdict(marked)
        endAfter(marked)
      },
      onFailing: (verdict) => endAfter(expected?.mark(verdict) ?? verdict),
      signal: AbortSignal.any([cancellation.signal, failure.signal]),
    })
    const verdicts = expected?.markAll(judgement.verdicts) ?? judgement.verdicts
    const isUpdate = options.writeExpected === true && !cancellation.signal.aborted
    result = report.end({
      ...judgement,
      verdicts: isUpdate ? await prepared.writeExpected(judgement.verdicts, verdicts) : verdicts,
      durationMs: Math.round(performance.now() - started),
      isCancelled: cancellation.signal.aborted,
      firstFailure,
    })
  } finally {
    stopListening()
    await runTarget.close()
  }
  prepared.finish(result)
  return { result, target: runTarget.target }
}

/**
 * Calls `cancel` on the first Ctrl-C, SIGTERM or SIGHUP. On the second, prints how much is left on
 * the server according to the journal, and exits immediately. Returns a function that removes the
 * listeners.
 */
export function onInterrupt(
  cancel: () => void,
  { journal, clean }: Pick<Prepared, 'journal' | 'clean'>,
): () => void {
  let isInterrupted = false
  const interrupt = () => {
    if (isInterrupted) {
      const left = journal?.close() ?? 0
      if (left > 0)
        process.stderr.write(`${countOf(left)} left on the server. To remove them: ${clean}\n`)
      process.exit(130)
    }
    isInterrupted = true
    process.stderr.write(
      '\ncancelled: deleting what the run created; press Ctrl-C again to exit immediately\n',
    )
    cancel()
  }
  return onStopSignal(interrupt)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { compareRuns } from '../../../conformance/compare/changes.ts'
import type { SavedRun } from '../../../conformance/compare/saved-run.ts'
import { addressesOf, parseAddress } from '../../../conformance/preflight.ts'
import type { Result } from '../../../conformance/report/index.ts'
import type { Target } from '../../../conformance/target.ts'
import { whyNotConnected } from '../../../conformance/wire/connect.ts'
import { printError, UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { printComparison } from '../compare/print.ts'
import { nextKey } from './keyboard.ts'
import type { TestOptions } from './options.ts'

/** A run that has finished, and what it tested. */
export interface FinishedRun {
  result: Result
  target: Target
}

interface WatchOptions {
  /** The input from which keys are read. */
  input?: NodeJS.ReadStream
  /** Milliseconds between two attempts to connect. */
  pollMs?: number
}

/** What to do after a run. */
type Step = 'run' | 'run what failed' | 'quit'

const hint =
  '\nr or Enter runs the checks again, f runs only those that failed, q quits\n' +
  'The checks also run again when a server restarts\n'

/**
 * Runs the checks, then again when the user presses a key, or when a server that was stopped
 * listens again, and prints what has changed since the run before. The first run waits for servers
 * that do not listen yet. Returns if the user quits or
 * cancels a run. Throws the errors of the first run; prints those of later runs, because the user
 * may be changing the target file.
 */
export async function watch(
  given: TestOptions,
  runOnce: (options: TestOptions) => Promise<FinishedRun | undefined>,
  { input = process.stdin, pollMs = 500 }: WatchOptions = {},
): Promise<void> {
  requireWatchable(given)
  const first = await runOnce({ ...given, waitsForServers: true })
  if (first === undefined || first.result.exit === 130) return
  // Input that another process keeps open must not keep this process running.
  input.unref()
  let { result: last, target } = first
  for (;;) {
    const step = await nextStep(await addressesOf(target), { input, pollMs })
    if (step === 'quit') return
    const next = await runAgain(step === 'run' ? given : failedOf(given), runOnce)
    if (next === undefined) continue
    if (next.result.exit === 130) return
    last = printChanges(last, next.result)
    target = next.target
  }
}

/** Returns options that select what failed, without `only`, because `failed` excludes it. */
const failedOf = ({ only: _, ...options }: TestOptions): TestOptions => ({
  ...options,
  failed: true,
})

function requireWatchable({ json, list, writeExpected }: TestOptions): void {
  const other = { '--json': json, '--list': list, '--write-expected': writeExpected }
  const [flag] = Object.entries(other).find(([, isSet]) => isSet === true) ?? []
  if (flag !== undefined) throw new UsageError(`--watch and ${flag} exclude each other.`)
}

async function runAgain(
  options: TestOptions,
  runOnce: (options: TestOptions) => Promise<FinishedRun | undefined>,
): Promise<FinishedRun | undefined> {
  try {
    return await runOnce(options)
  } catch (error) {
    process.exitCode = printError(error)
    return undefined
  }
}

/**
 * Prints what differs between the runs, for the checks of the second one. Returns the second run
 * together with the verdicts of the first run for checks that did not run again.
 */
function printChanges(before: Result, after: Result): Result {
  const now = new Map(after.verdicts.map((verdict) => [verdict.key, verdict]))
  const compared = before.verdicts.filter(({ key }) => now.has(key))
  const named = (name: string, run: Result, verdicts = run.verdicts): SavedRun => ({
    ...run,
    name,
    verdicts,
  })
  process.stdout.write('\n')
  // The report of the run has printed the exit status already.
  printComparison(compareRuns(named('last run', before, compared), named('this run', after)), {
    showsExit: false,
  })
  const known = new Set(before.verdicts.map(({ key }) => key))
  return {
    ...after,
    verdicts: [
      ...before.verdicts.map((verdict) => now.get(verdict.key) ?? verdict),
      ...after.verdicts.filter(({ key }) => !known.has(key)),
    ],
  }
}

/** Waits for a key, a signal to stop, or the restart of a server. */
async function nextStep(
  addresses: readonly string[],
  { input, pollMs }: Required<WatchOptions>,
): Promise<Step> {
  const done = new AbortController()
  const stopped = new Promise<Step>((resolve) => {
    const stopListening = onStopSignal(() => resolve('quit'))
    done.signal.addEventListener('abort', stopListening, { once: true })
  })
  // Prints the hint after the listener was added: a signal after the hint must not end the process.
  process.stdout.write(hint)
  try {
    return await Promise.race([
      stopped,
      stepOfKey(input, done.signal),
      restart(addresses, pollMs, done.signal),
    ])
  } finally {
    done.abort()
  }
}

async function stepOfKey(input: NodeJS.ReadStream, signal: AbortSignal): Promise<Step> {
  for (;;) {
    const key = await nextKey(input, signal)
    if (key === 'q' || key === 'ctrl-c') return 'quit'
    if (key === 'f') return 'run what failed'
    if (key === 'r' || key === 'enter') return 'run'
  }
}

/** Resolves when all servers listen again, after at least one of them did not. */
async function restart(
  addresses: readonly string[],
  pollMs: number,
  signal: AbortSignal,
): Promise<Step> {
  const places = addresses.map(parseAddress)
  let wasStopped = false
  while (!signal.aborted) {
    // Rejects if the signal is aborted.
    await sleep(pollMs, undefined, { signal }).catch(() => {})
    const reasons = await Promise.all(places.map((place) => whyNotConnected(place)))
    const isListening = reasons.every((reason) => reason === undefined)
    if (isListening && wasStopped) return 'run'
    if (!isListening && !wasStopped)
      process.stdout.write('a server does not listen; the next run starts when it does\n')
    wasStopped ||= !isListening
  }
  return 'quit'
}

import { Command, CommanderError } from 'commander'
import type { Result } from '../conformance/report/index.ts'
import { runInVitest } from '../conformance/vitest/run.ts'
import { refuseEmptyValues } from './commands/empty-values.ts'
import { declareOptions } from './commands/test.ts'
import { prepare } from './commands/test/prepare.ts'
import { onInterrupt } from './commands/test/run.ts'
import { printError, UsageError } from './print-error.ts'
import { ignoreClosedOutput } from './stop-signals.ts'

const help = `
Keys in watch mode: r or Enter runs all checks again, f runs those that failed,
t asks for a pattern and runs the checks whose names match it, q quits.
Exit status: that of touchstone test.`

const program = new Command('npm run conformance --')
declareOptions(program)
program
  .description('Tests a server as touchstone test does, and shows the checks as tests of vitest.')
  .option('-t, --testNamePattern <pattern>', 'only the checks whose names match, as in vitest')
  .option('-w, --watch', 'keep running, and test again on r or Enter')
  .option('--debug', 'print the stack trace of an error')
  .addHelpText('after', help)
  .exitOverride()
  .action(run)

/** Runs `npm run conformance`: like `touchstone test`, with the checks as tests of vitest. */
async function run(
  options: { testNamePattern?: string; watch?: boolean } & Record<string, unknown>,
): Promise<void> {
  for (const [name, flag] of Object.entries({ writeExpected: '--write-expected', bail: '--bail' }))
    if (options[name] === true) throw new UsageError(`${flag} works only with touchstone test.`)
  const prepared = await prepare(options, 'npm run conformance --')
  if (prepared === undefined) return
  const { runTarget, selection, repeat, expected } = prepared
  const { watch = false, testNamePattern } = options
  const cancellation = new AbortController()
  const stopListening = onInterrupt(() => cancellation.abort(), prepared)
  const close = async () => {
    stopListening()
    await runTarget.close()
  }
  let report: ReturnType<typeof prepared.open>
  let started = 0
  let result: Result | undefined
  const vitestReporter = prepared.options.verbose === true ? 'verbose' : 'default'
  try {
    await runInVitest({
      input: {
        target: runTarget.target,
        selection,
        // In watch mode, the next run tests the same servers, so each run must delete what it
        // created.
        throwaway: runTarget.bundled && !watch,
        journal: prepared.journal?.path,
        keepsAllExchanges: prepared.keepsAllExchanges,
        repeat,
      },
      listener: {
        start() {
          started = performance.now()
          report = prepared.open({ summaryOnly: true })
        },
        verdict: (verdict) => report.verdict(verdict),
        end(judgement, isCancelled) {
          result = report.end({
            ...judgement,
            verdicts: expected?.markAll(judgement.verdicts) ?? judgement.verdicts,
            durationMs: Math.round(performance.now() - started),
            isCancelled,
          })
          prepared.finish(result)
        },
      },
      testNamePattern,
      watch,
      reporters: prepared.options.json === true ? [] : [vitestReporter],
      onClose: close,
      signal: cancellation.signal,
    })
  } finally {
    if (!watch) await close()
  }
  // Replaces the exit status that vitest has set. A run without a result has failed.
  if (!watch) process.exitCode = result?.exit ?? 3
}

refuseEmptyValues(program)
ignoreClosedOutput()

try {
  await program.parseAsync()
} catch (error) {
  // commander has already printed the message.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 3
  else process.exitCode = printError(error)
}

import { Command, CommanderError } from 'commander'
import type { Result } from '../conformance/report/index.ts'
import { runInVitest } from '../conformance/vitest/run.ts'
import { declareOptions } from './commands/test.ts'
import { prepare } from './commands/test/prepare.ts'
import { onInterrupt } from './commands/test/run.ts'
import { complain } from './complain.ts'

const help = `
Keys in watch mode: r or Enter runs all again, f what failed, t those of a name, q ends it.
Exit status: as that of touchstone test.`

const program = new Command('npm run conformance --')
declareOptions(program)
program
  .description(
    'Judges an implementation as touchstone test does, and shows the checks as tests of vitest.',
  )
  .option('-t, --testNamePattern <pattern>', 'only the checks whose names match, as in vitest')
  .option('-w, --watch', 'stay, and judge again on r or Enter')
  .option('--debug', 'show where an error comes from')
  .addHelpText('after', help)
  .exitOverride()
  .action(run)

/** `npm run conformance`: as `touchstone test`, with vitest for all to see in place of the topics of the console report. */
async function run(
  options: { testNamePattern?: string; watch?: boolean } & Record<string, unknown>,
): Promise<void> {
  const prepared = await prepare(options, 'npm run conformance --')
  if (prepared === undefined) return
  const { judged, selection, repeat } = prepared
  const { watch = false, testNamePattern } = options
  const off = new AbortController()
  const stopListening = onInterrupt(() => off.abort())
  const close = async () => {
    stopListening()
    await judged.close()
  }
  let report: ReturnType<typeof prepared.open>
  let started = 0
  let result: Result | undefined
  const vitestSays = prepared.options.verbose === true ? 'verbose' : 'default'
  try {
    await runInVitest({
      input: {
        target: judged.target,
        selection,
        // Who judges again finds what was made before.
        throwaway: judged.bundled && !watch,
        repeat,
      },
      listener: {
        start() {
          started = performance.now()
          report = prepared.open({ summaryOnly: true })
        },
        verdict: (verdict) => report.verdict(verdict),
        end(judgement, calledOff) {
          result = report.end({
            ...judgement,
            durationMs: Math.round(performance.now() - started),
            calledOff,
          })
          prepared.finish(result)
        },
      },
      testNamePattern,
      watch,
      reporters: prepared.options.json === true ? [] : [vitestSays],
      onClose: close,
      signal: off.signal,
    })
  } finally {
    if (!watch) await close()
  }
  // vitest has a status of its own for a failed test; nothing judged is no success.
  if (!watch) process.exitCode = result?.exit ?? 3
}

try {
  await program.parseAsync()
} catch (error) {
  // commander has said it already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 3
  else process.exitCode = complain(error)
}

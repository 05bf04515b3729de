import { basename, dirname, extname, join } from 'node:path'
import { startVitest, type Vitest } from 'vitest/node'
import type { RunInput } from './run-input.ts'
import { JudgementReporter, type RunListener } from './reporter.ts'
import './provided.ts'

export interface VitestRunOptions {
  input: RunInput
  listener: RunListener
  /** Runs only tests whose names match, as vitest's own `-t` does. */
  testNamePattern?: string | undefined
  /** Watch mode, with the keyboard shortcuts of vitest. */
  watch?: boolean
  /** The reporters of vitest. With an empty list, vitest prints nothing. */
  reporters: readonly ('default' | 'verbose')[]
  /** Called when vitest ends. */
  onClose?: () => Promise<void>
  signal?: AbortSignal
}

const suiteFile = join(import.meta.dirname, `checks.suite${extname(import.meta.filename)}`)
const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs the checks as tests of vitest, with the output of vitest. Resolves at the end of the run, or
 * in watch mode at the end of the first run.
 */
export async function runInVitest({
  input,
  listener,
  testNamePattern,
  watch = false,
  reporters,
  onClose = async () => {},
  signal,
}: VitestRunOptions): Promise<void> {
  // vitest's own handlers of these signals would end the process before the checks have deleted
  // what they created.
  const ours = new Set(interrupts.flatMap((name) => process.rawListeners(name)))
  const init = (vitest: Vitest) => {
    for (const name of interrupts)
      for (const listener of process.rawListeners(name))
        if (!ours.has(listener)) process.off(name, listener as () => void)
    vitest.onClose(onClose)
    const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
    signal?.addEventListener('abort', cancel, { once: true })
  }
  await startVitest('test', [], {
    root: dirname(suiteFile),
    config: false,
    watch,
    include: [basename(suiteFile)],
    exclude: [],
    provide: { touchstone: input },
    reporters: [...reporters, new JudgementReporter(listener, init)],
    ...(testNamePattern === undefined ? {} : { testNamePattern }),
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // Compiled files are loaded without Vite, which they do not need.
    server: { deps: { external: [/\.js$/] } },
  })
}

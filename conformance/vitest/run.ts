import { basename, dirname, extname, join } from 'node:path'
import { startVitest, type Vitest } from 'vitest/node'
import type { RunInput } from './run-input.ts'
import { JudgementReporter, type RunListener } from './reporter.ts'
import './provided.ts'

export interface VisibleOptions {
  input: RunInput
  listener: RunListener
  /** Only tests whose names match, as with vitest's own `-t`. */
  testNamePattern?: string | undefined
  /** Watch mode, with vitest's own keys. */
  watch?: boolean
  /** The vitest reporters; none prints nothing. */
  reporters: readonly ('default' | 'verbose')[]
  /** Ends when vitest ends. */
  onClose?: () => Promise<void>
  signal?: AbortSignal
}

const suiteFile = join(import.meta.dirname, `checks.suite${extname(import.meta.filename)}`)
const interrupts = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs the checks as tests of vitest, with its own output. Resolves at the end of the run; in watch
 * mode, after the first one.
 */
export async function runInVitest({
  input,
  listener,
  testNamePattern,
  watch = false,
  reporters,
  onClose = async () => {},
  signal,
}: VisibleOptions): Promise<void> {
  // On a signal, vitest's own way to end would leave behind what the checks created.
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
    // Compiled files are loaded as they are; nothing in them needs Vite.
    server: { deps: { external: [/\.js$/] } },
  })
}

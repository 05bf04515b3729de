import { randomUUID } from 'node:crypto'
import { basename, dirname, extname, join } from 'node:path'
import { Writable } from 'node:stream'
import { BroadcastChannel } from 'node:worker_threads'
import type { Verdict } from '../engine/index.ts'
import type { Planned, Selection } from '../suite.ts'
import { secretsOf, type Target } from '../target.ts'
import { redactor } from '../wire/secrets.ts'
import { lost, redacted as cleaned } from '../verdicts.ts'
import { gathering } from './reporter.ts'
import './provided.ts'

export interface HostOptions {
  target: Target
  selection?: Selection
  /** The target ends with the run: nothing needs to be deleted there. */
  throwaway?: boolean
  /** What the selection amounts to; what gets no verdict is an error of the suite. */
  planned: readonly Planned[]
  onVerdict?: (verdict: Verdict) => void
  /** Calls the run off: what is under way ends, what was made is deleted. */
  signal?: AbortSignal
  /** Another suite file, for tests of this host. */
  file?: string
}

export interface Hosted {
  /** One for each planned check, in the plan's order. */
  verdicts: Verdict[]
  left: string[]
  /** What went wrong outside of every check: cleaning up, an unhandled rejection. */
  crashes: string[]
}

const here = import.meta.dirname
const suiteFile = join(here, `checks.suite${extname(import.meta.filename)}`)

/** Loads what `host` is going to need, so that it can be loaded while something else is waited for. */
export async function warmUp(): Promise<void> {
  await import('vitest/node')
}

/** Runs the checks in vitest: one worker, one suite file, no output. Verdicts come through `onVerdict` as they are known. */
export async function host({
  target,
  selection = {},
  throwaway = false,
  planned,
  onVerdict,
  signal,
  file = suiteFile,
}: HostOptions): Promise<Hosted> {
  const { startVitest } = await import('vitest/node')
  const redact = redactor(secretsOf(target))
  const channel = `touchstone-${randomUUID()}`
  const { reporter, gathered } = gathering((verdict) => onVerdict?.(cleaned(verdict, redact)))
  const line = new BroadcastChannel(channel)
  const callOff = () => line.postMessage('off')
  signal?.addEventListener('abort', callOff, { once: true })
  // vitest's own way to end on a signal would leave behind what the checks made.
  const ours = new Set(signals.flatMap((name) => process.rawListeners(name)))
  const exitCode = process.exitCode

  await startVitest(
    'test',
    [],
    {
      root: dirname(file),
      config: false,
      watch: false,
      cache: false,
      include: [basename(file)],
      exclude: [],
      provide: { touchstone: { target, selection, throwaway, channel } },
      reporters: [
        {
          ...reporter,
          onInit() {
            for (const name of signals)
              for (const listener of process.rawListeners(name))
                if (!ours.has(listener)) process.off(name, listener as () => void)
          },
          // A worker that starts late must hear of it too.
          onTestModuleStart: () => (signal?.aborted === true ? callOff() : undefined),
        },
      ],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      // Every exchange has its own bound.
      testTimeout: 0,
      hookTimeout: 0,
      passWithNoTests: true,
      // Compiled files are loaded as they are; nothing in them needs Vite.
      server: { deps: { external: [/\.js$/] } },
    },
    {},
    { stdout: nowhere() as NodeJS.WriteStream, stderr: nowhere() as NodeJS.WriteStream },
  ).finally(() => {
    signal?.removeEventListener('abort', callOff)
    line.close()
    // vitest sets it for a failed test; the verdicts say more.
    process.exitCode = exitCode
  })

  const verdicts = planned.map((check) => {
    const verdict = gathered.verdicts.get(check.key)
    if (verdict !== undefined) return cleaned(verdict, redact)
    const none = cleaned(lost(check, gathered.crashes), redact)
    onVerdict?.(none)
    return none
  })
  // A crash that took verdicts with it is told by them.
  const told = verdicts.length > gathered.verdicts.size
  return {
    verdicts,
    left: gathered.left.map(redact),
    crashes: told ? [] : gathered.crashes.map(redact),
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

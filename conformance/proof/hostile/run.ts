import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '../../engine/index.ts'

/** How a run of the command against a target ended. */
export interface RunOutcome {
  /** Null if a signal ended the command, or it was killed after `maxSeconds`. */
  readonly exit: number | null
  readonly seconds: number
  /** The peak memory of the command, in MB; undefined if it was killed. */
  readonly megabytes: number | undefined
  /** Empty if there is no report. */
  readonly verdicts: readonly Verdict[]
  readonly output: string
}

/** The path of a compiled file. The command runs compiled, even if this file does not. */
const dist = (file: string) =>
  fileURLToPath(
    new URL(
      `${import.meta.url.endsWith('.ts') ? '../../../dist' : '../../..'}/${file}`,
      import.meta.url,
    ),
  )

/**
 * Runs `touchstone test` in a new process and a new folder that is deleted afterwards.
 * `target` is the content of the target file as JSON.
 */
export async function runCommand(target: string, maxSeconds: number): Promise<RunOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'))
  try {
    writeFileSync(join(folder, 'touchstone.yaml'), target)
    const memoryFile = join(folder, 'memory')
    const started = performance.now()
    const child = spawn(
      process.execPath,
      [
        '--import',
        dist('conformance/proof/hostile/peak-memory.js'),
        dist('scripts/touchstone.js'),
        'test',
        '--report',
        'report',
      ],
      {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', TOUCHSTONE_PEAK_MEMORY_FILE: memoryFile },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        if (output.length < 1_000_000) output += chunk.toString('utf8')
      })
    const timer = setTimeout(() => child.kill('SIGKILL'), maxSeconds * 1000)
    const exit = await new Promise<number | null>((resolve) => child.on('close', resolve))
    clearTimeout(timer)
    const seconds = (performance.now() - started) / 1000
    const memory = readIfExists(memoryFile)
    const report = readIfExists(join(folder, 'report', 'report.json'))
    return {
      exit,
      seconds,
      megabytes: memory === undefined ? undefined : Number(memory) / 1024 / 1024,
      verdicts:
        report === undefined ? [] : (JSON.parse(report) as { verdicts: Verdict[] }).verdicts,
      output,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

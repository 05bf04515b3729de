import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUntilFirstLine, startProcess, timeProgram, touchstoneFile } from './process.ts'
import { median, type Measurement } from './measurement.ts'
import type { Chain } from './units.ts'

const delayMs = 50
const rounds = 3
/** A requirement whose check sends few requests and depends on no other check. */
const cheapRequirement = 'IMG-AUTH-01'

/**
 * Measures a run against a mock that delays every response. Compares the duration, without the
 * start-up time of the command, with its lower bound: the delay, multiplied by the number of
 * requests in the longest chain of dependent requests.
 */
export async function measureDistantMock(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const near = await startDelayedMock(folder, 0)
  const far = await startDelayedMock(folder, delayMs)
  try {
    const { child, firstMessage: chain } = await startProcess<Chain>('chain.js', [far.file])
    child.kill()
    const runs: number[] = []
    const starts: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      starts.push(await timeProgram(testArguments(folder, near.file, '--only', cheapRequirement)))
      runs.push(await timeProgram(testArguments(folder, far.file)))
    }
    const startUp = median(starts)
    const ours = median(runs) - startUp
    const against = chain.requests * delayMs
    process.stderr.write(
      `longest chain: ${chain.requests}, "${chain.name}"; start-up: ${Math.round(startUp)} ms\n`,
    )
    return [
      {
        what: `images run without its start-up, ${delayMs} ms delay per response, concurrency 64`,
        ours,
        against,
        unit: 'ms',
        baseline: `longest chain of requests within one check: ${chain.requests} × ${delayMs} ms`,
        ratio: ours / against,
        atMost: 3,
      },
    ]
  } finally {
    near.stop()
    far.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function testArguments(folder: string, target: string, ...more: string[]): string[] {
  return [
    touchstoneFile,
    'test',
    '--target',
    target,
    '--concurrency',
    '64',
    '--report',
    join(folder, 'report'),
    ...more,
  ]
}

/** Starts a stateful mock that delays every response, and writes the target file for it. */
async function startDelayedMock(
  folder: string,
  delay: number,
): Promise<{ file: string; stop(): void }> {
  const { line, stop } = await startUntilFirstLine([
    touchstoneFile,
    'mock',
    'images',
    '--stateful',
    '--json',
    '--port',
    '0',
    '--latency',
    String(delay),
    '--max-file-bytes',
    String(256 * 1024),
  ])
  const { target } = JSON.parse(line) as { target: { images: { fetchTimeout?: string } } }
  // Without `fetchTimeout`, no check waits until the target gives up on a stalled image. The length
  // of that wait would not depend on the delay.
  delete target.images.fetchTimeout
  const file = join(folder, `after-${delay}.yaml`)
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ ...target, suite: { pictures: {} } }))
  return { file, stop }
}

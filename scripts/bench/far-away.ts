import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, started, timeOf, touchstone } from './process.ts'
import { median, type Row } from './row.ts'
import type { Chain } from './units.ts'

const delayMs = 50
const rounds = 3
/** A check that sends few requests and needs nothing of others. */
const one = 'IMG-AUTH-01'

/** A run in which every answer takes long, beyond its start-up, against the least that it could take: its longest chain of requests, each after the other. */
export async function farAway(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const near = await mock(folder, 0)
  const far = await mock(folder, delayMs)
  try {
    const { child, said: chain } = await started<Chain>('chain.js', [far.file])
    child.kill()
    const runs: number[] = []
    const starts: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      starts.push(await timeOf(testing(folder, near.file, '--only', one)))
      runs.push(await timeOf(testing(folder, far.file)))
    }
    const startUp = median(starts)
    const ours = median(runs) - startUp
    const against = chain.requests * delayMs
    process.stderr.write(
      `longest chain: ${chain.requests}, «${chain.name}»; start-up: ${Math.round(startUp)} ms\n`,
    )
    return [
      {
        what: `images run without its start-up, ${delayMs} ms more for every answer, 64 at once`,
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

function testing(folder: string, target: string, ...more: string[]): string[] {
  return [
    touchstone,
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

/** Starts a stateful mock of which every answer is held back, and writes the target file for it. */
async function mock(folder: string, delay: number): Promise<{ file: string; stop(): void }> {
  const { line, stop } = await firstLine([
    touchstone,
    'mock',
    'images',
    '--stateful',
    '--json',
    '--port',
    '0',
    '--delay',
    String(delay),
    '--max-file-bytes',
    String(256 * 1024),
  ])
  const { target } = JSON.parse(line) as { target: { images: { fetchTimeout?: string } } }
  // How long the target waits for a picture that stalls has nothing to do with how far away it is.
  delete target.images.fetchTimeout
  const file = join(folder, `after-${delay}.yaml`)
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ ...target, suite: { pictures: {} } }))
  return { file, stop }
}

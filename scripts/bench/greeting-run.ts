import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, timeOf, touchstone } from './process.ts'
import { paired, type Row } from './row.ts'

const rounds = 5
/** Milliseconds that the suite lets pass on purpose: the client that reads slowly (GRT-GRPC-10). */
const waits = 1000
/** A check that holds one short stream. */
const one = 'GRT-SERVICE-02'

/** The whole greeting run without its deliberate waits, against its start-up: what it takes to hold one stream. */
export async function greetingRun(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const { line, stop } = await firstLine([touchstone, 'mock', 'greeting', '--json', '--port', '0'])
  try {
    const file = join(folder, 'touchstone.yaml')
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify((JSON.parse(line) as { target: object }).target))
    const run = (...more: string[]) => timeOf([touchstone, 'test', '--target', file, '--report', join(folder, 'report'), ...more])
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [await run('--only', one), await run()] as const
      // The first pair fills the caches of the disk.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - waits)
    }
    return [paired({ what: `whole greeting run without its waits of ${waits} ms`, unit: 'ms', baseline: 'its start-up, and one stream', atMost: 2 }, ours, against)]
  } finally {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

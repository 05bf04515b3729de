import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, timeOf, touchstone } from './process.ts'
import { paired, type Row } from './row.ts'

const rounds = 5
/** Milliseconds that the suite lets pass on purpose: for messages that a stream of its own brings late, of a client that asked for all levels, and then of one that asked for errors (TOOL-LOG-03). */
const waits = 2000
/** A check that makes one handshake. */
const one = 'TOOL-HTTP-01'

/** The whole tools run over streamable HTTP without its deliberate waits, against its start-up: what it takes to make one handshake. */
export async function toolsRun(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const { line, stop } = await firstLine([touchstone, 'mock', 'tools', '--json', '--port', '0'])
  try {
    const file = join(folder, 'touchstone.yaml')
    const { target: { tools: { sse: _sse, stdio: _stdio, ...tools } } } = JSON.parse(line) as { target: { tools: Record<string, unknown> } }
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify({ tools }))
    const run = (...more: string[]) => timeOf([touchstone, 'test', '--target', file, '--report', join(folder, 'report'), ...more])
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [await run('--only', one), await run()] as const
      // The first pair fills the caches of the disk.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - waits)
    }
    return [paired({ what: `whole tools run over streamable HTTP without its waits of ${waits} ms`, unit: 'ms', baseline: 'its start-up, and one handshake', atMost: 3 }, ours, against)]
  } finally {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

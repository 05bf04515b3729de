import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MockName } from '../../mocks/registry.ts'
import { firstLine, timeOf, touchstone } from './process.ts'
import { paired, type Row } from './row.ts'

const rounds = 5

interface WholeRun {
  mock: MockName
  what: string
  /** Milliseconds that the suite lets pass on purpose. */
  waits: number
  /** A check that does the least that can be done, and what that is. */
  one: string
  does: string
  /** The largest ratio that is wanted. */
  atMost: number
  /** Changes the target that the mock tells of. */
  target?: (target: Record<string, Record<string, unknown>>) => object
}

/** The greeting run; it waits as a client that reads slowly (GRT-GRPC-10). */
export const greetingRun = (): Promise<Row[]> =>
  wholeRun({
    mock: 'greeting',
    what: 'whole greeting run',
    waits: 1000,
    one: 'GRT-SERVICE-02',
    does: 'one stream',
    atMost: 2,
  })

/** The tools run over streamable HTTP; it waits for messages that a stream of its own brings late, of a client that asked for all levels, and then of one that asked for errors (TOOL-LOG-03). */
export const toolsRun = (): Promise<Row[]> =>
  wholeRun({
    mock: 'tools',
    what: 'whole tools run over streamable HTTP',
    waits: 2000,
    one: 'TOOL-HTTP-01',
    does: 'one handshake',
    atMost: 3,
    target: ({ tools: { sse: _sse, stdio: _stdio, ...tools } = {} }) => ({ tools }),
  })

/** A whole run without its deliberate waits, against its start-up: what it takes to do the least that can be done. */
async function wholeRun({
  mock,
  what,
  waits,
  one,
  does,
  atMost,
  target = (given) => given,
}: WholeRun): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const { line, stop } = await firstLine([touchstone, 'mock', mock, '--json', '--port', '0'])
  try {
    const file = join(folder, 'touchstone.yaml')
    // JSON is YAML too.
    writeFileSync(
      file,
      JSON.stringify(
        target((JSON.parse(line) as { target: Record<string, Record<string, unknown>> }).target),
      ),
    )
    const run = (...more: string[]) =>
      timeOf([touchstone, 'test', '--target', file, '--report', join(folder, 'report'), ...more])
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [await run('--only', one), await run()] as const
      // The first pair fills the caches of the disk.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - waits)
    }
    return [
      paired(
        {
          what: `${what} without its waits of ${waits} ms`,
          unit: 'ms',
          baseline: `its start-up, and ${does}`,
          atMost,
        },
        ours,
        against,
      ),
    ]
  } finally {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

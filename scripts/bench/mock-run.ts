import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MockName } from '../../mocks/registry.ts'
import { startUntilFirstLine, timeProgram, touchstoneFile } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'

const rounds = 5

interface WholeRun {
  mock: MockName
  what: string
  /** Milliseconds that the suite waits deliberately. */
  waitMs: number
  /** The requirement of the cheapest check. */
  cheapestRequirement: string
  /** What that check does, for the output. */
  cheapestDoes: string
  /** The largest acceptable ratio. */
  atMost: number
  /** Changes the target that the mock prints. */
  target?: (target: Record<string, Record<string, unknown>>) => object
}

/**
 * The greeting run. It waits deliberately once, in the check of a client that reads slowly
 * (GRT-GRPC-10).
 */
export const greetingRun = (): Promise<Measurement[]> =>
  wholeRun({
    mock: 'greeting',
    what: 'whole greeting run',
    waitMs: 1000,
    cheapestRequirement: 'GRT-SERVICE-02',
    cheapestDoes: 'one stream',
    atMost: 2,
  })

/**
 * The tools run over streamable HTTP. It waits deliberately twice, in the check of log levels
 * (TOOL-LOG-03): for late messages to a client that requests all levels, and to one that requests
 * only errors. Those messages are on a separate stream.
 */
export const toolsRun = (): Promise<Measurement[]> =>
  wholeRun({
    mock: 'tools',
    what: 'whole tools run over streamable HTTP',
    waitMs: 2000,
    cheapestRequirement: 'TOOL-HTTP-01',
    cheapestDoes: 'one handshake',
    atMost: 3,
    target: ({ tools: { sse: _sse, stdio: _stdio, ...tools } = {} }) => ({ tools }),
  })

/** Compares a whole run, without its deliberate waits, with a run of only the cheapest check. */
async function wholeRun({
  mock,
  what,
  waitMs,
  cheapestRequirement,
  cheapestDoes,
  atMost,
  target = (given) => given,
}: WholeRun): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const { line, stop } = await startUntilFirstLine([
    touchstoneFile,
    'mock',
    mock,
    '--json',
    '--port',
    '0',
  ])
  try {
    const file = join(folder, 'touchstone.yaml')
    // JSON is valid YAML.
    writeFileSync(
      file,
      JSON.stringify(
        target((JSON.parse(line) as { target: Record<string, Record<string, unknown>> }).target),
      ),
    )
    const run = (...more: string[]) =>
      timeProgram([
        touchstoneFile,
        'test',
        '--target',
        file,
        '--report',
        join(folder, 'report'),
        ...more,
      ])
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [await run('--only', cheapestRequirement), await run()] as const
      // The first pair warms up the disk cache.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - waitMs)
    }
    return [
      comparePairs(
        {
          what: `${what} without its waits of ${waitMs} ms`,
          unit: 'ms',
          baseline: `its start-up and ${cheapestDoes}`,
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

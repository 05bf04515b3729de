import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startLoad } from '../conformance/proof/repeatability/load.ts'
import { findDifferences, type Outcomes } from '../conformance/proof/repeatability/outcomes.ts'
import { runOnce } from '../conformance/proof/repeatability/run.ts'
import { loadTarget, type Target } from '../conformance/target.ts'

const help = `Tests the stateful mocks many times, and compares the outcome of every check with its outcome in
the first run. Each run has another seed, another order of the checks, new mocks, and a random
latency of every response.

  npm run repeatability                       20 runs at each concurrency, for about an hour
  npm run repeatability -- --runs 3           the number of runs at each concurrency
  npm run repeatability -- --concurrency 8    only this concurrency; by default 1, 8 and 64
  npm run repeatability -- --load 12          also runs this number of busy processes
  npm run repeatability -- --contract images  only the checks of this contract
  npm run repeatability -- --latency 0-100    milliseconds of latency; by default 0-20
  npm run repeatability -- --auth jwt         how the tool server authenticates; by default none
  npm run repeatability -- --seed 7           the seed of the first run; by default 1

Exits with 0 if no outcome differs, with 1 otherwise.
`

const touchstone = join(import.meta.dirname, 'touchstone.js')
const mocks = ['images', 'hooks', 'receiver', 'greeting', 'tools']

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h' },
      runs: { type: 'string', default: '20' },
      concurrency: { type: 'string', multiple: true, default: ['1', '8', '64'] },
      load: { type: 'string', default: '0' },
      contract: { type: 'string', multiple: true, default: [] },
      latency: { type: 'string', default: '0-20' },
      auth: { type: 'string', default: 'none' },
      seed: { type: 'string', default: '1' },
    },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return 0
  }
  const endLoad = startLoad(Number(values.load))
  let first: Outcomes | undefined
  let seed = Number(values.seed)
  let [runs, compared, differing] = [0, 0, 0]
  try {
    for (const concurrency of values.concurrency.map(Number))
      for (let run = 0; run < Number(values.runs); run += 1, seed += 1) {
        const started = performance.now()
        const outcomes = await withMocks(values, (target) =>
          runOnce(target, { contracts: values.contract }, { seed, concurrency }),
        )
        first ??= outcomes
        const differences = findDifferences(first, outcomes)
        runs += 1
        compared += outcomes.size
        differing += differences.length
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        process.stdout.write(
          `concurrency ${concurrency}, seed ${seed}: ${outcomes.size} checks, ${differences.length} differ, ${seconds} s\n`,
        )
        for (const { key, expected = 'none', received = 'none' } of differences)
          process.stdout.write(`    ${key}: ${received} instead of ${expected}\n`)
      }
  } finally {
    endLoad()
  }
  process.stdout.write(`${runs} runs, ${compared} outcomes, ${differing} differ\n`)
  return differing === 0 ? 0 : 1
}

/** Starts the mocks in a new process, and ends them after the task. */
async function withMocks<T>(
  { latency, auth }: { latency: string; auth: string },
  task: (target: Target) => Promise<T>,
): Promise<T> {
  const options = [
    ...['--stateful', '--latency', latency, '--auth', auth],
    ...['--port', '0', '--json', '--quiet'],
  ]
  const child = spawn(process.execPath, [touchstone, 'mock', ...mocks, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = () => {
    child.kill()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-repeatability-'))
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const file = join(folder, 'touchstone.yaml')
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify((JSON.parse(line) as { target: object }).target))
    return await task(await loadTarget({ file }))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    const ended = once(child, 'exit')
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))

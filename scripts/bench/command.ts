import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine, touchstone } from './process.ts'
import { paired, type Row } from './row.ts'

const rounds = 5

/** Milliseconds of processor time that the command may need besides: reading the target, and reports. */
const besides = 300

/** Processor time of the command that judges one subject, against the same run embedded in a process that does nothing else. */
export async function commandCost(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const mock = [touchstone, 'mock', 'images', '--stateful', '--json', '--port', '0']
  const { line, stop } = await firstLine(mock)
  try {
    const file = join(folder, 'touchstone.yaml')
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify((JSON.parse(line) as { target: object }).target))
    const report = join(folder, 'report')
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [
        processorTime([join(import.meta.dirname, 'embedded.js'), file]),
        processorTime([touchstone, 'test', '--target', file, '--report', report]),
      ] as const
      // The first pair fills the caches of the disk.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - besides)
    }
    return [
      paired(
        {
          what: `processor time of touchstone test, images, less ${besides} ms`,
          unit: 'ms',
          baseline: 'the same run embedded',
          atMost: 1.5,
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

/** Tells the processor time of a process at its end, on a descriptor of its own. */
const tell = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => writeSync(3, JSON.stringify(process.cpuUsage())))`,
)}`

/** Milliseconds of processor time that a program used. It has to end well. */
function processorTime(args: readonly string[]): number {
  const { status, output, stderr } = spawnSync(process.execPath, ['--import', tell, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`)
  const { user, system } = JSON.parse(output[3] ?? '') as NodeJS.CpuUsage
  return (user + system) / 1000
}

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUntilFirstLine, touchstoneFile } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'

const rounds = 5

/**
 * Milliseconds of CPU time that the command may use for the target file and the reports. They are
 * subtracted from the time of the command.
 */
const overhead = 300

/**
 * Compares the CPU time of `touchstone test` for the images with that of embedded.ts, a script that
 * does the same run without the command.
 */
export async function measureCommandCost(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  const mock = [touchstoneFile, 'mock', 'images', '--stateful', '--json', '--port', '0']
  const { line, stop } = await startUntilFirstLine(mock)
  try {
    const file = join(folder, 'touchstone.yaml')
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify((JSON.parse(line) as { target: object }).target))
    const report = join(folder, 'report')
    const [ours, against]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round += 1) {
      const times = [
        measureCpuTime([join(import.meta.dirname, 'embedded.js'), file]),
        measureCpuTime([touchstoneFile, 'test', '--target', file, '--report', report]),
      ] as const
      // The first pair warms up the disk cache.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1] - overhead)
    }
    return [
      comparePairs(
        {
          what: `CPU time of touchstone test, images, minus ${overhead} ms`,
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

/** A module that writes the CPU time of its process to file descriptor 3 on exit. */
const reportCpuTime = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => writeSync(3, JSON.stringify(process.cpuUsage())))`,
)}`

/** Returns the CPU time of a program in milliseconds. Throws if its exit code is not 0. */
function measureCpuTime(args: readonly string[]): number {
  const { status, output, stderr } = spawnSync(
    process.execPath,
    ['--import', reportCpuTime, ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}:\n${stderr}`)
  const { user, system } = JSON.parse(output[3] ?? '') as NodeJS.CpuUsage
  return (user + system) / 1000
}

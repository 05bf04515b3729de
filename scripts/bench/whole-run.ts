import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeProgram, touchstoneFile } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'

const rounds = 5
const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')

/** Compares whole runs against the bundled servers with a vitest run of one empty test. */
export async function measureWholeRun(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  try {
    const empty = emptyProject(folder)
    const [ours, hooks, against]: [number[], number[], number[]] = [[], [], []]
    const run = (...contracts: string[]) =>
      timeProgram(
        [
          touchstoneFile,
          'test',
          '--bundled',
          ...contracts.flatMap((name) => ['--contract', name]),
          '--report',
          join(folder, 'report'),
        ],
        { cwd: folder },
      )
    for (let round = -1; round < rounds; round += 1) {
      const times = [
        await timeProgram([join(modules, 'vitest', 'vitest.mjs'), 'run'], { cwd: empty }),
        await run('images'),
        await run('hooks', 'events'),
      ] as const
      // The first pair warms up the disk cache.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1])
      hooks.push(times[2])
    }
    const baseline = { unit: 'ms', baseline: 'vitest with one empty test', atMost: 3 } as const
    return [
      comparePairs({ what: 'whole images run, stateful mock', ...baseline }, ours, against),
      comparePairs({ what: 'whole hooks and receiver run', ...baseline }, hooks, against),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function emptyProject(folder: string): string {
  const project = join(folder, 'empty')
  mkdirSync(project)
  symlinkSync(modules, join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(
    join(project, 'one.test.js'),
    "import { test } from 'vitest'\n\ntest('passes', () => {})\n",
  )
  return project
}

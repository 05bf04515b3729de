import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeOf, touchstone } from './process.ts'
import { paired, type Row } from './row.ts'

const rounds = 5
const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')

/** The whole images run against the servers that it starts itself, against vitest with a single test that does nothing. */
export async function wholeRun(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  try {
    const empty = emptyProject(folder)
    const ours: number[] = []
    const against: number[] = []
    for (let round = -1; round < rounds; round += 1) {
      const times = [
        await timeOf([join(modules, 'vitest', 'vitest.mjs'), 'run'], { cwd: empty }),
        await timeOf([touchstone, 'test', '--bundled', '--report', join(folder, 'report')], { cwd: folder }),
      ] as const
      // The first pair fills the caches of the disk.
      if (round < 0) continue
      against.push(times[0])
      ours.push(times[1])
    }
    return [paired({ what: 'whole images run, stateful mock', unit: 'ms', baseline: 'vitest with one empty test', atMost: 3 }, ours, against)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function emptyProject(folder: string): string {
  const project = join(folder, 'empty')
  mkdirSync(project)
  symlinkSync(modules, join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(project, 'one.test.js'), "import { test } from 'vitest'\n\ntest('passes', () => {})\n")
  return project
}

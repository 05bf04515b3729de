import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  removeAbandonedFolders,
  removeTemporaryFiles,
  writeTemporaryFile,
} from './temporary-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-abandoned-'))
})
afterEach(() => {
  removeTemporaryFiles()
  rmSync(root, { recursive: true })
})

/** The process to which the folder of this test belongs. */
const ownerOfThisTest = () =>
  JSON.parse(
    readFileSync(join(dirname(writeTemporaryFile('x', '')), 'owner.json'), 'utf8'),
  ) as Record<string, unknown>

/** Creates a folder as a mock leaves it. */
function leave(name: string, owner: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'target.json'), '{}')
  writeFileSync(join(folder, 'owner.json'), owner)
  return folder
}

test('the folder of a killed mock is removed, and no other', () => {
  const own = ownerOfThisTest()
  // The process has ended, so that its number is free.
  const { pid } = spawnSync(process.execPath, ['--version'])
  const ended = { ...own, pid }
  const killed = leave('touchstone-mock-killed', JSON.stringify(ended))
  const others = [
    leave('touchstone-mock-running', JSON.stringify(own)),
    leave('touchstone-mock-other-host', JSON.stringify({ ...ended, host: 'elsewhere' })),
    leave('touchstone-mock-container', JSON.stringify({ ...ended, namespace: 'pid:[1]' })),
    leave('touchstone-mock-incomplete', ''),
    leave('touchstone-mock-zero', JSON.stringify({ ...ended, pid: 0 })),
    leave('another-folder', JSON.stringify(ended)),
  ]
  removeAbandonedFolders(root)
  expect(existsSync(killed)).toBe(false)
  expect(others.filter((folder) => !existsSync(folder))).toEqual([])
})

test('a folder that does not exist causes no error', () => {
  expect(() => removeAbandonedFolders(join(root, 'missing'))).not.toThrow()
})

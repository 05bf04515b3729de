import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from './commands.ts'

// Applies the worked example of CONTRIBUTING.md to a copy of the project. The proof must fail
// without the example's check, and pass with it.
const root = fileURLToPath(new URL('../../', import.meta.url))
// `dist` is copied too, so that only the files that the example changes are compiled.
const notCopied = new Set(['node_modules', '.git', 'report'])

/**
 * Where the example extends each file: its block is inserted before the string `before`, and
 * indented by `indent` spaces.
 */
const insertions: Record<string, { before: string; indent: number }> = {
  'specs/requirements/images.yaml': { before: '\n  - topic: deletion\n', indent: 6 },
  'conformance/checks/images/topics/details.ts': {
    before: "\n  check('IMG-DELETE-01'",
    indent: 2,
  },
  'conformance/proof/faults/images/details.ts': { before: '\n  replaceUnknown(\n', indent: 2 },
}

let copy: string
const blocks = new Map<string, string>()

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'touchstone-example-'))
  await cp(root, copy, { recursive: true, filter: (path) => !notCopied.has(relative(root, path)) })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const block of [...readBlocks(page, 'yaml'), ...readBlocks(page, 'ts')]) {
    const [, file] = /^(?:#|\/\/) (\S+)\n/.exec(block)!
    blocks.set(file!, block.slice(block.indexOf('\n') + 1))
  }
})
afterAll(() => rm(copy, { recursive: true, force: true }))

async function insert(file: string): Promise<void> {
  const path = join(copy, file)
  const content = await readFile(path, 'utf8')
  const { before, indent } = insertions[file]!
  const at = content.indexOf(before)
  expect(at, `${file} contains ${before}`).toBeGreaterThan(0)
  const block = blocks.get(file)!.replaceAll(/^(?=.)/gm, ' '.repeat(indent))
  await writeFile(path, `${content.slice(0, at)}\n${block}${content.slice(at)}`)
}

function run(...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: copy }, (failure, out, error) => {
      resolve({ status: failure === null ? 0 : Number(failure.code), output: out + error })
    })
  })
}

const build = () => run('node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json')
const prove = () => run('dist/scripts/proof.js', '--family', 'images', '--only', 'reading-again')

test('the proof passes with the worked example of CONTRIBUTING.md, and fails without its check', async () => {
  expect([...blocks.keys()].sort()).toEqual(Object.keys(insertions).sort())
  const check = 'conformance/checks/images/topics/details.ts'

  await insert('specs/requirements/images.yaml')
  expect(await run('--import', 'tsx', 'scripts/generate.ts')).toMatchObject({ status: 0 })
  await insert('conformance/proof/faults/images/details.ts')
  expect(await build()).toEqual({ status: 0, output: '' })
  const withoutCheck = await prove()
  expect(withoutCheck.status, withoutCheck.output).toBe(1)
  expect(withoutCheck.output).toMatch(/2 faults and 0 mutants: \d killed, 0 for the right reason/)

  await insert(check)
  expect(await build()).toEqual({ status: 0, output: '' })
  const withCheck = await prove()
  expect(withCheck.status, withCheck.output).toBe(0)
  expect(withCheck.output).toMatch(/2 faults and 0 mutants: 2 killed, 2 for the right reason/)
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commandOf } from './command.testing.ts'
import { describe as describeDocs } from './docs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const docs = commandOf('docs', describeDocs)

test('writes the pages of contracts, updates them, and removes those of others', async () => {
  const out = join(folder, 'new', 'pages')
  const first = await docs('--out', out, '--contract', 'greeting', '--contract', 'hooks')
  expect(first).toMatchObject({ status: 0, error: '' })
  expect(first.out).toContain(`wrote    ${join(out, 'hooks.html')}\n`)
  expect(first.out).toMatch(new RegExp(`Open ${join(out, 'index.html')} in a browser\\.\n$`))
  expect(readdirSync(out).sort()).toEqual(['greeting.html', 'hooks.html', 'index.html'])

  const again = await docs('--out', out, '--contract', 'hooks', '--contract', 'greeting')
  expect(again.out).toContain('All 3 pages were up to date.')

  writeFileSync(join(out, 'notes.txt'), 'mine')
  const fewer = await docs('--out', out, '--contract', 'hooks', '--json')
  expect(JSON.parse(fewer.out)).toEqual({
    out,
    open: join(out, 'index.html'),
    written: ['index.html'],
    removed: ['greeting.html'],
    unchanged: ['hooks.html'],
  })
  expect(readdirSync(out).sort()).toEqual(['hooks.html', 'index.html', 'notes.txt'])
})

test('changes files that it did not write only with --force', async () => {
  const out = mkdtempSync(join(folder, 'foreign-'))
  for (const name of ['index.html', 'images.html']) writeFileSync(join(out, name), '<p>mine')
  const refused = await docs('--out', out, '--contract', 'hooks')
  expect(refused.status).toBe(3)
  expect(refused.error).toContain(`not written by touchstone docs: ${join(out, 'index.html')}\n`)
  expect(refused.error).toContain(
    'Next: move them, choose another folder with --out, or add --force',
  )
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toBe('<p>mine')
  expect(readdirSync(out).sort()).toEqual(['images.html', 'index.html'])
  const forced = await docs('--out', out, '--contract', 'hooks', '--force')
  expect(forced.status).toBe(0)
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(/^<!doctype html>/)
  // It is not a page of this run, so it stays.
  expect(readFileSync(join(out, 'images.html'), 'utf8')).toBe('<p>mine')
})

test.each([
  [[], /--out is missing: the folder to write to, as in --out contract-docs/],
  [
    ['--out', join(folder, 'x'), '--contract', 'image'],
    /no contract named image\. Did you mean images\?/,
  ],
  [['--out', ''], /--out/],
])('%j exits with 3 and a message', async (words, message) => {
  const { status, error } = await docs(...words)
  expect(status).toBe(3)
  expect(error).toMatch(message)
})

test('reports a folder that cannot be written', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { status, error } = await docs('--out', join(file, 'pages'), '--contract', 'hooks')
  expect(status).toBe(3)
  expect(error).toMatch(
    /cannot be read or written: .*\n {7}Next: choose another folder with --out\./,
  )
})

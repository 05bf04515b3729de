import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { protoFolder } from '../generate/proto.ts'
import { acceptPresent, checkAccepted, checkProto, checkRows, checkStyle } from './proto.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-proto-'))
  cpSync(protoFolder, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function change(from: string, to: string): void {
  const file = join(folder, 'examples/greeting.proto')
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

it('finds nothing wrong with the contracts', async () => {
  expect(await checkProto()).toEqual([])
})

it.each([
  ['string message', 'string Message', 'lower_snake_case'],
  ['service GreetingService', 'service Greetings', 'suffixed'],
  ['= 2;', '= 2', 'greeting.proto:12'],
])('names %s written as %s', async (from, to, text) => {
  change(from, to)
  expect((await checkStyle(folder)).join('\n')).toContain(text)
})

it.each([
  ['string request_id = 2', 'string request_id = 3'],
  ['string message = 1', 'bytes message = 1'],
  ['returns (stream', 'returns ('],
  ['string server_timestamp', 'string time'],
])('names %s made %s as breaking', async (from, to) => {
  change(from, to)
  expect((await checkAccepted(folder)).join('\n')).toContain('breaks those who use')
  expect(await acceptPresent(folder)).not.toEqual([])
  expect((await checkAccepted(folder)).join('\n')).toContain('breaks those who use')
})

it('wants a new field to be accepted, and no comment', async () => {
  change('// The greeting.', '// The text of the greeting.')
  expect(await checkAccepted(folder)).toEqual([])
  change('string message = 1;', 'string message = 1; string tone = 3;')
  expect(await checkAccepted(folder)).toEqual([
    expect.stringContaining('npm run proto -- --accept'),
  ])
  expect(await acceptPresent(folder)).toEqual([])
  expect(await checkAccepted(folder)).toEqual([])
  change(' string tone = 3;', '')
  expect((await checkAccepted(folder)).join('\n')).toContain('tone')
})

it('names a row that there is not', () => {
  expect(checkRows(new Set(['GRT-REQUEST-01'])).join('\n')).toContain(
    'GreetingRequest.request_id: names GRT-REQUEST-02, which the catalogue has not',
  )
})

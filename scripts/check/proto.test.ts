import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { protoFolder } from '../generate/proto.ts'
import {
  acceptCurrentVersion,
  checkAccepted,
  checkProto,
  checkRequirementIds,
  checkStyle,
} from './proto.ts'

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

it('finds no problems in the contracts', async () => {
  expect(await checkProto()).toEqual([])
})

it.each([
  ['string message', 'string Message', 'lower_snake_case'],
  ['service GreetingService', 'service Greetings', 'suffixed'],
  ['= 2;', '= 2', 'greeting.proto:12'],
])('reports a style problem after changing "%s" to "%s"', async (from, to, problem) => {
  change(from, to)
  expect((await checkStyle(folder)).join('\n')).toContain(problem)
})

it.each([
  ['string request_id = 2', 'string request_id = 3'],
  ['string message = 1', 'bytes message = 1'],
  ['returns (stream', 'returns ('],
  ['string server_timestamp', 'string time'],
])('reports the change of %s to %s as breaking', async (from, to) => {
  change(from, to)
  expect((await checkAccepted(folder)).join('\n')).toContain('a breaking change')
  expect(await acceptCurrentVersion(folder)).not.toEqual([])
  expect((await checkAccepted(folder)).join('\n')).toContain('a breaking change')
})

it('requires --accept for a new field, but not for a changed comment', async () => {
  change('// The greeting.', '// The greeting as a string.')
  expect(await checkAccepted(folder)).toEqual([])
  change('string message = 1;', 'string message = 1; string tone = 3;')
  expect(await checkAccepted(folder)).toEqual([
    expect.stringContaining('npm run proto -- --accept'),
  ])
  expect(await acceptCurrentVersion(folder)).toEqual([])
  expect(await checkAccepted(folder)).toEqual([])
  change(' string tone = 3;', '')
  expect((await checkAccepted(folder)).join('\n')).toContain('tone')
})

it('reports an unknown requirement id', () => {
  expect(checkRequirementIds(new Set(['GRT-REQUEST-01'])).join('\n')).toContain(
    'GreetingRequest.request_id: GRT-REQUEST-02 is not in the catalogue',
  )
})

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { protoFolder } from '../generate/proto.ts'
import { checkProto, checkRequirementIds, checkStyle } from './proto.ts'

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

it('reports an unknown requirement id', () => {
  expect(checkRequirementIds(new Set(['GRT-REQUEST-01'])).join('\n')).toContain(
    'GreetingRequest.request_id: GRT-REQUEST-02 is not in the catalogue',
  )
})

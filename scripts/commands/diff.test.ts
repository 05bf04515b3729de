import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandOf } from './command.testing.ts'
import { describe } from './diff.ts'

const diff = commandOf('diff', describe)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-diff-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, content: object | string): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const schema = (properties: object) => ({ type: 'object', properties })

it('prints the breaking changes first, and exits with 1', async () => {
  const older = write('old.json', schema({ a: {}, b: { description: 'B' } }))
  const newer = write('new.yaml', 'type: object\nproperties:\n  b: {}\n  c: {}\n')
  const { status, out } = await diff(older, newer)
  expect(status).toBe(1)
  expect(out.replaceAll(/\x1b\[\d+m/g, '')).toBe(`${newer}
  breaking       /a: the property was removed
  compatible     /c: a property was added
  documentation  /b: description changed

1 breaking, 1 compatible, 1 in the documentation only
`)
  const onlyBreaking = await diff(older, newer, '--breaking')
  expect(onlyBreaking.out).not.toContain('/c')
  expect(onlyBreaking.out).toContain('1 breaking, 1 compatible')
})

it('exits with 0 without breaking changes', async () => {
  const older = write('old.json', schema({}))
  expect(await diff(older, write('new.json', schema({ a: {} })))).toMatchObject({ status: 0 })
  expect(await diff(older, older)).toMatchObject({
    status: 0,
    out: 'The contracts are the same.\n',
  })
})

it('compares the contracts of two folders, with files of components', async () => {
  const api = 'openapi: 3.1.0\npaths:\n  /a: { $ref: "parts/paths.yaml#/a" }\n'
  write('1/api.yaml', api)
  write('2/api.yaml', api)
  write('1/parts/paths.yaml', 'a: { get: { operationId: getA, responses: {} } }')
  write('2/parts/paths.yaml', 'a: { get: { operationId: readA, responses: {} } }')
  write('1/gone.proto', 'syntax = "proto3"; message A {}')
  write('2/added.json', schema({}))
  const { status, out } = await diff(join(folder, '1'), join(folder, '2'), '--json')
  expect(status).toBe(1)
  const text = 'the operationId getA became readA'
  expect(JSON.parse(out)).toEqual({
    breaking: 2,
    compatible: 1,
    documentation: 0,
    files: [
      {
        file: 'added.json',
        changes: [
          {
            level: 'compatible',
            code: 'file-added',
            place: 'contract',
            text: 'the contract was added',
          },
        ],
      },
      {
        file: 'api.yaml',
        changes: [{ level: 'breaking', code: 'operation-id-changed', place: 'GET /a', text }],
      },
      {
        file: 'gone.proto',
        changes: [
          {
            level: 'breaking',
            code: 'file-removed',
            place: 'contract',
            text: 'the contract was removed',
          },
        ],
      },
    ],
  })
})

it('judges a JSON Schema by who writes the values', async () => {
  const older = write('old.json', { $schema: 'x', enum: ['a'] })
  const newer = write('new.json', { $schema: 'x', enum: ['a', 'b'] })
  expect((await diff(older, newer)).status).toBe(1)
  expect((await diff(older, newer, '--direction', 'received')).status).toBe(1)
  expect((await diff(older, newer, '--direction', 'sent')).status).toBe(0)
})

it.each([
  ['a missing file', () => ['none.json', 'none.json'], 'none.json does not exist'],
  ['a missing argument', () => ['none.json'], "missing required argument 'new'"],
  [
    'a file and a folder',
    () => [write('a.json', {}), folder],
    'Next: name two files, or two folders',
  ],
  ['a folder without contracts', () => [folder, folder], 'contains no contract'],
  [
    'a file that is not JSON',
    () => [write('a.json', '{'), write('b.json', {})],
    'is not valid JSON',
  ],
  [
    'a file that is not YAML',
    () => [write('a.yaml', 'a: ['), write('b.json', {})],
    'is not valid YAML',
  ],
  [
    'a file that is not a contract',
    () => [write('a.json', {}), write('b.json', {})],
    'is not a contract',
  ],
  [
    'two formats',
    () => [write('a.json', { type: 'string' }), write('b.proto', 'syntax = "proto3";')],
    'Next: compare files of the same format',
  ],
  [
    'an unknown direction',
    () => [write('a.json', {}), write('b.json', {}), '--direction', 'up'],
    'Next: choose one of sent, received, both',
  ],
])('exits with 3 for %s', async (_, words, message) => {
  const { status, error } = await diff(...words())
  expect(error).toContain(message)
  expect(status).toBe(3)
})

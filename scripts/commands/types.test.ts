import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { descriptorSet } from '../../generated/greeting/index.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTypesCommand } from './types.ts'

let out: string
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'touchstone-types-'))
})
afterEach(async () => {
  await rm(out, { recursive: true })
})

const run = commandOf('types', describeTypesCommand)
const types = async (...args: string[]) => {
  const { status, out: printed, error } = await run(...args)
  return { status, text: printed + error }
}

describe('touchstone types', () => {
  test('writes types that compile in strict mode without other packages', async () => {
    const { text } = await types('--out', out)
    expect(text).toContain(`wrote    ${join(out, 'images.ts')}\n`)
    expect(text).toMatch(/^wrote {4}\S+events[\\/] {2}\(\d+ files\)$/m)
    expect(text.split('\n').length).toBeLessThan(24)
    const use = join(out, 'use.ts')
    await writeFile(
      use,
      `import type { Envelope, Image, operations, VariantInput } from './images'
export const image: Image = { id: 'a', filename: 'b', uploaded: '2026-03-14T06:41Z', requireSignedURLs: false, variants: [] }
export const variant: VariantInput = { id: 'a', options: { fit: 'cover' } }
export type Get = operations['getImage']
export const read = (answer: Envelope<Image>) => answer.success ? answer.result.id : answer.errors[0]?.message
// @ts-expect-error
export const wrong: Image = { id: 1 }
`,
    )
    const program = ts.createProgram([use], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      types: [],
    })
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([])
    expect(
      JSON.parse(await readFile(join(out, 'schemas/images/Image.json'), 'utf8')),
    ).toMatchObject({ title: 'Image' })
  })

  test('writes the Protocol Buffers of the greeting, and their descriptors as bytes', async () => {
    await types('--out', out, '--contract', 'greeting')
    expect(await readFile(join(out, 'greeting.ts'), 'utf8')).toMatch(
      /^\/\/ Written by `touchstone types`.*\n\n\/\*\*[^/]*\*\/\nexport interface GreetingRequest \{/,
    )
    expect(await readFile(join(out, 'schemas/greeting/greeting.proto'), 'utf8')).toMatch(
      /^\/\/ Written by `touchstone types`.*\nsyntax = "proto3";/,
    )
    const descriptor = join(out, 'schemas/greeting/descriptor.binpb')
    const bytes = await readFile(descriptor)
    expect(bytes).toEqual(Buffer.from(descriptorSet()))
    await writeFile(descriptor, bytes.subarray(1))
    expect((await types('--out', out, '--contract', 'greeting', '--check')).text).toContain(
      `differs  ${descriptor}\n`,
    )
    expect((await types('--out', out, '--contract', 'greeting')).text).toContain(
      `wrote    ${descriptor}\n`,
    )
    expect(await readFile(descriptor)).toEqual(bytes)
  })

  test('writes the types of the headers of hooks and deliveries', async () => {
    await types('--out', out)
    const textOf = (contract: string) => readFile(join(out, `${contract}.ts`), 'utf8')
    expect(await textOf('hooks')).toMatch(
      /export interface HookRequestHeaders \{[^}]*'PRIVATE-TOKEN': string/,
    )
    expect(await textOf('events')).toMatch(
      /export interface HeadersByEvent \{\n {2}push: DeliveryHeaders & \{ 'X-Hook-Event': 'Push Hook' \}/,
    )
  })

  test('writes no validators, nor their doc comments', async () => {
    await types('--out', out)
    for (const contract of ['images', 'hooks', 'events', 'tools', 'auth', 'greeting']) {
      const text = await readFile(join(out, `${contract}.ts`), 'utf8')
      expect(text).not.toContain('validate')
      expect(text.trimEnd()).not.toMatch(/\*\/$/)
    }
  })

  test('reports that all files are up to date the second time', async () => {
    await types('--out', out)
    expect((await types('--out', out)).text).toMatch(/^All \d+ files in .* were up to date\.\n$/)
    expect((await types('--out', out, '--check', '--contract', 'images')).status).toBe(0)
    // Git may have changed the line endings.
    await writeFile(
      join(out, 'images.ts'),
      (await readFile(join(out, 'images.ts'), 'utf8')).replaceAll('\n', '\r\n'),
    )
    expect((await types('--out', out, '--check')).status).toBe(0)
  })

  test('--check lists files that are missing, differ or are stale, and the command to update them', async () => {
    await types('--out', out)
    const schema = await readFile(join(out, 'schemas/images/Image.json'), 'utf8')
    await writeFile(join(out, 'schemas/images/Old.json'), schema)
    await writeFile(join(out, 'schemas/images/Mine.json'), '{}')
    await writeFile(join(out, 'schemas/images/Image.json'), schema.replace('"filename"', '"name"'))
    await rm(join(out, 'images.ts'))
    const { status, text } = await types('--out', out, '--check')
    expect(status).toBe(1)
    expect(text).toContain(`missing  ${join(out, 'images.ts')}\n`)
    expect(text).toContain(`differs  ${join(out, 'schemas/images/Image.json')}\n`)
    expect(text).toContain(`stale    ${join(out, 'schemas/images/Old.json')}\n`)
    expect(text).not.toContain('Mine.json')
    expect(text).toContain(`touchstone types --out ${out}\n`)
    const json = JSON.parse((await types('--out', out, '--check', '--json')).text) as object
    expect(json).toMatchObject({
      missing: ['images.ts'],
      differ: ['schemas/images/Image.json'],
      stale: ['schemas/images/Old.json'],
    })
    expect(JSON.parse((await types('--out', out, '--json')).text)).toMatchObject({
      written: ['images.ts', 'schemas/images/Image.json'],
      removed: ['schemas/images/Old.json'],
    })
    expect((await types('--out', out, '--check')).status).toBe(0)
  })

  test('writes the types at the strictness, with their schemas', async () => {
    const userName = async () => {
      const module = await readFile(join(out, 'events.ts'), 'utf8')
      const schema = JSON.parse(
        await readFile(join(out, 'schemas/events/PushPayload.json'), 'utf8'),
      ) as { properties: { user_name: object } }
      return [/user_name: (.*);/.exec(module)?.[1], schema.properties.user_name]
    }
    const description = 'The document does not state this type.'
    await types('--out', out, '--contract', 'events')
    expect(await userName()).toEqual(['string', { type: 'string', description }])
    expect(await readFile(join(out, 'events.ts'), 'utf8')).toContain('export type WebhookPayload =')

    const stated = ['--out', out, '--contract', 'events', '--strictness', 'stated']
    const { status, text } = await types(...stated, '--check')
    expect(status).toBe(1)
    expect(text).toContain(`--contract events --strictness stated\n`)
    expect((await types(...stated)).text).toContain('removed')
    expect(await userName()).toEqual(['unknown', { not: { type: 'null' } }])
    expect((await types(...stated, '--check')).status).toBe(0)
    expect((await types('--out', out, '--contract', 'events', '--check')).status).toBe(1)
  })

  test('does not overwrite other files without --force', async () => {
    await writeFile(join(out, 'images.ts'), 'export const mine = 1\n')
    const { status, text } = await types('--out', out)
    expect([status, text]).toEqual([3, expect.stringContaining(join(out, 'images.ts'))])
    expect(await readFile(join(out, 'images.ts'), 'utf8')).toBe('export const mine = 1\n')
    expect((await types('--out', out, '--check')).text).toContain('--force')
    expect((await types('--out', out, '--force')).status).toBe(0)
  })

  test.each([
    [[], '--out is missing'],
    [['--out', 'x', '--contract', 'image'], 'Did you mean images?'],
    [['--out', 'x', '--lang', 'cobol'], 'Known: typescript'],
    [['--out', 'x', '--strictness', 'state'], 'Did you mean stated? Known: documented, stated'],
    [['--out', 'x', '--strictness', 'stated', '--tools-from', 'a.json'], 'leave it out'],
  ])('%j exits with 3', async (args, text) => {
    expect(await types(...args)).toEqual({ status: 3, text: expect.stringContaining(text) })
  })

  test('reports a folder that cannot be created', async () => {
    await writeFile(join(out, 'file'), '')
    const { status, text } = await types('--out', join(out, 'file'))
    expect([status, text]).toEqual([3, expect.stringContaining(join(out, 'file'))])
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../package.ts'
import { examples } from './corpus.testing.ts'
import { toolsModule } from './module.ts'
import { prefixesOf } from './names.ts'

let folder = ''
let text = ''
let guards: Record<string, ((value: unknown) => boolean) & { errors?: unknown[] | null }> = {}
beforeAll(async () => {
  // TypeScript finds its own library, because the folder is inside the package.
  folder = await mkdtemp(join(packageRoot(), 'node_modules', '.touchstone-types-'))
  text = (await toolsModule(examples, 'a test')).text
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
  })
  await writeFile(join(folder, 'shelf.mjs'), outputText)
  guards = (await import(pathToFileURL(join(folder, 'shelf.mjs')).href)) as typeof guards
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const prefixes = prefixesOf(examples.map(({ name }) => name).sort())
const guardOf = (name: string) => guards[`is${prefixes.get(name)!}Arguments`]!

describe('guards', () => {
  test.each(examples)('$name accepts and refuses', ({ name, accepted, refused }) => {
    const guard = guardOf(name)
    for (const value of accepted) {
      expect(guard(value), JSON.stringify([value, guard.errors])).toBe(true)
      expect(guard.errors ?? null).toBeNull()
    }
    for (const value of refused) {
      expect(guard(value), JSON.stringify(value)).toBe(false)
      expect(guard.errors?.[0]).toMatchObject({ keyword: expect.any(String) as string })
    }
  })

  test('of results examine structured content', () => {
    expect(guards['isGetSumResult']!({ sum: 3 })).toBe(true)
    expect(guards['isGetSumResult']!({ sum: '3' })).toBe(false)
  })

  test('import nothing', () => {
    expect(text).not.toMatch(/^import |require\(/m)
  })
})

/**
 * A module with lines that the types must accept, and lines after `@ts-expect-error` that they must
 * refuse.
 */
const consumer = `import { isGetSumArguments, type Tools, type ToolName, type GetSumArguments, type ValuesArguments, type TupleOf2020Arguments, type TupleOfDraft07Arguments, type TreeArguments } from './shelf.js'

export const sum: GetSumArguments = { a: 1, b: 2 }
// @ts-expect-error b is missing
export const half: GetSumArguments = { a: 1 }
// @ts-expect-error b is a string
export const text: GetSumArguments = { a: 1, b: '2' }
export const values: ValuesArguments = { one: null, either: { id: 1 }, map: { x: true }, tags: ['a'], nothing: null }
// @ts-expect-error b is not listed
export const wrong: ValuesArguments = { one: 'b' }
// @ts-expect-error not a map of booleans
export const map: ValuesArguments = { map: { x: 1 } }
export const pair: TupleOf2020Arguments = { pair: ['a', 1] }
// @ts-expect-error the wrong order
export const reversed: TupleOf2020Arguments = { pair: [1, 'a'] }
export const older: TupleOfDraft07Arguments = { pair: ['a', 1], node: { next: { next: {} } } }
// @ts-expect-error next is a number
export const node: TupleOfDraft07Arguments = { node: { next: 1 } }
export const tree: TreeArguments = { children: [{ children: [], size: 3 }] }
// @ts-expect-error the size is another
export const leaf: TreeArguments = { children: [{ size: 4 }] }

export function call<Name extends ToolName>(name: Name, args: Tools[Name]['arguments']): Tools[Name]['result'] {
  return { name, args } as unknown as Tools[Name]['result']
}
export const result: number = call('get-sum', { a: 1, b: 2 }).sum
// @ts-expect-error there is no such tool
call('get-product', {})

export function double(value: unknown): number {
  // @ts-expect-error not examined yet
  if (value.a === 0) return 0
  return isGetSumArguments(value) ? value.a * 2 : (isGetSumArguments.errors?.length ?? 0)
}
`

test.each([
  ['NodeNext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['Bundler', ts.ModuleKind.ES2022, ts.ModuleResolutionKind.Bundler],
])('types are strict with module resolution %s', async (_name, module, moduleResolution) => {
  // Removes the directive that excludes the module from type checking, and only declares the
  // guards, so that the compiler checks the types.
  const types = text.slice(0, text.indexOf('export const is')).replace('// @ts-nocheck', '//')
  const names = [...text.matchAll(/^export const (is\w+): (Guard<\w+>)/gm)]
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(folder, 'shelf.ts'),
    `${types}${names.map(([, name, type]) => `export declare const ${name}: ${type}\n`).join('')}`,
  )
  await writeFile(join(folder, 'whole.ts'), text)
  await writeFile(join(folder, 'consumer.ts'), consumer)
  const program = ts.createProgram([join(folder, 'consumer.ts'), join(folder, 'whole.ts')], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module,
    moduleResolution,
    types: [],
    skipLibCheck: true,
  })
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file, start }) =>
      [file?.fileName, start, ts.flattenDiagnosticMessageText(messageText, '\n')].join(' '),
    )
  expect(problems).toEqual([])
})

describe('the module', () => {
  test('is the same for any order of tools', async () => {
    expect((await toolsModule([...examples].reverse(), 'a test')).text).toBe(text)
  })

  test('leaves out tools that cannot be compiled or called', async () => {
    const { tools, skipped } = await toolsModule(
      [
        { name: 'fine', inputSchema: { type: 'object' } },
        { name: 'fine', inputSchema: { type: 'object' } },
        { name: 'remote', inputSchema: { $ref: 'https://example.com/schema.json' } },
        { name: 'text', inputSchema: 'none' },
        { name: 'pattern', inputSchema: { properties: { a: { pattern: '(' } } } },
        { inputSchema: { type: 'object' } },
        null,
      ],
      'a test',
    )
    expect(tools).toEqual(['fine'])
    expect(skipped.map(({ tool, reason }) => `${tool}: ${reason}`)).toEqual([
      'fine: another tool has the same name',
      'a tool without a name: tools are called by their names',
      'a tool without a name: tools are called by their names',
      expect.stringMatching(
        /^pattern: its inputSchema cannot be compiled: Invalid regular/,
      ) as string,
      expect.stringMatching(/^remote: its inputSchema cannot be compiled: can't resolve/) as string,
      'text: its inputSchema is not a JSON Schema',
    ])
  })

  test('contains no code from hostile definitions', () => {
    // Each `process.exit(9)` is in a string or a comment, so importing the module did not exit.
    expect(guardOf(examples.at(-1)!.name)({})).toBe(true)
    expect(text).not.toMatch(/[\u2028\u2029]/)
  })
})

test('names are unique, even if case is ignored', () => {
  const names = ['a-b', 'a_b', 'A B', 'aB', 'get', 'get-arguments', 'tools', '…', '１', '9lives']
  const found = [...prefixesOf(names).values()]
  expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of found) expect(name).toMatch(/^[\p{ID_Start}][\p{ID_Continue}]*$/u)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types?: string }>
}

/** The source file of each entry point of the package. */
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'object' && entry.types !== undefined
    ? [{ name, file: join(root, entry.types.replace('./dist/', '').replace('.d.ts', '.ts')) }]
    : [],
)

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

const program = ts.createProgram(
  entries.map(({ file }) => file),
  options,
)
const checker = program.getTypeChecker()

interface Export {
  readonly name: string
  readonly text: string
  readonly examples: readonly string[]
}

function exportsOf(file: string): Export[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  return checker.getExportsOfModule(module).map((symbol) => {
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return {
      name: symbol.name,
      text: ts.displayPartsToString(declared.getDocumentationComment(checker)),
      examples: declared
        .getJsDocTags(checker)
        .filter((tag) => tag.name === 'example')
        .map((tag) => ts.displayPartsToString(tag.text)),
    }
  })
}

/**
 * Returns a module with each example in a function. It declares the variables `value` and `bytes`,
 * which examples use.
 */
function moduleOf(file: string, members: readonly Export[]): string {
  const bodies = members.flatMap(({ examples }) => examples)
  return `import type {} from 'node:buffer'
import { ${members.map(({ name }) => name).join(', ')} } from '${file}'
declare const value: unknown
declare const bytes: Uint8Array<ArrayBuffer>
${bodies
  .map((body) => `export const _ = async () => {\n${body.replace(/^import .*$/gm, '')}\n}`)
  .map((code, index) => code.replace('_', `example${index}`))
  .join('\n')}
`
}

/** Returns the compiler errors of a module that exists only in memory. */
function errorsOf(file: string, text: string): string[] {
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => path === file || fileExists.call(host, path)
  host.readFile = (path) => (path === file ? text : readFile.call(host, path))
  host.getSourceFile = (path, ...more) =>
    path === file
      ? ts.createSourceFile(path, text, options.target!)
      : (program.getSourceFile(path) ?? getSourceFile.call(host, path, ...more))
  const one = ts.createProgram([file], options, host)
  const source = one.getSourceFile(file)!
  return [...one.getSyntacticDiagnostics(source), ...one.getSemanticDiagnostics(source)].map(
    (error) =>
      `${text.split('\n')[source.getLineAndCharacterOfPosition(error.start!).line]!.trim()}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
  )
}

describe.each(entries)('the entry point $name', ({ name, file }) => {
  const members = exportsOf(file)

  it('documents every export, with an example', () => {
    expect(members.length).toBeGreaterThan(0)
    expect(members.filter(({ text }) => text.trim() === '').map((one) => one.name)).toEqual([])
    expect(members.filter(({ examples }) => examples.length === 0).map((one) => one.name)).toEqual(
      [],
    )
  })

  it('has only examples that compile', () => {
    const example = join(root, `scripts/docs/example-of-${name.slice(2)}.ts`)
    expect(errorsOf(example, moduleOf(file, members))).toEqual([])
  })
})

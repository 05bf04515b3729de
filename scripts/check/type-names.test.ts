import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The types, interfaces, classes and enums that a source text declares and exports. */
function exportedTypes(text: string): Set<string> {
  const { statements } = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)
  return new Set(
    statements.flatMap((statement) =>
      (ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isEnumDeclaration(statement)) &&
      statement.name !== undefined &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
        ? [statement.name.text]
        : [],
    ),
  )
}

/** The names that several files export, each with these files. */
function sharedNames(texts: ReadonlyMap<string, string>): Record<string, string[]> {
  const files = new Map<string, string[]>()
  for (const [file, text] of texts)
    for (const name of exportedTypes(text)) files.set(name, [...(files.get(name) ?? []), file])
  return Object.fromEntries([...files].filter(([, found]) => found.length > 1))
}

it('every exported type has a name of its own', () => {
  const files = ['conformance', 'mocks', 'scripts'].flatMap((folder) =>
    ts.sys.readDirectory(join(root, folder), ['.ts'], ['**/node_modules']),
  )
  expect(
    sharedNames(new Map(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]))),
  ).toEqual({})
})

it('would show a name that two files export', () => {
  const texts = new Map([
    ['a.ts', 'export interface Rules {}\nexport class Store {}\ninterface Options {}'],
    ['b.ts', 'export type Rules = string\nexport abstract class Store {}\ninterface Options {}'],
    ['c.ts', "export type { Rules } from './a.ts'\nconst text = `\nexport interface Rules {}`"],
  ])
  expect(sharedNames(texts)).toEqual({ Rules: ['a.ts', 'b.ts'], Store: ['a.ts', 'b.ts'] })
})

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the types, interfaces, classes and enums that a source declares and exports. */
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

/** Returns the names that several files export, with these files. */
function findDuplicates(sources: ReadonlyMap<string, string>): Record<string, string[]> {
  const files = new Map<string, string[]>()
  for (const [file, source] of sources)
    for (const name of exportedTypes(source)) files.set(name, [...(files.get(name) ?? []), file])
  return Object.fromEntries([...files].filter(([, found]) => found.length > 1))
}

it('every exported type has a unique name', () => {
  const files = ['kit', 'conformance', 'mocks', 'scripts'].flatMap((folder) =>
    ts.sys.readDirectory(join(root, folder), ['.ts'], ['**/node_modules', '**/proof/blind']),
  )
  expect(
    findDuplicates(
      new Map(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')])),
    ),
  ).toEqual({})
})

it('reports a name that two files export', () => {
  const sources = new Map([
    ['a.ts', 'export interface Rules {}\nexport class Store {}\ninterface Options {}'],
    ['b.ts', 'export type Rules = string\nexport abstract class Store {}\ninterface Options {}'],
    ['c.ts', "export type { Rules } from './a.ts'\nconst text = `\nexport interface Rules {}`"],
  ])
  expect(findDuplicates(sources)).toEqual({ Rules: ['a.ts', 'b.ts'], Store: ['a.ts', 'b.ts'] })
})

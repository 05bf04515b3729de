import ts from 'typescript'

/** Maps each file to the files that it imports. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Whether an import or export contains only types, so that it loads nothing at run time. */
function isTypeOnlyStatement(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement
    return statement.isTypeOnly || (exportClause !== undefined && areTypes(exportClause))
  }
  const { importClause } = statement
  if (importClause === undefined) return false
  const { isTypeOnly, name, namedBindings } = importClause
  return (
    isTypeOnly || (name === undefined && namedBindings !== undefined && areTypes(namedBindings))
  )
}

const areTypes = (clause: ts.NamedExportBindings | ts.NamedImportBindings): boolean =>
  'elements' in clause &&
  clause.elements.length > 0 &&
  clause.elements.every(({ isTypeOnly }) => isTypeOnly)

/**
 * Returns the relative imports of a source. `values` contains those that load a file at run time.
 */
export function relativeImports(text: string): { all: string[]; values: string[] } {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)
  const all: string[] = []
  const values: string[] = []
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const specifier = statement.moduleSpecifier
    if (specifier === undefined || !ts.isStringLiteral(specifier)) continue
    if (!specifier.text.startsWith('.')) continue
    all.push(specifier.text)
    if (!isTypeOnlyStatement(statement)) values.push(specifier.text)
  }
  return { all, values }
}

/**
 * Returns the cycles of a graph: groups of two or more files in which each file imports all others,
 * directly or indirectly (the strongly connected components, by Tarjan's algorithm).
 */
export function cyclesOf(imports: Imports): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const cycles: string[][] = []

  function visit(file: string): void {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    onStack.add(file)
    for (const other of imports.get(file) ?? []) {
      if (!index.has(other)) visit(other)
      if (onStack.has(other)) low.set(file, Math.min(low.get(file)!, low.get(other)!))
    }
    if (low.get(file) !== index.get(file)) return
    const cycle = stack.splice(stack.indexOf(file))
    for (const member of cycle) onStack.delete(member)
    if (cycle.length > 1) cycles.push(cycle)
  }

  for (const file of imports.keys()) if (!index.has(file)) visit(file)
  return cycles
}

import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { cyclesOf, relativeImports, type Imports } from './cycles.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files = ['generated', 'kit', 'conformance', 'mocks', 'scripts']
  .flatMap((folder) =>
    ts.sys.readDirectory(join(root, folder), ['.ts'], ['**/node_modules', '**/proof/blind']),
  )
  .filter((path) => !path.endsWith('.d.ts'))
const read = new Map(files.map((path) => [path, relativeImports(readFileSync(path, 'utf8'))]))

const graph = (kind: 'all' | 'values'): Imports =>
  new Map(
    [...read].map(([path, imports]) => [
      relative(root, path),
      new Set(imports[kind].map((name) => relative(root, resolve(dirname(path), name)))),
    ]),
  )

describe('imports', () => {
  it('of values form no cycle', () => {
    expect(cyclesOf(graph('values'))).toEqual([])
  })

  it('of types and values together form no cycle', () => {
    expect(cyclesOf(graph('all'))).toEqual([])
  })

  it('are classified as types or values', () => {
    expect(
      relativeImports(`
        import type { A } from './a.ts'
        import { type B } from './b.ts'
        import { type C, c } from './c.ts'
        import './d.ts'
        export * from './e.ts'
        export type { F } from './f.ts'
        import { z } from 'zod'`),
    ).toEqual({
      all: ['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts'],
      values: ['./c.ts', './d.ts', './e.ts'],
    })
  })

  it('that form a cycle are reported', () => {
    const imports = (pairs: Record<string, string[]>) =>
      new Map(Object.entries(pairs).map(([file, others]) => [file, new Set(others)]))
    expect(cyclesOf(imports({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] }))).toEqual([['a', 'b', 'c']])
    expect(cyclesOf(imports({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([])
  })
})

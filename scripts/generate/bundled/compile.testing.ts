import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../source.ts'

export const openapiNames = ['images-account', 'images-batch', 'images-upload', 'hooks', 'auth']

/** Returns the path of a bundled contract. */
export const bundledFile = (name: string) => join(root, 'specs/bundled', name)

/** A folder outside of the project, in which code is generated and compiled. */
export interface Workspace {
  folder: string
  /** Writes a file and returns its path. */
  write(name: string, text: string): string
  remove(): void
}

/** Makes an empty folder in which the packages of this project can be imported. */
export function newWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bundled-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return {
    folder,
    write(name, text) {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Returns the errors of the strict TypeScript compiler in the files and in what they import. */
export function typeErrors(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
    preserveSymlinks: true,
  })
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) =>
      [file?.fileName, ts.flattenDiagnosticMessageText(messageText, ' ')].join(': '),
    )
}

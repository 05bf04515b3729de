import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { relativeImports } from './cycles.ts'

// The entry points that other programs load at startup must not load the suite.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the files and the packages that a file loads at run time. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const text = readFileSync(join(root, file), 'utf8')
    const { values, all } = relativeImports(text)
    for (const name of values) visit(relative(root, resolve(root, dirname(file), name)))
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
      if (!fileName.startsWith('.') && !all.includes(fileName)) packages.add(fileName)
  }
  visit(entry)
  return { files: [...files].sort(), packages: [...packages].sort() }
}

it('touchstone/events loads only its schemas and its functions', () => {
  expect(loadedBy('kit/events/index.ts')).toEqual({
    files: [
      'generated/contract.ts',
      'generated/events/documented/contract.ts',
      'generated/events/documented/index.ts',
      'generated/events/documented/validators.ts',
      'kit/events/delivery-error.ts',
      'kit/events/headers.ts',
      'kit/events/index.ts',
      'kit/events/parse-delivery.ts',
      'kit/events/verify-token.ts',
    ],
    packages: ['node:crypto'],
  })
})

it.each(['kit/images/index.ts', 'generated/hooks/documented/index.ts'])(
  '%s loads no part of the suite',
  (entry) => {
    const { files, packages } = loadedBy(entry)
    expect(files.filter((file) => !/^(kit|generated)\//.test(file))).toEqual([])
    expect(packages.filter((name) => !name.startsWith('ajv/dist/runtime/'))).toEqual([])
  },
)

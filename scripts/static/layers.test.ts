import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// Checks which parts of the project import which other parts. Imports of types count too.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Maps each part to the start of the paths of its files. The first match applies. */
const parts = {
  generated: 'generated/',
  kit: 'kit/',
  engine: 'conformance/engine/',
  wire: 'conformance/wire/',
  definitions: 'conformance/definitions/',
  checks: 'conformance/checks/',
  target: 'conformance/target-file/',
  report: 'conformance/report/',
  compare: 'conformance/compare/',
  vitest: 'conformance/vitest/',
  faults: 'conformance/proof/faults/',
  variations: 'conformance/proof/variations/',
  peers: 'conformance/proof/peers/',
  blind: 'conformance/proof/blind/',
  proof: 'conformance/proof/',
  suite: 'conformance/',
  mocks: 'mocks/',
  bench: 'scripts/bench/',
  docs: 'scripts/docs/',
  scripts: 'scripts/',
} as const
type Part = keyof typeof parts

/** The other parts and the npm packages that each part may import. */
const allowedImports: Record<
  Part,
  { parts: readonly Part[]; packages: readonly string[] | 'any' }
> = {
  generated: { parts: [], packages: ['ajv', 'protobufjs/minimal.js'] },
  // What people import into their own programs loads no part of the suite.
  kit: { parts: ['generated'], packages: [] },
  engine: { parts: ['generated'], packages: [] },
  wire: {
    parts: ['engine', 'generated'],
    packages: ['oauth4webapi', 'parse5', 'pngjs', 'protobufjs/minimal.js', 'selfsigned'],
  },
  definitions: { parts: ['engine', 'kit', 'generated'], packages: [] },
  checks: {
    parts: ['engine', 'wire', 'definitions', 'target', 'generated'],
    packages: ['image-size', 'pngjs'],
  },
  target: { parts: ['engine', 'generated'], packages: ['yaml'] },
  report: { parts: ['engine', 'generated'], packages: ['picocolors'] },
  compare: { parts: ['engine', 'report', 'generated'], packages: [] },
  vitest: {
    parts: ['engine', 'wire', 'checks', 'target', 'report', 'suite', 'generated'],
    packages: ['vitest'],
  },
  suite: { parts: ['engine', 'wire', 'checks', 'target', 'generated'], packages: [] },
  // Third-party servers, and what is needed to start them.
  peers: { parts: ['suite', 'target'], packages: 'any' },
  // Broken and conforming servers do not depend on the suite.
  faults: { parts: ['mocks', 'variations', 'generated'], packages: 'any' },
  variations: { parts: ['mocks', 'faults', 'generated'], packages: 'any' },
  // Blind implementations import nothing of the project.
  blind: { parts: [], packages: [] },
  proof: {
    parts: [
      'blind',
      'engine',
      'wire',
      'checks',
      'target',
      'report',
      'suite',
      'faults',
      'variations',
      'mocks',
      'generated',
    ],
    packages: ['playwright-core'],
  },
  mocks: { parts: ['generated'], packages: 'any' },
  bench: {
    parts: [
      'scripts',
      'mocks',
      'engine',
      'wire',
      'checks',
      'target',
      'report',
      'suite',
      'generated',
    ],
    packages: 'any',
  },
  // The screenshot in the documentation shows a run against a broken server.
  docs: { parts: ['target', 'suite', 'faults', 'mocks'], packages: 'any' },
  scripts: {
    parts: [
      'definitions',
      'engine',
      'wire',
      'checks',
      'target',
      'report',
      'compare',
      'vitest',
      'suite',
      'proof',
      'mocks',
      'docs',
      'generated',
    ],
    packages: 'any',
  },
}

const partOf = (path: string): Part | undefined =>
  (Object.keys(parts) as Part[]).find((part) => path.startsWith(parts[part]))

const importCache = new Map<string, string[]>()

/** Returns the imports of a file: paths relative to the root, or names of packages. Cached. */
function importsOf(path: string): string[] {
  if (!importCache.has(path)) importCache.set(path, readImports(path))
  return importCache.get(path)!
}

function readImports(path: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'), true, true)
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith('node:') && !name.startsWith('#specs/'))
    .map((name) =>
      name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)) : name,
    )
}

/** Returns a message for each forbidden import of a file. */
export function forbiddenImports(path: string, imports: readonly string[]): string[] {
  const part = partOf(path)
  if (part === undefined) return [`${path} is not in a known part of the project`]
  const allowed = allowedImports[part]
  return imports
    .filter((imported) => {
      const other = partOf(imported)
      if (other !== undefined) return other !== part && !allowed.parts.includes(other)
      return (
        allowed.packages !== 'any' &&
        !allowed.packages.some((name) => imported === name || imported.startsWith(`${name}/`))
      )
    })
    .map((imported) => `${path} (${part}) imports ${imported}`)
}

/**
 * Returns the subject of a file: the first folder below checks/. Returns undefined for `shared`,
 * which every subject may import.
 */
const subjectOf = (path: string) => {
  const subject = /^conformance\/checks\/([^/]+)\//.exec(path)?.[1]
  return subject === 'shared' ? undefined : subject
}

/**
 * Whether `path`, a file of auth, may import `other`, a file of tools. The auth checks run in
 * sessions of a tool server, so auth may import everything of tools except the topics. Only
 * auth/subject.ts, which combines both subjects, may import the topics. Tools must not import auth.
 */
const isComposition = (path: string, other: string) =>
  subjectOf(path) === 'auth' &&
  subjectOf(other) === 'tools' &&
  (path === 'conformance/checks/auth/subject.ts' || !other.includes('/topics/'))

const sources = ['generated', 'kit', 'conformance', 'mocks', 'scripts']
  .flatMap((folder) => listed(folder))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))

function listed(folder: string): string[] {
  return ts.sys
    .readDirectory(join(root, folder), ['.ts'], ['**/node_modules'], ['**/*'])
    .map((path) => relative(root, path))
}

// Reads the files before the tests start, because on a busy machine this could exceed the timeout
// of a test.
for (const path of sources) importsOf(path)

describe('the parts of the project', () => {
  it('all contain sources', () => {
    expect(new Set(sources.map(partOf))).toEqual(new Set(Object.keys(parts)))
  })

  it('contain no forbidden imports', () => {
    expect(sources.flatMap((path) => forbiddenImports(path, importsOf(path)))).toEqual([])
  })

  it('do not import across subjects', () => {
    const crossing = sources.flatMap((path) => {
      const own = subjectOf(path)
      return own === undefined
        ? []
        : importsOf(path)
            .filter((other) => (subjectOf(other) ?? own) !== own && !isComposition(path, other))
            .map((other) => `${path} imports ${other}`)
    })
    expect(crossing).toEqual([])
  })

  it('export only a list of checks from each topic, and import it only in the index', () => {
    const topic = /^conformance\/checks\/[^/]+\/topics\//
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((other) => topic.test(other))
        .filter((other) =>
          // Only the index of its folder may import a topic. Only the subject or another index may
          // import that index.
          other.endsWith('/index.ts')
            ? !path.endsWith('/index.ts') && !path.endsWith('/subject.ts')
            : path !== `${dirname(other)}/index.ts`,
        )
        .map((other) => `${path} imports ${other}`),
    )
    expect(wrong).toEqual([])
    const exporting = sources
      .filter((path) => topic.test(path))
      .filter((path) => readFileSync(join(root, path), 'utf8').match(/^export /gm)?.length !== 1)
    expect(exporting, 'topics that do not have exactly one export').toEqual([])
  })

  it('report a forbidden import', () => {
    expect(forbiddenImports('mocks/a.ts', ['conformance/engine/check.ts'])).toHaveLength(1)
    expect(
      forbiddenImports('conformance/checks/images/a.ts', ['vitest', 'conformance/report/index.ts']),
    ).toHaveLength(2)
    expect(forbiddenImports('conformance/engine/a.ts', ['undici'])).toHaveLength(1)
    expect(forbiddenImports('mocks/stateful/a.ts', ['hono', 'generated/contract.ts'])).toEqual([])
  })
})

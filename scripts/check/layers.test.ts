import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// Who may import whom. Types count too: a room that knows another's types knows the room.
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Rooms by the beginning of their path; the first that fits. */
const rooms = {
  generated: 'generated/',
  engine: 'conformance/engine/',
  wire: 'conformance/wire/',
  checks: 'conformance/checks/',
  target: 'conformance/target-file/',
  report: 'conformance/report/',
  vitest: 'conformance/vitest/',
  faults: 'conformance/proof/faults/',
  variations: 'conformance/proof/variations/',
  peers: 'conformance/proof/peers/',
  proof: 'conformance/proof/',
  suite: 'conformance/',
  mocks: 'mocks/',
  bench: 'scripts/bench/',
  docs: 'scripts/docs/',
  scripts: 'scripts/',
} as const
type Room = keyof typeof rooms

/** The rooms that each may import besides itself, and whether packages from outside are open to it. */
const may: Record<Room, { rooms: readonly Room[]; packages: readonly string[] | 'any' }> = {
  generated: { rooms: [], packages: ['ajv', 'protobufjs/minimal.js'] },
  engine: { rooms: ['generated'], packages: [] },
  wire: {
    rooms: ['engine', 'generated'],
    packages: ['oauth4webapi', 'parse5', 'protobufjs/minimal.js', 'selfsigned'],
  },
  checks: { rooms: ['engine', 'wire', 'target', 'generated'], packages: [] },
  target: { rooms: ['engine', 'generated'], packages: ['yaml'] },
  report: { rooms: ['engine', 'generated'], packages: ['picocolors'] },
  vitest: {
    rooms: ['engine', 'wire', 'checks', 'target', 'report', 'suite', 'generated'],
    packages: ['vitest'],
  },
  suite: { rooms: ['engine', 'wire', 'checks', 'target', 'generated'], packages: [] },
  // Servers by others, and what is needed to set them up.
  peers: { rooms: ['suite', 'target'], packages: 'any' },
  // Broken and conforming servers: of the suite they know nothing.
  faults: { rooms: ['mocks', 'variations', 'generated'], packages: 'any' },
  variations: { rooms: ['mocks', 'faults', 'generated'], packages: 'any' },
  proof: {
    rooms: [
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
  mocks: { rooms: ['generated'], packages: 'any' },
  bench: {
    rooms: [
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
  // The screenshot shows a broken server.
  docs: { rooms: ['target', 'suite', 'faults', 'mocks'], packages: 'any' },
  scripts: {
    rooms: [
      'engine',
      'wire',
      'checks',
      'target',
      'report',
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

const roomOf = (path: string): Room | undefined =>
  (Object.keys(rooms) as Room[]).find((room) => path.startsWith(rooms[room]))

const known = new Map<string, string[]>()

/** What a file imports: paths from the root, or names of packages; read once. */
function importsOf(path: string): string[] {
  if (!known.has(path)) known.set(path, readImports(path))
  return known.get(path)!
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

/** What a file imports against the rules. */
export function trespasses(path: string, imports: readonly string[]): string[] {
  const room = roomOf(path)
  if (room === undefined) return [`${path} stands in no room`]
  const allowed = may[room]
  return imports
    .filter((imported) => {
      const other = roomOf(imported)
      if (other !== undefined) return other !== room && !allowed.rooms.includes(other)
      return (
        allowed.packages !== 'any' &&
        !allowed.packages.some((name) => imported === name || imported.startsWith(`${name}/`))
      )
    })
    .map((imported) => `${path} (${room}) imports ${imported}`)
}

/** A check's subject is the first folder below checks/; `shared` belongs to all. */
const contractOf = (path: string) => {
  const subject = /^conformance\/checks\/([^/]+)\//.exec(path)?.[1]
  return subject === 'shared' ? undefined : subject
}

/** Authentication is judged in the sessions of a tool server, and one subject composes both. Never the other way round. */
const isComposition = (path: string, other: string) =>
  contractOf(path) === 'auth' &&
  contractOf(other) === 'tools' &&
  (path === 'conformance/checks/auth/subject.ts' || !other.includes('/topics/'))

const sources = ['generated', 'conformance', 'mocks', 'scripts']
  .flatMap((folder) => listed(folder))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))

function listed(folder: string): string[] {
  return ts.sys
    .readDirectory(join(root, folder), ['.ts'], ['**/node_modules'], ['**/*'])
    .map((path) => relative(root, path))
}

// Read before the tests: on a busy machine it takes longer than a test may.
for (const path of sources) importsOf(path)

describe('the rooms of the house', () => {
  it('has sources in every room', () => {
    expect(new Set(sources.map(roomOf))).toEqual(new Set(Object.keys(rooms)))
  })

  it('import only whom they may', () => {
    expect(sources.flatMap((path) => trespasses(path, importsOf(path)))).toEqual([])
  })

  it('keep the contracts apart', () => {
    const across = sources.flatMap((path) => {
      const own = contractOf(path)
      return own === undefined
        ? []
        : importsOf(path)
            .filter((other) => (contractOf(other) ?? own) !== own && !isComposition(path, other))
            .map((other) => `${path} imports ${other}`)
    })
    expect(across).toEqual([])
  })

  it('keep topics to what is required', () => {
    const topic = /^conformance\/checks\/[^/]+\/topics\//
    const wrong = sources.flatMap((path) =>
      importsOf(path)
        .filter((other) => topic.test(other))
        .filter((other) =>
          // A topic is listed by the index of its folder, and that by the one above or by the subject.
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
    expect(exporting, 'export more than one list of checks').toEqual([])
  })

  it('would notice a trespass', () => {
    expect(trespasses('mocks/a.ts', ['conformance/engine/check.ts'])).toHaveLength(1)
    expect(
      trespasses('conformance/checks/images/a.ts', ['vitest', 'conformance/report/index.ts']),
    ).toHaveLength(2)
    expect(trespasses('conformance/engine/a.ts', ['undici'])).toHaveLength(1)
    expect(trespasses('mocks/stateful/a.ts', ['hono', 'generated/contract.ts'])).toEqual([])
  })
})

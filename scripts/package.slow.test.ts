import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Tests the packed package in an empty project. Symlinks to the dependencies of this repository
// make the network unnecessary.
const root = fileURLToPath(new URL('../', import.meta.url))
let project: string
const inside = (...parts: string[]) => join(project, 'node_modules', 'touchstone', ...parts)
const run = (command: string, args: string[]) =>
  spawnSync(command, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'touchstone-package-'))
  mkdirSync(inside(), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    // vitest is an optional peer dependency, which only the last test needs.
    if (!name.startsWith('.') && name !== 'touchstone' && name !== 'vitest')
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
  execFileSync('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', join(project, tarball), '--strip-components=1', '-C', inside()])
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n')
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the packed package', () => {
  it('contains no proof, tests, benchmarks or generators', () => {
    const files = readdirSync(inside(), { recursive: true, encoding: 'utf8' })
    const unwanted =
      /\.test\.|\.testing\.|dist\/(conformance\/proof|scripts\/(bench|check|generate|proof))/
    expect(files).toContain(join('dist', 'scripts', 'touchstone.js'))
    expect(files.filter((file) => unwanted.test(file))).toEqual([])
  })

  it('contains every file to which its pages link', () => {
    const pages = [
      'README.md',
      ...readdirSync(inside('docs'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join('docs', name)),
    ]
    const missing = pages.flatMap((page) =>
      [...readFileSync(inside(page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link]) => join(page, '..', link!))
        .filter((file) => !existsSync(inside(file))),
    )
    expect(missing).toEqual([])
  })

  it('exports types and validators that compile in strict mode and work', () => {
    writeFileSync(
      join(project, 'use.ts'),
      `import { validateImage, validateFailure, type Image, type Timestamp, type UploadTicket } from 'touchstone/images'
import { bidirectionalGreeting, decodeGreetingRequest, descriptorSet, encodeGreetingRequest, type GreetingRequest } from 'touchstone/greeting'
import { parseDelivery, verifyToken, type WebhookPayload } from 'touchstone/events'
import type { PushPayload as StatedPushPayload } from 'touchstone/events/stated'
import { isPage, isToolError } from 'touchstone/tools'
export const length = (payload: WebhookPayload) => payload.object_kind === 'push' ? payload.user_name.length : 0
// @ts-expect-error the document does not state the type
export const name = (payload: StatedPushPayload): string => payload.user_name
const request: GreetingRequest = decodeGreetingRequest(encodeGreetingRequest({ name: 'Ada' }))
// @ts-expect-error a request has no time
encodeGreetingRequest({ time: 'now' })
const image: Image = { id: 'a', filename: 'a.png', uploaded: '2026-11-21T10:00:00Z', requireSignedURLs: false, variants: [] }
const moment: Timestamp = image.uploaded
const ticket: UploadTicket = { id: moment, uploadURL: 'https://upload.example/t' }
// @ts-expect-error an image has an id
const nameless: Image = { filename: 'a.png', uploaded: moment, requireSignedURLs: false, variants: [] }
const unknown: unknown = JSON.parse(process.argv[2] ?? '{}')
if (validateImage(unknown)) console.log('image', unknown.filename.toUpperCase())
else console.log('none', validateImage.errors?.[0]?.keyword)
console.log(validateFailure({ success: false, errors: [{ code: 5400, message: 'no' }] }), ticket.id === moment, nameless.filename)
console.log(request.name, bidirectionalGreeting.path, descriptorSet().length > 100)
console.log(typeof parseDelivery, verifyToken({ 'X-Hook-Token': 'a' }, 'a'), isToolError({}), isPage({}, 'books'))
`,
    )
    const flags = [
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--skipLibCheck',
      'false',
      '--types',
      'node',
      '--noEmitOnError',
      'use.ts',
    ]
    const compiled = run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...flags,
    ])
    expect(compiled.stdout + compiled.stderr).toBe('')
    const image = {
      id: 'a',
      filename: 'a.png',
      uploaded: '2026-11-21T10:00:00Z',
      requireSignedURLs: false,
      variants: [],
    }
    expect(run(process.execPath, ['use.js', JSON.stringify(image)]).stdout).toBe(
      'image A.PNG\ntrue true a.png\nAda /examples.GreetingService/BidirectionalGreeting true\nfunction true false false\n',
    )
    expect(
      run(process.execPath, ['use.js', JSON.stringify({ ...image, filename: 7 })]).stdout,
    ).toContain('none type')
  })

  it('exports its contracts as files', () => {
    const script = `import { createRequire } from 'node:module'
console.log(createRequire(import.meta.url).resolve('touchstone/' + process.argv[2]))`
    writeFileSync(join(project, 'specs.js'), script)
    const file = (name: string) =>
      readFileSync(run(process.execPath, ['specs.js', name]).stdout.trim(), 'utf8')
    expect(file('specs/openapi/images-account.yaml')).toMatch(/^openapi: 3\.1/m)
    expect(JSON.parse(file('specs/bundled/events.json'))).toMatchObject({ asyncapi: '3.0.0' })
    expect(file('specs/proto/examples/greeting.proto')).toMatch(/^syntax = "proto3";/m)
    expect(file('greeting/descriptor.binpb')).toContain('examples.GreetingRequest')
  })

  it('contains the command and the documents, and no development files', () => {
    const files = readdirSync(inside(), { recursive: true }).map(String)
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/scripts/touchstone.js',
        'specs/json-schema/report.json',
        'README.md',
        'ARCHITECTURE.md',
        'LICENSE',
      ]),
    )
    expect(
      files.filter((name) => /\.test\.|\.suite\.ts$|tsbuildinfo|(^|\/)bench\//.test(name)),
    ).toEqual([])
  })

  it('runs the suite from the empty project', () => {
    const judged = run(process.execPath, [
      inside('dist', 'scripts', 'touchstone.js'),
      'test',
      '--report',
      join(project, 'report'),
    ])
    expect(judged.stderr).toBe('')
    expect(judged.status, judged.stdout).toBe(0)
    expect(JSON.parse(readFileSync(join(project, 'report', 'report.json'), 'utf8'))).toMatchObject({
      totals: { fail: 0, error: 0, 'not covered': 0 },
    })
  })

  it('generates types in the empty project', () => {
    const written = run(process.execPath, [
      inside('dist', 'scripts', 'touchstone.js'),
      'types',
      '--out',
      'contracts',
    ])
    expect(written.status, written.stderr).toBe(0)
    expect(readdirSync(join(project, 'contracts')).sort()).toEqual([
      'auth.ts',
      'events.ts',
      'greeting.ts',
      'hooks.ts',
      'images.ts',
      'schemas',
      'tools.ts',
    ])
    expect(
      run(process.execPath, [
        inside('dist', 'scripts', 'touchstone.js'),
        'types',
        '--out',
        'contracts',
        '--check',
      ]).status,
    ).toBe(0)
  })

  it('generates types in other languages, or names the package that it needs', () => {
    const command = inside('dist', 'scripts', 'touchstone.js')
    const types = () =>
      run(process.execPath, [command, 'types', '--out', 'python', '--lang', 'python'])
    const written = types()
    expect(written.status, written.stderr).toBe(0)
    expect(readdirSync(join(project, 'python'))).toContain('events.py')
    const quicktype = join(project, 'node_modules', 'quicktype-core')
    rmSync(quicktype)
    try {
      const { status, stderr } = types()
      expect(status).toBe(3)
      expect(stderr).toBe(
        'error: --lang python needs the package quicktype-core.\n       Next: npm install --save-dev quicktype-core@26\n',
      )
    } finally {
      symlinkSync(join(root, 'node_modules', 'quicktype-core'), quicktype)
    }
  })

  it('declares its checks in a vitest suite of the project', async ({ onTestFinished }) => {
    symlinkSync(join(root, 'node_modules', 'vitest'), join(project, 'node_modules', 'vitest'))
    const mock = spawn(
      process.execPath,
      [
        inside('dist', 'scripts', 'touchstone.js'),
        ...['mock', 'images', '--stateful', '--port', '0', '--json'],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void mock.kill())
    const [firstLine] = (await once(mock.stdout, 'data')) as [Buffer]
    const { target } = JSON.parse(firstLine.toString()) as {
      target: { images: { url: string; account: string; token: string } }
    }
    writeFileSync(join(project, 'touchstone.yaml'), JSON.stringify(target))
    const { url, account } = target.images
    writeFileSync(
      join(project, 'conformance.test.ts'),
      `import { conformance } from 'touchstone/vitest'
await conformance({ target: 'touchstone.yaml' })
await conformance({ images: { url: '${url}', account: '${account}', token: '\${WRONG}' } }, { only: ['IMG-UPLOAD'] })
// @ts-expect-error a section has an address
await conformance({ images: { address: '' } }, { only: ['IMG-NONE-01'] }).catch(() => {})
`,
    )
    const compiled = run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'],
      ...['--types', 'node', '--noEmit', 'conformance.test.ts'],
    ])
    expect(compiled.stdout + compiled.stderr).toBe('')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        join('node_modules', 'vitest', 'vitest.mjs'),
        ...['run', '-t', 'IMG-UPLOAD-04', '--reporter', 'json'],
      ],
      { cwd: project, encoding: 'utf8', env: { PATH: process.env.PATH, WRONG: 'not-the-token' } },
    )
    const { testResults } = JSON.parse(stdout) as {
      testResults: { assertionResults: { fullName: string; status: string }[] }[]
    }
    const ran = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => fullName.includes('IMG-UPLOAD-04'))
    expect(
      ran.map(({ status }) => status),
      stderr,
    ).toEqual(['passed', 'skipped'])
    expect(ran[0]!.fullName).toMatch(/^conformance images › \S.* IMG-UPLOAD-04 refuses /)
  })
})

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { keys, loadTarget } from '../conformance/target.ts'
import { makeCertificate } from '../mocks/serving/certificate.ts'
import { mocks } from '../mocks/registry.ts'
import type { Mock } from '../mocks/registry/entry.ts'
import { helpTopics } from './commands/test/help.ts'
import { template } from './commands/init/template.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// The compiled command starts several times faster. `npm test` compiles it first.
const command = join(import.meta.dirname, '..', 'dist', 'scripts', 'touchstone.js')

function touchstone(
  words: string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = folder,
): Promise<{ status: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, ...words],
      { cwd, env: { PATH: process.env.PATH, ...environment } },
      (failure, out, error) =>
        resolve({ status: failure === null ? 0 : Number(failure.code), out, error }),
    )
  })
}

describe.concurrent('touchstone', () => {
  test.each([
    [['tset'], /unknown command 'tset'[^]*Did you mean test\?/],
    [['test', '--olny', 'x'], /unknown option '--olny'[^]*Did you mean --only\?/],
    [['test', '--only', 'IMG-UPLOD-04'], /Did you mean IMG-UPLOAD-04\?/],
    [['test', '--target', 'none.yaml'], /none\.yaml: there is no such file/],
    [['test', '--images-url', '127.0.0.1:1', '--images-account', 'a'], /has no scheme/],
    [
      ['test', '--images-url', 'http://127.0.0.1:1', '--images-account', 'a'],
      /export IMAGES_TOKEN=…, or --images-token/,
    ],
    [['test', '--hooks-triggers', 'a'], /--hooks-triggers is called --hooks-test-events now/],
    [['test', '--reporter', 'htm'], /Did you mean html\?/],
    [['test', '--report', '/proc/nowhere'], /cannot be written to \/proc\/nowhere/],
    [['help', 'tset'], /there is no command tset\. Did you mean test\?/],
  ])('%j exits with 3 and a message', async (words, message) => {
    const { status, error } = await touchstone(words)
    expect(status).toBe(3)
    expect(error).toMatch(message)
    expect(error).not.toMatch(/\n\s+at /)
  })

  const tool = { name: 'Bad', inputSchema: { type: 'object' } }
  const tools = join(folder, 'bad-tools.json')
  writeFileSync(tools, JSON.stringify({ tools: [tool] }))
  test.each([
    [['test', '--olny', 'x'], 3, /^::error title=touchstone test::unknown option '--olny'/m],
    [['compare', 'a'], 3, /^::error title=touchstone compare::compare needs two reports/m],
    [['compare', 'a.json', 'b.json'], 3, /^::error title=touchstone compare::a\.json/m],
    [
      ['types', '--out', join(folder, 'none'), '--check', '--contract', 'greeting'],
      1,
      /^::error title=touchstone types::types --check: \d files in .*%0ANext: npx touchstone types/m,
    ],
    [
      ['lint-tools', tools],
      1,
      /^::error title=touchstone lint-tools::the definitions of 1 tool have \d errors/m,
    ],
    [['test', '--bundled', '--tools-http', 'http://a'], 3, /^::error .*::--bundled tests the/m],
  ])('on GitHub Actions, %j names the reason of exit %i', async (words, exit, annotation) => {
    const onGitHub = await touchstone(words, { GITHUB_ACTIONS: 'true' })
    expect(onGitHub.out).toMatch(annotation)
    expect(onGitHub.status).toBe(exit)
    expect((await touchstone(words)).out).not.toContain('::error')
    const json = await touchstone([...words, '--json'], { GITHUB_ACTIONS: 'true' })
    expect(json.out).not.toContain('::error')
  })

  test.each([
    ['mock', '--help'],
    ['test', '--list'],
  ])('exits with 0 if the reader of `%s %s` closes the pipe', async (...words) => {
    const child = spawn(process.execPath, [command, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let error = ''
    child.stderr.on('data', (chunk) => {
      error += String(chunk)
    })
    const [status] = (await once(child, 'close')) as [number | null]
    expect([status, error]).toEqual([0, ''])
  })

  test('the help of test fits on a screen, and names every option', async () => {
    const { out } = await touchstone(['test', '--help'])
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(25)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    const all = await touchstone(['test', '--help', 'all'])
    const flags = [...all.out.split('Target options')[0]!.matchAll(/^ {2}(--[\w-]+)/gm)]
      .map(([, flag]) => flag!)
      .filter((flag) => flag !== '--concurrency')
    expect(flags.length).toBeGreaterThan(15)
    expect(flags.filter((flag) => !out.includes(flag))).toEqual(['--debug'])
    expect(all.out).toContain('Exit status:')
  })

  test('--help with a section of the target file lists its keys', async () => {
    const { out } = await touchstone(['test', '--help', 'receiver'])
    expect(out).toContain('--receiver-secret <token>')
    expect(out).not.toMatch(/--images-|--verbose/)
  })

  test('finds touchstone.yaml in a parent folder', async () => {
    const inner = join(folder, 'parent', 'inner')
    mkdirSync(inner, { recursive: true })
    writeFileSync(
      join(folder, 'parent', 'touchstone.yaml'),
      'receiver: { url: "http://127.0.0.1:9/hook" }\n',
    )
    const { error } = await touchstone(['test'], {}, inner)
    expect(error).toContain('127.0.0.1:9: connection refused')
  })

  test('the help of a mock contains only its own options', async () => {
    const { status, out } = await touchstone(['mock', 'images', '--help'])
    expect(status).toBe(0)
    expect(out).toMatch(/--max-file-bytes <bytes>[^(]+\(with\s+--stateful;\s+default:/)
    expect(out).toContain('touchstone mock images --stateful')
    expect(out).not.toMatch(/--auth|mock tools|mock hooks/)
    const all = await touchstone(['mock', 'all', '--help'])
    expect(all.out).toMatch(/--auth <pattern>[^(]+\(tools; default: none\)/)
  })

  test('the help of mock fits on a screen, and names every mock with its ports', async () => {
    const { status, out } = await touchstone(['mock', '--help'])
    expect(status).toBe(0)
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    for (const [name, { firstPort, hosts }] of Object.entries<Mock>(mocks)) {
      const last = firstPort + hosts.length - 1
      const ports = hosts.length === 1 ? `port ${firstPort}` : `ports ${firstPort} to ${last}`
      expect(out).toMatch(new RegExp(`^  ${name} +.*, on ${ports}$`, 'm'))
    }
    const all = await touchstone(['mock', 'all', '--help'])
    const flags = [...out.matchAll(/^ {2}(--[\w-]+(?: <\w+>)?) /gm)].map(([, flag]) => flag!)
    expect(flags.length).toBeGreaterThan(5)
    expect(flags.filter((flag) => !all.out.includes(`  ${flag} `))).toEqual([])
  })

  test.each(['mock all', 'listen', 'emit'])('the help of "%s" quotes no default', async (words) => {
    const { out } = await touchstone([...words.split(' '), '--help'])
    expect(out).toContain('(default: ')
    expect(out.replaceAll(/\s+/g, ' ')).not.toMatch(/default: [^)]*"/)
  })

  test('mock names every mock that does not exist', async () => {
    const { status, error } = await touchstone(['mock', 'imges', 'hoks'])
    expect([status, error]).toEqual([
      3,
      expect.stringMatching(
        /named imges\. Did you mean images\? .* named hoks\. Did you mean hooks\?/,
      ),
    ])
  })

  // The output is not a terminal here. commander then assumes 80 columns.
  test.each([
    ...['', 'test', 'clean', 'compare', 'mock', 'mock all', 'greet', 'types', 'docs', 'diff'],
    ...['emit', 'listen', 'validate', 'lint-tools', 'init'],
    ...[...helpTopics].map((topic) => `test --help ${topic}`),
  ])('the help of "%s" has at most 80 columns', async (words) => {
    const parts = words.split(' ').filter((word) => word !== '')
    const { out } = await touchstone(words.includes('--help') ? parts : [...parts, '--help'])
    expect(out.length).toBeGreaterThan(300)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('lists the checks', async () => {
    const { status, out } = await touchstone(['test', '--list', '--only', 'IMG-UPLOAD-04'])
    expect(status).toBe(0)
    expect(out).toMatch(
      /^contract images, topic upload\nIMG-UPLOAD-04 {2}must {4}\S.*\n1 checks?\n$/,
    )
  })

  test('lists only the checks of a target that options name, with the keys that are not set', async () => {
    const words = ['test', '--list', '--greeting-address', '127.0.0.1:1']
    const { status, out } = await touchstone(words)
    expect(status).toBe(0)
    expect(out).toContain('contract greeting, topic')
    expect(out).not.toContain('contract images')
    expect(out).toContain('[not set: greeting.relationship]')
    expect(out).toMatch(/\n\d+ checks of the greeting service at 127\.0\.0\.1:1\n$/)
    const file = await touchstone(['test', '--list', '--target', 'none.yaml'])
    expect(file).toMatchObject({ status: 3, out: '' })
    const other = await touchstone([...words, '--only', 'IMG-UPLOAD-04'])
    expect(other.error).toContain('the selected checks need a section images of the target')
  })

  test('exits with 3 if there is no server, and hides the token', async () => {
    const words = [
      'test',
      '--images-url',
      'http://127.0.0.1:9/v4',
      '--images-account',
      'a',
      '--report',
      'closed',
      '--json',
    ]
    const environment = { IMAGES_TOKEN: 'hush-hush' }
    const mistake = await touchstone(words, environment)
    expect(mistake).toEqual({
      status: 3,
      out: '',
      error: 'error: 127.0.0.1:9: connection refused. Is the server running? (images.url)\n',
    })
    const { status, out, error } = await touchstone([...words, '--no-preflight'], environment)
    expect(status, error).toBe(3)
    const { totals } = JSON.parse(out) as { totals: Record<string, number> }
    expect(totals).toMatchObject({ pass: 0, fail: 0, warn: 0, observed: 0, error: 0 })
    for (const name of ['report.json', 'junit.xml'])
      expect(readFileSync(join(folder, 'closed', name), 'utf8')).not.toContain('hush-hush')
  })
})

test.for(['images', 'hooks', 'receiver', 'greeting', 'tools'])(
  'init %s writes only the keys of this kind of server, and a file that loads',
  async (kind) => {
    const text = template({ section: kind, isAlone: true })
    expect(text.match(/^(# )?\w+:$/gm)).toEqual([`${kind}:`, '# suite:'])
    writeFileSync(join(folder, `${kind}.yaml`), text)
    const environment = { IMAGES_TOKEN: 'a', HOOKS_TOKEN: 'b' }
    const target = await loadTarget({ file: `${kind}.yaml`, folder, environment })
    expect(Object.keys(target).toSorted()).toEqual([kind, 'suite'].toSorted())
  },
)

test.each([
  ['images', /IMG-/, true],
  ['hooks', /EVT-/, false],
  ['receiver', /EVT-/, false],
  ['greeting', /GRT-/, false],
  ['tools', /TOOL-/, false],
] as const)('init %s shows only settings of the suite for it', (section, ids, settles) => {
  const written = template({ section, isAlone: true })
  const suite = written.slice(written.indexOf('suite:'))
  expect(suite.match(/\b[A-Z]{3,4}-(?=[A-Z])/g)?.every((id) => ids.test(id))).toBe(true)
  expect(suite.includes('patience: ')).toBe(section === 'hooks')
  expect(suite.includes('settle: ')).toBe(settles)
})

test.each([
  ['images', 'Next: fill in your addresses, export IMAGES_TOKEN=…, then: npx touchstone test\n'],
  [
    'receiver',
    'Next: fill in your addresses, then: npx touchstone test\n' +
      'If your server needs receiver.secret: remove the # before it, and export RECEIVER_SECRET=…\n',
  ],
])('init %s names the secret that the target file needs, or may need', async (kind, next) => {
  const empty = mkdtempSync(join(folder, 'init-'))
  const { status, out } = await touchstone(['init', kind], {}, empty)
  expect(status).toBe(0)
  expect(out).toBe(`touchstone.yaml was written.\n${next}`)
})

test('init refuses a name that is neither a kind of server nor a file with a known extension', async () => {
  const { status, error } = await touchstone(['init', 'image'])
  expect(status).toBe(3)
  expect(error).toContain(
    'image is neither a kind of server (images, hooks, receiver, greeting, tools)',
  )
})

test('--report refuses a file before the run', async () => {
  writeFileSync(join(folder, 'taken'), '')
  const { status, error } = await touchstone(['test', '--bundled', '--report', 'taken'])
  expect(status).toBe(3)
  expect(error).toContain('The report cannot be written to taken: it is a file')
})

test('init writes a file that loads as it is, and with all lines uncommented', async () => {
  const environment = {
    IMAGES_TOKEN: 'a',
    IMAGES_LIMITED_TOKEN: 'b',
    IMAGES_BATCH_TOKEN: 'c',
    HOOKS_TOKEN: 'd',
    RECEIVER_SECRET: 'e',
    GREETING_TOKEN: 'f',
    TOOLS_JWT_SECRET: 'g',
    TOOLS_TOKEN: 'h',
    TOOLS_CLIENT_SECRET: 'i',
    TOOLS_PASSWORD: 'j',
    TOOLS_UPSTREAM_SECRET: 'k',
    IMAGES_OTHER_TOKEN: 'l',
    TOOLS_INTROSPECTION_SECRET: 'm',
  }
  const { key, cert } = await makeCertificate()
  for (const [name, pem] of Object.entries({ ca: cert, client: cert, 'client-key': key }))
    writeFileSync(join(folder, `${name}.pem`), pem)
  writeFileSync(join(folder, 'least.yaml'), template())
  expect(
    await loadTarget({ file: 'least.yaml', folder, environment: { IMAGES_TOKEN: 'a' } }),
  ).toMatchObject({ images: { token: 'a' } })
  writeFileSync(join(folder, 'most.yaml'), template().replace(/^( *)# (?=[ \w]+:( |$))/gm, '$1'))
  const given = JSON.stringify(await loadTarget({ file: 'most.yaml', folder, environment }))
  for (const { path } of keys) expect(given).toContain(`"${path.split('.').at(-1)!}":`)
})

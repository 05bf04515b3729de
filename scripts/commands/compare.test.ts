import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verdictOf } from '../../conformance/compare/compare.testing.ts'
import { totalsOf, type Verdict } from '../../conformance/engine/index.ts'
import { version } from '../package.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeCompareCommand } from './compare.ts'
import { nameReports } from './compare/names.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))

const compare = commandOf('compare', describeCompareCommand)

/** Writes a report.json to a new folder, and returns the path of the folder. */
function report(name: string, verdicts: readonly Verdict[], change: object = {}): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  const content = {
    suite: { name: 'touchstone', version: version() },
    target: {},
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1,
    strict: false,
    seed: 1,
    exit: 0,
    totals: totalsOf(verdicts),
    skipped: [],
    profiles: [],
    left: [],
    proposals: [],
    crashes: [],
    verdicts,
    ...change,
  }
  writeFileSync(join(path, 'report.json'), JSON.stringify(content))
  return path
}

const refusal = { name: 'a', held: false, expected: 'a refusal', received: '200' }
const good = [
  verdictOf('IMG-UPLOAD-01', 'pass'),
  verdictOf('IMG-UPLOAD-04', 'pass'),
  verdictOf('IMG-UPLOAD-13', 'observed', { observations: ['status 400', 'no body'] }),
]
const bad = [
  verdictOf('IMG-UPLOAD-01', 'not covered', { reason: 'needs images.token' }),
  verdictOf('IMG-UPLOAD-04', 'fail', { expectations: [refusal] }),
  verdictOf('IMG-UPLOAD-13', 'observed', { observations: ['status 409', 'no body'] }),
]
const before = report('before', good)
const after = report('after', bad, { exit: 1 })

describe('touchstone compare with two runs', () => {
  test('compares only the checks that both runs selected', async () => {
    const part = report('part', good.slice(1), { selected: ['--only IMG-UPLOAD-04'] })
    const { status, out } = await compare(before, part)
    expect(status).toBe(0)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'The runs selected different checks: before, all checks; after, --only IMG-UPLOAD-04. Only the checks that both selected are compared. Not compared: 1 check of the first run, 0 of the second.',
    )
    expect(out).toContain('selected checks: conformant')
    expect(out).not.toContain('Checks that only')
    const json = JSON.parse((await compare(before, part, '--json')).out) as object
    expect(json).toMatchObject({ notCompared: { before: 1, after: 0 }, unchanged: 2 })
  })

  test('exits with 3 if the runs selected no check twice', async () => {
    const one = report('one', good.slice(0, 1), { selected: ['--only IMG-UPLOAD-01'] })
    const other = report('other', good.slice(1, 2), { selected: ['--only IMG-UPLOAD-04'] })
    const { status, error } = await compare(one, other)
    expect(status).toBe(3)
    expect(error).toContain('(--only IMG-UPLOAD-04) have no check in common')
  })

  test('prints what changed, and exits with 1 after a regression', async () => {
    const { status, out, error } = await compare(before, after)
    expect([status, error]).toEqual([1, ''])
    expect(out).toContain(`
No longer covered (1)
  – 1 check not covered: needs images.token
    IMG-UPLOAD-01

Newly failing (1)
  ✗ IMG-UPLOAD-04  does what is required
      before  passed
      after   failed: expected a refusal; received 200

0 checks unchanged
regression: 1 requirement newly failing (1 check)  exit 1
`)
    // Only the observation that differs.
    expect(out).toContain('      before  status 400\n      after   status 409\n')
  })

  test('on GitHub Actions, names the reason of its exit status in an annotation', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true')
    const { argv } = process
    process.argv = ['node', 'touchstone', 'compare']
    onTestFinished(() => {
      process.argv = argv
      vi.unstubAllEnvs()
    })
    const { out } = await compare(before, after)
    expect(out).toContain(
      '\n::error title=touchstone compare::regression: 1 requirement newly failing (1 check)\n',
    )
    expect((await compare(after, before)).out).not.toContain('::error')
    const missing = join(folder, 'no-report')
    const page = join(folder, 'annotated.html')
    const servers = await compare(before, after, missing, '--matrix', page)
    expect(servers.out).toMatch(/^::error title=touchstone compare::no-report: there is no /m)
    expect(servers.status).toBe(3)
  })

  test('accepts a file and a folder, and exits with 0 without a regression', async () => {
    const { status, out } = await compare(join(after, 'report.json'), before)
    expect(status).toBe(0)
    expect(out).toMatch(/Fixed \(1\)\n {2}✓ IMG-UPLOAD-04[^]*\nno regression {2}exit 0\n$/)
  })

  test('reports failures of new checks without counting them, unless with --strict', async () => {
    const old = report('old', good.slice(0, 1), {
      suite: { name: 'touchstone', version: '0.0.1' },
    })
    const next = report('next', [good[0]!, bad[1]!], { exit: 1 })
    const { status, out } = await compare(old, next)
    expect(status).toBe(0)
    expect(out).toContain(`New checks of Touchstone ${version()}, failing (1)`)
    expect(out).toContain('your server did not change')
    expect((await compare(old, next, '--strict')).status).toBe(1)
  })

  test('reads a report of another minor version with other fields', async () => {
    const old = report('old-fields', good, {
      suite: { name: 'touchstone', version: '0.0.1' },
      profiles: undefined,
      another: true,
    })
    expect((await compare(old, before)).status).toBe(0)
  })

  test('prints JSON', async () => {
    const { status, out } = await compare(before, after, '--json', '--name', 'a', '--name', 'b')
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      before: { name: 'a', exit: 0, checks: 3 },
      after: { name: 'b', exit: 1 },
      exit: 1,
      regressions: 1,
      unchanged: 0,
      groups: {
        newlyFailing: [
          {
            requirement: 'IMG-UPLOAD-04',
            before: 'pass',
            after: 'fail',
            reason: 'expected a refusal; received 200',
          },
        ],
        noLongerCovered: [{ requirement: 'IMG-UPLOAD-01' }],
        changedBehaviour: [{ observationsAfter: ['status 409', 'no body'] }],
        fixed: [],
      },
    })
  })

  test('exits with 3 if a run has no result', async () => {
    const cancelled = report('cancelled', good, { exit: 130 })
    const { status, out } = await compare(before, cancelled)
    expect(status).toBe(3)
    expect(out).toContain(`no result: ${cancelled} did not finish`)
  })
})

describe('touchstone compare with several servers', () => {
  const page = join(folder, 'pages', 'comparison.html')

  test('writes a page, and prints the result of each server', async () => {
    const { status, out, error } = await compare(
      before,
      after,
      before,
      '--matrix',
      `${folder}/pages/`,
    )
    expect([status, error]).toEqual([0, ''])
    expect(out).toBe(
      [
        'before      conformant',
        'after       not conformant: 1 requirement not met',
        'before (2)  conformant',
        'The results differ for 2 requirements, and for 1 choice that the contract leaves.',
        `page: ${page}`,
        '',
      ].join('\n'),
    )
    expect(readFileSync(page, 'utf8')).toContain('<th scope="col">before (2)</th>')
  })

  test('compares two servers with --matrix, under other names', async () => {
    const file = join(folder, 'two.html')
    const names = ['--name', 'Go', '--name', 'Rust']
    const { status, out } = await compare(before, after, '--matrix', file, ...names)
    expect(status).toBe(0)
    expect(out).toMatch(/^Go {4}conformant\nRust {2}not conformant/)
    expect(existsSync(file)).toBe(true)
  })

  test('names servers without a report, and exits with 3', async () => {
    const gone = join(folder, 'fleet', 'gone')
    const broken = report('fleet/broken', good)
    writeFileSync(join(broken, 'report.json'), '{"suite": ')
    const page = join(folder, 'fleet.html')
    const reports = [report('fleet/one', good), gone, broken, report('fleet/no-checks', [])]
    const { status, out, error } = await compare(...reports, '--matrix', page)
    expect([status, error]).toEqual([3, ''])
    expect(out).toMatch(
      /^one {8}conformant\ngone {7}no result: there is no report\.json\nbroken {5}no result: is not JSON\nno-checks {2}/,
    )
    const html = readFileSync(page, 'utf8')
    expect(html).toContain(
      '<b>gone</b></th><td><span class="fail">no result: there is no report.json</span>',
    )
    expect(html).toContain('4 implementations compared')
    const json = JSON.parse((await compare(...reports, '--json')).out) as {
      implementations: { name: string; problem?: string }[]
    }
    expect(json.implementations.map(({ name, problem }) => [name, problem])).toEqual([
      ['one', undefined],
      ['gone', 'there is no report.json'],
      ['broken', 'is not JSON'],
      ['no-checks', undefined],
    ])
    expect(await compare(gone, join(folder, 'fleet', 'other'), '--matrix', page)).toMatchObject({
      status: 3,
      error: expect.stringContaining('there is no report.json.\n       Next: '),
    })
  })

  test('with --json, prints JSON, and writes a page only if --matrix is set too', async () => {
    const { out } = await compare(before, after, before, '--json')
    const { requirements } = JSON.parse(out) as { requirements: unknown[] }
    expect(requirements[1]).toMatchObject({
      requirement: 'IMG-UPLOAD-04',
      differs: true,
      results: [{ outcome: 'pass' }, { outcome: 'fail' }, { outcome: 'pass' }],
    })
    expect(existsSync('comparison.html')).toBe(false)
  })

  test.each([
    [
      ['go/report', 'rust/report/report.json'],
      ['go', 'rust'],
    ],
    [
      ['go.json', 'out/rust.json'],
      ['go', 'rust'],
    ],
    [
      ['a/go/report', 'b/go', 'c'],
      ['a/go', 'b/go', 'c'],
    ],
    [
      ['x', 'x'],
      ['x', 'x (2)'],
    ],
  ])('names %j %j', (paths, names) => {
    expect(nameReports(paths.map((path) => `/srv/${path}`))).toEqual(names)
  })
})

describe('touchstone compare exits with 3 and a message', () => {
  const tools = report('tools', [verdictOf('TOOL-SERVER-01', 'pass')])
  const major = report('major', good, { suite: { name: 'touchstone', version: '9.0.0' } })
  const wrong = report('wrong', good, { verdicts: [{ key: 1 }] })
  const newer = report('newer', [verdictOf('IMG-UPLOAD-04', 'maybe' as 'pass')], {
    suite: { name: 'touchstone', version: '0.99.0' },
  })
  const text = join(folder, 'text.json')
  writeFileSync(text, 'hello')

  test.each([
    [[before], /compare needs two reports\.\n +Next: /],
    [
      [before, join(folder, 'none')],
      /none: there is no report\.json\.\n +Next: name a report\.json/,
    ],
    [[before, folder], /there is no report\.json/],
    [[before, text], /text\.json: is not JSON\.\n +Next: /],
    [[before, wrong], /wrong: is not a report \(\/verdicts\/0 /],
    [[before, newer], /newer: was written by Touchstone 0\.99\.0/],
    [[before, major], /major: was written by Touchstone 9\.0\.0[^\n]+\n +Next: test the server/],
    [[before, tools], /is about images, and \S+ about tools: they have no contract in common\.\n/],
    [[before, after, '--name', 'a'], /2 reports need 2 names, but --name was given 1 time/],
    [[before, after, before, '--strict'], /--strict is for two runs of one server/],
    [[before, after, '--matrix', '/proc/none/x.html'], /cannot be written[^\n]+\n +Next: /],
  ])('%#', async (words, message) => {
    const { status, out, error } = await compare(...words)
    expect([status, out]).toEqual([3, ''])
    expect(error).toMatch(message)
    expect(error).not.toContain('defect of Touchstone')
  })
})

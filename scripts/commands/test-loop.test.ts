import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { totalsOf, type Outcome } from '../../conformance/engine/index.ts'
import { commandOf, startCommand, stopAll, type CommandRun } from './command.testing.ts'
import { describe as describeCleanCommand } from './clean.ts'
import { describe as describeCompareCommand } from './compare.ts'
import { prepare } from './test/prepare.ts'
import { describe as describeTestCommand } from './test.ts'

/** A receiver that accepts deliveries with its own token, and others according to `accepts`. */
let receiver: Server
let accepts: 'every token' | 'no token' | 'its own token'
/** The number of requests that the receiver got. */
let hits = 0
let folder: string
let list: string
const commands: CommandRun[] = []
const touchstone = commandOf('test', describeTestCommand)

/** Runs `touchstone test` against the receiver. */
const run = (...args: string[]) =>
  touchstone(
    '--target',
    join(folder, 'touchstone.yaml'),
    '--report',
    join(folder, 'report'),
    ...args,
  )

beforeAll(async () => {
  receiver = createServer((request, response) => {
    hits += 1
    const token = request.headers['x-hook-token']
    const isAccepted =
      token === 'kept-for-tests' ||
      accepts === 'every token' ||
      (accepts === 'no token' && token === undefined)
    request.resume().on('end', () => response.writeHead(isAccepted ? 200 : 401).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'touchstone-loop-'))
  list = join(folder, 'expected.yaml')
  const { port } = receiver.address() as { port: number }
  await writeFile(
    join(folder, 'touchstone.yaml'),
    `receiver:\n  url: http://127.0.0.1:${port}/hook\n  secret: kept-for-tests\nsuite:\n  expected: expected.yaml\n`,
  )
})

beforeEach(() => {
  accepts = 'every token'
  return writeFile(list, '[]\n')
})

afterAll(async () => {
  await stopAll(commands)
  receiver.closeAllConnections()
  receiver.close()
  await rm(folder, { recursive: true, force: true })
})

describe('known failures', () => {
  test('--write-expected writes the list, and the next run exits with 0', async () => {
    const before = await run()
    expect(before.status, before.out).toBe(1)
    const written = await run('--write-expected')
    expect(written.error).toMatch(/expected\.yaml: \d+ known failures?, \d+ added, 0 removed/)
    expect(written.status, written.out).toBe(0)
    expect(await readFile(list, 'utf8')).toMatch(/^- id: EVT-\S+\n {2}reason: "?not met on \d{4}-/m)
    const after = await run()
    expect(after.status, after.out).toBe(0)
    expect(after.out).toContain('Known failures\n  ○ EVT-')
    expect(after.out).toMatch(/except for \d+ known failure/)
    const report = await readFile(join(folder, 'report', 'junit.xml'), 'utf8')
    expect(report).toContain('failures="0"')
    expect(report).toContain('<skipped message="known: not met on ')
  })

  test('an entry whose checks all pass is an error, and --write-expected removes it', async () => {
    await run('--write-expected')
    accepts = 'its own token'
    const stale = await run()
    expect(stale.status, stale.out).toBe(1)
    expect(stale.out).toMatch(
      /the list of known failures is out of date: \d entries no longer fail/,
    )
    expect(stale.out).toContain('● EVT-RECEIVER-10  ')
    const one = await run(
      '--only',
      'EVT-RECEIVER-10 does not acknowledge deliveries without a token',
    )
    expect(one.status, one.out).toBe(1)
    const updated = await run('--write-expected')
    expect(updated.error).toMatch(/0 known failures, 0 added, \d removed/)
    expect(updated.status, updated.out).toBe(0)
    expect(await readFile(list, 'utf8')).not.toContain('EVT-RECEIVER')
    // A run with some of the checks of an entry neither removes it nor calls it stale.
    await writeFile(list, '- id: EVT\n  reason: not ready\n')
    const partial = await run('--only', 'EVT-RECEIVER-10', '--write-expected')
    expect(partial.status, partial.out).toBe(0)
    expect(partial.error).toContain('1 known failure, 0 added, 0 removed')
  })

  test('an entry is named if no check of it fails, but some are not covered', async () => {
    await writeFile(list, '- id: EVT-RECEIVER\n  reason: not ready\n')
    accepts = 'its own token'
    const { status, error } = await run('--receiver-events', 'push')
    expect(error).toContain('but not all of their checks have a result: EVT-RECEIVER. If')
    expect(status).toBe(0)
  })

  test('--write-expected does not extend an entry whose last day has passed', async () => {
    const entry = '- id: EVT-RECEIVER-10\n  reason: issue 318\n  until: 2026-01-31\n'
    await writeFile(list, entry)
    const { status, error } = await run('--only', 'EVT-RECEIVER-10', '--write-expected')
    expect(error).toContain('1 known failure, 0 added, 0 removed\n1 entry has expired, and its')
    expect(error).toContain(': EVT-RECEIVER-10 (until 2026-01-31).\n')
    expect(status).toBe(1)
    expect(await readFile(list, 'utf8')).toBe(entry)
  })

  test.each([
    ['- id: EVT-NO-01\n  reason: x\n', 'expected.yaml:1:7  There is no requirement "EVT-NO-01"'],
    [
      '- {id: EVT, reason: x}\n- reason: x\n  id: EVT-NO-02\n- id: IMG-GTE\n  reason: x\n',
      'expected.yaml:4:7  There is no requirement "IMG-GTE"',
    ],
    ['- id: EVT-RECEIVER-10\n', 'expected.yaml:1:3  has no reason'],
    ['- id: EVT\n  reason: x\n  until: soon\n', 'expected.yaml:3:10  has a value of until'],
    ['- id: EVT\n  reason:\n', 'expected.yaml:2:10  has no reason'],
    ['- {id: EVT, reason: x, until: 2026-02-30}\n', 'is not a day'],
    ['- {id: EVT, reason: x, owner: me}\n', 'expected.yaml:1:31  has the unknown key owner'],
    ['- {id: EVT, reason: x}\n- {id: EVT, reason: y}\n', 'expected.yaml:2:8  lists EVT again'],
    ['id: EVT\n', 'expected.yaml:1:1  is not a list'],
    ['- {id: EVT\n', 'expected.yaml:2:1  is not YAML'],
    ['- EVT\n', 'expected.yaml:1:3  is not a map'],
    ['- {id: evt, reason: x}\n', 'has no valid id; expected one such as'],
    ['- {id: EVT-RECEIVER-10 a title, reason: x}\n', 'has no valid id'],
  ])('refuses the list %j', async (text, message) => {
    await writeFile(list, text)
    const { status, error } = await run()
    expect(error).toContain(message)
    expect(status).toBe(3)
  })

  test('--write-expected writes no list if nothing failed and none is named', async () => {
    accepts = 'its own token'
    const text = await readFile(join(folder, 'touchstone.yaml'), 'utf8')
    const target = join(folder, 'without-list.yaml')
    await writeFile(target, text.slice(0, text.indexOf('suite:')))
    const { error, status } = await run(
      ...['--target', target, '--only', 'EVT-RECEIVER-10', '--write-expected'],
    )
    expect(error).toBe('No failure was found, so expected.yaml was not written.\n')
    expect(status).toBe(0)
    expect(existsSync('expected.yaml')).toBe(false)
  })

  test('stops the bundled servers if the list is wrong', { timeout: 60_000 }, async () => {
    await writeFile(list, '- id: IMG-GTE\n  reason: x\n')
    const command = ['test', '--bundled', '--contract', 'greeting', '--expected', list]
    const child = startCommand(command)
    commands.push(child)
    expect(await child.ended).toBe(3)
    expect(child.output.err).toContain(`${list}:1:7  There is no requirement "IMG-GTE"`)
  })

  test('names a list that does not exist', async () => {
    await rm(list)
    const { status, error } = await run()
    expect(error).toContain('expected.yaml: there is no such file')
    expect(status).toBe(3)
  })

  test('--skip leaves checks out, and the summary names them', async () => {
    const { out, status } = await run('--skip', 'EVT-RECEIVER-10')
    expect(out).toContain('Skipped, because of --skip: EVT-RECEIVER-10')
    expect(out).not.toContain('✗ EVT-RECEIVER-10')
    expect(status).toBe(1)
    const { error } = await run('--skip', 'EVT-RECEIEVR')
    expect(error).toContain('There is no requirement "EVT-RECEIEVR"')
  })
})

describe('known failures in the target file', () => {
  let target: string
  let report: string

  beforeEach(() => {
    target = join(folder, 'listing.yaml')
    report = join(folder, 'report')
    hits = 0
  })

  /** Writes a target file with this list, whose first entry begins at 6:7. */
  const writeList = async (text: string) => {
    const lines = await readFile(join(folder, 'touchstone.yaml'), 'utf8')
    const indented = text.replace(/^(?=.)/gm, '    ')
    await writeFile(target, lines.replace('expected: expected.yaml', `expected:\n${indented}`))
  }
  const runListing = (...args: string[]) =>
    touchstone('--target', target, '--report', report, ...args)
  const entry = '- id: EVT-RECEIVER-10\n  reason: issue 318\n'

  test('are known in all reports and in compare', async () => {
    await writeList(entry)
    vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary.md'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const only = ['--only', 'EVT-RECEIVER-10']
    const reporters = ['--reporter', 'default,html,markdown,badge,github']
    const { out, status } = await runListing(...only, ...reporters)
    expect(status, out).toBe(0)
    expect(out).toMatch(/Known failures\n {2}○ EVT-RECEIVER-10 .*issue 318/)
    const names = ['junit.xml', 'report.html', 'report.md', '../summary.md']
    for (const name of names)
      expect(await readFile(join(report, name), 'utf8'), name).toContain('issue 318')
    const saved = JSON.parse(await readFile(join(report, 'report.json'), 'utf8')) as object
    const listed = [{ id: 'EVT-RECEIVER-10', reason: 'issue 318' }]
    expect(saved).toMatchObject({ target: { suite: { expected: listed } } })

    // The option replaces the list.
    const before = join(folder, 'before')
    const unlisted = await touchstone(
      ...['--target', target, '--report', before, '--expected', list, ...only],
    )
    expect(unlisted.status).toBe(1)
    const compared = await commandOf('compare', describeCompareCommand)(before, report)
    expect(compared).toMatchObject({ status: 0, error: '' })
    expect(compared.out).toMatch(/EVT-RECEIVER-10/)
  })

  test('count again after the last day, and commands to repeat need no option', async () => {
    await writeList(`${entry}  until: 2026-01-31\n`)
    const { out, status } = await runListing('--only', 'EVT-RECEIVER-10')
    expect(status, out).toBe(1)
    expect(out).toContain('known     only until 2026-01-31: issue 318\n')
    expect(out).toContain(`touchstone test --only EVT-RECEIVER-10 --target ${target}\n`)
    const given = { target, report, exchanges: 'failed', preflight: false }
    const { repeat, clean, runTarget } = (await prepare(given, 'npx touchstone test'))!
    await runTarget.close()
    expect(repeat).toBe(`npx touchstone test --only {id} --target ${target}`)
    expect(clean).toBe(`npx touchstone clean --target ${target} --report ${report}`)
    expect(await commandOf('clean', describeCleanCommand)(...clean.split(' ').slice(3))).toEqual({
      status: 0,
      out: expect.any(String),
      error: '',
    })
  })

  test('are not repeated by --failed, which knows them too', async () => {
    await writeList(entry)
    accepts = 'no token'
    const { out, status } = await runListing()
    expect(status, out).toBe(0)
    expect((await runListing('--failed')).out).toMatch(/^Nothing failed in .*report\.json/)
    await writeList('[]\n')
    expect((await runListing()).status).toBe(1)
    const repeated = await runListing('--failed')
    expect(repeated.out).toContain('✗ EVT-RECEIVER-10')
    expect(repeated.status).toBe(1)
    await writeList(entry)
    const known = await runListing('--failed')
    expect(known.out).toContain('○ EVT-RECEIVER-10')
    expect(known.status).toBe(0)
  })

  test('that no longer fail are reported with the name of the target file', async () => {
    await writeList(entry)
    accepts = 'its own token'
    const { out, status } = await runListing('--only', 'EVT-RECEIVER-10')
    expect(status, out).toBe(1)
    expect(out.replace(/\s+/g, ' ')).toContain(
      `Remove the entry from suite.expected in ${target}. `,
    )
    expect(out).not.toContain('--write-expected')
  })

  test('are not changed by --write-expected, which stops before the run', async () => {
    await writeList(entry)
    const before = await readFile(target, 'utf8')
    const { error, status } = await runListing('--write-expected')
    expect(error).toBe(
      `error: ${target} contains the list of known failures (suite.expected), which --write-expected does not change. Next: edit the list yourself, or name a file with --expected, which replaces the list.\n`,
    )
    expect(status).toBe(3)
    expect(hits).toBe(0)
    const written = await runListing('--write-expected', '--expected', list)
    expect(written.status, written.error).toBe(0)
    expect(await readFile(list, 'utf8')).toContain('- id: EVT-RECEIVER-10\n')
    expect(await readFile(target, 'utf8')).toBe(before)
  })

  test.each([
    ['- id: EVT-NO-01\n  reason: x\n', ':6:11  There is no requirement "EVT-NO-01"'],
    ['- { reason: x, id: IMG-GTE }\n', ':6:24  There is no requirement "IMG-GTE"'],
    ['- id: EVT-RECEIVER-10\n', ':6:7  suite.expected[0] has no reason'],
  ])('refuses the list %j with the location', async (text, message) => {
    await writeList(text)
    const { error, status } = await runListing()
    expect(error).toContain(`${target}${message}`)
    expect(status).toBe(3)
    expect(hits).toBe(0)
  })
})

describe('repeating', () => {
  test('--failed runs only what failed in the last report', async () => {
    accepts = 'no token'
    const first = await run('--json')
    const report = JSON.parse(first.out) as { verdicts: { verdict: Outcome; key: string }[] }
    const failed = report.verdicts.filter(({ verdict }) => ['fail', 'blocked'].includes(verdict))
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(report.verdicts.length)
    // A run of one check does not change what --failed repeats.
    const one = await run('--only', failed[0]!.key)
    const counts = totalsOf(failed.slice(1))
    if (failed.length > 1)
      expect(one.out).toContain(
        `Checks of earlier runs without a new result: ${counts.fail} failed. --failed runs them again.`,
      )
    const second = await run('--failed', '--json')
    const repeated = JSON.parse(second.out) as typeof report
    expect(repeated.verdicts.map(({ key }) => key)).toEqual(failed.map(({ key }) => key))
    accepts = 'its own token'
    const third = await run('--failed')
    expect(third.status, third.out).toBe(0)
    const nothing = await run('--failed')
    expect(nothing.out).toContain('Nothing failed in')
    expect(nothing.status).toBe(0)
  })

  test('--failed does not test the bundled servers in place of a server that is not named', async () => {
    accepts = 'no token'
    await run()
    const file = join(folder, 'report', 'report.json')
    const before = await readFile(file, 'utf8')
    const { error, status } = await touchstone('--report', join(folder, 'report'), '--failed')
    expect(error).toMatch(/--failed repeats what failed at the receiver at http:\S+\/hook, but no/)
    expect(status).toBe(3)
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  test('the report ends with the variables that its commands need', async () => {
    accepts = 'no token'
    const { error } = await run('--receiver-secret', 'kept-for-tests')
    expect(error).toContain('Next: export RECEIVER_SECRET=…\n')
    vi.stubEnv('RECEIVER_SECRET', 'kept-for-tests')
    expect((await run('--receiver-secret', 'kept-for-tests')).error).toBe('')
    vi.unstubAllEnvs()
  })

  test('the printed commands contain variables only in place of the secrets of a value', async () => {
    const repeatOf = async (metadata: string) => {
      const options = { report: join(folder, 'report'), exchanges: 'failed', preflight: false }
      const given = { ...options, greetingAddress: '127.0.0.1:1', greetingMetadata: metadata }
      const { repeat, runTarget } = (await prepare(given, 'npx touchstone test'))!
      await runTarget.close()
      return repeat
    }
    expect(await repeatOf('authorization=Bearer kept-for-tests,tenant=t1')).toContain(
      ' --greeting-metadata "authorization=Bearer $GREETING_AUTHORIZATION,tenant=t1"',
    )
    expect(await repeatOf('x-token=abc')).toContain(" --greeting-metadata '…'")
  })

  test('the printed commands contain the short options', async () => {
    const target = join(folder, 'touchstone.yaml')
    const report = join(folder, 'report')
    const given = { target, report, exchanges: 'failed', preflight: false }
    const options = { ...given, expected: list, concurrency: '2' }
    const { repeat, clean, runTarget } = (await prepare(options, 'npx touchstone test'))!
    await runTarget.close()
    expect(repeat).toContain(` --concurrency 2 --expected ${list}`)
    expect(clean).toContain(' --concurrency 2')
    expect(clean).not.toContain('expected')
    expect(`${repeat} ${clean}`).not.toContain('--suite-')
    const cleanAll = commandOf('clean', describeCleanCommand)
    expect(await cleanAll(...clean.split(' ').slice(3))).toMatchObject({ status: 0, error: '' })
  })

  test('--failed names a report that does not exist', async () => {
    await rm(join(folder, 'report'), { recursive: true, force: true })
    const { error, status } = await run('--failed')
    expect(error).toContain('report.json: there is no such file')
    expect(status).toBe(3)
  })

  test('--bail ends the run after the first failure', async () => {
    const { out, status } = await run('--bail', '--json', '--concurrency', '1')
    const { verdicts } = JSON.parse(out) as {
      verdicts: { verdict: string; reasonCode?: string }[]
    }
    expect(status).toBe(1)
    expect(verdicts.some(({ reasonCode }) => reasonCode === 'cancelled')).toBe(true)
    const shown = await run('--bail', '--concurrency', '1')
    expect(shown.out).toMatch(
      /The run ended after the first failure \(--bail\): \d+ checks have no result/,
    )
  })
})

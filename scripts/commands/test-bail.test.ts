import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Verdict } from '../../conformance/engine/index.ts'
import { faults } from '../../conformance/proof/faults/images/index.ts'
import type { EarlierFailure } from '../../conformance/report/index.ts'
import { startImages, targetOf } from '../../mocks/stateful/images.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTestCommand } from './test.ts'

// The failed responses of this server break IMG-ENVELOPE-06. Only a check that examines the
// responses to other checks fails.
const failing = 'IMG-ENVELOPE-06'
const fault = faults.find(({ name }) => name === 'one-error-for-errors')!

interface SavedReport {
  exit: number
  target: unknown
  verdicts: Verdict[]
  earlierFailures: EarlierFailure[]
}

let server: Awaited<ReturnType<typeof startImages>>
let folder: string
const touchstone = commandOf('test', describeTestCommand)

const run = (...args: string[]) =>
  touchstone(
    ...['--target', join(folder, 'touchstone.yaml'), '--report', join(folder, 'report'), ...args],
  )
const readReport = async () =>
  JSON.parse(await readFile(join(folder, 'report', 'report.json'), 'utf8')) as SavedReport
const saveReport = (report: object) =>
  writeFile(join(folder, 'report', 'report.json'), JSON.stringify(report))

beforeAll(async () => {
  server = await startImages(fault.make(() => {}))
  folder = await mkdtemp(join(tmpdir(), 'touchstone-bail-'))
  const { fetchTimeout, ...images } = targetOf(server)
  await writeFile(
    join(folder, 'touchstone.yaml'),
    JSON.stringify({ images: { ...images, fetchTimeout: `${fetchTimeout}ms` } }),
  )
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('--bail ends the run when a message shows a failure, and keeps earlier failures', async () => {
  const { out, status } = await run('--bail', '--no-preflight')
  expect(status).toBe(1)
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(/\(--bail\): \d+ checks have no result/)
  const { target, verdicts } = await readReport()
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { requirement: failing },
  ])
  const open = verdicts.filter(({ reasonCode }) => reasonCode === 'cancelled')
  expect(open.length).toBeGreaterThan(verdicts.length / 3)

  // A check that examines messages has seen some of them, but they do not show that it passes.
  const earlier = { key: open.find(({ topic }) => topic === 'envelope')!.key, verdict: 'fail' }
  await saveReport({ target, verdicts: [earlier] })
  await run('--bail', '--no-preflight')
  const after = await readReport()
  expect(after.earlierFailures).toEqual([earlier])
  expect((await run('--failed', '--list')).out).toContain(earlier.key.split(' ')[0]!)
})

test('--failed after a run that was cancelled does not say that nothing failed', async () => {
  const verdict = { key: 'IMG-GET-01 x', verdict: 'not covered', reasonCode: 'cancelled' }
  for (const exit of [3, 130]) {
    await saveReport({ exit, target: {}, verdicts: [verdict] })
    const { error, status } = await run('--failed')
    expect(error).toContain('is the report of a run without a result. Next: run npx touchstone')
    expect(status).toBe(3)
  }
})

test('--bail and --write-expected exclude each other', async () => {
  const { error, status } = await run('--bail', '--write-expected')
  expect(error).toBe('error: --bail and --write-expected exclude each other.\n')
  expect(status).toBe(3)
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults } from '../../conformance/proof/faults/images/index.ts'
import { startImages, targetOf } from '../../mocks/stateful/images.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTestCommand } from './test.ts'

// IMG-STATUS-05 examines responses with status 404. This server returns 404 to requests that must
// succeed, so the checks that send requests for --only IMG-STATUS-05 do not cause the failure.
const key = 'IMG-STATUS-05 returns 404 only for missing resources'
const sender = 'IMG-IMAGE-10 returns one delivery URL for each of many variants'
const fault = faults.find(({ name }) => name === 'create-variant-is-not-there')!

let server: Awaited<ReturnType<typeof startImages>>
let folder: string
const touchstone = commandOf('test', describeTestCommand)

const run = (...args: string[]) =>
  touchstone(
    ...['--target', join(folder, 'touchstone.yaml'), '--report', join(folder, 'report')],
    ...['--no-preflight', ...args],
  )

beforeAll(async () => {
  server = await startImages(fault.make(() => {}))
  folder = await mkdtemp(join(tmpdir(), 'touchstone-senders-'))
  const { fetchTimeout, ...images } = targetOf(server)
  await writeFile(
    join(folder, 'touchstone.yaml'),
    JSON.stringify({
      images: { ...images, fetchTimeout: `${fetchTimeout}ms` },
      suite: { settle: '0s', pictures: {} },
    }),
  )
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('--failed also runs the check that caused a failure, and the report shows how to repeat it', async () => {
  await run('--only', 'IMG-SERVICE')
  const report = { verdicts: [{ key, verdict: 'fail', sentBy: [sender] }] }
  await writeFile(join(folder, 'report', 'report.json'), JSON.stringify(report))
  const { out, status } = await run('--failed')
  expect(out).toContain('✗ IMG-STATUS-05')
  expect(out).toContain('touchstone test --only IMG-STATUS-05 --only IMG-IMAGE-10 ')
  expect(status).toBe(1)
})

test('a known failure stays known if it is selected alone', async () => {
  const list = join(folder, 'expected.yaml')
  await writeFile(list, '- id: IMG-STATUS-05\n  reason: not ready\n')
  const { out, status } = await run('--only', 'IMG-STATUS-05', '--expected', list)
  expect(out).toContain('○ IMG-STATUS-05')
  expect(status).toBe(0)
})

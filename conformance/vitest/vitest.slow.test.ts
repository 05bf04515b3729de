import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startImages, targetOf, type ImagesServer } from '../../mocks/stateful/images.ts'
import { judge } from '../judge.ts'
import type { Verdict } from '../engine/index.ts'
import { faults } from '../proof/faults/images/index.ts'
import { plan } from '../suite.ts'
import { loadTarget } from '../target.ts'

// The compiled program, which starts several times faster than the TypeScript sources. `npm test`
// compiles it first.
const program = fileURLToPath(new URL('../../dist/scripts/conformance.js', import.meta.url))

interface Report {
  verdicts: Pick<Verdict, 'key' | 'verdict'>[]
  left: string[]
}

/** Runs `npm run conformance` in a new process, because vitest cannot run within vitest. */
async function runConformance(
  target: object,
  words: readonly string[],
  interrupt?: Promise<void>,
): Promise<{ status: number; out: string; report: Report }> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-vitest-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'touchstone.yaml'), JSON.stringify(target))
  const { status, out } = await new Promise<{ status: number; out: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...words],
      { cwd: folder, env: { PATH: process.env.PATH, NO_COLOR: '1' } },
      (failure, stdout, stderr) =>
        resolve({ status: Number(failure?.code ?? 0), out: stdout + stderr }),
    )
    void interrupt?.then(() => child.kill('SIGINT'))
  })
  const report = JSON.parse(readFileSync(join(folder, 'report', 'report.json'), 'utf8')) as Report
  return { status, out, report }
}

const outcomesOf = (verdicts: Report['verdicts']) =>
  Object.fromEntries(verdicts.map(({ key, verdict }) => [key, verdict]))

/** A target file for a server, without the keys that slow checks need. */
const targetFor = (server: ImagesServer) => ({
  images: { ...targetOf(server), maxFileBytes: undefined, fetchTimeout: undefined },
})

const selection = { topics: ['upload', 'tickets'] }

describe('vitest as a host', () => {
  test.each([
    ['a conforming server', undefined, 0],
    ['a server that accepts a file and a URL together', 'url-wins-over-file', 1],
    ['a server that refuses private tickets', 'private-ticket-is-refused', 1],
  ] as const)('returns the same verdicts as the command for %s', async (_, fault, status) => {
    const broken = faults.find(({ name }) => name === fault)
    expect(broken?.name).toBe(fault)
    const server = await startImages(broken?.make(() => {}))
    onTestFinished(() => server.close())
    const target = await loadTarget({ text: JSON.stringify(targetFor(server)) })
    const planned = await plan(selection, ['images'])
    const { verdicts, crashes } = await judge({ target, selection, planned })
    expect(crashes).toEqual([])
    expect(verdicts.some(({ verdict }) => verdict === 'fail')).toBe(status === 1)

    const seen = await runConformance(targetFor(server), ['--topic', selection.topics.join()])
    expect(outcomesOf(seen.report.verdicts)).toEqual(outcomesOf(verdicts))
    expect(seen.status, seen.out).toBe(status)
    const failure = verdicts.find(({ verdict }) => verdict === 'fail')
    if (failure !== undefined) {
      const [finding] = failure.expectations.filter(({ held }) => !held)
      expect(seen.out).toContain(`expected  ${finding!.expected}`)
      expect(seen.out).toContain(`npm run conformance -- --only ${failure.requirement}`)
    }
    expect(server.store.images.size).toBe(0)
  })

  test('runs only the checks whose names -t matches, and fails if it matches none', async () => {
    const server = await startImages()
    onTestFinished(() => server.close())
    const target = targetFor(server)
    const one = await runConformance(target, ['-t', 'IMG-UPLOAD-04'])
    expect(one.report.verdicts.map(({ verdict }) => verdict)).toEqual(['pass'])
    expect(one.status, one.out).toBe(0)
    const none = await runConformance(target, ['-t', 'NONE-01'])
    expect(none.status, none.out).toBe(3)
  })

  test('ends with status 1 if a known failure is stale, as the command does', async () => {
    const server = await startImages()
    onTestFinished(() => server.close())
    const expected = [{ id: 'IMG-UPLOAD-04', reason: 'corrected long ago' }]
    const target = { ...targetFor(server), suite: { expected } }
    const { status, out, report } = await runConformance(target, ['--only', 'IMG-UPLOAD-04'])
    expect(report.verdicts.map(({ verdict }) => verdict)).toEqual(['stale'])
    expect(out).toContain('no longer fail: IMG-UPLOAD-04')
    expect(status, out).toBe(1)
  })

  test('deletes what it created if it is cancelled', async () => {
    let stored!: () => void
    const interrupt = new Promise<void>((resolve) => (stored = resolve))
    const server = await startImages({
      delayMs: 20,
      around: async (_call, next) => {
        const answer = await next()
        if (server.store.images.size > 3) stored()
        return answer
      },
    })
    onTestFinished(() => server.close())
    const { status, out, report } = await runConformance(targetFor(server), [], interrupt)
    expect(status, out).toBe(130)
    expect(report.left).toEqual([])
    expect(server.store.images.size).toBe(0)
  })
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Verdict } from '../engine/index.ts'

const here = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href)

/** Hosts a suite file in a process of its own, as the command does: vitest inside of vitest would meet itself. */
async function hosted(suite: string, { abortAfter = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-host-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'fake.suite.ts'), suite)
  const driver = join(folder, 'driver.ts')
  await writeFile(
    driver,
    `import { host } from ${here('host.ts')}
const planned = ['IMG-UPLOAD-01', 'IMG-UPLOAD-02', 'IMG-UPLOAD-04'].map((requirement) => ({ key: requirement + ' works', requirement, title: 'works', contract: 'images', topic: 'upload', level: 'must', needs: [] }))
const target = { images: { url: 'http://127.0.0.1:9', account: 'a', token: 'top-secret', state: true }, suite: { settle: 0, pace: 0, concurrency: 8, timeout: 1000 } }
const off = new AbortController()
if (${abortAfter} > 0) setTimeout(() => off.abort(), ${abortAfter})
const came: string[] = []
const result = await host({ target, planned, signal: off.signal, file: ${JSON.stringify(join(folder, 'fake.suite.ts'))}, onVerdict: ({ key }) => came.push(key) })
process.stdout.write(JSON.stringify({ ...result, came, exitCode: process.exitCode ?? null, listeners: process.listenerCount('SIGINT') }))
`,
  )
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), driver],
    {
      cwd: folder,
      env: { PATH: process.env.PATH },
    },
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout) as {
    verdicts: Verdict[]
    left: string[]
    came: string[]
    exitCode: number | null
    listeners: number
  }
}

const fake = (verdictOf: string, more = '') => `
import { declareChecks } from ${here('declare.ts')}
const verdict = (requirement, rest) => ({ key: requirement + ' works', requirement, title: 'works', contract: 'images', topic: 'upload', role: 'server', level: 'must', expectations: [], exchanges: [], durationMs: 1, ...rest })
await declareChecks(async (target, { signal }) => ({
  planned: ['IMG-UPLOAD-01', 'IMG-UPLOAD-02', 'IMG-UPLOAD-04'].map((requirement) => ({ key: requirement + ' works', requirement })),
  verdict: ${verdictOf},
  finish: async () => ({ left: ['image top-secret-1'] }),
}))
${more}`

describe('the host', () => {
  test('brings back every verdict without secrets, says nothing, and leaves the exit status alone', async () => {
    const outcomes = `{ 'IMG-UPLOAD-01': 'fail', 'IMG-UPLOAD-02': 'blocked', 'IMG-UPLOAD-04': 'warn' }`
    const run = await hosted(
      fake(
        `async (key) => verdict(key.slice(0, 13), { verdict: (${outcomes})[key.slice(0, 13)], reason: 'sent top-secret' })`,
        `console.log('noise')`,
      ),
    )
    expect(run.verdicts.map(({ verdict }) => verdict)).toEqual(['fail', 'blocked', 'warn'])
    expect(run.verdicts[0]!.reason).toBe('sent $IMAGES_TOKEN')
    expect(run.came).toHaveLength(3)
    expect(run).toMatchObject({ left: ['image $IMAGES_TOKEN-1'], exitCode: null, listeners: 0 })
  })

  test('makes an error of every check of which nothing is heard', async () => {
    const { verdicts, came } = await hosted(`throw new Error('no suite here')`)
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['error', 'error', 'error'])
    expect(verdicts[0]!.reason).toContain('no suite here')
    expect(came).toHaveLength(3)
  })

  test('tells the engine of a run that is called off, and waits for its cleaning up', async () => {
    const verdict = `(key) => key.includes('01') ? Promise.resolve(verdict('IMG-UPLOAD-01', { verdict: 'pass' })) : new Promise((resolve) => signal.addEventListener('abort', () => resolve(verdict(key.slice(0, 13), { verdict: 'not covered' }))))`
    const { verdicts, left } = await hosted(fake(verdict), { abortAfter: 2500 })
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'not covered', 'not covered'])
    expect(left).toHaveLength(1)
  })
}, 30_000)

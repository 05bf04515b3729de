import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The compiled command starts several times faster. `npm test` compiles it first.
const command = join(import.meta.dirname, '..', 'dist', 'scripts', 'touchstone.js')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-signals-'))
const token = 'images-token'
const environment = { PATH: process.env.PATH, IMAGES_TOKEN: token }

const start = (words: readonly string[]) =>
  spawn(process.execPath, [command, ...words], { cwd: folder, env: environment })

let mock: ReturnType<typeof start>
let url: string

beforeAll(async () => {
  // A short delay, so that a signal arrives while the run waits for responses.
  const words = ['--stateful', '--latency', '20', '--port', '0', '--json']
  mock = start(['mock', 'images', ...words])
  const ended = once(mock, 'close').then(() => {
    throw new Error('the mock ended')
  })
  const [line] = (await Promise.race([once(mock.stdout, 'data'), ended])) as [Buffer]
  ended.catch(() => {})
  const { mocks } = JSON.parse(String(line)) as { mocks: { images: { urls: { account: string } } } }
  url = mocks.images.urls.account
})
afterAll(async () => {
  mock.kill('SIGHUP')
  expect((await once(mock, 'close'))[0]).toBe(0)
  rmSync(folder, { recursive: true })
})

/** Starts a test of the mock, and resolves when it has printed its first lines. */
async function startTest(...words: string[]) {
  const child = start(['test', '--images-url', url, '--images-account', 'acc-1', ...words])
  let error = ''
  child.stderr.on('data', (chunk) => {
    error += String(chunk)
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  await once(child.stdout, 'data')
  return { child, end: async () => ({ status: (await closed)[0], error }) }
}

/** The number of images that the account contains. */
async function countImages(): Promise<number> {
  const response = await fetch(`${url}/accounts/acc-1/images/v2`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { result } = (await response.json()) as { result: { images: unknown[] } }
  return result.images.length
}

test('a run goes on when the reader of its output closes the pipe, as head does', async () => {
  const { child, end } = await startTest('--only', 'IMG-UPLOAD', '--report', 'piped')
  child.stdout.destroy()
  expect(await end()).toEqual({ status: 0, error: '' })
  expect(existsSync(join(folder, 'piped', 'report.json'))).toBe(true)
  expect(await countImages()).toBe(0)
})

// Writes to this device fail as on a full disk. It exists on Linux only.
const full = '/dev/full'

describe.runIf(existsSync(full))('on a full disk', () => {
  /** Runs a command whose output is the full disk. */
  async function runOnFull(words: readonly string[]) {
    const file = openSync(full, 'w')
    const child = spawn(process.execPath, [command, ...words], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', file, 'pipe'],
    })
    closeSync(file)
    let error = ''
    child.stderr!.on('data', (chunk) => {
      error += String(chunk)
    })
    const [status] = (await once(child, 'close')) as [number | null]
    return { status, error }
  }

  const said = 'The output is incomplete: the disk is full.\n'

  test('a run goes on, deletes what it created, writes reports, and keeps its status', async () => {
    const words = ['test', '--images-url', url, '--images-account', 'acc-1', '--report', 'full']
    expect(await runOnFull([...words, '--only', 'IMG-UPLOAD'])).toEqual({ status: 0, error: said })
    expect(existsSync(join(folder, 'full', 'report.json'))).toBe(true)
    expect(await countImages()).toBe(0)
  })

  test.each<[string[], number]>([
    [['--help'], 0],
    [['emit', '--list'], 3],
    [['emit', '--all', '--print'], 3],
  ])('%j says so', async (words, status) => {
    expect(await runOnFull(words)).toEqual({ status, error: said })
  })
})

test.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
  'a run that gets %s deletes what it created, and exits with 130',
  async (signal) => {
    const { child, end } = await startTest('--report', signal)
    while ((await countImages()) === 0) expect(child.exitCode).toBeNull()
    child.kill(signal)
    // After SIGHUP, the terminal no longer exists.
    if (signal === 'SIGHUP') child.stdout.destroy()
    const { status, error } = await end()
    expect(status).toBe(130)
    expect(error).toBe(
      '\ncancelled: deleting what the run created; press Ctrl-C again to exit immediately\n',
    )
    expect(await countImages()).toBe(0)
  },
)

import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandOf } from './command.testing.ts'
import { describe as describeTestCommand } from './test.ts'

const touchstone = fileURLToPath(new URL('../touchstone.ts', import.meta.url))
const hint = 'when a server restarts'

/** A receiver that accepts every token while `isBroken` is true, otherwise only its own token. */
let receiver: Server
let port = 0
let isBroken = true
let folder: string
let child: ChildProcessByStdio<Writable, Readable, Readable> | undefined

const startReceiver = async () => {
  receiver = createServer((request, response) => {
    const isAccepted = isBroken || request.headers['x-hook-token'] === 'kept-for-tests'
    request.resume().on('end', () => response.writeHead(isAccepted ? 200 : 401).end())
  })
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve))
  ;({ port } = receiver.address() as AddressInfo)
}
const stopReceiver = () =>
  new Promise((resolve) => {
    receiver.close(resolve)
    receiver.closeAllConnections()
  })

beforeEach(async () => {
  isBroken = true
  await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'touchstone-watch-'))
  await writeFile(
    join(folder, 'touchstone.yaml'),
    `receiver:\n  url: http://127.0.0.1:${port}/hook\n  secret: kept-for-tests\n`,
  )
})

afterEach(async () => {
  child?.kill('SIGKILL')
  child = undefined
  await stopReceiver()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the command. The result presses keys, and reads the output up to a string. */
function startWatching(...words: string[]) {
  child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', touchstone, 'test', '--watch'],
      ...['--target', join(folder, 'touchstone.yaml'), '--report', join(folder, 'report')],
      ...['--only', 'EVT-RECEIVER-10', ...words],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
  )
  const { stdin, stdout, stderr } = child
  let hasEnded = false
  const ended = new Promise<number | null>((resolve) =>
    child!.once('close', (code) => {
      hasEnded = true
      resolve(code)
    }),
  )
  let unread = ''
  let notify = () => {}
  for (const stream of [stdout, stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      unread += text
      notify()
    })
  const readUntil = async (awaited: string) => {
    while (!unread.includes(awaited)) {
      if (hasEnded) throw new Error(`the command ended after:\n${unread}`)
      await Promise.race([new Promise<void>((resolve) => (notify = resolve)), ended])
    }
    const at = unread.indexOf(awaited) + awaited.length
    const read = unread.slice(0, at)
    unread = unread.slice(at)
    return read
  }
  return {
    press: (key: string) => stdin.write(`${key}\n`),
    readUntil,
    readUntilHint: () => readUntil(hint),
    ended,
  }
}

test('runs again when a key is pressed and after a restart, and prints what has changed', async () => {
  const { press, readUntil, readUntilHint, ended } = startWatching('--no-preflight')
  expect(await readUntilHint()).toMatch(/\d+ failed/)

  isBroken = false
  press('r')
  const again = await readUntilHint()
  expect(again).toMatch(/Fixed \(\d+\)/)
  expect(again).toContain('\nno regression\n')
  expect(again.match(/ {2}exit \d/g)).toEqual(['  exit 0'])

  isBroken = true
  await stopReceiver()
  await readUntil('a server does not listen')
  await startReceiver()
  expect(await readUntilHint()).toMatch(/Newly failing \(\d+\)/)

  press('f')
  const failed = await readUntilHint()
  expect(failed).toMatch(/\d+ failed/)
  expect(failed).not.toContain('Newly failing')
  expect(failed).toContain('\nno regression, but not conformant: 1 requirement not met')

  await writeFile(join(folder, 'touchstone.yaml'), 'receiver: [')
  press('r')
  expect(await readUntilHint()).toContain('error: ')

  press('q')
  expect(await ended).toBe(3)
})

test('waits for a server that has not been started yet', async () => {
  await stopReceiver()
  const { readUntil, readUntilHint } = startWatching()
  await readUntil(
    `127.0.0.1:${port}: connection refused; the first run starts when the server listens\n`,
  )
  await startReceiver()
  expect(await readUntilHint()).toMatch(/1 failed/)
})

test('does not wait longer than --wait', async () => {
  await stopReceiver()
  const { ended } = startWatching('--wait', '1ms')
  expect(await ended).toBe(3)
  await startReceiver()
})

test('a signal ends the command with the status of the last run', async () => {
  const { readUntilHint, ended } = startWatching('--no-preflight')
  await readUntilHint()
  child!.kill('SIGTERM')
  expect(await ended).toBe(1)
})

test.each(['--json', '--list', '--write-expected'])('cannot be combined with %s', async (flag) => {
  const { status, error } = await commandOf('test', describeTestCommand)('--watch', flag)
  expect([status, error]).toEqual([3, `error: --watch and ${flag} exclude each other.\n`])
})

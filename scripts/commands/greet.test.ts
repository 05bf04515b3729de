import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startGreeting, type GreetingOptions } from '../../mocks/stateful/greeting.ts'
import { UsageError } from '../print-error.ts'
import { responseLine } from './greet/print.ts'
import { greet } from './greet/run.ts'
import type { GreetOptions } from './greet/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-greet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function mock(options: GreetingOptions = {}) {
  const server = await startGreeting(options)
  closing.push(() => server.close())
  return server
}

const collect = (stream: PassThrough) => {
  let text = ''
  stream.on('data', (piece: Buffer) => (text += piece.toString()))
  return () => text
}

/** Runs the command in this process. */
async function greeting(
  address: string,
  names: string[],
  options: GreetOptions = {},
  input = new PassThrough(),
) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const [out, err] = [collect(output), collect(errors)]
  const status = await greet(address, names, options, { input, output, errors })
  return { status, out: out(), err: err() }
}

describe('touchstone greet', () => {
  test('greets the names of the command line, prints times, and finds the service', async () => {
    const { address } = await mock({ service: 'examples.Salutations' })
    const { status, out, err } = await greeting(address, ['Ada', '王小明'])
    expect(out).toMatch(/^\+\d+ ms +Hello, Ada! {3}\d{4}-\S+\n\+\d+ ms +Hello, 王小明! {3}\S+\n$/)
    expect(err).toMatch(/^OK \(0\): 2 requests, 2 responses, \d+ ms\n$/)
    expect(status).toBe(0)
  })

  test('says that a token is needed if the server refuses to list its services', async () => {
    const { address } = await mock({ token: 'hush' })
    expect(await greeting(address, ['Ada'])).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(
        /^error: the server refuses requests without a valid token: .*UNAUTHENTICATED.*\n *Next: send it with --metadata, such as --metadata 'authorization=Bearer …'\n$/,
      ) as string,
    })
  })

  test('says that a token was refused', async () => {
    const { address } = await mock({ token: 'hush' })
    const { status, err } = await greeting(address, ['Ada'], {
      metadata: ['Authorization=Bearer other'],
    })
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(
        /^error: the server refuses the token: .*UNAUTHENTICATED.*\n *Next: check authorization in --metadata\n$/,
      ),
    ])
  })

  test('greets names from a pipe, and prints responses as they arrive', async () => {
    const { address, service } = await mock()
    const input = new PassThrough()
    const [output, errors] = [new PassThrough(), new PassThrough()]
    const out = collect(output)
    const ended = greet(address, [], { service, json: true }, { input, output, errors })
    input.write('Ada\n\n')
    while (!out().includes('Ada')) await new Promise((resolve) => setTimeout(resolve, 10))
    input.end('Grace')
    expect(await ended).toBe(0)
    const lines = out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { message: 'Hello, Ada!' },
      { message: 'Hello, Grace!' },
      { end: { status: 0, requests: 2, responses: 2 } },
    ])
  })

  test('accepts metadata, certificates, and the name of the service', async () => {
    const { address, ca } = await mock({
      tls: true,
      token: 'hush',
      choices: { reflection: 'none' },
    })
    writeFileSync(join(folder, 'ca.pem'), ca!)
    const more = { metadata: ['authorization=Bearer hush'], service: 'examples.GreetingService' }
    expect(await greeting(address, ['Ada'], { ca: join(folder, 'ca.pem'), ...more })).toMatchObject(
      { status: 0, out: expect.stringContaining('Hello, Ada!') as string },
    )
    expect((await greeting(address, ['Ada'], { insecure: true, ...more })).status).toBe(0)
    expect(await greeting(address, ['Ada'], { tls: true, ...more })).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/not trusted\n +Next: --ca FILE/) as string,
    })
    expect(await greeting(address, ['Ada'], more)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/Next: if the server uses TLS/) as string,
    })
    const unauthenticated = await greeting(address, ['Ada'], {
      insecure: true,
      service: more.service,
    })
    expect(unauthenticated).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/^UNAUTHENTICATED \(16\) ".*": 1 request, 0 responses/) as string,
    })
    expect((await greeting(address, ['Ada'], { insecure: true })).err).toMatch(
      /Next: set it with --service/,
    )
  })

  test('exits with 1 if there is no server, no such method, or no TLS', async () => {
    const { address } = await mock()
    expect(await greeting('127.0.0.1:9', ['Ada'])).toMatchObject({
      status: 1,
      err: 'error: 127.0.0.1:9: connection refused\n',
    })
    expect(await greeting(address, ['Ada'], { service: 'examples.Absent' })).toMatchObject({
      status: 1,
      err: expect.stringContaining('UNIMPLEMENTED (12)') as string,
    })
    expect(await greeting(address, ['Ada'], { insecure: true })).toMatchObject({
      status: 1,
      err: expect.stringMatching(/Next: remove --tls/) as string,
    })
  })

  test('escapes control characters in greetings', async () => {
    const { address } = await mock({
      around: (call, next) => {
        const send = call.send.bind(call)
        call.send = () => send({ message: 'a\u001b[2Jb\nc', server_timestamp: 'now' })
        return next()
      },
    })
    expect((await greeting(address, ['Ada'])).out).toMatch(/a␛\[2Jb␤c {3}now\n$/)
  })

  test.each<[string, GreetOptions, RegExp]>([
    ['localhost', {}, /ADDRESS must be host:port, such as 127\.0\.0\.1:8080, not localhost/],
    ['http://h.example:7000/', {}, /Next: npx touchstone greet h\.example:7000$/],
    ['localhost:1', { metadata: ['x'] }, /--metadata must be name=value/],
    ['localhost:1', { metadata: ['te=x'] }, /contains te, which the protocol sets itself/],
    [
      'localhost:1',
      { ca: '/nowhere.pem' },
      /--ca: \/nowhere\.pem cannot be read: there is no such file/,
    ],
    ['localhost:1', { ca: 'package.json' }, /package\.json contains no certificate/],
    ['localhost:1', { insecure: true, ca: 'x' }, /remove one of them/],
    ['localhost:1', { cert: 'x' }, /--cert and --key must be set together/],
  ])('%s with %j is a usage error', async (address, options, message) => {
    const error: unknown = await greeting(address, [], options).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as Error).message).toMatch(message)
  })

  test('as a command, exits when the server ends the stream, even if the input stays open', async () => {
    const { address } = await mock({ choices: { streamLimit: 2 } })
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../touchstone.ts'), 'greet', address],
      { stdio: 'pipe' },
    )
    let [out, err] = ['', '']
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
    child.stdin.on('error', () => {})
    child.stdin.write('Ada\nGrace\nLinus\n')
    const status = await new Promise((resolve) => child.on('close', resolve))
    expect([status, out.split('\n').length - 1], err).toEqual([1, 2])
    expect(err).toMatch(/^RESOURCE_EXHAUSTED \(8\)/)
  })

  test('exits silently when its output is closed', async () => {
    const { address } = await mock()
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../touchstone.ts'), 'greet', address],
      { stdio: 'pipe' },
    )
    let errors = ''
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
    child.stdin.on('error', () => {}).write('Ada\n')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    child.stdin.write('Grace\n')
    expect([await new Promise((resolve) => child.on('close', resolve)), errors]).toEqual([141, ''])
  })

  test('exits with 130 when it is interrupted', async () => {
    const { address } = await mock()
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../touchstone.ts'), 'greet', address],
      { stdio: 'pipe' },
    )
    child.stdin.write('Ada\n')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
  })
})

test.each([
  [1, '1 byte, ff)'],
  [24, `24 bytes, ${'ff'.repeat(24)})`],
  [25, `25 bytes, ${'ff'.repeat(24)}…)`],
])('a response of %i bytes that cannot be decoded is counted and shown', (length, shown) => {
  const bytes = Buffer.alloc(length, 0xff)
  const message = { bytes } as Parameters<typeof responseLine>[0]
  expect(responseLine(message, 7, false)).toBe(`+7 ms      (not a GreetingResponse: ${shown}`)
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { greet } from './greet/run.ts'
import { startCommand, stopAll, untilPrinted, type CommandRun } from './command.testing.ts'

const started: CommandRun[] = []
afterEach(() => stopAll(started))

function mock(...args: string[]): CommandRun {
  const run = startCommand(['mock', 'greeting', ...args])
  started.push(run)
  return run
}

test('prints commands that call the greeting mock, also over TLS and with a token', async () => {
  const plain = mock('--port', '0')
  await untilPrinted(plain, 'Ctrl-C')
  expect(plain.output.out).toMatch(/rpc +127\.0\.0\.1:\d+ +none\n/)
  expect(plain.output.out).toMatch(/npx touchstone greet 127\.0\.0\.1:\d+ Ada\n/)
  const secured = mock('--port', '0', '--tls', '--token', 'hush', '--json')
  await untilPrinted(secured, '\n')
  const {
    target: { greeting },
  } = JSON.parse(secured.output.out) as {
    target: { greeting: { address: string; tls: { ca: string }; metadata: object } }
  }
  expect(greeting.metadata).toEqual({ authorization: 'Bearer hush' })
  const ca = await readFile(greeting.tls.ca)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(
      {
        host: '127.0.0.1',
        port: Number(greeting.address.split(':')[1]),
        ca,
        ALPNProtocols: ['h2'],
      },
      () => {
        expect(socket.alpnProtocol).toBe('h2')
        socket.destroy()
        resolve()
      },
    ).on('error', reject)
  })
  secured.child.kill('SIGINT')
  expect(await secured.ended).toBe(0)
  await expect(readFile(greeting.tls.ca)).rejects.toThrow('ENOENT')
})

test('exits at the next line of the request log that cannot be written', async () => {
  const run = startCommand(['mock', 'hooks', '--port', '0', '--json'])
  started.push(run)
  await untilPrinted(run, '\n')
  const { mocks } = JSON.parse(run.output.out) as { mocks: { hooks: { urls: { api: string } } } }
  run.child.stdout!.destroy()
  run.child.stderr!.destroy()
  const { status } = await fetch(mocks.hooks.urls.api)
  expect([status, await run.ended]).toEqual([404, 141])
  await expect(fetch(mocks.hooks.urls.api)).rejects.toThrow('fetch failed')
})

test('requires a client certificate with --client-ca', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [cert, key] = [join(folder, 'client.pem'), join(folder, 'client.key')]
  const generated = await generate([{ name: 'commonName', value: 'a caller' }], {
    keyType: 'ec',
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  await Promise.all([writeFile(cert, generated.cert), writeFile(key, generated.private)])
  const run = mock('--port', '0', '--client-ca', cert, '--json')
  await untilPrinted(run, '\n')
  const {
    target: {
      greeting: {
        address,
        tls: { ca },
      },
    },
  } = JSON.parse(run.output.out) as {
    target: { greeting: { address: string; tls: { ca: string } } }
  }
  const exitStatus = async (options: object) =>
    greet(address, ['Ada'], options, {
      input: new PassThrough(),
      output: new PassThrough().resume(),
      errors: new PassThrough().resume(),
    })
  expect([await exitStatus({ ca, cert, key }), await exitStatus({ ca })]).toEqual([0, 1])
})

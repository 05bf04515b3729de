import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../mocks/serving/certificate.ts'
import { mockOf, mocks, type Running } from '../../mocks/registry.ts'
import { startCommand, stopAll, untilPrinted, type CommandRun } from './command.testing.ts'
import type { MockOptions } from './mock/options.ts'
import { asJson, asText } from './mock/print.ts'
import { servingOf } from './mock/serving.ts'
import { removeTemporaryFiles } from './mock/temporary-files.ts'
import { tlsOf } from './mock/tls.ts'

vi.setConfig({ testTimeout: 30_000 })
const started: Running[] = []
const runs: CommandRun[] = []
afterEach(async () => {
  await Promise.all([...started.splice(0).map((mock) => mock.close()), stopAll(runs)])
})

afterAll(removeTemporaryFiles)

async function start(name: string, options: MockOptions): Promise<Running> {
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const tls = await tlsOf(options)
  const mock = await startMock({
    kind: 'stateful',
    ports,
    serving: servingOf(name, options, { tls }),
  })
  started.push(mock)
  return mock
}

/** Returns the status of a response, or the code of the error. */
function statusOf(url: string, options: { ca?: string; host?: string } = {}): Promise<unknown> {
  const { ca, host } = options
  const send = url.startsWith('https:') ? requestSecurely : request
  return new Promise((resolve) => {
    send(url, { ca, agent: false, ...(host === undefined ? {} : { headers: { host } }) })
      .on('response', (response) => {
        resolve(response.statusCode)
        response.destroy()
      })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end()
  })
}

test.each(Object.keys(mocks))('the mock %s uses TLS with a generated certificate', async (name) => {
  const options = { tls: true, host: 'localhost' }
  const tls = await tlsOf(options)
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const serving = servingOf(name, options, { tls })
  const mock = await startMock({ kind: 'contract', ports, serving })
  started.push(mock)
  const shown = new Map([[name, mock]])
  const printed = { caFile: tls!.caFile, seeded: undefined }
  const text = asText(shown, { ...printed, targetFile: 'target.json' })
  expect(JSON.parse(asJson(shown, printed))).toMatchObject({ ca: tls!.caFile })
  if (name === 'greeting') {
    expect(mock.target).toMatchObject({ tls: { ca: tls!.caFile } })
    expect(text).toContain(`--ca ${tls!.caFile}`)
    return
  }
  const ca = await readFile(tls!.caFile!, 'utf8')
  for (const url of Object.values(mock.urls)) {
    expect(url).toMatch(/^https:\/\/localhost:\d+/)
    expect(await statusOf(url, { ca })).toEqual(expect.any(Number))
    expect(await statusOf(url)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  }
  expect(text).toContain(`curl --cacert ${tls!.caFile} `)
  expect(text).toContain(`NODE_EXTRA_CA_CERTS=${tls!.caFile} npx touchstone test`)
})

test('a certificate of the user is used, and must fit its key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [one, other] = [await makeCertificate(), await makeCertificate()]
  const [tlsCert, tlsKey, wrongKey] = ['cert', 'key', 'wrong'].map((file) => join(folder, file))
  await Promise.all([
    writeFile(tlsCert!, one.cert),
    writeFile(tlsKey!, one.key),
    writeFile(wrongKey!, other.key),
  ])
  const { urls } = await start('receiver', { tlsCert: tlsCert!, tlsKey: tlsKey! })
  expect(await statusOf(urls['receiver']!, { ca: one.cert })).toBe(405)
  expect(await statusOf(urls['receiver']!, { ca: other.cert })).not.toBe(405)
  await expect(tlsOf({ tlsCert: tlsCert!, tlsKey: wrongKey! })).rejects.toThrow('cannot be used: ')
  await expect(tlsOf({ tlsCert: tlsCert! })).rejects.toThrow('--tls-key must be set together')
  await expect(tlsOf({ tlsCert: 'absent', tlsKey: tlsKey! })).rejects.toThrow('no such file')
})

test('a tool server on every address accepts any IP address as its host, but no other name', async () => {
  const { urls } = await start('tools', { host: '0.0.0.0' })
  expect(urls['mcp']).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(await statusOf(urls['mcp']!, { host: '192.0.2.1:80' })).toBe(400)
  expect(await statusOf(urls['mcp']!, { host: 'rebound.example' })).toBe(403)
  const usual = await start('tools', {})
  expect(await statusOf(usual.urls['mcp']!, { host: '192.0.2.1:80' })).toBe(403)
})

test('a --host that does not belong to this machine is a usage error', async () => {
  const run = startCommand(['mock', 'receiver', '--host', '192.0.2.1', '--port', '0'])
  runs.push(run)
  expect(await run.ended).toBe(3)
  expect(run.output.err).toContain('--host 192.0.2.1 is not an address or a name of this machine')
})

test('variables set the host and ports, and touchstone test reads the printed target', async () => {
  const variables = { TOUCHSTONE_HOST: 'localhost', TOUCHSTONE_PORT: '1,hooks=0,greeting=0' }
  const run = startCommand(['mock', 'hooks', 'greeting', '--stateful', '--tls'], variables)
  runs.push(run)
  await untilPrinted(run, 'touchstone test')
  const [, ca, file] = /^NODE_EXTRA_CA_CERTS=(\S+) npx touchstone test --target (\S+)$/m.exec(
    run.output.out,
  )!
  const only = ['--only', 'HOOK-CREATE-01,GRT-SERVICE-02', '--strict']
  const judged = startCommand(['test', '--target', file!, ...only], { NODE_EXTRA_CA_CERTS: ca })
  runs.push(judged)
  expect(await judged.ended, judged.output.out + judged.output.err).toBe(0)
  expect(run.output.err).toContain('hooks POST /api/v4/projects/42/hooks 201')
})

import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodings } from '../../conformance/wire/secrets.testing.ts'
import { commandOf } from './command.testing.ts'
import { describe as describeTestCommand } from './test.ts'

/** A secret for every key that can contain one. No two share eight consecutive characters. */
const secrets = Object.fromEntries(
  [
    ...['IMAGES_TOKEN', 'IMAGES_LIMITED_TOKEN', 'IMAGES_OTHER_TOKEN', 'IMAGES_BATCH_TOKEN'],
    ...['HOOKS_TOKEN', 'RECEIVER_SECRET', 'GREETING_KEY', 'TOOLS_JWT_SECRET'],
    ...['STDIO_SECRET', 'STDIO_OPTION'],
  ].map((name, index) => [
    name,
    `${String.fromCharCode(97 + index).repeat(4)}+"/${index}?&${String.fromCharCode(65 + index).repeat(12)}=`,
  ]),
)

/** Every secret in every encoding. */
const forms = Object.values(secrets).flatMap((secret) =>
  Object.entries(encodings).map(([name, encode]) => ({ name, secret, form: encode(secret) })),
)
const echo = forms.map(({ form }) => form)

let servers: Server[]
let folder: string
const touchstone = commandOf('test', describeTestCommand)

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return (server.address() as AddressInfo).port
}

/** The source of a stdio server that answers every message with every secret. */
const program = `
  process.stdin.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\\n')) {
      const { id } = JSON.parse(line)
      const message = require('node:fs').readFileSync(process.env.FILE, 'utf8') + process.argv.join(' ') + process.env.STDIO_SECRET
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message } }))
    }
  })`

beforeAll(async () => {
  servers = []
  folder = await mkdtemp(join(tmpdir(), 'touchstone-secrets-'))
  const http = await listen(
    createHttpServer((request, response) => {
      const received = [request.url, ...request.rawHeaders]
      let body = ''
      request
        .on('data', (chunk) => (body += String(chunk)))
        .on('end', () =>
          response
            .writeHead(200, {
              'Content-Type': 'application/json',
              'X-Echo': encodeURIComponent(echo.join(' ')).slice(0, 12_000),
            })
            .end(JSON.stringify({ success: 'no', errors: [{ message: echo }], received, body })),
        )
    }),
  )
  const greeting = createHttp2Server()
  greeting.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    stream.respond(
      {
        'content-type': 'application/grpc',
        'grpc-status': '13',
        'grpc-message': encodeURIComponent(`${JSON.stringify(headers)} ${echo.join(' ')}`).slice(
          0,
          12_000,
        ),
      },
      { endStream: true },
    )
  })
  const grpc = await listen(greeting as unknown as Server)
  const root = `http://127.0.0.1:${http}`
  const target = {
    images: {
      url: `${root}/client/v4`,
      account: 'acc-1',
      token: secrets['IMAGES_TOKEN'],
      limitedToken: secrets['IMAGES_LIMITED_TOKEN'],
      batch: { url: `${root}/batch`, token: secrets['IMAGES_BATCH_TOKEN'] },
      other: { account: 'acc-2', token: secrets['IMAGES_OTHER_TOKEN'] },
    },
    hooks: { url: `${root}/api/v4`, project: '42', token: secrets['HOOKS_TOKEN'] },
    receiver: { url: `${root}/hook`, secret: secrets['RECEIVER_SECRET'] },
    greeting: {
      address: `127.0.0.1:${grpc}`,
      metadata: { authorization: secrets['GREETING_KEY'] },
    },
    tools: {
      http: `${root}/mcp`,
      stdio: {
        command: process.execPath,
        args: ['-e', program, '--', '--token', secrets['STDIO_OPTION']],
        env: { STDIO_SECRET: secrets['STDIO_SECRET'], FILE: join(folder, 'echo') },
      },
      auth: { pattern: 'jwt', secret: secrets['TOOLS_JWT_SECRET'], issuer: 'i', audience: 'a' },
    },
    suite: { patience: '200ms', watch: '200ms', timeout: '2s' },
  }
  await writeFile(join(folder, 'echo'), echo.join(' '))
  await writeFile(join(folder, 'touchstone.yaml'), JSON.stringify(target))
})

afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true, force: true })
})

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('no output contains a secret in any encoding, whatever a server repeats', async () => {
  const report = join(folder, 'report')
  const { out, error, status } = await touchstone(
    '--target',
    join(folder, 'touchstone.yaml'),
    ...['--report', report, '--exchanges', 'all', '--verbose'],
    ...[
      'IMG-AUTH-01',
      'HOOK-AUTH-01',
      'EVT-RECEIVER-01',
      'GRT-SERVICE-01',
      'TOOL-STDIO-01',
      'AUTH-JWT-01',
    ].flatMap((id) => ['--only', id]),
  )
  expect(status).toBe(1)
  const outputs = [
    ['the terminal', out],
    ['the messages', error],
    ...(await Promise.all(
      (await filesIn(report)).map(async (file) => [file, await readFile(file, 'utf8')] as const),
    )),
  ] as const
  expect(outputs.length).toBeGreaterThan(5)
  const leaks = outputs.flatMap(([name, text]) =>
    forms
      .filter(({ form }) => text.includes(form))
      .map(({ name: encoding, secret }) => `${name}: ${secret}, ${encoding}`),
  )
  expect(leaks).toEqual([])
  // The secrets did reach the reports, where variables replaced them.
  for (const variable of ['IMAGES_TOKEN', 'GREETING_AUTHORIZATION', 'STDIO_SECRET'])
    expect(outputs.some(([, text]) => text.includes(`$${variable}`))).toBe(true)
})

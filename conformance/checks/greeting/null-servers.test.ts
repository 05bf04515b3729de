import { createSecureServer } from 'node:http2'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clockOf, exitStatus, totalsOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { generateCertificate } from '../../wire/index.ts'
import { frameOf, encodeFieldsOfMessage } from '../../wire/grpc.ts'
import { serve, serveBytes, type SmallCall } from '../../wire/grpc/grpc.testing.ts'
import { suiteDefaults } from '../../target-file/index.ts'

interface NullServer {
  address: string
  close(): Promise<void>
}

const http1 = (status: string, body: string) => () =>
  serveBytes(
    (socket) =>
      void socket.on('data', () =>
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      ),
  )
const grpc = (handle: (call: SmallCall) => void) => () => serve(handle)
const grpcResponse = (headers: object, body?: Uint8Array) =>
  grpc(({ stream }) => {
    stream.respond({ ':status': 200, ...headers })
    stream.end(body)
  })

const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
const greeting = encodeFieldsOfMessage([
  [1, 'Hello!'],
  [2, 'now'],
])

/** Servers that implement nothing: no check may pass for any of them. */
const nullServers: Record<string, () => Promise<NullServer>> = {
  'a closed port': async () => {
    const server = await serveBytes(() => {})
    await server.close()
    return server
  },
  'a server that never responds': () => serveBytes((socket) => void socket.resume()),
  'a server that resets connections': () =>
    serveBytes((socket) => void socket.on('data', () => socket.resetAndDestroy())),
  'garbage on TCP': () => serveBytes((socket) => void socket.write(Buffer.alloc(2000, 0xa5))),
  'an echo on TCP': () => serveBytes((socket) => void socket.pipe(socket)),
  'an HTTP/1.1 server': http1('200 OK', '{}'),
  'a constant 502 over HTTP/1.1': http1('502 Bad Gateway', 'Bad Gateway'),
  'HTTP/2 that stops after its settings': () => serveBytes((socket) => void socket.write(settings)),
  'HTTP/2 with invalid headers': () =>
    serveBytes(
      (socket) =>
        void socket.write(
          Buffer.concat([
            settings,
            Buffer.from([
              0, 0, 8, 1, 4, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            ]),
          ]),
        ),
    ),
  'a server that only accepts TLS': async () => {
    const server = createSecureServer(await generateCertificate())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((resolve) => server.close(() => resolve())),
    }
  },
  'a constant 404': grpc(({ stream }) => stream.respond({ ':status': 404 }, { endStream: true })),
  'a constant 200': grpcResponse({ 'content-type': 'text/html' }, Buffer.from('<html></html>')),
  'a constant 200 as gRPC without a status': grpcResponse({ 'content-type': 'application/grpc' }),
  'a constant greeting without a status': grpcResponse(
    { 'content-type': 'application/grpc' },
    frameOf(greeting),
  ),
  'a constant OK without a response': grpc((call) => call.end(0)),
  'a constant UNKNOWN': grpc((call) => call.end(2)),
  'a constant RESOURCE_EXHAUSTED': grpc((call) => call.end(8)),
  'a constant UNIMPLEMENTED': grpc((call) => call.end(12)),
  'a constant UNAVAILABLE': grpc((call) => call.end(14)),
  'a constant UNAUTHENTICATED': grpc((call) => call.end(16)),
  'an echo on gRPC': grpc((call) => void (call.onMessage = (message) => call.send(message))),
  'streams that are reset': grpc(({ stream }) => stream.close(2)),
  'streams that hang': grpc(() => {}),
  'an endless stream of zeros': grpc(({ stream }) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    const pour = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(16 * 1024)));
    }
    stream.on('drain', pour)
    pour()
  }),
}

describe.each([
  { named: 'named by the target file', service: 'examples.GreetingService' },
  { named: 'found by reflection', service: undefined },
])('with a service that is $named', ({ service }) => {
  test.concurrent.each(Object.keys(nullServers))('no check passes for %s', async (name) => {
    const server = await nullServers[name]!()
    const suite = {
      ...suiteDefaults,
      patience: 1000,
      watch: 100,
      settle: 0,
    }
    const access = {
      address: server.address,
      relationship: 'one-to-one' as const,
      ...(service === undefined ? {} : { service }),
    }
    const run = await startSuite({ greeting: access, suite }, { clock: clockOf(20) })
    const verdicts = await run.verdicts
    await run.finish()
    await server.close()
    const { pass, warn, error, observed, 'not applicable': none } = totalsOf(verdicts)
    expect(
      { pass, warn, error, observed, none },
      verdicts
        .filter(({ verdict }) => ['pass', 'error', 'observed'].includes(verdict))
        .map(({ key, reason }) => `${key} ${reason}`)
        .join('\n'),
    ).toEqual({ pass: 0, warn: 0, error: 0, observed: 0, none: 0 })
  })
})

test('a closed port is reported as a refused connection', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  const run = await startSuite({
    greeting: { address },
    suite: {
      ...suiteDefaults,
      patience: 1,
      watch: 1,
      settle: 0,
      concurrency: 1,
      timeout: 1000,
    },
  })
  const broken = (await run.verdicts).filter(({ verdict }) => verdict === 'fail')
  await run.finish()
  expect(
    broken.map(
      ({ requirement, expectations }) =>
        `${requirement} ${expectations.find(({ held }) => !held)?.received}`,
    ),
  ).toEqual(['GRT-SERVICE-02 a failed step: 0 messages, no grpc-status: connection refused'])
})

test('a refused token is reported, even if reflection is needed to find the service', async () => {
  const server = await serve((call) => call.end(16))
  const greeting = { address: server.address, metadata: { authorization: 'Bearer wrong' } }
  const run = await startSuite({
    greeting,
    suite: {
      ...suiteDefaults,
      patience: 1,
      watch: 1,
      settle: 0,
      concurrency: 1,
      timeout: 1000,
    },
  })
  const verdicts = await run.verdicts
  await run.finish()
  await server.close()
  const verdict = verdicts.find(({ requirement }) => requirement === 'GRT-SERVICE-02')
  expect([verdict?.verdict, verdict?.blockedBy, verdict?.reason]).toEqual([
    'blocked',
    'GRT-AUTH-03',
    expect.stringMatching(/refuses the credentials: .*UNAUTHENTICATED/),
  ])
  expect(exitStatus(verdicts)).toBe(1)
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo, type Server } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Timers } from '../kit/timers.ts'
import { headersOf, isHeaderValue, product } from './headers.ts'
import { newAgents, send, type ConnectionAgents } from './send.ts'

const servers: Server[] = []
const agents: ConnectionAgents[] = []
afterEach(() => {
  for (const one of agents.splice(0)) one.destroy()
  for (const server of servers.splice(0)) {
    server.close()
    ;(server as unknown as { closeAllConnections?(): void }).closeAllConnections?.()
  }
})

interface ReceivedRequest {
  method: string
  path: string
  headers: string[]
  body: string
  port: number
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void

async function startListening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return (server.address() as AddressInfo).port
}

async function startReceiver(
  answer: Answer = (response) => response.end('thanks'),
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        requests.push({
          method: request.method!,
          path: request.url!,
          headers: request.rawHeaders,
          body: Buffer.concat(chunks).toString(),
          port: request.socket.remotePort!,
        })
        answer(response, request)
      })
  })
  return { url: `http://127.0.0.1:${await startListening(server)}`, requests }
}

const headers = headersOf({ event: 'push', token: 'sécret' })
const body = '{"a":"ü"}'

describe('a delivery', () => {
  test('is sent unchanged, and its response is returned', async () => {
    const { url, requests } = await startReceiver((response) =>
      response.writeHead(202, { 'x-a': 'b' }).end('thanks'),
    )
    const sent = await send({ url: `${url}/a/../b?x=%zz#part`, headers, body })
    expect(sent).toEqual({
      status: 202,
      headers: expect.objectContaining({ 'x-a': 'b' }),
      body: 'thanks',
      durationMs: expect.any(Number),
    })
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/a/../b?x=%zz',
        body,
        port: expect.any(Number),
        headers: [
          'Host',
          new URL(url).host,
          'Content-Type',
          'application/json',
          'User-Agent',
          product(),
          'X-Hook-Event',
          'Push Hook',
          'X-Hook-Token',
          Buffer.from('sécret').toString('latin1'),
          'Content-Length',
          '10',
          'Connection',
          'close',
        ],
      },
    ])
    expect(product()).toMatch(/^Touchstone\/\d+\.\d+\.\d+/)
  })

  test('can be chunked, with header names in lower case and credentials from its URL', async () => {
    const { url, requests } = await startReceiver()
    await send(
      {
        url: url.replace('//', '//a:b@'),
        headers: [['X-Hook-Event', 'Push Hook']],
        body,
        method: 'PUT',
      },
      { chunked: true, headerCase: 'lower' },
    )
    expect(requests[0]).toMatchObject({
      method: 'PUT',
      path: '/',
      body,
      headers: expect.arrayContaining([
        'authorization',
        'Basic YTpi',
        'x-hook-event',
        'transfer-encoding',
      ]),
    })
    expect(requests[0]?.headers).not.toContain('content-length')
  })

  test('reuses the connection if there are agents', async () => {
    const { url, requests } = await startReceiver()
    agents.push(newAgents())
    for (let n = 0; n < 3; n += 1) await send({ url, headers, body }, { agents: agents[0]! })
    expect(new Set(requests.map(({ port }) => port)).size).toBe(1)
  })

  test('is sent again if a reused connection was reset', async () => {
    let count = 0
    const { url, requests } = await startReceiver((response) => {
      count += 1
      if (count === 2) response.socket!.resetAndDestroy()
      else response.end()
    })
    agents.push(newAgents())
    await send({ url, headers, body }, { agents: agents[0]! })
    expect((await send({ url, headers, body }, { agents: agents[0]! })).status).toBe(200)
    // The receiver also received the attempt on the reused connection. The sender cannot know this.
    expect(requests).toHaveLength(3)
  })

  test('does not follow redirects', async () => {
    const { url, requests } = await startReceiver((response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    )
    expect([(await send({ url, headers, body })).status, requests.length]).toEqual([307, 1])
  })
})

describe('the result of a delivery', () => {
  test('is "unreachable" if nothing listens at the URL, or if the URL is invalid', async () => {
    const { url } = await startReceiver()
    await new Promise((resolve) => servers.pop()!.close(resolve))
    for (const one of [url, 'http://nowhere.invalid/', 'nonsense']) {
      const { status, failure } = await send({ url: one, headers, body })
      expect([status, failure?.reason]).toEqual([undefined, 'unreachable'])
    }
  })

  test('is "timeout" if no response is received in time', async () => {
    const { url } = await startReceiver(() => {})
    const { status, failure, durationMs } = await send({ url, headers, body }, { timeoutMs: 60 })
    expect([status, failure?.reason, durationMs >= 55]).toEqual([undefined, 'timeout', true])
  })

  test('is "timeout" with the status and the beginning of a response that does not end', async () => {
    let sentBytes = Infinity
    const { url } = await startReceiver((response) =>
      response.writeHead(200).write('some', () => (sentBytes = response.socket!.bytesWritten)),
    )
    const connections = newAgents()
    agents.push(connections)
    let expire = () => {}
    const timers: Timers = {
      after: (_milliseconds, callback) => {
        expire = callback
        return () => {}
      },
    }
    const result = send({ url, headers, body }, { agents: connections, timers })
    const sockets = () => Object.values(connections.http.sockets).flatMap((list) => list ?? [])
    // The timeout must not be earlier than the response, however slow the machine is.
    await vi.waitFor(() => expect(sockets()[0]?.bytesRead).toBe(sentBytes), { timeout: 60_000 })
    setImmediate(() => expire())
    expect(await result).toMatchObject({
      status: 200,
      body: 'some',
      failure: { reason: 'timeout' },
    })
  })

  test('contains the beginning of a response that is too long', async () => {
    const { url } = await startReceiver((response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const { status, body: text, failure } = await send({ url, headers, body }, { timeoutMs: 5000 })
    expect([status, text.length, failure]).toEqual([200, 4096, undefined])
  })

  test.each([
    ['an empty response', ''],
    ['a response that is not HTTP', 'hello\r\n\r\n'],
    ['an incomplete response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'],
  ])('is "broken" after %s', async (_name, text) => {
    const port = await startListening(
      createRawServer((socket) => socket.on('error', () => {}).on('data', () => socket.end(text))),
    )
    expect((await send({ url: `http://127.0.0.1:${port}/`, headers, body })).failure?.reason).toBe(
      'broken',
    )
  })

  test('is "tls" if the certificate is not trusted, and certificates are verified', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
    })
    let requests = 0
    const port = await startListening(
      createTlsServer({ key, cert }, (_request, response) => {
        requests += 1
        response.end()
      }),
    )
    const url = `https://127.0.0.1:${port}/`
    agents.push(newAgents())
    for (const options of [{}, { agents: agents[0]! }]) {
      expect([
        await send({ url, headers, body, rejectUnauthorized: false }, options).then(
          ({ status }) => status,
        ),
        requests,
      ]).toEqual([200, 1])
      // A delivery that verifies certificates fails. It does not reuse the connection or TLS
      // session of the delivery above, which did not verify them.
      expect([
        await send({ url, headers, body }, options).then(({ failure }) => failure?.reason),
        requests,
      ]).toEqual(['tls', 1])
      requests = 0
    }
  })

  test('is "tls" if the receiver uses HTTP without TLS, in plain words', async () => {
    const { url } = await startReceiver()
    const sent = await send({ url: url.replace('http:', 'https:'), headers, body })
    expect(sent.failure).toEqual({ reason: 'tls', message: 'The receiver does not use TLS' })
  })

  test('is "invalid" if a header has a value that headers cannot contain', async () => {
    const { url, requests } = await startReceiver()
    expect([
      (await send({ url, headers: [['X-A', 'a\nb']], body })).failure?.reason,
      requests.length,
    ]).toEqual(['invalid', 0])
    expect(['a\nb', ' a', 'a\t', '\x7f', 'a b', 'ü€', ''].map(isHeaderValue)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ])
  })

  test('is "aborted" if the sender stops', async () => {
    const { url } = await startReceiver(() => {})
    const stop = new AbortController()
    const sent = send({ url, headers, body }, { signal: stop.signal })
    setTimeout(() => stop.abort(), 30)
    expect((await sent).failure?.reason).toBe('aborted')
    expect((await send({ url, headers, body }, { signal: stop.signal })).failure?.reason).toBe(
      'aborted',
    )
  })
})

import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createHttp } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { newGate } from '../engine/index.ts'
import { HttpClient } from './http.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that sends raw bytes on each connection, or nothing. */
const raw = (bytes: string | undefined, end = false) =>
  listening(
    createServer((socket) => {
      closers.unshift(() => void socket.destroy())
      socket.on('error', () => {})
      socket.once('data', () => {
        if (bytes !== undefined) socket.write(bytes)
        if (end) socket.end()
      })
    }),
  )

function newClient(more: Partial<ConstructorParameters<typeof HttpClient>[0]> = {}): HttpClient {
  const client = new HttpClient({ gate: newGate({ concurrency: 4 }), timeout: 10_000, ...more })
  closers.unshift(() => client.close())
  return client
}
const get = (url: string) => ({ operation: 'get', method: 'GET', url })

describe('an HTTP client', () => {
  it('records the response as received, including the case of headers', async () => {
    const url = await raw('HTTP/1.1 201 Made\r\nX-Odd-CASE: a\r\nContent-Length: 7\r\n\r\n{"a":1}')
    const exchange = await newClient().send(get(url))
    expect(exchange).toMatchObject({ status: 201, json: { a: 1 }, failure: undefined })
    expect(exchange.header('x-odd-case')).toBe('a')
    expect(exchange.record().response?.headers).toContainEqual(['X-Odd-CASE', 'a'])
  })

  it('gives up a read soon after a cancellation, but completes other requests', async () => {
    const url = await raw(undefined)
    const announced: string[] = []
    const client = newClient({ timeout: 2500, onRequest: ({ method }) => announced.push(method) })
    const cancellation = new AbortController()
    const send = async (method: string, signal?: AbortSignal) => {
      const { failure, isInterrupted } = await client.send({ ...get(url), method }, 0, signal)
      return { failure, isInterrupted }
    }
    const exchanges = [
      send('GET', cancellation.signal),
      send('POST', cancellation.signal),
      send('GET'),
    ]
    setTimeout(() => cancellation.abort(), 100)
    const timedOut = { failure: 'timeout after 2.5 s', isInterrupted: true }
    expect(await Promise.all(exchanges)).toEqual([
      { failure: 'the run was cancelled', isInterrupted: true },
      timedOut,
      timedOut,
    ])
    expect(await send('POST', cancellation.signal)).toEqual({
      failure: 'not sent: the run was cancelled',
      isInterrupted: false,
    })
    expect(announced).toEqual(['GET', 'POST', 'GET'])
  })

  it('gives up every request that creates nothing soon after a cancellation', async () => {
    const url = await raw(undefined)
    const client = newClient({ timeout: 2500, createsNothing: true })
    const cancellation = new AbortController()
    setTimeout(() => cancellation.abort(), 100)
    const exchange = client.send({ ...get(url), method: 'POST' }, 0, cancellation.signal)
    expect(await exchange).toMatchObject({ failure: 'the run was cancelled', isInterrupted: true })
  })

  it('records only the beginning of long headers and URLs, without a part of a secret', async () => {
    const secret = 'a-secret-of-the-target'
    const request = {
      ...get(`http://127.0.0.1:9/${'x'.repeat(16_360)}${secret}${'x'.repeat(1_000_000)}`),
      headers: { 'X-Long': `${'x'.repeat(4085)}${secret}${'x'.repeat(1_000_000)}` },
    }
    const client = newClient({ secrets: { TOKEN: secret } })
    const record = JSON.stringify((await client.send(request)).record())
    expect(record.length).toBeLessThan(200_000)
    expect(record).not.toContain(secret.slice(0, 8))
  })

  it('uses a connection again, unless the server may not have read the whole request', async () => {
    const sockets = new Set<unknown>()
    const url = await listening(
      createHttp((request, response) => {
        sockets.add(request.socket)
        const status = request.url === '/refused' ? 403 : 200
        request.resume().on('end', () => response.writeHead(status).end())
      }),
    )
    const client = newClient()
    const post = (path: string) =>
      client.send({
        ...get(`${url}${path}`),
        method: 'POST',
        body: { kind: 'json', value: { a: 1 } },
      })
    for (const path of ['/served', '/served', '/refused']) await post(path)
    expect(sockets.size).toBe(1)
    await post('/served')
    expect(sockets.size).toBe(2)
  })

  it('returns all headers with the same name', async () => {
    const exchange = await newClient().send(
      get(
        await raw(
          'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n',
        ),
      ),
    )
    expect([exchange.headersOf('Set-Cookie'), exchange.headersOf('x-none')]).toEqual([
      ['a=1', 'b=2'],
      [],
    ])
  })

  it('can read the bodies of refusals only, and closes the connection of a stream', async () => {
    const gone: string[] = []
    const streaming = createHttp((request, response) => {
      request.socket.on('close', () => gone.push(request.url!))
      response
        .writeHead(request.url === '/stream' ? 200 : 401, { 'Content-Type': 'text/event-stream' })
        .write('first ')
      if (request.url !== '/stream') response.end('last')
    })
    const base = await listening(streaming)
    const open = await newClient().send({ ...get(`${base}/stream`), readBody: 'of refusals' })
    expect(open).toMatchObject({ status: 200, failure: undefined })
    expect(open.header('content-type')).toBe('text/event-stream')
    const refused = await newClient().send({ ...get(`${base}/refused`), readBody: 'of refusals' })
    expect([refused.status, refused.body.toString()]).toEqual([401, 'first last'])
    expect(await newClient({ timeout: 300 }).send(get(`${base}/stream`))).toMatchObject({
      status: undefined,
      failure: 'timeout after 0.3 s',
    })
    while (gone.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it.each([
    ['a server that does not respond', undefined, false, /after 0.3 s/],
    [
      'a body that does not end',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{',
      false,
      /after 0.3 s/,
    ],
    [
      'a connection that is closed within the body',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{',
      true,
      /./,
    ],
    ['a connection that is closed before the response', undefined, true, /./],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', true, /./],
  ])('reports that there is no complete response: %s', async (_, bytes, end, why) => {
    const exchange = await newClient({ timeout: 300 }).send(get(await raw(bytes, end)))
    expect(exchange.status).toBeUndefined()
    expect(exchange.failure).toMatch(why)
    expect(exchange.summary).toMatch(/^no complete response/)
    expect(exchange.kind).toBe(`${exchange.operation} failure`)
  })

  it('applies the timeout of a request', async () => {
    const url = await raw(undefined)
    const sending = newClient({ timeout: 60_000 })
    expect((await sending.send({ ...get(url), timeout: 100 })).failure).toMatch(/after 0.1 s/)
  })

  it('reports that a closed port refuses the connection', async () => {
    const server = createServer()
    const url = await listening(server)
    await closers.pop()!()
    expect((await newClient().send(get(url))).failure).toBe('connection refused')
  })

  it('stops reading a body that is too long', async () => {
    const exchange = await newClient({ maxBytes: 10 }).send(
      get(await raw(`HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n${'x'.repeat(50)}`)),
    )
    expect(exchange.failure).toMatch(/longer than 10 bytes/)
    expect(exchange.body?.length).toBe(50)
  })

  it('keeps the beginning of a body that is too long', async () => {
    const exchange = await newClient({ maxBytes: 100_000 }).send(
      get(await raw(`HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`)),
    )
    expect(exchange.failure).toMatch(/longer than 100000 bytes/)
    expect(exchange.body?.length).toBe(65_536)
  })

  it('receives a refusal that the server sends before it has the whole body', async () => {
    const server = createHttp((request, response) => {
      request.once('data', () => {
        request.pause()
        response.writeHead(413, { Connection: 'close' }).end('{}')
      })
    })
    const url = await listening(server)
    const body = {
      kind: 'form',
      parts: [{ name: 'file', value: Buffer.alloc(20_000_000), filename: 'large' }],
    } as const
    expect(
      (await newClient({ timeout: 5000 }).send({ operation: 'post', method: 'POST', url, body }))
        .status,
    ).toBe(413)
  })

  it('repeats a request if the server has closed an idle connection', async () => {
    const server = createHttp((request, response) => {
      response.end('{}', () => setImmediate(() => request.socket.destroy()))
    })
    const [url, sending] = [await listening(server), newClient()]
    const exchanges = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index))
        return sending.send(get(url))
      }),
    )
    expect(
      exchanges.map(({ failure }) => failure).filter((failure) => failure !== undefined),
    ).toEqual([])
  })

  it('repeats a request after a 429, and returns the 429 if it persists', async () => {
    let asked = 0
    const server = createHttp((_, response) => {
      asked += 1
      response.writeHead(asked < 3 ? 429 : 200, { 'Retry-After': '0' }).end('{}')
    })
    const url = await listening(server)
    expect((await newClient().send(get(url))).status).toBe(200)
    expect(asked).toBe(3)
    asked = -100
    expect((await newClient({ rateLimitWait: 500 }).send(get(url))).status).toBe(429)
  })

  it('sends the path as it was written', async () => {
    let path: string | undefined
    const url = await listening(
      createHttp((request, response) => void ((path = request.url), response.end('{}'))),
    )
    await newClient().send(get(`${url}/a/../b%2Fc/./d?x=%20`))
    expect(path).toBe('/a/../b%2Fc/./d?x=%20')
  })

  it('decodes a compressed body, although the request does not accept compression', async () => {
    let asked: string | undefined
    const server = createHttp((request, response) => {
      asked = request.headers['accept-encoding']
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"a":1}'))
    })
    expect((await newClient().send(get(await listening(server)))).json).toEqual({ a: 1 })
    expect(asked).toBe('identity')
  })

  it('keeps secrets out of its records', async () => {
    const url = await raw('HTTP/1.1 401 No\r\nContent-Length: 17\r\n\r\nyou said s3cr3t-!')
    const exchange = await newClient({ secrets: { IMAGES_TOKEN: 's3cr3t-!' } }).send({
      ...get(`${url}/?key=s3cr3t-!`),
      headers: { Authorization: 'Bearer s3cr3t-!' },
    })
    expect(JSON.stringify(exchange.record()) + exchange.summary).not.toContain('s3cr3t')
    expect(exchange.record().curl).toContain('"Authorization: Bearer $IMAGES_TOKEN"')
  })
})

import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  initializeRequest,
  connectClient,
  post,
  startServer,
  openSession,
  waitUntil,
} from './tools.testing.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const callOf = (id: string | number, name = 'shelf_show_status', args = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('streamable HTTP', () => {
  test('requires the id of an open session', async () => {
    const server = await startServer()
    const session = await openSession(server)
    expect((await post(server, ping, { 'mcp-session-id': session })).json).toMatchObject({
      id: 1,
      result: {},
    })
    expect((await post(server, ping)).status).toBe(400)
    expect((await post(server, ping, { 'mcp-session-id': 'unknown' })).status).toBe(404)
  })

  test('negotiates the protocol version, and returns its own if it does not support the requested one', async () => {
    const server = await startServer()
    for (const [requested, expected] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['1999-01-01', '2025-11-25'],
    ] as const) {
      expect((await post(server, initializeRequest(requested))).json).toMatchObject({
        result: { protocolVersion: expected },
      })
    }
    const session = await openSession(server)
    expect(
      (
        await post(server, ping, {
          'mcp-session-id': session,
          'mcp-protocol-version': '1999-01-01',
        })
      ).status,
    ).toBe(400)
  })

  test('acknowledges notifications with 202 and without a body', async () => {
    const server = await startServer()
    const { status, text } = await post(
      server,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-session-id': await openSession(server) },
    )
    expect([status, text]).toEqual([202, ''])
  })

  test('ends a session with DELETE', async () => {
    const server = await startServer()
    const session = await openSession(server)
    expect(server.context.sessions.size).toBe(1)
    expect(
      (await fetch(server.mcp, { method: 'DELETE', headers: { 'mcp-session-id': session } }))
        .status,
    ).toBe(200)
    expect((await post(server, ping, { 'mcp-session-id': session })).status).toBe(404)
    expect(server.context.sessions.size).toBe(0)
  })

  test('keeps the most recently used sessions', async () => {
    const server = await startServer({ rules: { maxSessions: 2 } })
    const first = await openSession(server)
    const second = await openSession(server)
    await post(server, ping, { 'mcp-session-id': first })
    await openSession(server)
    expect(server.context.sessions.size).toBe(2)
    expect((await post(server, ping, { 'mcp-session-id': second })).status).toBe(404)
    expect((await post(server, ping, { 'mcp-session-id': first })).status).toBe(200)
  })

  test.each(['http://evil.example', 'null', 'http://localhost.evil.example'])(
    'refuses the origin %s',
    async (origin) => {
      const server = await startServer()
      for (const path of [server.mcp, server.sse])
        expect((await raw(path, { origin })).status).toBe(403)
      expect(
        (await post(server, initializeRequest(), { origin: 'http://localhost:3000' })).status,
      ).toBe(200)
    },
  )

  test.each(['evil.example', 'evil.example:4050', 'localhost.evil.example', '127.0.0.1.evil'])(
    'refuses the host %j, at the endpoints of transports, authorization and control',
    async (host) => {
      const server = await startServer({ auth: { pattern: 'oauth-provider' }, controlRoutes: true })
      const metadata = new URL('/.well-known/oauth-authorization-server', server.mcp).href
      for (const url of [server.mcp, server.sse, server.clockControl!, metadata])
        expect((await raw(url, { host })).status).toBe(403)
      expect(
        (await raw(metadata, { host: 'evil.example', origin: 'http://localhost' })).status,
      ).toBe(403)
    },
  )

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:3000'])(
    'accepts the host %s',
    async (host) => {
      const server = await startServer()
      expect((await raw(server.sse, { host })).status).toBe(200)
    },
  )

  test.each([
    ['{"jsonrpc": "2.0", ', 400, -32700],
    ['"text"', 400, -32600],
    ['{}', 400, -32700],
    [' '.repeat(5_000_000), 413, -32000],
  ])('refuses %.20s and keeps serving', async (body, status, code) => {
    const server = await startServer()
    const session = { 'mcp-session-id': await openSession(server) }
    expect(await post(server, body, session)).toMatchObject({ status, json: { error: { code } } })
    expect((await post(server, ping, session)).status).toBe(200)
  })

  test('reports unknown methods as -32601', async () => {
    const server = await startServer()
    expect(
      (
        await post(
          server,
          { ...ping, method: 'tools/burn' },
          { 'mcp-session-id': await openSession(server) },
        )
      ).json,
    ).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  test('answers every request and keeps no state if it has no sessions', async () => {
    const server = await startServer({ choices: { sessions: false } })
    expect((await post(server, initializeRequest())).session).toBeNull()
    expect((await post(server, callOf('a'))).json).toMatchObject({
      id: 'a',
      result: { content: [{ type: 'text' }] },
    })
    expect([(await fetch(server.mcp)).status, server.context.sessions.size]).toEqual([405, 0])
    const testClient = await connectClient(server)
    expect(await testClient.text('get_book', { id: 'b-001' })).toContain('b-001')
  })

  test('sends logs and elicitations on the GET stream if its responses are JSON', async () => {
    const server = await startServer({ choices: { framing: 'json', requestIds: 'text' } })
    const testClient = await connectClient(server, 'http', {
      action: 'accept',
      content: { topic: 'sea' },
    })
    await waitUntil(() =>
      [...server.context.sessions.values()].some(({ openStreams }) => openStreams === 1),
    )
    expect(await testClient.text('recommend_book')).toContain("For the topic 'sea'")
    await testClient.call('report_inventory')
    await waitUntil(() => testClient.logs.length === 6)
  })

  test('keeps serving after clients disconnect during a call', async () => {
    const server = await startServer()
    const session = await openSession(server)
    for (let n = 0; n < 20; n += 1) {
      const disconnecting = request(server.mcp, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
      })
      disconnecting.on('error', () => {})
      disconnecting.end(JSON.stringify(callOf(n, 'shelf_report_inventory', { limit: 100 })))
      setTimeout(() => disconnecting.destroy(), n)
    }
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect((await post(server, callOf(99), { 'mcp-session-id': session })).json).toMatchObject({
      id: 99,
      result: {},
    })
  })
})

test('a control route changes the upstream, and restores it', async () => {
  const [server, other] = [await startServer({ controlRoutes: true }), await startServer()]
  const changeUpstream = (url: unknown) =>
    fetch(server.upstreamControl!, { method: 'POST', body: JSON.stringify({ url }) })
  const testClient = await connectClient(server)
  expect(
    await (await changeUpstream(`${other.context.upstream.initialUrl}/nowhere`)).json(),
  ).toEqual({
    url: `${other.context.upstream.initialUrl}/nowhere`,
  })
  expect(await testClient.text('get_book', { id: 'b-001' })).toContain('not found')
  expect((await changeUpstream('nonsense')).status).toBe(400)
  await changeUpstream(null)
  expect(await testClient.text('get_book', { id: 'b-001' })).toContain('b-001')
  expect(
    (await fetch(`${new URL(other.mcp).origin}/_touchstone/upstream`, { method: 'POST' })).status,
  ).toBe(404)
})

/** Sends a GET request with headers that fetch cannot send. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.destroy()
      resolve({ status: response.statusCode })
    })
      .on('error', reject)
      .end()
  })
}

test('cleans up after a hundred sessions with a thousand calls', async () => {
  const server = await startServer()
  for (let n = 0; n < 100; n += 1) {
    const session = { 'mcp-session-id': await openSession(server) }
    await Promise.all(Array.from({ length: 10 }, (_, id) => post(server, callOf(id), session)))
    await fetch(server.mcp, { method: 'DELETE', headers: session })
  }
  expect(server.context.sessions.size).toBe(0)
})

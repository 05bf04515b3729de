import { describe, expect, test } from 'vitest'
import { startServer, waitUntil } from './tools.testing.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('HTTP+SSE', () => {
  test('announces the message endpoint first, acknowledges messages with 202, and ends the session with its stream', async () => {
    const server = await startServer()
    const leave = new AbortController()
    const stream = await fetch(server.sse, { signal: leave.signal })
    const { value } = await stream.body!.getReader().read()
    const [, path = ''] =
      /^event: endpoint\ndata: (\/messages\?sessionId=\S+)\n\n/.exec(
        new TextDecoder().decode(value),
      ) ?? []
    const send = (body: string, type = 'application/json') =>
      fetch(new URL(path, server.sse), { method: 'POST', headers: { 'content-type': type }, body })
    expect((await send(JSON.stringify(ping))).status).toBe(202)
    expect([
      (await send('{')).status,
      (await send('[]')).status,
      (await send('{}')).status,
      (await send('{}', 'text/plain')).status,
    ]).toEqual([400, 400, 400, 415])
    expect(server.context.sessions.size).toBe(1)
    leave.abort()
    await waitUntil(() => server.context.sessions.size === 0)
    expect((await send(JSON.stringify(ping))).status).toBe(404)
  })
})

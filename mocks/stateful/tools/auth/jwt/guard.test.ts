import { request as send } from 'node:http'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ToolsOptions, ToolsServer } from '../../../tools.ts'
import { initializeRequest, post, startServer } from '../../tools.testing.ts'
import type { JwtGuard, JwtOptions } from './guard.ts'

async function startJwtServer(
  options: Omit<JwtOptions, 'pattern'> = {},
  more: ToolsOptions = {},
): Promise<{ server: ToolsServer; guard: JwtGuard; token: string }> {
  const server = await startServer({ auth: { pattern: 'jwt', ...options }, ...more })
  const guard = server.context.guard as JwtGuard
  return { server, guard, token: await guard.token() }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const greet = async (server: ToolsServer, headers: Record<string, string>) => {
  const { status, text } = await post(server, initializeRequest(), headers)
  return status === 200 ? 200 : [status, text]
}

describe('the pattern jwt', () => {
  test('requires authentication at every endpoint, even in sessions', async () => {
    const { server, token } = await startJwtServer()
    const origin = new URL(server.mcp).origin
    const { session } = await post(server, initializeRequest(), bearer(token))
    const inSession = { 'mcp-session-id': session ?? '' }
    const statuses = (headers: Record<string, string>) =>
      Promise.all(
        [
          ['POST', '/mcp'],
          ['GET', '/mcp'],
          ['DELETE', '/mcp'],
          ['GET', '/sse'],
          ['POST', '/sse'],
          ['DELETE', '/sse'],
          ['POST', '/messages'],
          ['POST', '/messages?sessionId=x'],
        ].map(
          async ([method = '', path]) =>
            (
              await fetch(`${origin}${path}`, {
                method,
                headers,
                ...(method === 'POST' ? { body: '{}' } : {}),
              })
            ).status,
        ),
      )
    for (const headers of [{}, inSession]) {
      expect(await statuses(headers)).toEqual(Array(8).fill(401))
      expect(await statuses({ ...headers, ...bearer('x.y.z') })).toEqual(Array(8).fill(403))
    }
    expect(
      (
        await post(
          server,
          { jsonrpc: '2.0', id: 1, method: 'ping' },
          { ...inSession, ...bearer(token) },
        )
      ).status,
    ).toBe(200)
    expect(server.context.sessions.size).toBe(1)
  })

  test('accepts the official client over both transports, and passes the user to tools', async () => {
    const { server, token } = await startJwtServer()
    const requestInit = { headers: bearer(token) }
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(server.mcp), { requestInit }),
      new SSEClientTransport(new URL(server.sse), { requestInit }),
    ]) {
      const client = new Client({ name: 'tester', version: '1' })
      onTestFinished(() => client.close())
      await client.connect(transport as Transport)
      const { content } = (await client.callTool({ name: 'shelf_show_status', arguments: {} })) as {
        content: { text: string }[]
      }
      expect(content[0]?.text).toContain('**User**: ada\n- **Email**: ada@shelf.example')
    }
  })

  test('refuses with short messages and a challenge', async () => {
    const { server } = await startJwtServer()
    const absent = await fetch(server.mcp, { method: 'POST' })
    expect([
      absent.status,
      await absent.text(),
      absent.headers.get('www-authenticate'),
      absent.headers.get('content-type'),
    ]).toEqual([401, 'Unauthorized', 'Bearer', 'text/plain; charset=utf-8'])
    const bad = await fetch(server.sse, { headers: bearer('nonsense') })
    expect([bad.status, await bad.text()]).toEqual([403, 'Invalid token'])
    const json = await startJwtServer({
      choices: { refusals: 'json', challenges: false, otherScheme: 403 },
    })
    const basic = await fetch(json.server.mcp, { headers: { authorization: 'Basic eDp5' } })
    expect([basic.status, await basic.json()]).toEqual([403, { error: 'Invalid token' }])
    expect((await fetch(json.server.mcp)).headers.has('www-authenticate')).toBe(false)
  })

  test('ignores case in the scheme, unless chosen otherwise', async () => {
    const { server, token } = await startJwtServer()
    expect(await greet(server, { authorization: `bearer ${token}` })).toBe(200)
    for (const authorization of ['Basic eDp5', 'Bearer', `${token}`])
      expect(await greet(server, { authorization })).toEqual([401, 'Unauthorized'])
    const strict = await startJwtServer({ choices: { scheme: 'Bearer' } })
    expect(await greet(strict.server, { authorization: `bearer ${strict.token}` })).toEqual([
      401,
      'Unauthorized',
    ])
  })

  test('only the user who opened a session may use it, unless chosen otherwise', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const [sessionsFor, status] of [
      ['owner', 404],
      ['everyone', 200],
    ] as const) {
      const { server, guard, token } = await startJwtServer({}, { choices: { sessionsFor } })
      const { session } = await post(server, initializeRequest(), bearer(token))
      const statusFor = async (claims: object) =>
        (
          await post(server, ping, {
            ...bearer(await guard.token({ ...claims })),
            'mcp-session-id': session ?? '',
          })
        ).status
      expect([await statusFor({ sub: 'eve' }), await statusFor({ iat: 1 })]).toEqual([status, 200])
    }
  })

  test('does not accept a token from the URL', async () => {
    const { server, token } = await startJwtServer()
    expect((await fetch(`${server.mcp}?access_token=${token}`, { method: 'POST' })).status).toBe(
      401,
    )
  })

  test('requires secrets of 256 bits, and does not reveal one that is too short', async () => {
    const short = 'x'.repeat(31)
    await expect(startServer({ auth: { pattern: 'jwt', secret: short } })).rejects.toThrow(
      'The secret has 248 bits, but needs at least 256: 32 bytes',
    )
    await expect(startServer({ auth: { pattern: 'jwt', secret: short } })).rejects.not.toThrow(
      short,
    )
    await startServer({ auth: { pattern: 'jwt', secret: 'é'.repeat(16) } })
  })

  test('a token expires after an hour', async () => {
    const { server, token } = await startJwtServer({}, { controlRoutes: true })
    const ahead = (offsetSeconds: number) =>
      fetch(server.clockControl!, { method: 'POST', body: JSON.stringify({ offsetSeconds }) })
    await ahead(3590)
    expect(await greet(server, bearer(token))).toBe(200)
    await ahead(3601)
    expect(await greet(server, bearer(token))).toEqual([403, 'Invalid token'])
  })

  test('rules can be replaced', async () => {
    const { server } = await startJwtServer({
      rules: { requiresToken: ({ path }) => path !== '/mcp' },
    })
    expect([await greet(server, {}), (await fetch(server.sse)).status]).toEqual([200, 401])
  })

  test('refuses a token that exceeds the header limit', async () => {
    const { server } = await startJwtServer()
    const status = await new Promise((resolve, reject) => {
      send(server.mcp, { headers: { ...bearer('x'.repeat(64_000)) } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(431)
  })
})

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { post } from '../tools/tools.testing.ts'
import {
  ada,
  authorizeUrl,
  TestBrowser,
  registerClient,
  obtainCode,
  exchange,
  postForm,
  postJson,
  startProvider,
  refreshAt,
  obtainTokens,
  resourceStatus,
} from './oauth.testing.ts'

describe('the resource', () => {
  test('requires a token, names its metadata, and does not accept a token in the URL', async () => {
    const { origin } = await startProvider()
    const { id } = await registerClient(origin)
    const { access_token: token } = await obtainTokens(origin, id)
    for (const path of ['/mcp', '/sse', `/mcp?access_token=${String(token)}`]) {
      const response = await fetch(`${origin}${path}`)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource${path.split('?')[0]}"`,
      ])
    }
    expect(
      (await fetch(`${origin}/mcp`, { headers: { authorization: 'Bearer x' } })).headers.get(
        'www-authenticate',
      ),
    ).toContain('error="invalid_token"')
    expect((await fetch(`${origin}/messages?sessionId=x`, { method: 'POST' })).status).toBe(401)
  })

  test('accepts a token that was issued for one resource at this resource only', async () => {
    const { origin } = await startProvider()
    const { id } = await registerClient(origin)
    const { access_token: token } = await obtainTokens(origin, id, { resource: `${origin}/sse` })
    expect([
      await resourceStatus(origin, token),
      await resourceStatus(origin, token, '/sse'),
    ]).toEqual([401, 200])
    const code = await obtainCode(origin, id, { resource: origin })
    expect((await exchange(origin, id, code, { resource: `${origin}/mcp` })).json).toMatchObject({
      error: 'invalid_target',
    })
  })

  test('tools respect scopes, and return the user', async () => {
    const { origin, server } = await startProvider()
    const { id } = await registerClient(origin)
    const tokens = await obtainTokens(origin, id, { scope: 'shelf:read' })
    const client = new Client({ name: 'tester', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.mcp), {
        requestInit: { headers: { authorization: `Bearer ${String(tokens['access_token'])}` } },
      }) as Transport,
    )
    const text = async (name: string, args = {}) =>
      ((await client.callTool({ name, arguments: args })) as { content: { text: string }[] })
        .content[0]?.text
    expect(await text('shelf_show_status')).toContain(
      '**User**: ada\n- **Email**: ada@shelf.example',
    )
    expect(await text('shelf_create_loan', { book_id: 'b-002', reader_id: 'r-003' })).toMatch(
      /^Error: .*permission/i,
    )
  })
})

describe('introspection', () => {
  test('describes tokens to the confidential client that received them', async () => {
    const { origin } = await startProvider()
    const { id, secret = '' } = await registerClient(origin, {
      token_endpoint_auth_method: 'client_secret_post',
    })
    const { json } = await exchange(origin, id, await obtainCode(origin, id), {
      client_secret: secret,
    })
    const introspect = (
      token: unknown,
      as: Record<string, string> = { client_id: id, client_secret: secret },
    ) => postForm(`${origin}/introspect`, { ...as, token: String(token) })
    expect((await introspect(json['access_token'])).json).toMatchObject({
      active: true,
      client_id: id,
      username: 'ada',
      sub: 'ada',
      scope: 'shelf:read shelf:write',
      token_type: 'Bearer',
      iss: origin,
      aud: origin,
    })
    expect((await introspect(json['refresh_token'])).json).toMatchObject({ active: true })
    expect((await introspect('x')).json).toEqual({ active: false })
    expect((await introspect(json['access_token'], {})).status).toBe(401)
    const other = await registerClient(origin)
    expect((await introspect(json['access_token'], { client_id: other.id })).status).toBe(401)
    const third = await registerClient(origin, { token_endpoint_auth_method: 'client_secret_post' })
    expect(
      (
        await introspect(json['access_token'], {
          client_id: third.id,
          client_secret: third.secret ?? '',
        })
      ).json,
    ).toEqual({ active: false })
  })
})

describe('introspection by a resource server', () => {
  const server = { id: 'api', secret: 'a secret: with & signs' }
  const basic = ({ id, secret }: typeof server) => ({
    authorization: `Basic ${btoa([id, secret].map(encodeURIComponent).join(':'))}`,
  })

  test('describes the access tokens of all clients, and no refresh tokens', async () => {
    const { origin, server: running } = await startProvider({ resourceServers: [server] })
    const { id } = await registerClient(origin)
    const tokens = await obtainTokens(origin, id, { resource: `${origin}/mcp` })
    const introspect = async (token: unknown) =>
      (await postForm(`${origin}/introspect`, { token: String(token) }, basic(server))).json
    expect(await introspect(tokens['access_token'])).toMatchObject({
      active: true,
      client_id: id,
      sub: 'ada',
      scope: 'shelf:read shelf:write',
      token_type: 'Bearer',
      aud: [`${origin}/mcp`],
    })
    expect(running.context.audit.newestFirst()[0]).toMatchObject({
      event: 'introspect',
      client: 'api',
    })
    expect(await introspect(tokens['refresh_token'])).toEqual({ active: false })
    expect(await introspect('unknown')).toEqual({ active: false })
    await postForm(`${origin}/revoke`, { client_id: id, token: String(tokens['access_token']) })
    expect(await introspect(tokens['access_token'])).toEqual({ active: false })
  })

  test('requires its credentials in the header or in the body, and these work at no other endpoint', async () => {
    const { origin } = await startProvider({ resourceServers: [server] })
    const send = async (path: string, form: Record<string, string>, headers = {}) => {
      const { status, json } = await postForm(`${origin}${path}`, { token: 'x', ...form }, headers)
      return [status, json['error']]
    }
    const inBody = { client_id: server.id, client_secret: server.secret }
    expect(await send('/introspect', inBody)).toEqual([200, undefined])
    expect(await send('/introspect', {}, basic(server))).toEqual([200, undefined])
    const refused = [401, 'invalid_client']
    expect(await send('/introspect', { client_id: server.id })).toEqual(refused)
    expect(await send('/introspect', {}, basic({ ...server, secret: 'other' }))).toEqual(refused)
    expect(await send('/introspect', {}, basic({ ...server, id: 'other' }))).toEqual(refused)
    expect(await send('/introspect', inBody, basic(server))).toEqual([400, 'invalid_request'])
    expect(await send('/introspect', { token: '' }, basic(server))).toEqual([
      400,
      'invalid_request',
    ])
    expect(await send('/revoke', inBody)).toEqual(refused)
    expect(await send('/token', { grant_type: 'authorization_code', ...inBody })).toEqual(refused)
  })
})

describe('revocation', () => {
  test('ends an access token alone, or a refresh token with its grant', async () => {
    const { origin } = await startProvider()
    const { id } = await registerClient(origin)
    const revoke = async (token: unknown, as = id) =>
      (await postForm(`${origin}/revoke`, { client_id: as, token: String(token) })).status
    const first = await obtainTokens(origin, id)
    const other = await registerClient(origin)
    expect([
      await revoke(first['access_token'], other.id),
      await resourceStatus(origin, first['access_token']),
    ]).toEqual([400, 200])
    expect([
      await revoke(first['access_token']),
      await resourceStatus(origin, first['access_token']),
    ]).toEqual([200, 401])
    const second = (await refreshAt(origin, id, first['refresh_token'])).json
    expect([
      await resourceStatus(origin, second['access_token']),
      await revoke(second['refresh_token']),
      await resourceStatus(origin, second['access_token']),
    ]).toEqual([200, 200, 401])
    expect([await revoke('x'), await revoke('x', 'unknown')]).toEqual([200, 401])
  })
})

test('limits requests at each endpoint separately', async () => {
  const { origin } = await startProvider({ rules: { requestsPerMinute: 3 } })
  const statuses = []
  for (let n = 0; n < 4; n += 1) statuses.push((await postJson(`${origin}/register`, {})).status)
  const { status, headers, json } = await postJson(`${origin}/register`, {})
  expect([statuses, status, Number(headers.get('retry-after')) > 50, json['error']]).toEqual([
    [400, 400, 400, 429],
    429,
    true,
    'temporarily_unavailable',
  ])
  expect((await postForm(`${origin}/token`, {})).status).toBe(400)
})

test('the audit log contains events and no secrets', async () => {
  const { origin, server } = await startProvider()
  const { id } = await registerClient(origin)
  const browser = new TestBrowser()
  const { text } = await browser.open(authorizeUrl(origin, id))
  await browser.send(origin, text, {
    login: 'ada',
    password: 'not-her-password',
    decision: 'approve',
  })
  const { location } = await browser.send(origin, text, { ...ada, decision: 'approve' })
  const code = location.searchParams.get('code') ?? ''
  const { json } = await exchange(origin, id, code)
  await exchange(origin, id, code)
  await post(server, {}, { authorization: 'Bearer stolen' })
  const entries = server.context.audit.newestFirst()
  expect(entries.map(({ event, outcome }) => `${event} ${outcome}`).reverse()).toEqual([
    'register done',
    'authorize done',
    'sign in refused',
    'sign in done',
    'consent done',
    'token done',
    'replay refused',
    'token refused',
    'resource refused',
  ])
  const all = JSON.stringify(entries)
  for (const secret of [
    code,
    'ada-password',
    'not-her-password',
    'stolen',
    String(json['access_token']),
    String(json['refresh_token']),
    ...browser.cookies.values(),
  ])
    expect(all).not.toContain(secret)
})

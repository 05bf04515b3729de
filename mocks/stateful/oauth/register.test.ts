import { describe, expect, test } from 'vitest'
import { getJson, postJson, startProvider } from './oauth.testing.ts'

const registerWith = async (metadata: unknown, options: Parameters<typeof startProvider>[0] = {}) =>
  postJson(`${(await startProvider(options)).origin}/register`, metadata)
const uris = { redirect_uris: ['https://app.example/back'] }

describe('/register', () => {
  test('registers a client with a secret, unless it declines one', async () => {
    const { status, json, headers } = await registerWith({ ...uris, client_name: 'App' })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(json).toEqual({
      client_id: expect.any(String) as unknown,
      client_id_issued_at: expect.any(Number) as unknown,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      client_secret_expires_at: 0,
      client_name: 'App',
      ...uris,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    expect(
      (await registerWith({ ...uris, token_endpoint_auth_method: 'none' })).json,
    ).not.toHaveProperty('client_secret')
    expect(
      (await registerWith(uris, { choices: { secrets: 'on request' } })).json,
    ).not.toHaveProperty('client_secret')
  })

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://app.example/back'],
    ['/back'],
    ['https://app.example/back#part'],
    ['https://user:word@app.example/'],
    ['https://app.example/a b'],
    ['http://127.0.0.1.evil.example/'],
    ['file:///etc/passwd'],
  ])('refuses the redirect URI %s', async (uri) => {
    expect(await registerWith({ redirect_uris: [uri] })).toMatchObject({
      status: 400,
      json: { error: 'invalid_redirect_uri' },
    })
  })

  test.each([
    ['https://app.example/back?x=1'],
    ['http://127.0.0.1/back'],
    ['http://localhost:3000/back'],
    ['http://[::1]:3/'],
    ['com.example.app:/back'],
  ])('accepts the redirect URI %s', async (uri) => {
    expect((await registerWith({ redirect_uris: [uri] })).status).toBe(201)
  })

  test.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://app.example/' }, 'invalid_redirect_uri'],
    [[], 'invalid_client_metadata'],
    [{ ...uris, token_endpoint_auth_method: 'magic' }, 'invalid_client_metadata'],
    [{ ...uris, grant_types: ['password'] }, 'invalid_client_metadata'],
    [{ ...uris, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ ...uris, client_name: 3 }, 'invalid_client_metadata'],
  ])('refuses %j with the error %s', async (metadata, error) => {
    expect(await registerWith(metadata)).toMatchObject({ status: 400, json: { error } })
  })

  test('can be disabled, and is then not in the metadata', async () => {
    const { origin } = await startProvider({ allowDynamicClientRegistration: false })
    expect(await postJson(`${origin}/register`, uris)).toMatchObject({
      status: 403,
      json: { error: 'access_denied' },
    })
    expect(
      (await getJson(`${origin}/.well-known/oauth-authorization-server`)).json,
    ).not.toHaveProperty('registration_endpoint')
  })
})

describe('metadata', () => {
  test('describes the server with every endpoint', async () => {
    const { origin } = await startProvider()
    const { json, headers } = await getJson(`${origin}/.well-known/oauth-authorization-server`)
    expect(json).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      introspection_endpoint: `${origin}/introspect`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['', '/mcp', '/sse'])('describes the resource %s', async (path) => {
    const { origin } = await startProvider()
    expect(
      (await getJson(`${origin}/.well-known/oauth-protected-resource${path}`)).json,
    ).toMatchObject({
      resource: `${origin}${path}`,
      authorization_servers: [origin],
      bearer_methods_supported: ['header'],
    })
  })

  test('can be omitted', async () => {
    const { origin, server } = await startProvider({
      choices: { serverMetadata: false, resourceMetadata: false },
    })
    for (const path of [
      'oauth-authorization-server',
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
    ])
      expect((await getJson(`${origin}/.well-known/${path}`)).status).toBe(404)
    expect((await fetch(server.mcp)).headers.get('www-authenticate')).toBe('Bearer')
  })

  test('allows CORS preflights, except at pages for users', async () => {
    const { origin } = await startProvider()
    const preflight = async (path: string) =>
      (await fetch(`${origin}${path}`, { method: 'OPTIONS' })).headers.get(
        'access-control-allow-headers',
      )
    expect([await preflight('/token'), await preflight('/authorize')]).toEqual([
      'Authorization, Content-Type, MCP-Protocol-Version',
      null,
    ])
  })
})

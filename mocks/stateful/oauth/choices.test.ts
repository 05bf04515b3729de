import { describe as suite, expect, test } from 'vitest'
import type { OAuthChoices } from './choices.ts'
import {
  authorizeUrl,
  TestBrowser,
  clientAt,
  codeAt,
  exchange,
  getJson,
  postForm,
  providerOf,
  redirectUri,
  tokensAt,
  use,
  verifier,
} from './oauth.testing.ts'

const chosen = async (choices: Partial<OAuthChoices>, metadata: Record<string, unknown> = {}) => {
  const { origin } = await providerOf({ choices })
  const client = await clientAt(origin, metadata)
  return {
    origin,
    ...client,
    ask: (more: Record<string, string | undefined> = {}) =>
      new TestBrowser().open(authorizeUrl(origin, client.id, more)),
  }
}

suite('freedoms of /authorize', () => {
  test('may be 302, without an issuer, and another status for strangers', async () => {
    const { ask } = await chosen({ redirectStatus: 302, tellsIssuer: false, strangerStatus: 403 })
    const { status, location } = await ask({ response_type: 'token' })
    expect([
      status,
      location.searchParams.has('iss'),
      (await ask({ client_id: 'nobody' })).status,
    ]).toEqual([302, false, 403])
  })

  test('may refuse scopes that it does not know, and want the address always', async () => {
    const { ask } = await chosen({ unknownScopes: 'refused', omittedRedirect: 'refused' })
    expect([
      (await ask({ scope: 'shelf:read other' })).location.searchParams.get('error'),
      (await ask({ redirect_uri: undefined })).status,
    ]).toEqual(['invalid_scope', 400])
    expect((await (await chosen({})).ask({ scope: 'shelf:read other' })).status).toBe(200)
  })

  test('may take plain challenges, and clients with a secret without one', async () => {
    const plain = await chosen({ plainPkce: 'taken' })
    const code = await codeAt(plain.origin, plain.id, {
      code_challenge: verifier,
      code_challenge_method: undefined,
    })
    expect((await exchange(plain.origin, plain.id, code)).status).toBe(200)
    const secret = await chosen(
      { confidentialPkce: 'optional' },
      { token_endpoint_auth_method: 'client_secret_post' },
    )
    const without = await codeAt(secret.origin, secret.id, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    })
    const proof = { client_secret: secret.secret ?? '' }
    // A verifier for a code without a challenge is a downgrade: somebody took the challenge away.
    expect((await exchange(secret.origin, secret.id, without, proof)).json['error']).toBe(
      'invalid_grant',
    )
    expect(
      (await exchange(secret.origin, secret.id, without, { ...proof, code_verifier: undefined }))
        .status,
    ).toBe(200)
  })
})

suite('freedoms of /token and beside it', () => {
  test('answers may be shorter, in another case', async () => {
    const { origin, id } = await chosen({
      tokenType: 'bearer',
      tellsExpiry: false,
      tellsScope: 'where it differs',
    })
    expect(Object.keys(await tokensAt(origin, id))).toEqual([
      'access_token',
      'token_type',
      'refresh_token',
    ])
  })

  test('a wrong verifier may end a code', async () => {
    const { origin, id } = await chosen({ wrongVerifier: 'ends the code' })
    const code = await codeAt(origin, id)
    expect([
      (await exchange(origin, id, code, { code_verifier: 'x'.repeat(43) })).status,
      (await exchange(origin, id, code)).status,
    ]).toEqual([400, 400])
    const other = await chosen({})
    const kept = await codeAt(other.origin, other.id)
    expect([
      (await exchange(other.origin, other.id, kept, { code_verifier: 'x'.repeat(43) })).status,
      (await exchange(other.origin, other.id, kept)).status,
    ]).toEqual([400, 200])
  })

  test('a code that comes again may leave what it gave', async () => {
    const { origin, id } = await chosen({ usedCodes: 'are refused' })
    const code = await codeAt(origin, id)
    const { json } = await exchange(origin, id, code)
    expect([
      (await exchange(origin, id, code)).status,
      await use(origin, String(json['access_token'])),
    ]).toEqual([400, 200])
  })

  test('what a user allowed formerly may end when the user allows it again', async () => {
    const { origin, id } = await chosen({ formerGrants: 'end' })
    const { access_token: access } = await tokensAt(origin, id)
    const code = await codeAt(origin, id)
    await tokensAt(origin, id)
    expect([await use(origin, String(access)), (await exchange(origin, id, code)).status]).toEqual([
      401, 400,
    ])
  })

  test('the redirect URI may be wanted, or passed over', async () => {
    const status = async (
      tokenRedirect: OAuthChoices['tokenRedirect'],
      redirect: string | undefined,
    ) => {
      const { origin, id } = await chosen({ tokenRedirect })
      return (await exchange(origin, id, await codeAt(origin, id), { redirect_uri: redirect }))
        .status
    }
    expect([
      await status('required', undefined),
      await status('ignored', 'https://other.example/'),
      await status('compared', 'https://other.example/'),
    ]).toEqual([400, 200, 400])
  })

  test('refresh tokens may stay, and wider scopes may be passed over', async () => {
    const { origin, id } = await chosen({
      rotation: 'never',
      widerScopes: 'dropped',
      tokenForm: 'like a JWT',
    })
    const { refresh_token: refresh } = await tokensAt(origin, id)
    const { json } = await postForm(`${origin}/token`, {
      grant_type: 'refresh_token',
      client_id: id,
      refresh_token: String(refresh),
      scope: 'shelf:read other',
    })
    expect([
      json['refresh_token'],
      json['scope'],
      String(json['access_token']).split('.').length,
    ]).toEqual([refresh, 'shelf:read', 3])
  })

  test('secrets may be taken in the body only', async () => {
    const {
      origin,
      id,
      secret = '',
    } = await chosen({ basic: 'refused' }, { token_endpoint_auth_method: 'client_secret_post' })
    const { json } = await getJson(`${origin}/.well-known/oauth-authorization-server`)
    expect([
      (await exchange(origin, id, await codeAt(origin, id), { client_secret: secret })).status,
      json['token_endpoint_auth_methods_supported'],
    ]).toEqual([200, ['none', 'client_secret_post']])
  })

  test('metadata may stand elsewhere, with another issuer', async () => {
    const { origin } = await chosen({
      serverMetadataAt: 'openid',
      issuerSlash: true,
      resourceMetadataAt: 'origin',
    })
    const statuses = await Promise.all(
      [
        'oauth-authorization-server',
        'oauth-protected-resource/mcp',
        'oauth-protected-resource',
      ].map(async (path) => (await getJson(`${origin}/.well-known/${path}`)).status),
    )
    expect([
      ...statuses,
      (await getJson(`${origin}/.well-known/openid-configuration`)).json['issuer'],
    ]).toEqual([404, 404, 200, `${origin}/`])
  })

  test('revoking one token may revoke all', async () => {
    const { origin, id } = await chosen({ revocation: 'of the grant' })
    const { access_token: access, refresh_token: refresh } = await tokensAt(origin, id)
    await postForm(`${origin}/revoke`, { client_id: id, token: String(access) })
    expect(
      (
        await postForm(`${origin}/token`, {
          grant_type: 'refresh_token',
          client_id: id,
          refresh_token: String(refresh),
        })
      ).status,
    ).toBe(400)
  })

  test('introspection and revocation may be missing', async () => {
    const { origin } = await chosen({ introspection: false, revocable: false })
    expect([
      (await postForm(`${origin}/introspect`, {})).status,
      (await postForm(`${origin}/revoke`, {})).status,
    ]).toEqual([404, 404])
    expect(
      Object.keys((await getJson(`${origin}/.well-known/oauth-authorization-server`)).json).filter(
        (name) => /introspection|revocation/.test(name),
      ),
    ).toEqual([])
  })
})

suite('places for faults', () => {
  test('each rule may be replaced by another', async () => {
    const { origin } = await providerOf({
      rules: {
        verifies: () => true,
        codesWorkOnce: false,
        bearerOf: ({ url = '' }) =>
          new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined,
      },
    })
    const { id } = await clientAt(origin)
    const code = await codeAt(origin, id)
    const { json } = await exchange(origin, id, code, { code_verifier: undefined })
    expect([
      (await exchange(origin, id, code)).status,
      await use(origin, '', `/sse?access_token=${String(json['access_token'])}`),
    ]).toEqual([200, 200])
  })

  test('every answer may be replaced, by what was asked', async () => {
    const seen: string[] = []
    const { origin, server } = await providerOf({
      answered(endpoint, reply, { parameters }) {
        seen.push(`${endpoint} ${reply.status} ${parameters?.get('redirect_uri') === redirectUri}`)
        return endpoint === 'resource' ? { ...reply, status: 418 } : reply
      },
    })
    const { id } = await clientAt(origin)
    await tokensAt(origin, id)
    expect((await fetch(server.mcp)).status).toBe(418)
    expect(seen).toEqual([
      'register 201 false',
      'authorize 200 true',
      'consent 303 false',
      'token 200 true',
      'resource 401 false',
    ])
  })
})

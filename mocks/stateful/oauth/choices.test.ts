import { describe, expect, test } from 'vitest'
import type { OAuthChoices } from './choices.ts'
import {
  authorizeUrl,
  TestBrowser,
  registerClient,
  obtainCode,
  exchange,
  getJson,
  postForm,
  startProvider,
  redirectUri,
  obtainTokens,
  resourceStatus,
  verifier,
} from './oauth.testing.ts'

const startWithChoices = async (
  choices: Partial<OAuthChoices>,
  metadata: Record<string, unknown> = {},
) => {
  const { origin } = await startProvider({ choices })
  const client = await registerClient(origin, metadata)
  return {
    origin,
    ...client,
    openAuthorize: (more: Record<string, string | undefined> = {}) =>
      new TestBrowser().open(authorizeUrl(origin, client.id, more)),
  }
}

describe('choices of /authorize', () => {
  test('can use 302, omit the issuer, and use another status for unknown clients', async () => {
    const { openAuthorize } = await startWithChoices({
      redirectStatus: 302,
      includesIssuer: false,
      unknownClientStatus: 403,
    })
    const { status, location } = await openAuthorize({ response_type: 'token' })
    expect([
      status,
      location.searchParams.has('iss'),
      (await openAuthorize({ client_id: 'unknown' })).status,
    ]).toEqual([302, false, 403])
  })

  test('can refuse unknown scopes, and require redirect_uri', async () => {
    const { openAuthorize } = await startWithChoices({
      unknownScopes: 'refused',
      omittedRedirect: 'refused',
    })
    expect([
      (await openAuthorize({ scope: 'shelf:read other' })).location.searchParams.get('error'),
      (await openAuthorize({ redirect_uri: undefined })).status,
    ]).toEqual(['invalid_scope', 400])
    expect(
      (await (await startWithChoices({})).openAuthorize({ scope: 'shelf:read other' })).status,
    ).toBe(200)
  })

  test('can accept plain challenges, and confidential clients without PKCE', async () => {
    const plain = await startWithChoices({ plainPkce: 'accepted' })
    const code = await obtainCode(plain.origin, plain.id, {
      code_challenge: verifier,
      code_challenge_method: undefined,
    })
    expect((await exchange(plain.origin, plain.id, code)).status).toBe(200)
    const secret = await startWithChoices(
      { confidentialPkce: 'optional' },
      { token_endpoint_auth_method: 'client_secret_post' },
    )
    const without = await obtainCode(secret.origin, secret.id, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    })
    const proof = { client_secret: secret.secret ?? '' }
    // A verifier for a code without a challenge indicates a downgrade attack: an attacker has
    // removed the challenge from the authorization request.
    expect((await exchange(secret.origin, secret.id, without, proof)).json['error']).toBe(
      'invalid_grant',
    )
    expect(
      (await exchange(secret.origin, secret.id, without, { ...proof, code_verifier: undefined }))
        .status,
    ).toBe(200)
  })
})

describe('choices of /token and other endpoints', () => {
  test('token responses can omit fields, and contain the token type in lower case', async () => {
    const { origin, id } = await startWithChoices({
      tokenType: 'bearer',
      includesExpiry: false,
      includesScope: 'if different',
    })
    expect(Object.keys(await obtainTokens(origin, id))).toEqual([
      'access_token',
      'token_type',
      'refresh_token',
    ])
  })

  test('a wrong verifier can end a code', async () => {
    const { origin, id } = await startWithChoices({ wrongVerifier: 'ends the code' })
    const code = await obtainCode(origin, id)
    expect([
      (await exchange(origin, id, code, { code_verifier: 'x'.repeat(43) })).status,
      (await exchange(origin, id, code)).status,
    ]).toEqual([400, 400])
    const other = await startWithChoices({})
    const repeatedCode = await obtainCode(other.origin, other.id)
    expect([
      (await exchange(other.origin, other.id, repeatedCode, { code_verifier: 'x'.repeat(43) }))
        .status,
      (await exchange(other.origin, other.id, repeatedCode)).status,
    ]).toEqual([400, 200])
  })

  test('a repeated code can be refused without ending its grant', async () => {
    const { origin, id } = await startWithChoices({ usedCodes: 'are refused' })
    const code = await obtainCode(origin, id)
    const { json } = await exchange(origin, id, code)
    expect([
      (await exchange(origin, id, code)).status,
      await resourceStatus(origin, String(json['access_token'])),
    ]).toEqual([400, 200])
  })

  test('a new consent can end previous grants', async () => {
    const { origin, id } = await startWithChoices({ previousGrants: 'end' })
    const { access_token: access } = await obtainTokens(origin, id)
    const code = await obtainCode(origin, id)
    await obtainTokens(origin, id)
    expect([
      await resourceStatus(origin, String(access)),
      (await exchange(origin, id, code)).status,
    ]).toEqual([401, 400])
  })

  test('the redirect URI can be required or ignored', async () => {
    const status = async (
      tokenRedirect: OAuthChoices['tokenRedirect'],
      redirect: string | undefined,
    ) => {
      const { origin, id } = await startWithChoices({ tokenRedirect })
      return (await exchange(origin, id, await obtainCode(origin, id), { redirect_uri: redirect }))
        .status
    }
    expect([
      await status('required', undefined),
      await status('ignored', 'https://other.example/'),
      await status('compared', 'https://other.example/'),
    ]).toEqual([400, 200, 400])
  })

  test('refresh tokens can remain unchanged, and additional scopes can be dropped', async () => {
    const { origin, id } = await startWithChoices({
      rotation: 'never',
      widerScopes: 'dropped',
      tokenForm: 'like a JWT',
    })
    const { refresh_token: refresh } = await obtainTokens(origin, id)
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

  test('secrets can be accepted in the body only', async () => {
    const {
      origin,
      id,
      secret = '',
    } = await startWithChoices(
      { basic: 'refused' },
      { token_endpoint_auth_method: 'client_secret_post' },
    )
    const { json } = await getJson(`${origin}/.well-known/oauth-authorization-server`)
    expect([
      (await exchange(origin, id, await obtainCode(origin, id), { client_secret: secret })).status,
      json['token_endpoint_auth_methods_supported'],
    ]).toEqual([200, ['none', 'client_secret_post']])
  })

  test('metadata can have another path and issuer', async () => {
    const { origin } = await startWithChoices({
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

  test('revoking one token can end the grant', async () => {
    const { origin, id } = await startWithChoices({ revocation: 'of the grant' })
    const { access_token: access, refresh_token: refresh } = await obtainTokens(origin, id)
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

  test('introspection and revocation can be disabled', async () => {
    const { origin } = await startWithChoices({ introspection: false, revocable: false })
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

describe('deviations', () => {
  test('can replace each rule', async () => {
    const { origin } = await startProvider({
      rules: {
        isVerifierCorrect: () => true,
        codesAreSingleUse: false,
        bearerTokenOf: ({ url = '' }) =>
          new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined,
      },
    })
    const { id } = await registerClient(origin)
    const code = await obtainCode(origin, id)
    const { json } = await exchange(origin, id, code, { code_verifier: undefined })
    expect([
      (await exchange(origin, id, code)).status,
      await resourceStatus(origin, '', `/sse?access_token=${String(json['access_token'])}`),
    ]).toEqual([200, 200])
  })

  test('can replace every reply, depending on the request', async () => {
    const seen: string[] = []
    const { origin, server } = await startProvider({
      changeReply(endpoint, reply, { parameters }) {
        seen.push(`${endpoint} ${reply.status} ${parameters?.get('redirect_uri') === redirectUri}`)
        return endpoint === 'resource' ? { ...reply, status: 418 } : reply
      },
    })
    const { id } = await registerClient(origin)
    await obtainTokens(origin, id)
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

import { createHash } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeIdentityProvider, type FakeIdentityProviderOptions } from './identity.ts'

const open: FakeIdentityProvider[] = []
afterEach(async () => {
  for (const identity of open.splice(0)) await identity.close()
})
async function started(options?: FakeIdentityProviderOptions): Promise<FakeIdentityProvider> {
  const identity = await FakeIdentityProvider.start(options)
  open.push(identity)
  return identity
}

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const server = 'http://127.0.0.1:9/callback?own=1'

/** The requests that a server and its user's browser send. */
const requestsTo = (identity: FakeIdentityProvider) => ({
  async authorize(more: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'server',
      redirect_uri: server,
      state: 's',
      scope: 'read:user',
      ...more,
    })
    const answer = await fetch(`${identity.url}/login/oauth/authorize?${query}`, {
      redirect: 'manual',
      headers,
    })
    return { status: answer.status, back: new URL(answer.headers.get('location') ?? 'none:') }
  },
  async token(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const answer = await fetch(`${identity.url}/token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'application/json', ...headers },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    }
  },
  async user(token: string, path = '/user', scheme = 'Bearer') {
    const answer = await fetch(identity.url + path, {
      headers: { authorization: `${scheme} ${token}` },
    })
    return { status: answer.status, text: await answer.text() }
  },
})
const tokenIn = (text: string) => (JSON.parse(text) as { access_token: string }).access_token

describe('a fake identity provider', () => {
  it('signs a user in, and records which requests belong to one login', async () => {
    const identity = await started()
    const { authorize, token, user } = requestsTo(identity)
    const { status, back } = await authorize({
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    expect([
      status,
      back.origin,
      [...back.searchParams.keys()],
      back.searchParams.get('state'),
    ]).toEqual([302, 'http://127.0.0.1:9', ['own', 'code', 'state'], 's'])
    const code = back.searchParams.get('code')!
    const got = await token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: server,
      code_verifier: verifier,
      client_id: 'server',
      client_secret: 'x',
    })
    expect(JSON.parse(got.text)).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{48}$/),
      token_type: 'bearer',
      scope: 'read:user',
    })
    const userResponse = await user(tokenIn(got.text))
    const one = identity.findAuthorization('s')!
    expect(JSON.parse(userResponse.text)).toEqual({
      login: one.user.login,
      id: one.user.id,
      email: one.user.email,
      name: one.user.name,
      sub: String(one.user.id),
      preferred_username: one.user.login,
      email_verified: true,
    })
    expect(JSON.parse((await user(tokenIn(got.text), '/user/emails', 'token')).text)).toMatchObject(
      [{ email: one.user.email, primary: true, verified: true }],
    )
    expect(one).toMatchObject({ clientId: 'server', redirectUri: server, mode: 'approve', code })
    expect(one.tokenRequests).toMatchObject([
      {
        clientId: 'server',
        clientSecret: 'x',
        credentialsIn: 'body',
        code,
        verifier,
        redirectUri: server,
        token: tokenIn(got.text),
        problem: undefined,
      },
    ])
    expect(one.tokenRequests[0]!.userRequests.map(({ path }) => path)).toEqual([
      '/user',
      '/user/emails',
    ])
    expect(identity.userRequests[1]!.tokenRequest!.authorization).toBe(one)
  })

  it('issues a token once, for a matching code and verifier', async () => {
    const identity = await started()
    const { authorize, token } = requestsTo(identity)
    const codeOf = async (more = {}) => (await authorize(more)).back.searchParams.get('code')!
    const plain = await codeOf({ code_challenge: 'abc' })
    const attempts = [
      { code: 'invented' },
      { code: plain },
      { code: plain, code_verifier: 'abd' },
      {
        code: await codeOf({ code_challenge: challenge, code_challenge_method: 'S256' }),
        code_verifier: challenge,
      },
      { code: plain, code_verifier: 'abc', redirect_uri: `${server}&more=1` },
      { code: plain, grant_type: 'refresh_token' },
    ]
    for (const attempt of attempts) expect(await token(attempt)).toMatchObject({ status: 400 })
    expect(await token({ code: plain, code_verifier: 'abc' })).toMatchObject({ status: 200 })
    expect(await token({ code: plain, code_verifier: 'abc' })).toMatchObject({ status: 400 })
    expect(identity.tokenRequests.map(({ problem }) => problem)).toEqual([
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'invalid_grant',
      'unsupported_grant_type',
      undefined,
      'invalid_grant',
    ])
  })

  it.each([
    ['in the header', oauth.ClientSecretBasic],
    ['in the body', oauth.ClientSecretPost],
  ])('serves an independent client whose secret is %s', async (_, credentials) => {
    const identity = await started()
    const issuer = new URL(identity.url)
    const options = { [oauth.allowInsecureRequests]: true }
    const found = await oauth.discoveryRequest(issuer, options)
    const provider = await oauth.processDiscoveryResponse(issuer, found)
    const client = { client_id: 'a client+1' }
    const own = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(provider.authorization_endpoint!)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: server,
      scope: 'read:user',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(own),
      code_challenge_method: 'S256',
    }).toString()
    const { headers } = await fetch(url, { redirect: 'manual' })
    const back = new URL(headers.get('location')!)
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      credentials('a secret:+&'),
      oauth.validateAuthResponse(provider, client, back, state),
      server,
      own,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response)
    const answer = await oauth.userInfoRequest(provider, client, tokens.access_token, options)
    const subject = String(identity.findAuthorization(state)!.user.id)
    expect(await oauth.processUserInfoResponse(provider, client, subject, answer)).toMatchObject({
      sub: subject,
      email_verified: true,
    })
    expect(identity.tokenRequests).toMatchObject([
      { clientId: 'a client+1', clientSecret: 'a secret:+&', problem: undefined },
    ])
  })

  it.for([
    ['*/*', 'application/json'],
    ['text/html, application/json;q=0.9', 'application/json'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ])('responds to Accept: %s with %s', async ([accept, type]) => {
    const { authorize, token } = requestsTo(await started())
    const code = (await authorize()).back.searchParams.get('code')!
    const got = await token({ grant_type: 'authorization_code', code }, { accept: accept! })
    expect(got.type).toContain(type)
    const { token_type } =
      type === 'application/json'
        ? (JSON.parse(got.text) as Record<string, unknown>)
        : Object.fromEntries(new URLSearchParams(got.text))
    expect(token_type).toBe('bearer')
  })

  it('reads credentials from the header', async () => {
    const identity = await started()
    const { authorize, token } = requestsTo(identity)
    const code = (await authorize()).back.searchParams.get('code')!
    await token(
      { grant_type: 'authorization_code', code },
      { authorization: `Basic ${Buffer.from('a%3Ab:s+1').toString('base64')}` },
    )
    expect(identity.tokenRequests[0]).toMatchObject({
      credentialsIn: 'basic',
      clientId: 'a:b',
      clientSecret: 's 1',
    })
  })

  it('overrides the behavior for one browser only', async () => {
    const identity = await started()
    const { authorize, token, user } = requestsTo(identity)
    const denied = identity.override({ mode: 'deny' })
    const ada = identity.override({ user: { login: 'ada', email: 'a@b', name: 'Ada', id: 1 } })
    const [no, yes, other] = [
      await authorize({ state: 'n' }, denied.headers),
      await authorize({ state: 'y' }, ada.headers),
      await authorize(),
    ]
    expect(no.back.search).toBe(
      '?own=1&error=access_denied&error_description=The+user+has+denied+access&state=n',
    )
    expect(
      [denied, ada].map(({ authorizations }) => authorizations.map(({ state }) => state)),
    ).toEqual([['n'], ['y']])
    const logins = await Promise.all(
      [yes, other].map(
        async ({ back }) =>
          JSON.parse(
            (await user(tokenIn((await token({ code: back.searchParams.get('code')! })).text)))
              .text,
          ) as { login: string },
      ),
    )
    expect(logins.map(({ login }) => login)).toEqual([
      'ada',
      identity.authorizations[2]!.user.login,
    ])
    expect(new Set(identity.authorizations.map(({ user: { login } }) => login)).size).toBe(3)
    denied.stop()
    expect((await authorize({}, denied.headers)).back.searchParams.has('code')).toBe(true)
    identity.defaultBehavior = { mode: 'deny' }
    expect((await authorize()).back.searchParams.get('error')).toBe('access_denied')
  })

  it.each([
    ['error with status 400', 400, undefined],
    ['error with status 200', 200, undefined],
    ['no user', 200, [401, /Bad credentials/]],
    ['malformed user', 200, [200, /^<<\{/]],
  ] as const)(
    'in the mode "%s", returns no usable token or user',
    async (mode, status, expected) => {
      const identity = await started()
      identity.defaultBehavior = { mode }
      const { authorize, token, user } = requestsTo(identity)
      const got = await token({ code: (await authorize()).back.searchParams.get('code')! })
      expect(got.status).toBe(status)
      if (expected === undefined) return expect(JSON.parse(got.text)).toHaveProperty('error')
      const asked = await user(tokenIn(got.text))
      expect(asked.status).toBe(expected[0])
      expect(asked.text).toMatch(expected[1])
    },
  )

  it('serves metadata, and refuses invalid and unknown requests', async () => {
    const identity = await started({ publicUrl: 'http://identity.example/base/' })
    const own = (identity as unknown as { listener: { origin: string } }).listener.origin
    const metadata = (await (
      await fetch(`${own}/.well-known/openid-configuration`)
    ).json()) as object
    expect(metadata).toMatchObject({
      issuer: 'http://identity.example/base',
      token_endpoint: 'http://identity.example/base/token',
    })
    expect([
      identity.owns(new URL('http://identity.example/base/x')),
      identity.owns(new URL('http://identity.example/based')),
    ]).toEqual([true, false])
    const sent: [string, RequestInit?][] = [
      ['/?client_id=x'],
      ['/?client_id=x&redirect_uri=none'],
      ['/%zz?%zz'],
      ['/user'],
      ['/', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
      ['/', { method: 'POST', body: 'null', headers: { 'content-type': 'application/json' } }],
      ['/user', { headers: { authorization: 'Bearer x' } }],
    ]
    expect(
      await Promise.all(sent.map(async ([path, init]) => (await fetch(own + path, init)).status)),
    ).toEqual([400, 400, 404, 401, 404, 404, 401])
    expect(identity.otherRequests).toContain('GET /%zz')
  })
})

import { expect, onTestFinished, test } from 'vitest'
import { TestBrowser, getJson, postForm } from '../oauth/oauth.testing.ts'
import { startIdentity, type IdentityOptions } from '../identity.ts'

async function startTracked(options: IdentityOptions = {}) {
  const identity = await startIdentity(options)
  onTestFinished(() => identity.close())
  const openAuthorize = (more: Record<string, string> = {}) =>
    new TestBrowser().open(
      `${identity.authorizeUrl}?${new URLSearchParams({ response_type: 'code', client_id: 'shelf', redirect_uri: 'http://127.0.0.1:5/callback', state: 's', scope: 'read:user', ...more })}`,
    )
  const exchange = (code: string, more: Record<string, string> = {}) =>
    postForm(identity.tokenUrl, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'http://127.0.0.1:5/callback',
      client_id: 'shelf',
      client_secret: 'shelf-upstream-secret',
      ...more,
    })
  return { ...identity, authorize: openAuthorize, exchange }
}

test('exchanges a code for a token, and returns the user of the token', async () => {
  const { authorize, exchange, userUrl } = await startTracked()
  const { location } = await authorize()
  expect(location.searchParams.get('state')).toBe('s')
  const { status, json } = await exchange(location.searchParams.get('code') ?? '')
  expect([status, json['scope'], json['token_type']]).toEqual([200, 'read:user', 'bearer'])
  expect(
    (await getJson(userUrl, { authorization: `Bearer ${String(json['access_token'])}` })).json,
  ).toEqual({ login: 'ada', email: 'ada@shelf.example' })
  expect((await getJson(userUrl)).status).toBe(401)
})

test('does not redirect if the server or its redirect URI is unknown', async () => {
  const { authorize } = await startTracked()
  for (const more of [
    { client_id: 'other' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: 'http://127.0.0.1.evil.example/' },
    { redirect_uri: 'http://127.0.0.1:5/\u{1F30A}' },
    { redirect_uri: 'http://127.0.0.1:5/\r\nX: y' },
  ]) {
    const { status, headers } = await authorize(more as unknown as Record<string, string>)
    expect([status, headers.has('location')]).toEqual([400, false])
  }
  const strict = await startTracked({ redirectUris: ['http://127.0.0.1:6/callback'] })
  expect((await strict.authorize()).status).toBe(400)
  expect((await authorize({ response_type: 'token' })).location.searchParams.get('error')).toBe(
    'unsupported_response_type',
  )
})

test('issues a token for a code only once, to the right server, with the right verifier, and in time', async () => {
  let now = 0
  const { authorize, exchange } = await startTracked({ now: () => now })
  const code = async (more: Record<string, string> = {}) =>
    (await authorize(more)).location.searchParams.get('code') ?? ''
  const error = async (answer: ReturnType<typeof exchange>) => (await answer).json['error']
  const once = await code()
  expect([(await exchange(once)).status, await error(exchange(once))]).toEqual([
    200,
    'invalid_grant',
  ])
  expect(await error(exchange(await code(), { client_secret: 'x' }))).toBe('invalid_client')
  expect(await error(exchange(await code(), { redirect_uri: 'http://127.0.0.1:6/callback' }))).toBe(
    'invalid_grant',
  )
  expect(await error(exchange(await code({ code_challenge: 'x' }), { code_verifier: 'y' }))).toBe(
    'invalid_grant',
  )
  expect(await error(exchange(await code(), { grant_type: 'password' }))).toBe(
    'unsupported_grant_type',
  )
  const late = await code()
  now = 600_000
  expect(await error(exchange(late))).toBe('invalid_grant')
})

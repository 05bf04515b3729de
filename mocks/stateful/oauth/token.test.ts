import { describe, expect, test } from 'vitest'
import {
  moveClockAhead,
  registerClient,
  obtainCode,
  exchange,
  postForm,
  postJson,
  startProvider,
  refreshAt,
  obtainTokens,
  resourceStatus,
  verifier,
} from './oauth.testing.ts'

const startWithCode = async (
  options: Parameters<typeof startProvider>[0] = {},
  metadata: Record<string, unknown> = {},
) => {
  const { origin, server } = await startProvider(options)
  const client = await registerClient(origin, metadata)
  return { origin, server, client, id: client.id, code: await obtainCode(origin, client.id) }
}
const refusedAs = (error: string, status = 400) => ({
  status,
  json: { error, error_description: expect.any(String) as unknown },
})

describe('a code', () => {
  test('is exchanged for tokens that every transport accepts', async () => {
    const { origin, id, code } = await startWithCode()
    const { status, json, headers } = await exchange(origin, id, code)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      scope: 'shelf:read shelf:write',
    })
    expect([
      await resourceStatus(origin, json['access_token']),
      await resourceStatus(origin, json['access_token'], '/sse'),
      await resourceStatus(origin, json['refresh_token']),
    ]).toEqual([200, 200, 401])
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['a short verifier', { code_verifier: 'x' }],
    ['another code', { code: 'x' }],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:7777/other' }],
  ])('is not exchanged with %s, and the code stays valid', async (_, more) => {
    const { origin, id, code } = await startWithCode()
    expect(await exchange(origin, id, code, more)).toMatchObject(refusedAs('invalid_grant'))
    expect((await exchange(origin, id, code, { redirect_uri: undefined })).status).toBe(200)
  })

  test('works once, and a replay ends its grant', async () => {
    const { origin, id, code } = await startWithCode()
    const { json } = await exchange(origin, id, code)
    expect(await exchange(origin, id, code)).toMatchObject(refusedAs('invalid_grant'))
    expect([
      await resourceStatus(origin, json['access_token']),
      (await refreshAt(origin, id, json['refresh_token'])).status,
    ]).toEqual([401, 400])
  })

  test('works once for concurrent requests', async () => {
    const { origin, id, code } = await startWithCode()
    const statuses = (await Promise.all([1, 2, 3].map(() => exchange(origin, id, code)))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 400, 400])
  })

  test('is bound to one client', async () => {
    const { origin, id, code } = await startWithCode()
    const other = await registerClient(origin)
    expect(await exchange(origin, other.id, code)).toMatchObject(refusedAs('invalid_grant'))
    expect((await exchange(origin, id, code)).status).toBe(200)
  })

  test('expires after ten minutes', async () => {
    const { origin, id, code, server } = await startWithCode()
    await moveClockAhead(server, 601)
    expect(await exchange(origin, id, code)).toMatchObject(refusedAs('invalid_grant'))
  })
})

describe('/token', () => {
  test.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: undefined }, 'invalid_request'],
    [{ code: undefined }, 'invalid_request'],
  ])('refuses %j with the error %s', async (more, error) => {
    const { origin, id, code } = await startWithCode()
    expect(await exchange(origin, id, code, more)).toMatchObject(refusedAs(error))
  })

  test('refuses unknown clients with 401, or with the status in clientFailureStatus', async () => {
    const { origin, code } = await startWithCode()
    expect(await exchange(origin, 'unknown', code)).toMatchObject(refusedAs('invalid_client', 401))
    expect((await exchange(origin, 'unknown', code)).headers.get('www-authenticate')).toMatch(
      /^Basic /,
    )
    const other = await startWithCode({ choices: { clientFailureStatus: 400 } })
    expect(await exchange(other.origin, 'unknown', other.code)).toMatchObject(
      refusedAs('invalid_client'),
    )
  })

  test('requires the secret of a confidential client, in the header or the body but not in both', async () => {
    const { origin, id, client, code } = await startWithCode(
      {},
      { token_endpoint_auth_method: 'client_secret_basic' },
    )
    const secret = client.secret ?? ''
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
    })
    expect(await exchange(origin, id, code)).toMatchObject(refusedAs('invalid_client', 401))
    expect(await exchange(origin, id, code, { client_secret: 'x' })).toMatchObject(
      refusedAs('invalid_client', 401),
    )
    expect(await postForm(`${origin}/token`, form, basic('x'))).toMatchObject(
      refusedAs('invalid_client', 401),
    )
    expect(
      await postForm(`${origin}/token`, { ...form, client_secret: secret }, basic(secret)),
    ).toMatchObject(refusedAs('invalid_request'))
    expect((await postForm(`${origin}/token`, form, basic(secret))).status).toBe(200)
    expect(
      (await exchange(origin, id, await obtainCode(origin, id), { client_secret: secret })).status,
    ).toBe(200)
  })

  test('refuses repeated parameters, and accepts only forms unless the choice jsonForms accepts JSON', async () => {
    const { origin, id, code } = await startWithCode()
    const form = { grant_type: 'authorization_code', client_id: id, code, code_verifier: verifier }
    expect(
      await postForm(`${origin}/token`, [...Object.entries(form), ['code', code]]),
    ).toMatchObject(refusedAs('invalid_request'))
    expect(await postJson(`${origin}/token`, form)).toMatchObject(refusedAs('invalid_request'))
    const other = await startWithCode({ choices: { jsonForms: 'accepted' } })
    expect(
      (await postJson(`${other.origin}/token`, { ...form, client_id: other.id, code: other.code }))
        .status,
    ).toBe(200)
  })
})

describe('refreshing', () => {
  test('returns new tokens, and reusing the old refresh token ends the grant', async () => {
    const {
      origin,
      client: { id },
    } = await startWithCode()
    const first = await obtainTokens(origin, id)
    const second = (await refreshAt(origin, id, first['refresh_token'])).json
    expect([
      await resourceStatus(origin, second['access_token']),
      second['refresh_token'] === first['refresh_token'],
    ]).toEqual([200, false])
    expect(await refreshAt(origin, id, first['refresh_token'])).toMatchObject(
      refusedAs('invalid_grant'),
    )
    expect([
      await resourceStatus(origin, second['access_token']),
      (await refreshAt(origin, id, second['refresh_token'])).status,
    ]).toEqual([401, 400])
  })

  test.each([
    ['are refused', 400, 200, 400],
    ['stay valid for retries', 200, 200, 400],
    ['stay valid', 200, 200, 200],
  ] as const)(
    'if old refresh tokens %s, the old one gets status %i, the new one %i, and then the old one %i',
    async (oldRefreshTokens, old, next, late) => {
      const {
        origin,
        client: { id },
      } = await startWithCode({ choices: { oldRefreshTokens } })
      const first = await obtainTokens(origin, id)
      const second = (await refreshAt(origin, id, first['refresh_token'])).json
      expect([
        (await refreshAt(origin, id, first['refresh_token'])).status,
        (await refreshAt(origin, id, second['refresh_token'])).status,
        (await refreshAt(origin, id, first['refresh_token'])).status,
      ]).toEqual([old, next, late])
    },
  )

  test('is bound to the client and the granted scopes', async () => {
    const {
      origin,
      client: { id },
    } = await startWithCode()
    const { refresh_token: token } = await obtainTokens(origin, id, { scope: 'shelf:read' })
    const other = await registerClient(origin)
    expect(await refreshAt(origin, other.id, token)).toMatchObject(refusedAs('invalid_grant'))
    expect(await refreshAt(origin, id, token, { scope: 'shelf:read shelf:write' })).toMatchObject(
      refusedAs('invalid_scope'),
    )
    expect((await refreshAt(origin, id, token, { scope: 'shelf:read' })).json['scope']).toBe(
      'shelf:read',
    )
  })

  test('can be disabled', async () => {
    const {
      origin,
      client: { id },
    } = await startWithCode({ choices: { refreshTokens: false } })
    expect(Object.keys(await obtainTokens(origin, id))).not.toContain('refresh_token')
    expect(await refreshAt(origin, id, 'x')).toMatchObject(refusedAs('unsupported_grant_type'))
  })

  test('replaces an access token that expired after an hour, but not after more than a month', async () => {
    const {
      origin,
      server,
      client: { id },
    } = await startWithCode()
    const { access_token: access, refresh_token: refresh } = await obtainTokens(origin, id)
    await moveClockAhead(server, 3601)
    expect(await resourceStatus(origin, access)).toBe(401)
    expect(
      await resourceStatus(origin, (await refreshAt(origin, id, refresh)).json['access_token']),
    ).toBe(200)
    await moveClockAhead(server, 31 * 24 * 3600)
    expect((await refreshAt(origin, id, refresh)).status).toBe(400)
  })
})

import { describe as suite, expect, test } from 'vitest'
import {
  ahead,
  clientAt,
  codeAt,
  exchange,
  postForm,
  postJson,
  providerOf,
  refreshAt,
  tokensAt,
  use,
  verifier,
} from './oauth.testing.ts'

const started = async (
  options: Parameters<typeof providerOf>[0] = {},
  metadata: Record<string, unknown> = {},
) => {
  const { origin, server } = await providerOf(options)
  const client = await clientAt(origin, metadata)
  return { origin, server, client, id: client.id, code: await codeAt(origin, client.id) }
}
const refusedAs = (error: string, status = 400) => ({
  status,
  json: { error, error_description: expect.any(String) as unknown },
})

suite('a code', () => {
  test('becomes tokens that work on every transport', async () => {
    const { origin, id, code } = await started()
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
      await use(origin, json['access_token']),
      await use(origin, json['access_token'], '/sse'),
      await use(origin, json['refresh_token']),
    ]).toEqual([200, 200, 401])
  })

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['a short verifier', { code_verifier: 'x' }],
    ['another code', { code: 'x' }],
    ['another address', { redirect_uri: 'http://127.0.0.1:7777/other' }],
  ])('is refused with %s, and is not used up', async (_, more) => {
    const { origin, id, code } = await started()
    expect(await exchange(origin, id, code, more)).toMatchObject(refusedAs('invalid_grant'))
    expect((await exchange(origin, id, code, { redirect_uri: undefined })).status).toBe(200)
  })

  test('works once, and a replay ends what it gave', async () => {
    const { origin, id, code } = await started()
    const { json } = await exchange(origin, id, code)
    expect(await exchange(origin, id, code)).toMatchObject(refusedAs('invalid_grant'))
    expect([
      await use(origin, json['access_token']),
      (await refreshAt(origin, id, json['refresh_token'])).status,
    ]).toEqual([401, 400])
  })

  test('works once also for two at the same time', async () => {
    const { origin, id, code } = await started()
    const statuses = (await Promise.all([1, 2, 3].map(() => exchange(origin, id, code)))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 400, 400])
  })

  test('is of one client', async () => {
    const { origin, id, code } = await started()
    const other = await clientAt(origin)
    expect(await exchange(origin, other.id, code)).toMatchObject(refusedAs('invalid_grant'))
    expect((await exchange(origin, id, code)).status).toBe(200)
  })

  test('ends after a minute', async () => {
    const { origin, id, code, server } = await started()
    await ahead(server, 61)
    expect(await exchange(origin, id, code)).toMatchObject(refusedAs('invalid_grant'))
  })
})

suite('/token', () => {
  test.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: undefined }, 'invalid_request'],
    [{ code: undefined }, 'invalid_request'],
  ])('refuses %j as %s', async (more, error) => {
    const { origin, id, code } = await started()
    expect(await exchange(origin, id, code, more)).toMatchObject(refusedAs(error))
  })

  test('refuses clients that it does not know, with 401 or what was chosen', async () => {
    const { origin, code } = await started()
    expect(await exchange(origin, 'nobody', code)).toMatchObject(refusedAs('invalid_client', 401))
    expect((await exchange(origin, 'nobody', code)).headers.get('www-authenticate')).toMatch(
      /^Basic /,
    )
    const other = await started({ choices: { strangerClientStatus: 400 } })
    expect(await exchange(other.origin, 'nobody', other.code)).toMatchObject(
      refusedAs('invalid_client'),
    )
  })

  test('wants the secret of a client that has one, by either way but not by both', async () => {
    const { origin, id, client, code } = await started(
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
      (await exchange(origin, id, await codeAt(origin, id), { client_secret: secret })).status,
    ).toBe(200)
  })

  test('takes no parameter twice, and forms only unless it was chosen otherwise', async () => {
    const { origin, id, code } = await started()
    const form = { grant_type: 'authorization_code', client_id: id, code, code_verifier: verifier }
    expect(
      await postForm(`${origin}/token`, [...Object.entries(form), ['code', code]]),
    ).toMatchObject(refusedAs('invalid_request'))
    expect(await postJson(`${origin}/token`, form)).toMatchObject(refusedAs('invalid_request'))
    const other = await started({ choices: { jsonForms: 'taken' } })
    expect(
      (await postJson(`${other.origin}/token`, { ...form, client_id: other.id, code: other.code }))
        .status,
    ).toBe(200)
  })
})

suite('refreshing', () => {
  test('gives a new pair, and the old one a second time ends all', async () => {
    const {
      origin,
      client: { id },
    } = await started()
    const first = await tokensAt(origin, id)
    const second = (await refreshAt(origin, id, first['refresh_token'])).json
    expect([
      await use(origin, second['access_token']),
      second['refresh_token'] === first['refresh_token'],
    ]).toEqual([200, false])
    expect(await refreshAt(origin, id, first['refresh_token'])).toMatchObject(
      refusedAs('invalid_grant'),
    )
    expect([
      await use(origin, second['access_token']),
      (await refreshAt(origin, id, second['refresh_token'])).status,
    ]).toEqual([401, 400])
  })

  test.each([
    ['are refused', 400, 200],
    ['work on', 200, 200],
  ] as const)('old refresh tokens: they %s', async (oldRefreshTokens, old, next) => {
    const {
      origin,
      client: { id },
    } = await started({ choices: { oldRefreshTokens } })
    const first = await tokensAt(origin, id)
    const second = (await refreshAt(origin, id, first['refresh_token'])).json
    expect([
      (await refreshAt(origin, id, first['refresh_token'])).status,
      (await refreshAt(origin, id, second['refresh_token'])).status,
    ]).toEqual([old, next])
  })

  test('is for one client, and for what was allowed', async () => {
    const {
      origin,
      client: { id },
    } = await started()
    const { refresh_token: token } = await tokensAt(origin, id, { scope: 'shelf:read' })
    const other = await clientAt(origin)
    expect(await refreshAt(origin, other.id, token)).toMatchObject(refusedAs('invalid_grant'))
    expect(await refreshAt(origin, id, token, { scope: 'shelf:read shelf:write' })).toMatchObject(
      refusedAs('invalid_scope'),
    )
    expect((await refreshAt(origin, id, token, { scope: 'shelf:read' })).json['scope']).toBe(
      'shelf:read',
    )
  })

  test('may be left out', async () => {
    const {
      origin,
      client: { id },
    } = await started({ choices: { refreshTokens: false } })
    expect(Object.keys(await tokensAt(origin, id))).not.toContain('refresh_token')
    expect(await refreshAt(origin, id, 'x')).toMatchObject(refusedAs('unsupported_grant_type'))
  })

  test('an access token ends after an hour, and its refresh token brings the next', async () => {
    const {
      origin,
      server,
      client: { id },
    } = await started()
    const { access_token: access, refresh_token: refresh } = await tokensAt(origin, id)
    await ahead(server, 3601)
    expect(await use(origin, access)).toBe(401)
    expect(await use(origin, (await refreshAt(origin, id, refresh)).json['access_token'])).toBe(200)
    await ahead(server, 31 * 24 * 3600)
    expect((await refreshAt(origin, id, refresh)).status).toBe(400)
  })
})

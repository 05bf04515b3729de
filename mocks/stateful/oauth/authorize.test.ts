import { describe, expect, test } from 'vitest'
import {
  ada,
  moveClockAhead,
  authorizeUrl,
  TestBrowser,
  registerClient,
  startProvider,
  redirectUri,
} from './oauth.testing.ts'

const openAuthorizePage = async (
  more: Record<string, string | undefined> = {},
  options: Parameters<typeof startProvider>[0] = {},
) => {
  const { origin, server } = await startProvider(options)
  const { id } = await registerClient(origin)
  const browser = new TestBrowser()
  return { origin, server, id, browser, ...(await browser.open(authorizeUrl(origin, id, more))) }
}

describe('/authorize', () => {
  test.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['no client', { client_id: undefined }],
    ['a foreign address', { redirect_uri: 'https://evil.example/back' }],
    ['a longer address', { redirect_uri: `${redirectUri}&more=1` }],
    ['another path', { redirect_uri: 'http://127.0.0.1:7777/back/more?app=1' }],
    ['another host', { redirect_uri: 'http://127.0.0.1.evil.example:7777/back?app=1' }],
  ])('does not redirect for %s', async (_, more) => {
    const { status, headers, text } = await openAuthorizePage(more)
    expect([status, headers.get('location'), text.includes('You were not sent back')]).toEqual([
      400,
      null,
      true,
    ])
  })

  test.each([['http://127.0.0.1:7778/back?app=1'], ['http://127.0.0.1/back?app=1'], [undefined]])(
    'can return to %s',
    async (redirect_uri) => {
      expect((await openAuthorizePage({ redirect_uri })).status).toBe(200)
    },
  )

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ scope: 'nothing known' }, 'invalid_scope'],
    [{ resource: 'https://elsewhere.example' }, 'invalid_target'],
  ])('for %j returns %s to the client', async (more, error) => {
    const { status, location, origin } = await openAuthorizePage(more)
    expect([
      status,
      location.searchParams.get('error'),
      location.searchParams.get('state'),
      location.searchParams.get('app'),
      location.searchParams.get('iss'),
      location.searchParams.has('code'),
    ]).toEqual([303, error, 'st&te', '1', origin, false])
  })

  test('refuses repeated parameters', async () => {
    const { origin, id, browser } = await openAuthorizePage()
    const twice = (name: string) => browser.open(`${authorizeUrl(origin, id)}&${name}=x`)
    expect((await twice('state')).location.searchParams.get('error')).toBe('invalid_request')
    for (const name of ['client_id', 'redirect_uri'])
      expect((await twice(name)).headers.has('location')).toBe(false)
  })

  test('accepts only GET', async () => {
    const { origin } = await startProvider()
    const response = await fetch(`${origin}/authorize`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

describe('the consent page', () => {
  test('shows the client, the scopes and the redirect URI, without scripts', async () => {
    const { text, headers, id } = await openAuthorizePage({ scope: 'shelf:read' })
    for (const part of [
      'Tester &lt;b&gt;',
      id,
      'See books',
      'shelf:read',
      '<b>127.0.0.1:7777</b>',
      redirectUri,
      'value="approve">Allow',
      'value="deny" formnovalidate>Deny',
      'autocomplete="current-password"',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/<script|onclick|javascript:|shelf:write|https?:\/\/[^1]/)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('set-cookie')).toMatch(
      /^shelf_browser=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    )
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual([
      'no-store',
      'DENY',
    ])
  })

  test('returns a code after the user signs in and allows the request', async () => {
    const { origin, text, browser } = await openAuthorizePage()
    const { status, location } = await browser.send(origin, text, { ...ada, decision: 'approve' })
    expect([
      status,
      location.origin + location.pathname,
      location.searchParams.get('state'),
      location.searchParams.get('code')?.length,
    ]).toEqual([303, 'http://127.0.0.1:7777/back', 'st&te', 43])
  })

  test('answers a repeated decision with the same redirect, only in the same browser', async () => {
    const { origin, text, browser } = await openAuthorizePage()
    const [first, second] = await Promise.all(
      ['first', 'second'].map(() => browser.send(origin, text, { ...ada, decision: 'approve' })),
    )
    expect([first?.status, first?.location.searchParams.get('code')?.length]).toEqual([303, 43])
    expect(second?.location.href).toBe(first?.location.href)
    const other = new TestBrowser()
    expect((await other.send(origin, text, { decision: 'approve' })).status).toBe(403)
    expect((await browser.send(origin, text, { decision: 'deny' })).status).toBe(400)
  })

  test('accepts one decision for each page if browser cookies are not used', async () => {
    const { origin, text, browser } = await openAuthorizePage(
      {},
      { choices: { browserCookies: false } },
    )
    const decision = { ...ada, decision: 'approve' }
    expect((await browser.send(origin, text, decision)).status).toBe(303)
    expect((await browser.send(origin, text, decision)).status).toBe(400)
  })

  test('remembers the signed-in user, and asks for consent again', async () => {
    const { origin, id, text, browser } = await openAuthorizePage()
    await browser.send(origin, text, { ...ada, decision: 'approve' })
    const secondPage = await browser.open(authorizeUrl(origin, id))
    expect([
      secondPage.text.includes('signed in as <b>ada</b>'),
      secondPage.text.includes('password'),
    ]).toEqual([true, false])
    expect(
      (
        await browser.send(origin, secondPage.text, { decision: 'approve' })
      ).location.searchParams.has('code'),
    ).toBe(true)
  })

  test('does not ask again if consent is remembered', async () => {
    const { origin, id, text, browser } = await openAuthorizePage(
      {},
      { choices: { remembersConsent: true } },
    )
    await browser.send(origin, text, { ...ada, decision: 'approve' })
    expect((await browser.open(authorizeUrl(origin, id))).location.searchParams.has('code')).toBe(
      true,
    )
  })

  test('reports a denial to the client', async () => {
    const { origin, text, browser } = await openAuthorizePage()
    const { location } = await browser.send(origin, text, { decision: 'deny' })
    expect([
      location.searchParams.get('error'),
      location.searchParams.get('state'),
      location.searchParams.has('code'),
    ]).toEqual(['access_denied', 'st&te', false])
  })

  test.each([
    ['a wrong password', { ...ada, password: 'x' }],
    ['another user', { login: 'bob', password: 'ada-password' }],
    ['no credentials', {}],
  ])('allows another attempt after %s', async (_, who) => {
    const { origin, text, browser } = await openAuthorizePage()
    const wrong = await browser.send(origin, text, { ...who, decision: 'approve' })
    expect([
      wrong.status,
      wrong.headers.has('location'),
      wrong.text.includes('Login or password is wrong'),
    ]).toEqual([403, false, true])
    expect(
      (
        await browser.send(origin, wrong.text, { ...ada, decision: 'approve' })
      ).location.searchParams.has('code'),
    ).toBe(true)
  })

  test.each(['approve', 'deny'])('refuses decisions from other browsers: %s', async (decision) => {
    const { origin, text, browser } = await openAuthorizePage()
    const forged = async (other: TestBrowser, headers: Record<string, string> = {}, page = text) =>
      (await other.send(origin, page, { ...ada, decision }, headers)).status
    expect(await forged(new TestBrowser())).toBe(403)
    expect(await forged(browser, { origin: 'https://evil.example' })).toBe(403)
    expect(await forged(browser, {}, text.replace(/value="[\w-]{43}"/, 'value="guessed"'))).toBe(
      400,
    )
    expect(await forged(browser, { origin })).toBe(303)
  })

  test('requires a decision, and expires after ten minutes', async () => {
    const { origin, server, text, browser } = await openAuthorizePage()
    expect((await browser.send(origin, text, { ...ada })).status).toBe(400)
    await moveClockAhead(server, 601)
    expect((await browser.send(origin, text, { ...ada, decision: 'approve' })).status).toBe(400)
  })
})

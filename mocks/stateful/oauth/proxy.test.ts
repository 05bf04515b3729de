import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startIdentity, type IdentityOptions, type IdentityServer } from '../identity.ts'
import type { ProxyOptions, ToolsServer } from '../tools.ts'
import { initializeRequest, post, startServer } from '../tools/tools.testing.ts'
import { runOfficialClient } from './official.testing.ts'
import { fileStore } from './store.ts'
import {
  ada,
  authorizeUrl,
  TestBrowser,
  registerClient,
  exchange,
  resourceStatus,
  type TestResponse,
} from './oauth.testing.ts'

async function startProxy(
  options: Partial<ProxyOptions> = {},
  identityOptions: IdentityOptions = {},
): Promise<{
  server: ToolsServer
  origin: string
  identity: IdentityServer
  id: string
  browser: TestBrowser
}> {
  const identity = await startIdentity(identityOptions)
  onTestFinished(() => identity.close())
  const {
    authorizeUrl: authorize,
    tokenUrl,
    userUrl,
    options: { clientId, clientSecret },
  } = identity
  const server = await startServer({
    controlRoutes: true,
    auth: {
      pattern: 'oauth-proxy',
      env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
      upstream: { authorizeUrl: authorize, tokenUrl, userUrl, scopes: ['read:user', 'user:email'] },
      ...options,
    },
  })
  const origin = new URL(server.mcp).origin
  const { id } =
    options.allowDynamicClientRegistration === false
      ? { id: 'preregistered' }
      : await registerClient(origin)
  return { server, origin, identity, id, browser: new TestBrowser() }
}

/** Approves, and returns the URL at the upstream identity provider. */
async function approve(origin: string, id: string, browser: TestBrowser): Promise<URL> {
  const { text } = await browser.open(authorizeUrl(origin, id))
  return (await browser.send(origin, text, { decision: 'approve' })).location
}

const runWholeFlow = async ({
  origin,
  id,
  browser,
}: Awaited<ReturnType<typeof startProxy>>): Promise<TestResponse> => {
  const signInResponse = await browser.open((await approve(origin, id, browser)).href)
  const { location } = await browser.open(signInResponse.location.href)
  expect([location.host, location.searchParams.get('state')]).toEqual(['127.0.0.1:7777', 'st&te'])
  return exchange(origin, id, location.searchParams.get('code') ?? '')
}

describe('the pattern oauth-proxy', () => {
  test('the official client signs in, and a tool returns login, email and token digest', async () => {
    const { server, origin } = await startProxy()
    const { client } = await runOfficialClient(server, async (url) => {
      const browser = new TestBrowser()
      const { text } = await browser.open(url.href)
      const { location } = await browser.send(origin, text, { decision: 'approve' })
      return (await browser.open((await browser.open(location.href)).location.href)).location
    })
    const { content } = (await client.callTool({
      name: 'shelf_show_status',
      arguments: { response_format: 'json' },
    })) as { content: { text: string }[] }
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({
      user: {
        login: 'ada',
        email: 'ada@shelf.example',
        access_token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
    })
  })

  test('redirects upstream with its own id, scopes, state and PKCE', async () => {
    const { origin, id, browser, identity } = await startProxy()
    const [one, other] = [await approve(origin, id, browser), await approve(origin, id, browser)]
    const { code_challenge: challenge, state, ...rest } = Object.fromEntries(one.searchParams)
    expect([one.origin + one.pathname, rest]).toEqual([
      identity.authorizeUrl,
      {
        response_type: 'code',
        client_id: 'shelf',
        redirect_uri: `${origin}/callback`,
        scope: 'read:user user:email',
        code_challenge_method: 'S256',
      },
    ])
    expect([state?.length, challenge?.length, state === other.searchParams.get('state')]).toEqual([
      43,
      43,
      false,
    ])
    expect(one.href).not.toContain(id)
  })

  test('the consent page shows where the user will sign in; if it is disabled, the server redirects', async () => {
    const { origin, id, browser, identity } = await startProxy()
    const { text } = await browser.open(authorizeUrl(origin, id))
    for (const part of [
      new URL(identity.authorizeUrl).host,
      'read:user, user:email',
      'Tester &lt;b&gt;',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('password')
    const denied = await browser.send(origin, text, { decision: 'deny' })
    expect(denied.location.searchParams.get('error')).toBe('access_denied')
    const withoutScreen = await startProxy({ allowConsentScreen: false })
    expect(
      (await withoutScreen.browser.open(authorizeUrl(withoutScreen.origin, withoutScreen.id)))
        .location.href,
    ).toContain(withoutScreen.identity.authorizeUrl)
    expect((await runWholeFlow(await startProxy())).status).toBe(200)
  })

  test('refuses a callback with a wrong state, in another browser, or for the second time', async () => {
    const { origin, id, browser } = await startProxy()
    const { location } = await browser.open((await approve(origin, id, browser)).href)
    const changed = (name: string, value: string) => {
      const url = new URL(location)
      url.searchParams.set(name, value)
      return url.href
    }
    const refusalOf = async (answer: ReturnType<TestBrowser['open']>) => {
      const { status, headers } = await answer
      return [status, headers.get('location')]
    }
    expect(await refusalOf(browser.open(changed('state', 'guessed')))).toEqual([400, null])
    expect(await refusalOf(browser.open(`${origin}/callback?code=x`))).toEqual([400, null])
    expect(await refusalOf(new TestBrowser().open(location.href))).toEqual([403, null])
    expect((await browser.open(location.href)).location.searchParams.has('code')).toBe(true)
    expect(await refusalOf(browser.open(location.href))).toEqual([400, null])
  })

  test('refuses a code that the provider does not know', async () => {
    const { origin, id, browser, server } = await startProxy()
    const { location } = await browser.open((await approve(origin, id, browser)).href)
    location.searchParams.set('code', 'tampered')
    const back = await browser.open(location.href)
    expect([
      back.location.searchParams.get('error'),
      back.location.searchParams.has('code'),
    ]).toEqual(['server_error', false])
    expect(server.context.audit.newestFirst()[0]).toMatchObject({
      event: 'upstream',
      outcome: 'refused',
      reason: 'no user',
    })
  })

  test('users sign in or decline on a page of the provider', async () => {
    const { origin, id, browser, identity } = await startProxy({}, { consent: 'form' })
    const identityOrigin = new URL(identity.authorizeUrl).origin
    const signInUrl = (await approve(origin, id, browser)).href
    const { text } = await browser.open(signInUrl)
    expect(
      (await browser.send(identityOrigin, text, { ...ada, password: 'x', decision: 'approve' }))
        .status,
    ).toBe(403)
    const { location } = await browser.send(identityOrigin, text, { ...ada, decision: 'approve' })
    expect((await browser.open(location.href)).location.searchParams.has('code')).toBe(true)
    const retryPage = await browser.open((await approve(origin, id, browser)).href)
    const declined = await browser.send(identityOrigin, retryPage.text, { decision: 'deny' })
    expect((await browser.open(declined.location.href)).location.searchParams.get('error')).toBe(
      'access_denied',
    )
  })

  test('a preconfigured client signs in if registration is disabled', async () => {
    const client = {
      id: 'preregistered',
      method: 'none' as const,
      redirectUris: ['http://127.0.0.1:7777/back?app=1'],
      grants: ['authorization_code'],
      issuedAt: 0,
    }
    const server = await startProxy({ allowDynamicClientRegistration: false, clients: [client] })
    const { status, json } = await runWholeFlow(server)
    expect([status, json['refresh_token']]).toEqual([200, undefined])
  })

  test('the store keeps tokens across a restart, in encrypted form', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-kv-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const env = async () => ({
      CLIENT_ID: 'shelf',
      CLIENT_SECRET: 'shelf-upstream-secret',
      OAUTH_KV: await fileStore(join(folder, 'kv.json'), Date.now),
    })
    const first = await startProxy({ env: await env() })
    const { json } = await runWholeFlow(first)
    await first.server.close()
    const second = await startProxy({ env: await env() })
    expect(await resourceStatus(second.origin, json['access_token'])).toBe(200)
    const fileContent = await readFile(join(folder, 'kv.json'), 'utf8')
    expect([
      fileContent.includes('shelf-upstream-secret'),
      fileContent.includes(String(json['access_token'])),
      fileContent.includes('ada@'),
    ]).toEqual([false, false, false])
  })

  test('the user context can be customised', async () => {
    const identity = await startIdentity()
    onTestFinished(() => identity.close())
    const seen: string[] = []
    const context = async (accessToken: string) => {
      seen.push(accessToken)
      return { login: 'eve', email: 'eve@shelf.example' }
    }
    const server = await startProxy({
      upstream: {
        authorizeUrl: identity.authorizeUrl,
        tokenUrl: identity.tokenUrl,
        userUrl: 'http://127.0.0.1:9/none',
        scopes: [],
        context,
      },
    })
    const { json } = await runWholeFlow(server)
    const { text } = await post(
      server.server,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'shelf_show_status', arguments: { response_format: 'json' } },
      },
      {
        authorization: `Bearer ${String(json['access_token'])}`,
        'mcp-session-id': await openSession(server.server, json['access_token']),
      },
    )
    expect([
      seen.length,
      text.includes('eve@shelf.example'),
      text.includes(
        createHash('sha256')
          .update(seen[0] ?? '')
          .digest('hex'),
      ),
      text.includes(seen[0] ?? '-'),
    ]).toEqual([1, true, true, false])
  })
})

async function openSession(server: ToolsServer, token: unknown): Promise<string> {
  return (
    (await post(server, initializeRequest(), { authorization: `Bearer ${String(token)}` }))
      .session ?? ''
  )
}

import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi, type TestContext } from 'vitest'
import { startIdentity, type IdentityServer } from '../../../mocks/stateful/identity.ts'
import {
  ada,
  authorizeUrl,
  registerClient,
  exchange,
} from '../../../mocks/stateful/oauth/oauth.testing.ts'
import { startTools, type ToolsServer } from '../../../mocks/stateful/tools.ts'
import { findChromium, type Chromium } from './chromium.testing.ts'
import { installTimeoutMs } from './apt.testing.ts'
import { findProblems } from './readability.testing.ts'

// The pages of the mocks in a real browser.
vi.setConfig({ testTimeout: 30_000 })
const log = (line: string) => process.stderr.write(`\n${line}\n`)

let chromium: Chromium | string
beforeAll(async () => {
  chromium = await findChromium(log)
  if (typeof chromium === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests with a browser. ${chromium}`)
}, installTimeoutMs)
afterAll(async () => {
  if (typeof chromium === 'object') await chromium.close()
})

/** In CI no test may be skipped. */
function requireChromium({ skip }: TestContext): Chromium {
  if (typeof chromium === 'object') return chromium
  if (process.env['CI']) throw new Error(chromium)
  return skip(chromium)
}

let provider: ToolsServer
let proxy: ToolsServer
let identity: IdentityServer
/** The client, and the queries of the redirects to it. */
let client: Server
let clientOrigin: string
const callbacks: URLSearchParams[] = []
beforeAll(async () => {
  identity = await startIdentity({ consent: 'form' })
  const {
    authorizeUrl: authorize,
    tokenUrl,
    userUrl,
    options: { clientId, clientSecret },
  } = identity
  const upstream = {
    authorizeUrl: authorize,
    tokenUrl,
    userUrl,
    scopes: ['read:user', 'user:email'],
  }
  proxy = await startTools({
    auth: {
      pattern: 'oauth-proxy',
      env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
      upstream,
    },
  })
  provider = await startTools({ auth: { pattern: 'oauth-provider' } })
  client = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    if (pathname === '/callback') callbacks.push(searchParams)
    response
      .setHeader('Content-Type', 'text/html')
      .end('<!doctype html><title>The client</title><h1>You are back</h1>')
  })
  await new Promise<void>((resolve) => {
    client.listen(0, '127.0.0.1', resolve)
  })
  clientOrigin = `http://127.0.0.1:${(client.address() as AddressInfo).port}`
})
afterAll(async () => {
  client.closeAllConnections()
  client.close()
  await Promise.all([provider, proxy, identity].map((server) => server.close()))
})

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const windows = new Map<string, Promise<Page>>()

/**
 * A window without cookies. Windows with the same options are shared, because opening one takes
 * longer than a test.
 */
async function windowOf(
  context: TestContext,
  options: BrowserContextOptions = desktop,
): Promise<Page> {
  const { browser } = requireChromium(context)
  const kind = JSON.stringify(options)
  const opened = windows.get(kind) ?? browser.newContext(options).then((one) => one.newPage())
  windows.set(kind, opened)
  const page = await opened
  page.setDefaultTimeout(10_000)
  await page.context().clearCookies()
  return page
}

interface FlowOptions {
  server?: ToolsServer
  name?: string | undefined
  uri?: string
  redirectUri?: string
  scope?: string
}
interface StartedFlow {
  id: string
  origin: string
  redirectUri: string
  /**
   * Waits for the redirect to the client, and returns its result. The redirect may happen twice,
   * but only with the same values.
   */
  returned(): Promise<{ code: string; error: string | null; tokens(): Promise<unknown> }>
}

/** Registers a client and opens its authorization request. */
async function startFlow(
  page: Page,
  {
    server = provider,
    name = 'Reading Room',
    uri,
    redirectUri = `${clientOrigin}/callback?app=1`,
    scope,
  }: FlowOptions = {},
): Promise<StartedFlow> {
  const { origin } = new URL(server.mcp)
  const { id } = await registerClient(origin, {
    redirect_uris: [redirectUri],
    client_name: name,
    client_uri: uri,
  })
  const state = randomUUID()
  await page.goto(authorizeUrl(origin, id, { redirect_uri: redirectUri, state, scope }))
  return {
    id,
    origin,
    redirectUri,
    async returned() {
      await untilAt(page, `${clientOrigin}/callback?`)
      const queries = callbacks.filter((one) => one.get('state') === state)
      const [query] = queries
      expect([query?.get('app'), query?.get('iss')]).toEqual(['1', origin])
      expect(new Set(queries.map(String)).size).toBe(1)
      const code = query?.get('code') ?? ''
      return {
        code,
        error: query?.get('error') ?? null,
        tokens: async () =>
          (await exchange(origin, id, code, { redirect_uri: redirectUri })).json['access_token'],
      }
    },
  }
}

/**
 * Waits until the page has a URL that begins with `url`, and is loaded. Unlike `waitForURL`, this
 * works if one navigation replaces another. A double click causes that, because it submits twice.
 */
async function untilAt(page: Page, url: string): Promise<void> {
  await expect.poll(() => page.url().startsWith(url), { timeout: 60_000 }).toBe(true)
  await page.waitForLoadState()
}

const press = (page: Page, name: 'Allow' | 'Deny' | 'Sign in' | 'Cancel'): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

async function signIn(page: Page, { login, password } = ada): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(password)
}

/** What screen readers read. */
const accessibleText = (page: Page): Promise<string> => page.locator('body').ariaSnapshot()

const long = {
  name: `${'Reading'.repeat(60)}<img src="x">`,
  uri: `https://room.example/${'about'.repeat(60)}`,
  redirectUri: `https://${'a-label-of-a-long-host.'.repeat(9)}example/${'callback'.repeat(60)}?q=${'9'.repeat(300)}`,
}

/**
 * Opens every page for users. The order matters, because some entries continue on the page of the
 * previous entry.
 */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  consent: (page) => startFlow(page, { uri: 'https://room.example/about' }),
  'consent, with long values': (page) => startFlow(page, long),
  'consent, without a name': (page) => startFlow(page, { name: ' \u200b' }),
  'consent, after a wrong password': async (page) => {
    await startFlow(page)
    await signIn(page, { login: 'ada'.repeat(100), password: 'wrong' })
    await press(page, 'Allow')
    await page.getByRole('alert').waitFor()
  },
  'a problem': (page) => page.goto(`${new URL(provider.mcp).origin}/authorize?client_id=unknown`),
  'consent, before the identity provider': (page) => startFlow(page, { server: proxy }),
  'sign-in at the identity provider': async (page) => {
    await press(page, 'Allow')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
  'sign-in at the identity provider, after a wrong password': async (page) => {
    await signIn(page, { login: 'ada', password: 'wrong' })
    await press(page, 'Sign in')
    await page.getByRole('alert').waitFor()
  },
  'consent, for a user who has signed in': async (page) => {
    const { returned } = await startFlow(page)
    await signIn(page)
    await press(page, 'Allow')
    await returned()
    await startFlow(page)
    await page.getByText('You are signed in as ada').waitFor()
  },
}

describe('every page is readable', () => {
  const schemes = [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(22, 22, 22)'],
  ] as const

  test.for([
    { on: 'a phone', view: phone, widths: [360, 320] },
    { on: 'a desktop', view: desktop, widths: [1280] },
  ])('on $on, in light and dark', async ({ view, widths }, context) => {
    const page = await windowOf(context, view)
    const found: unknown[] = []
    for (const [name, open] of Object.entries(pages)) {
      await open(page)
      for (const width of widths) {
        await page.setViewportSize({ ...view.viewport, width })
        for (const [colorScheme, color] of schemes) {
          await page.emulateMedia({ colorScheme })
          await expect
            .poll(() =>
              page.evaluate('[innerWidth, getComputedStyle(document.body).backgroundColor]'),
            )
            .toEqual([width, color])
          const problems = await findProblems(page)
          if (problems.length > 0) found.push({ name, width, colorScheme, problems })
        }
      }
      await page.setViewportSize(view.viewport)
      await page.emulateMedia({ colorScheme: null })
    }
    expect(found).toEqual([])
  })

  test('each problem of an unreadable page is found', async (context) => {
    const page = await windowOf(context)
    await page.goto('about:blank')
    await page.setContent(`<body style="background: #fff"><p style="font-size: 15px">small</p><p style="color: #777">faint</p><p style="opacity: 0">hidden</p>
      <p style="margin-left: -50px">left</p><p style="width: 3000px">wide</p><button style="font: 16px serif; outline: none" autofocus>low</button>
      <input name="edge" style="font: 16px serif; height: 44px; border: 1px solid #aaa">`)
    const problems = await findProblems(page, { focus: true })
    expect(problems.map((problem) => problem.replace(/[\d.]+( by [\d.]+|px)?/g, 'N'))).toEqual([
      'the page is N wide, the window N',
      '"small": font size N',
      '"faint": contrast N',
      '"hidden": invisible',
      '"left": outside',
      'button  low: N',
      'input edge: its border has too little contrast',
      'the focus is invisible',
    ])
  })
})

describe('the consent page shows', () => {
  test('client, permissions and redirect URI, visibly and to screen readers', async (context) => {
    const page = await windowOf(context)
    const { id, redirectUri } = await startFlow(page, { uri: 'https://room.example/about' })
    expect(await page.title()).toBe('Allow “Reading Room”?')
    expect(await accessibleText(page)).toBe(`- main:
  - heading "Allow “Reading Room” to use shelf_mcp?" [level=1]
  - paragraph: The application chose this name; it has not been verified.
  - paragraph: "Its identifier: ${id}"
  - paragraph: "Its website: https://room.example/about"
  - heading "It will be able to" [level=2]
  - list:
    - listitem: See books, readers, loans and rules (shelf:read)
    - listitem: Lend books, end loans and change readers (shelf:write)
  - heading "Then you will return to" [level=2]
  - paragraph: ${new URL(redirectUri).host} ${redirectUri}
  - heading "Sign in to allow this" [level=2]
  - text: Login
  - textbox "Login"
  - text: Password
  - textbox "Password"
  - button "Allow"
  - button "Deny"`)
    for (const text of [id, redirectUri, 'See books, readers, loans and rules', '(shelf:write)'])
      expect(await page.getByText(text).first().isVisible()).toBe(true)
  })

  test('only the requested permissions', async (context) => {
    const page = await windowOf(context)
    await startFlow(page, { scope: 'shelf:read' })
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      'See books, readers, loans and rules (shelf:read)',
    ])
  })

  test('HTML in the name of the client as text', async (context) => {
    const page = await windowOf(context)
    const name = '</bdi></title><img src=x onerror="document.title=1"><b>Room</b> &amp; "\u202eevil'
    await startFlow(page, { name })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Allow “${name.replace('\u202e', ' ')}” to use shelf_mcp?`,
    )
    expect([await page.locator('img, h1 b, script').count(), await page.title()]).toEqual([
      0,
      `Allow “${name.replace('\u202e', ' ')}”?`,
    ])
  })

  test('a long name truncated, and a long URI in full', async (context) => {
    const page = await windowOf(context, phone)
    await startFlow(page, long)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Allow “${long.name.slice(0, 79)}…” to use shelf_mcp?`,
    )
    for (const text of [long.redirectUri, new URL(long.redirectUri).host, long.uri])
      expect(await page.getByText(text).first().isVisible()).toBe(true)
  })
})

describe('with a mouse', () => {
  test('Allow redirects with a valid code', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await signIn(page)
    await press(page, 'Allow')
    const { error, tokens } = await returned()
    expect([error, await tokens()]).toEqual([null, expect.stringMatching(/./)])
  })

  test('Deny does not require a sign-in', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await press(page, 'Deny')
    expect(await returned()).toMatchObject({ error: 'access_denied', code: '' })
  })

  test('Allow without a login keeps the page', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await press(page, 'Allow')
    expect([
      await page.locator(':focus').ariaSnapshot(),
      page.url().includes('/authorize?'),
    ]).toEqual(['- textbox "Login"', true])
    await signIn(page)
    await press(page, 'Allow')
    expect((await returned()).error).toBeNull()
  })

  test('a double click allows once', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).dblclick()
    expect((await returned()).error).toBeNull()
  })
})

describe('with a keyboard only', () => {
  /**
   * Moves the focus with a key. Expects that the control `to` then has the focus, and that the
   * focus is visible.
   */
  async function tab(page: Page, to: string, key = 'Tab'): Promise<void> {
    await page.keyboard.press(key)
    expect(await page.locator(':focus').ariaSnapshot()).toBe(`- ${to}`)
    expect(await findProblems(page, { focus: true })).toEqual([])
  }
  const login = 'textbox "Login"'
  const password = 'textbox "Password"'

  test.for(['light', 'dark'] as const)(
    'Tab moves from login to password, Allow and Deny, and back: %s',
    async (colorScheme, context) => {
      const page = await windowOf(context, { ...desktop, colorScheme })
      const { returned } = await startFlow(page)
      for (const control of [login, password, 'button "Allow"', 'button "Deny"'])
        await tab(page, control)
      for (const control of ['button "Allow"', password]) await tab(page, control, 'Shift+Tab')
      for (const control of ['button "Allow"', 'button "Deny"']) await tab(page, control)
      await page.keyboard.press('Space')
      expect((await returned()).error).toBe('access_denied')
    },
  )

  test.for([
    { how: 'Enter in the password', keys: ['Enter'] },
    { how: 'Space on Allow', keys: ['Tab', 'Space'] },
    { how: 'Enter on Allow', keys: ['Tab', 'Enter'] },
  ])('$how allows', async ({ keys }, context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await tab(page, login)
    await page.keyboard.type(ada.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.password)
    for (const key of keys) await page.keyboard.press(key)
    expect(await (await returned()).tokens()).toEqual(expect.any(String))
  })

  test('a wrong password can be corrected at once', async (context) => {
    const page = await windowOf(context, phone)
    const { returned } = await startFlow(page)
    await tab(page, login)
    await page.keyboard.type(ada.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.locator(':focus').ariaSnapshot()).toBe(`- ${password} [invalid]`)
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Enter')
    expect((await returned()).error).toBeNull()
  })
})

describe('a wrong password', () => {
  test.for(['provider', 'proxy'] as const)(
    'is reported next to the fields, which keep the login: %s',
    async (pattern, context) => {
      const page = await windowOf(context, phone)
      const { returned } = await startFlow(page, { server: pattern === 'proxy' ? proxy : provider })
      const go = pattern === 'proxy' ? 'Sign in' : 'Allow'
      if (pattern === 'proxy') await press(page, 'Allow')
      await signIn(page, { login: 'ada', password: 'wrong' })
      await press(page, go)
      expect(await page.getByRole('alert').innerText()).toBe('Login or password is wrong.')
      expect(await accessibleText(page)).toContain(`  - alert: Login or password is wrong.
  - text: Login
  - textbox "Login" [invalid]: ada
  - text: Password
  - textbox "Password" [invalid]
`)
      // The page has scrolled to the fields and buttons.
      const isVisible =
        '[...document.querySelectorAll("[role=alert], button")].every((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight)'
      await expect.poll(() => page.evaluate(isVisible)).toBe(true)
      await signIn(page)
      await press(page, go)
      expect(await (await returned()).tokens()).toEqual(expect.any(String))
    },
  )
})

describe('without scripts', () => {
  const unscripted = { ...phone, javaScriptEnabled: false }

  test.for(['provider', 'proxy'] as const)(
    'a user can correct a wrong password, allow and deny: %s',
    async (pattern, context) => {
      const page = await windowOf(context, unscripted)
      await page.setContent('<noscript>Nothing runs</noscript>')
      expect(await page.getByText('Nothing runs').isVisible()).toBe(true)
      const server = pattern === 'proxy' ? proxy : provider
      const allowed = await startFlow(page, { server })
      const go = pattern === 'proxy' ? 'Sign in' : 'Allow'
      if (pattern === 'proxy') await press(page, 'Allow')
      await signIn(page, { login: 'ada', password: 'wrong' })
      await press(page, go)
      await page.getByRole('alert').waitFor()
      expect(await page.locator('script').count()).toBe(0)
      await page.getByLabel('Password').fill(ada.password)
      await press(page, go)
      expect(await (await allowed.returned()).tokens()).toEqual(expect.any(String))
      const denied = await startFlow(page, { server })
      await press(page, 'Deny')
      expect((await denied.returned()).error).toBe('access_denied')
    },
  )
})

describe('a used page', () => {
  const used =
    /This page has expired or has already been used\. Go back to the application and start again\./

  test('reports that it was used if its form is sent again', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    const request = await page.locator('[name=request]').inputValue()
    await signIn(page)
    await press(page, 'Allow')
    await (await returned()).tokens()
    // The page is not cached, so the browser requests a new page.
    await page.goBack()
    expect(await page.getByText('You are signed in as ada.').isVisible()).toBe(true)
    await page.locator('[name=request]').evaluate((field, old) => {
      ;(field as { value: string }).value = old
    }, request)
    await press(page, 'Allow')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This request failed')
    expect(await page.getByRole('main').innerText()).toMatch(used)
    expect(await findProblems(page)).toEqual([])
    expect(page.url()).not.toContain(clientOrigin)
  })

  test('reports that it was used if the browser repeats the request', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page)
    await signIn(page, { login: 'ada', password: 'wrong' })
    await press(page, 'Allow')
    await page.getByRole('alert').waitFor()
    await signIn(page)
    await press(page, 'Allow')
    await (await returned()).tokens()
    // The previous page was the response to a POST, which the browser does not repeat by itself.
    await page.goBack().catch(() => undefined)
    await page.getByText('ERR_CACHE_MISS').waitFor()
    await page.reload()
    expect(await page.getByRole('main').innerText()).toMatch(used)
  })
})

describe('before the identity provider', () => {
  test('the consent page shows the identity provider, and the sign-in page shows the server', async (context) => {
    const page = await windowOf(context)
    const { origin, redirectUri } = await startFlow(page, { server: proxy })
    const { host } = new URL(identity.authorizeUrl)
    expect(await accessibleText(page)).toContain(`  - heading "First you sign in at" [level=2]
  - paragraph: "${host} shelf_mcp requests there: read:user, user:email"
  - heading "Then you will return to" [level=2]
  - paragraph: ${new URL(redirectUri).host} ${redirectUri}
  - button "Allow"
  - button "Deny"`)
    await press(page, 'Allow')
    await untilAt(page, `http://${host}/`)
    expect(await accessibleText(page)).toBe(`- main:
  - heading "Sign in" [level=1]
  - paragraph: "${new URL(origin).host} wants to know who you are, and asks for: read:user, user:email."
  - paragraph: "Then you will return to: ${origin}/callback"
  - text: Login
  - textbox "Login"
  - text: Password
  - textbox "Password"
  - button "Sign in"
  - button "Cancel"`)
  })

  test('a keyboard suffices to allow and sign in', async (context) => {
    const page = await windowOf(context)
    const { returned } = await startFlow(page, { server: proxy })
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Enter')
    expect(await (await returned()).tokens()).toEqual(expect.any(String))
  })

  test('Deny does not redirect to the identity provider, and Cancel there returns to the client without a code', async (context) => {
    const page = await windowOf(context)
    const denied = await startFlow(page, { server: proxy })
    await press(page, 'Deny')
    expect(await denied.returned()).toMatchObject({ error: 'access_denied', code: '' })
    const cancelled = await startFlow(page, { server: proxy })
    await press(page, 'Allow')
    await press(page, 'Cancel')
    expect(await cancelled.returned()).toMatchObject({ error: 'access_denied', code: '' })
  })
})

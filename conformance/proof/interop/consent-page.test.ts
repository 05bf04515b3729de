import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe as suite, expect, test, vi, type TestContext } from 'vitest'
import { startIdentity, type IdentityServer } from '../../../mocks/stateful/identity.ts'
import {
  ada,
  authorizeUrl,
  registerClient,
  exchange,
} from '../../../mocks/stateful/oauth/oauth.testing.ts'
import { startTools, type ToolsServer } from '../../../mocks/stateful/tools.ts'
import { findChromium, type Chromium } from './chromium.testing.ts'
import { installingMs } from './debian.testing.ts'
import { faultsOf } from './readable.testing.ts'

// The pages on which the mocks ask people, in a browser as people have it.
vi.setConfig({ testTimeout: 30_000 })
const says = (line: string) => process.stderr.write(`\n${line}\n`)

let chromium: Chromium | string
beforeAll(async () => {
  chromium = await findChromium(says)
  if (typeof chromium === 'string' && !process.env['CI'])
    says(`SKIPPED: the tests with a browser. ${chromium}`)
}, installingMs)
afterAll(async () => {
  if (typeof chromium === 'object') await chromium.close()
})

/** Under CI nothing may be skipped. */
function needed({ skip }: TestContext): Chromium {
  if (typeof chromium === 'object') return chromium
  if (process.env['CI']) throw new Error(chromium)
  return skip(chromium)
}

let provider: ToolsServer
let proxy: ToolsServer
let identity: IdentityServer
/** Where clients wait, and which queries came there. */
let client: Server
let clientOrigin: string
const arrived: URLSearchParams[] = []
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
    if (pathname === '/callback') arrived.push(searchParams)
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

/** A window in which nobody is known. Those of a kind are one, since each costs more than what is done in it. */
async function windowOf(
  context: TestContext,
  options: BrowserContextOptions = desktop,
): Promise<Page> {
  const { browser } = needed(context)
  const kind = JSON.stringify(options)
  const opened = windows.get(kind) ?? browser.newContext(options).then((one) => one.newPage())
  windows.set(kind, opened)
  const page = await opened
  page.setDefaultTimeout(10_000)
  await page.context().clearCookies()
  return page
}

interface Asking {
  server?: ToolsServer
  name?: string | undefined
  uri?: string
  redirectUri?: string
  scope?: string
}
interface Asked {
  id: string
  origin: string
  redirectUri: string
  /** What came back to the client, once. */
  returned(): Promise<{ code: string; error: string | null; tokens(): Promise<unknown> }>
}

/** A client sends its user to a server. */
async function ask(
  page: Page,
  {
    server = provider,
    name = 'Reading Room',
    uri,
    redirectUri = `${clientOrigin}/callback?app=1`,
    scope,
  }: Asking = {},
): Promise<Asked> {
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
      await page.waitForURL(`${clientOrigin}/callback?*`)
      const [query, ...more] = arrived.filter((one) => one.get('state') === state)
      expect([query?.get('app'), query?.get('iss'), more]).toEqual(['1', origin, []])
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

const press = (page: Page, name: 'Allow' | 'Deny' | 'Sign in' | 'Cancel'): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

async function signIn(page: Page, { login, password } = ada): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(password)
}

/** What people without eyes are told. */
const heard = (page: Page): Promise<string> => page.locator('body').ariaSnapshot()

const long = {
  name: `${'Reading'.repeat(60)}<img src="x">`,
  uri: `https://room.example/${'about'.repeat(60)}`,
  redirectUri: `https://${'a-label-of-a-long-host.'.repeat(9)}example/${'callback'.repeat(60)}?q=${'9'.repeat(300)}`,
}

/** Each page that people may see, one after the other. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  consent: (page) => ask(page, { uri: 'https://room.example/about' }),
  'consent, where everything is long': (page) => ask(page, long),
  'consent, without a name': (page) => ask(page, { name: ' \u200b' }),
  'consent, after a wrong password': async (page) => {
    await ask(page)
    await signIn(page, { login: 'ada'.repeat(100), password: 'wrong' })
    await press(page, 'Allow')
    await page.getByRole('alert').waitFor()
  },
  'a problem': (page) => page.goto(`${new URL(provider.mcp).origin}/authorize?client_id=nobody`),
  'consent, before the identity provider': (page) => ask(page, { server: proxy }),
  'sign-in at the identity provider': async (page) => {
    await press(page, 'Allow')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
  'sign-in at the identity provider, after a wrong password': async (page) => {
    await signIn(page, { login: 'ada', password: 'wrong' })
    await press(page, 'Sign in')
    await page.getByRole('alert').waitFor()
  },
  'consent, for whoever is known': async (page) => {
    const { returned } = await ask(page)
    await signIn(page)
    await press(page, 'Allow')
    await returned()
    await ask(page)
    await page.getByText('You are signed in as ada').waitFor()
  },
}

suite('every page reads well', () => {
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
          const faults = await faultsOf(page)
          if (faults.length > 0) found.push({ name, width, colorScheme, faults })
        }
      }
      await page.setViewportSize(view.viewport)
      await page.emulateMedia({ colorScheme: null })
    }
    expect(found).toEqual([])
  })

  test('and another one would not', async (context) => {
    const page = await windowOf(context)
    await page.goto('about:blank')
    await page.setContent(`<body style="background: #fff"><p style="font-size: 15px">small</p><p style="color: #777">faint</p><p style="opacity: 0">hidden</p>
      <p style="margin-left: -50px">left</p><p style="width: 3000px">wide</p><button style="font: 16px serif; outline: none" autofocus>low</button>
      <input name="edge" style="font: 16px serif; height: 44px; border: 1px solid #aaa">`)
    const faults = await faultsOf(page, { focus: true })
    expect(faults.map((fault) => fault.replace(/[\d.]+( by [\d.]+|px)?/g, 'N'))).toEqual([
      'the page is N wide, its window N',
      '"small": letters of N',
      '"faint": a contrast of N',
      '"hidden": not to be seen',
      '"left": outside',
      'button  low: N',
      'input edge: its edge is hardly to be seen',
      'nobody sees what has the focus',
    ])
  })
})

suite('the consent page shows', () => {
  test('who asks, for what, and where it leads, to eyes and ears', async (context) => {
    const page = await windowOf(context)
    const { id, redirectUri } = await ask(page, { uri: 'https://room.example/about' })
    expect(await page.title()).toBe('Allow “Reading Room”?')
    expect(await heard(page)).toBe(`- main:
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
    for (const told of [id, redirectUri, 'See books, readers, loans and rules', '(shelf:write)'])
      expect(await page.getByText(told).first().isVisible()).toBe(true)
  })

  test('only what is asked for', async (context) => {
    const page = await windowOf(context)
    await ask(page, { scope: 'shelf:read' })
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      'See books, readers, loans and rules (shelf:read)',
    ])
  })

  test('what its client wrote as text', async (context) => {
    const page = await windowOf(context)
    const name = '</bdi></title><img src=x onerror="document.title=1"><b>Room</b> &amp; "\u202eevil'
    await ask(page, { name })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Allow “${name.replace('\u202e', ' ')}” to use shelf_mcp?`,
    )
    expect([await page.locator('img, h1 b, script').count(), await page.title()]).toEqual([
      0,
      `Allow “${name.replace('\u202e', ' ')}”?`,
    ])
  })

  test('a long name in part, and a long address as a whole', async (context) => {
    const page = await windowOf(context, phone)
    await ask(page, long)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Allow “${long.name.slice(0, 79)}…” to use shelf_mcp?`,
    )
    for (const told of [long.redirectUri, new URL(long.redirectUri).host, long.uri])
      expect(await page.getByText(told).first().isVisible()).toBe(true)
  })
})

suite('with a mouse', () => {
  test('who allows gets a code that works', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    await signIn(page)
    await press(page, 'Allow')
    const { error, tokens } = await returned()
    expect([error, await tokens()]).toEqual([null, expect.stringMatching(/./)])
  })

  test('who denies need not sign in', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    await press(page, 'Deny')
    expect(await returned()).toMatchObject({ error: 'access_denied', code: '' })
  })

  test('who signs in as nobody stays on the page', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    await press(page, 'Allow')
    expect([
      await page.locator(':focus').ariaSnapshot(),
      page.url().includes('/authorize?'),
    ]).toEqual(['- textbox "Login"', true])
    await signIn(page)
    await press(page, 'Allow')
    expect((await returned()).error).toBeNull()
  })

  test('who clicks twice allows once', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).dblclick()
    expect((await returned()).error).toBeNull()
  })
})

suite('with a keyboard alone', () => {
  /** Goes on to the next control, which is to be this one, and seen to be. */
  async function tab(page: Page, to: string, key = 'Tab'): Promise<void> {
    await page.keyboard.press(key)
    expect(await page.locator(':focus').ariaSnapshot()).toBe(`- ${to}`)
    expect(await faultsOf(page, { focus: true })).toEqual([])
  }
  const login = 'textbox "Login"'
  const password = 'textbox "Password"'

  test.for(['light', 'dark'] as const)(
    'one goes from login to password, Allow and Deny, and back: %s',
    async (colorScheme, context) => {
      const page = await windowOf(context, { ...desktop, colorScheme })
      const { returned } = await ask(page)
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
    const { returned } = await ask(page)
    await tab(page, login)
    await page.keyboard.type(ada.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.password)
    for (const key of keys) await page.keyboard.press(key)
    expect(await (await returned()).tokens()).toEqual(expect.any(String))
  })

  test('one writes a wrong password anew at once', async (context) => {
    const page = await windowOf(context, phone)
    const { returned } = await ask(page)
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

suite('a wrong password', () => {
  test.for(['provider', 'proxy'] as const)(
    'is told beside the fields, which keep the login: %s',
    async (pattern, context) => {
      const page = await windowOf(context, phone)
      const { returned } = await ask(page, { server: pattern === 'proxy' ? proxy : provider })
      const go = pattern === 'proxy' ? 'Sign in' : 'Allow'
      if (pattern === 'proxy') await press(page, 'Allow')
      await signIn(page, { login: 'ada', password: 'wrong' })
      await press(page, go)
      expect(await page.getByRole('alert').innerText()).toBe('Login or password is wrong.')
      expect(await heard(page)).toContain(`  - alert: Login or password is wrong.
  - text: Login
  - textbox "Login" [invalid]: ada
  - text: Password
  - textbox "Password" [invalid]
`)
      // The page has gone to where one goes on.
      const isSeen =
        '[...document.querySelectorAll("[role=alert], button")].every((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight)'
      await expect.poll(() => page.evaluate(isSeen)).toBe(true)
      await signIn(page)
      await press(page, go)
      expect(await (await returned()).tokens()).toEqual(expect.any(String))
    },
  )
})

suite('without scripts', () => {
  const unscripted = { ...phone, javaScriptEnabled: false }

  test.for(['provider', 'proxy'] as const)('everything works: %s', async (pattern, context) => {
    const page = await windowOf(context, unscripted)
    await page.setContent('<noscript>Nothing runs</noscript>')
    expect(await page.getByText('Nothing runs').isVisible()).toBe(true)
    const server = pattern === 'proxy' ? proxy : provider
    const allowed = await ask(page, { server })
    const go = pattern === 'proxy' ? 'Sign in' : 'Allow'
    if (pattern === 'proxy') await press(page, 'Allow')
    await signIn(page, { login: 'ada', password: 'wrong' })
    await press(page, go)
    await page.getByRole('alert').waitFor()
    expect(await page.locator('script').count()).toBe(0)
    await page.getByLabel('Password').fill(ada.password)
    await press(page, go)
    expect(await (await allowed.returned()).tokens()).toEqual(expect.any(String))
    const denied = await ask(page, { server })
    await press(page, 'Deny')
    expect((await denied.returned()).error).toBe('access_denied')
  })
})

suite('a page that was used', () => {
  const used =
    /This page has expired or has already been used\. Go back to the application and start again\./

  test('says so to whoever goes back and sends it again', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    const request = await page.locator('[name=request]').inputValue()
    await signIn(page)
    await press(page, 'Allow')
    await returned()
    // The browser has kept nothing: it asks for another page.
    await page.goBack()
    expect(await page.getByText('You are signed in as ada.').isVisible()).toBe(true)
    await page.locator('[name=request]').evaluate((field, old) => {
      ;(field as { value: string }).value = old
    }, request)
    await press(page, 'Allow')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This request failed')
    expect(await page.getByRole('main').innerText()).toMatch(used)
    expect(await faultsOf(page)).toEqual([])
    expect(page.url()).not.toContain(clientOrigin)
  })

  test('says so where the browser sends a form once more', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page)
    await signIn(page, { login: 'ada', password: 'wrong' })
    await press(page, 'Allow')
    await page.getByRole('alert').waitFor()
    await signIn(page)
    await press(page, 'Allow')
    await returned()
    // The page before was an answer to a form, which the browser shows no more without asking.
    await page.goBack().catch(() => undefined)
    await page.getByText('ERR_CACHE_MISS').waitFor()
    await page.reload()
    expect(await page.getByRole('main').innerText()).toMatch(used)
  })
})

suite('before the identity provider', () => {
  test('the consent page shows where one signs in, and the sign-in page who wants to know', async (context) => {
    const page = await windowOf(context)
    const { origin, redirectUri } = await ask(page, { server: proxy })
    const { host } = new URL(identity.authorizeUrl)
    expect(await heard(page)).toContain(`  - heading "First you sign in at" [level=2]
  - paragraph: "${host} There shelf_mcp asks for: read:user, user:email"
  - heading "Then you will return to" [level=2]
  - paragraph: ${new URL(redirectUri).host} ${redirectUri}
  - button "Allow"
  - button "Deny"`)
    await press(page, 'Allow')
    await page.waitForURL(`http://${host}/**`)
    expect(await heard(page)).toBe(`- main:
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

  test('one allows and signs in with a keyboard alone', async (context) => {
    const page = await windowOf(context)
    const { returned } = await ask(page, { server: proxy })
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Enter')
    expect(await (await returned()).tokens()).toEqual(expect.any(String))
  })

  test('who denies goes there not at all, and who cancels there comes back without a code', async (context) => {
    const page = await windowOf(context)
    const denied = await ask(page, { server: proxy })
    await press(page, 'Deny')
    expect(await denied.returned()).toMatchObject({ error: 'access_denied', code: '' })
    const cancelled = await ask(page, { server: proxy })
    await press(page, 'Allow')
    await press(page, 'Cancel')
    expect(await cancelled.returned()).toMatchObject({ error: 'access_denied', code: '' })
  })
})

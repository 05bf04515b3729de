import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  test,
  vi,
  type TestContext,
} from 'vitest'
import { installTimeoutMs } from '../../../conformance/proof/interop/apt.testing.ts'
import { findChromium, type Chromium } from '../../../conformance/proof/interop/chromium.testing.ts'
import { requirements, type Contract } from '../../../generated/requirements/index.ts'
import { contractNames } from '../../contracts.ts'
import { sitePages } from './site.ts'

// Opens the pages in a real browser, as files.
vi.setConfig({ testTimeout: 180_000 })
const log = (line: string) => process.stderr.write(`\n${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-pages-'))
const names = contractNames() as Contract[]
const files = ['index.html', ...names.map((name) => `${name}.html`)]
const addressOf = (page: string) => `${pathToFileURL(folder).href}/${page}`

let chromium: Chromium | string
beforeAll(async () => {
  for (const [name, text] of await sitePages(names)) writeFileSync(join(folder, name), text)
  chromium = await findChromium(log)
  if (typeof chromium === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests of the pages of touchstone docs. ${chromium}`)
}, installTimeoutMs)
afterAll(async () => {
  if (typeof chromium === 'object') await chromium.close()
  rmSync(folder, { recursive: true, force: true })
})

const opened: Page[] = []
/** Requests to anything but the pages, and errors of scripts. */
const events: string[] = []
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close()
  expect(events.splice(0)).toEqual([])
})

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

/** Opens a page. Without a browser, skips the test, except in CI. */
async function open(
  { skip }: TestContext,
  page: string,
  options: BrowserContextOptions = desktop,
): Promise<Page> {
  if (typeof chromium !== 'object') {
    if (process.env['CI']) throw new Error(chromium)
    return skip(chromium)
  }
  const tab = await (await chromium.browser.newContext(options)).newPage()
  opened.push(tab)
  tab.on('pageerror', (error) => events.push(`error ${error.message}`))
  tab.on('console', (message) => {
    if (message.type() === 'error') events.push(`console ${message.text()}`)
  })
  const pages = files.map(addressOf)
  tab.on('request', (request) => {
    if (!pages.includes(request.url().split('#')[0]!)) events.push(`request ${request.url()}`)
  })
  await tab.goto(addressOf(page))
  return tab
}

/** The elements of a page that violate a rule of axe. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )
}

/** How many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate<number>(
    `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
  )

const openAll = (page: Page) =>
  page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)

const shownStatus = (page: Page) => page.locator('#shown').textContent()
const visibleItems = (page: Page) => page.locator('[data-item] >> visible=true')

const dark = { colorScheme: 'dark' } as const
const modes = {
  light: desktop,
  dark: { ...desktop, ...dark },
  'on a phone': phone,
  'on a dark phone': { ...phone, ...dark },
}

/** All pages in two modes. The style is the same in all pages, so one is enough for the others. */
const accessible: readonly (readonly [page: string, mode: keyof typeof modes])[] = [
  ...files.map((page) => [page, 'light'] as const),
  ...files.map((page) => [page, 'on a dark phone'] as const),
  ['hooks.html', 'dark'],
  ['hooks.html', 'on a phone'],
]

describe('accessibility', () => {
  for (const [file, mode] of accessible)
    test(`axe finds nothing in ${file}, ${mode}`, async (context) => {
      const page = await open(context, file, modes[mode])
      await openAll(page)
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    })

  test('a keyboard can skip to the content', async (context) => {
    const page = await open(context, 'hooks.html')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(`document.activeElement.id`)).toBe('main')
  })
})

describe('without JavaScript', () => {
  const options = { ...desktop, javaScriptEnabled: false }

  test('a page shows its requirements, faults and examples, and no search', async (context) => {
    const page = await open(context, 'images.html#IMG-UPLOAD-04', options)
    const requirement = page.locator('#IMG-UPLOAD-04')
    await requirement.getByText('The server refuses an upload with both').waitFor()
    await requirement.locator('.title', { hasText: 'refuses a file and a URL' }).waitFor()
    expect((await requirement.boundingBox())!.y).toBeLessThan(desktop.viewport.height)
    await requirement.locator('summary').press('Enter')
    expect(await requirement.locator('.faults li').first().isVisible()).toBe(true)
    expect(await page.locator('form').isVisible()).toBe(false)
    expect(await page.locator('button.copy >> visible=true').count()).toBe(0)
    const sample = page.locator('#operation-uploadImage .sample').first()
    await sample.locator('summary').press('Enter')
    expect(await sample.locator('pre').isVisible()).toBe(true)
  })

  test('the first page lists all requirements', async (context) => {
    const page = await open(context, 'index.html', options)
    expect(await page.locator('li[data-level]').count()).toBe(Object.keys(requirements).length)
    const topic = page.locator('details.topic').first()
    await topic.locator('summary').press('Enter')
    await topic.getByRole('link', { name: 'IMG-SERVICE-01' }).press('Enter')
    await page.waitForURL(/images\.html#IMG-SERVICE-01$/)
  })

  test('a phone has the contents at the top, closed', async (context) => {
    const page = await open(context, 'hooks.html', { ...phone, javaScriptEnabled: false })
    const link = page.getByRole('navigation').getByRole('link', { name: 'Schemas' })
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Contents', { exact: true }).press('Enter')
    await link.press('Enter')
    expect(page.url()).toBe(addressOf('hooks.html#schemas'))
  })
})

describe('the search', () => {
  test('finds a requirement by its id, by words, and by the title of its check', async (context) => {
    const page = await open(context, 'index.html')
    await page.keyboard.press('/')
    await page.keyboard.type('img-list-06')
    await page.waitForURL(/#q=img-list-06$/)
    expect(await visibleItems(page).allTextContents()).toEqual([
      `IMG-LIST-06 should ${requirements['IMG-LIST-06'].statement}`,
    ])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.waitForURL(addressOf('images.html#IMG-LIST-06'))

    await page.goto(addressOf('index.html#q=refuses+page+integer'))
    expect(await visibleItems(page).count()).toBe(1)
    await page.reload()
    await page.getByRole('searchbox').fill('returns no images past')
    await page.waitForURL(/#q=returns/)
    expect(await visibleItems(page).allTextContents()).toEqual([
      `IMG-LIST-07 must ${requirements['IMG-LIST-07'].statement}`,
    ])
  })

  test('finds operations, events and schemas', async (context) => {
    const page = await open(context, 'index.html#q=/images/v2/direct_upload')
    expect(await visibleItems(page).count()).toBe(1)
    await visibleItems(page).getByRole('link').press('Enter')
    await page.waitForURL(addressOf('images.html#operation-createDirectUpload'))
    expect(await page.locator('#operation-createDirectUpload').isVisible()).toBe(true)
  })

  test('hides everything else, and shows it again', async (context) => {
    const page = await open(context, 'hooks.html')
    const total = await page.locator('[data-item]').count()
    expect(await shownStatus(page)).toBe(`${total} of ${total} requirements and definitions`)
    await page.getByLabel('Level').selectOption('open')
    await page.waitForURL(/#level=open$/)
    const openLevel = Object.values(requirements).filter(
      (one) => one.contract === 'hooks' && one.level === 'open',
    )
    expect(await shownStatus(page)).toBe(
      `${openLevel.length} of ${total} requirements and definitions`,
    )
    expect(await page.locator('#commands').isVisible()).toBe(false)
    await page.getByRole('searchbox').fill('nothing has such-a-word')
    await page.waitForURL(/such-a-word/)
    expect(await shownStatus(page)).toBe('Nothing here contains all of these words')
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    expect(await shownStatus(page)).toBe(`${total} of ${total} requirements and definitions`)
    expect(page.url()).toBe(addressOf('hooks.html'))
    expect(await page.locator('#commands').isVisible()).toBe(true)
  })
})

test('a link to a requirement shows it, even if a search hides it', async (context) => {
  const page = await open(context, 'events.html#q=EVT-PUSH-05')
  expect(await visibleItems(page).count()).toBeGreaterThan(0)
  const other = page.locator('#EVT-RECEIVER-09')
  expect(await other.isVisible()).toBe(false)
  await page.evaluate(`location.hash = '#EVT-RECEIVER-09'`)
  await other.waitFor()
  await page.waitForFunction(
    `(() => { const { top } = document.getElementById('EVT-RECEIVER-09').getBoundingClientRect(); return top >= 0 && top < innerHeight })()`,
  )
  expect(page.url()).toBe(addressOf('events.html#EVT-RECEIVER-09'))
})

test('buttons copy commands and examples', async (context) => {
  const page = await open(context, 'greeting.html')
  await page.evaluate(
    `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }`,
  )
  await page.getByRole('button', { name: 'Copy the test command' }).press('Enter')
  await page.getByText('Copied to the clipboard').waitFor()
  expect(await page.evaluate(`copied`)).toBe('npx touchstone test 127.0.0.1:50051')
  const message = page.locator('#message-GreetingRequest')
  await message.locator('summary').press('Enter')
  await message.getByRole('button', { name: 'Copy Example of GreetingRequest' }).press('Enter')
  expect(JSON.parse(await page.evaluate<string>(`copied`))).toEqual({
    name: 'Ada',
    request_id: '1',
  })
})

test('a print contains all requirements, and no controls', async (context) => {
  const page = await open(context, 'hooks.html')
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('form, nav, button.copy').locator('visible=true').count()).toBe(0)
  const shown = await page.locator('.requirement >> visible=true').count()
  expect(shown).toBe(Object.values(requirements).filter((one) => one.contract === 'hooks').length)
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})

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
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { installTimeoutMs } from '../../proof/interop/apt.testing.ts'
import { findChromium, type Chromium } from '../../proof/interop/chromium.testing.ts'
import { htmlOf } from './page.ts'
import { hostile, resultOf, verdictOf } from './page.testing.ts'

// Opens the report in a real browser.
vi.setConfig({ testTimeout: 60_000 })
const log = (line: string) => process.stderr.write(`\n${line}\n`)
const address = 'http://localhost/report.html'
const html = htmlOf(resultOf())

let chromium: Chromium | string
beforeAll(async () => {
  chromium = await findChromium(log)
  if (typeof chromium === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests of the HTML report. ${chromium}`)
}, installTimeoutMs)
afterAll(async () => {
  if (typeof chromium === 'object') await chromium.close()
})

const pages: Page[] = []
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

/** Requests, dialogs, and script errors of the page. */
const events: string[] = []

/** Opens the report. Without a browser, skips the test, except in CI. */
async function open(
  { skip }: TestContext,
  options: BrowserContextOptions = desktop,
  { content = html, hash = '' } = {},
): Promise<Page> {
  if (typeof chromium !== 'object') {
    if (process.env['CI']) throw new Error(chromium)
    return skip(chromium)
  }
  const page = await (await chromium.browser.newContext(options)).newPage()
  pages.push(page)
  events.length = 0
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => events.push(`error ${error.message}`))
  // The content security policy prevents requests before they are routed.
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(address))
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: content })
    events.push(`request ${url}`)
    return route.abort()
  })
  await page.goto(address + hash)
  return page
}

const openAll = (page: Page) =>
  page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)

/** The elements of a page that violate a rule of axe. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  )
}

/** How many pixels the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate<number>(
    `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
  )

const shownStatus = (page: Page) => page.locator('#shown').textContent()

describe('accessibility', () => {
  for (const [name, options] of [
    ['light', desktop],
    ['dark', { ...desktop, colorScheme: 'dark' }],
    ['on a phone', phone],
    ['on a dark phone', { ...phone, colorScheme: 'dark' }],
  ] as const)
    test(`axe finds nothing: ${name}`, async (context) => {
      const page = await open(context, options)
      await openAll(page)
      expect(await violations(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    })

  test('a keyboard can skip to the results', async (context) => {
    const page = await open(context)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(`document.activeElement.id`)).toBe('main')
  })
})

test('the page can be read without JavaScript', async (context) => {
  const page = await open(context, { ...desktop, javaScriptEnabled: false })
  await page.locator('#IMG-UPLOAD-04').getByText('status 400, because the').waitFor()
  expect(await page.locator('form').isVisible()).toBe(false)
  expect(await page.locator('button.copy >> visible=true').count()).toBe(0)
  const passed = page.locator('#IMG-UPLOAD-01')
  expect(await passed.isVisible()).toBe(false)
  await page.locator('.topic:has(#IMG-UPLOAD-01) > summary').press('Enter')
  await passed.locator('> summary').press('Enter')
  await passed.getByText('1 exchange').press('Enter')
  await passed.getByText('6: uploadImage').press('Enter')
  await passed.getByText('POST http://t/images/v1').waitFor()
})

describe('expected and received', () => {
  test('are side by side, and stacked on a phone', async (context) => {
    const boxes = async (page: Page) => {
      const sides = page.locator('#IMG-UPLOAD-04 dl.sides').first().locator('> div')
      return [(await sides.nth(0).boundingBox())!, (await sides.nth(1).boundingBox())!] as const
    }
    const [left, right] = await boxes(await open(context))
    expect(right.y).toBe(left.y)
    expect(right.x).toBeGreaterThan(left.x + left.width)
    const [upper, lower] = await boxes(await open(context, phone))
    expect(lower.x).toBe(upper.x)
    expect(lower.y).toBeGreaterThan(upper.y)
  })

  test('have the place marked, in the finding and in the exchange', async (context) => {
    const page = await open(context)
    const marks = await page.locator('#IMG-UPLOAD-04 mark').allTextContents()
    expect(marks).toEqual(['200', 'true', 'url=http://p', '200', 'url=http://p', '"draft":true'])
  })
})

describe('with the script', () => {
  test('search and filters work by keyboard, and are kept in the address', async (context) => {
    const page = await open(context)
    expect(await shownStatus(page)).toBe('8 of 8 requirements')
    await page.keyboard.press('/')
    await page.keyboard.type('file together')
    await page.waitForURL(/#q=file\+together$/)
    expect(await shownStatus(page)).toBe('1 of 8 requirements')
    expect(await page.locator('#IMG-STATUS-10').isVisible()).toBe(false)
    await page.reload()
    expect(await shownStatus(page)).toBe('1 of 8 requirements')
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    expect(await shownStatus(page)).toBe('8 of 8 requirements')
    expect(page.url()).toBe(address)
    await page.getByRole('checkbox', { name: 'passed' }).press('Space')
    await page.waitForURL(/#outcome=pass$/)
    // A filter opens the topics that remain visible.
    expect(await page.locator('#IMG-UPLOAD-01').isVisible()).toBe(true)
    expect(await page.locator('section#failures').isVisible()).toBe(false)
    await page.getByLabel('Level').selectOption('open')
    await page.waitForURL(/level=open/)
    expect(await shownStatus(page)).toBe('0 of 8 requirements')
  })

  test('a link to a requirement opens it, even if a filter hides it', async (context) => {
    const page = await open(context, desktop, { hash: '#IMG-GET-01' })
    const requirement = page.locator('#IMG-GET-01')
    await requirement.getByText('IMG-UPLOAD-04 is not met').waitFor()
    await page.waitForFunction(`document.activeElement.parentElement.id === 'IMG-GET-01'`)
    await page.getByRole('checkbox', { name: 'passed' }).press('Space')
    await page.waitForURL(/#outcome=pass$/)
    await page.getByRole('link', { name: 'IMG-BATCH-01' }).first().press('Enter')
    await page.locator('#IMG-BATCH-01').getByText('needs images.batch').waitFor()
    expect(page.url()).toBe(`${address}#IMG-BATCH-01`)
  })

  test('buttons copy the commands', async (context) => {
    const page = await open(context)
    const press = async (name: RegExp) => {
      await page.locator('#IMG-UPLOAD-04').getByRole('button', { name }).first().press('Enter')
      await page.getByText('Copied to the clipboard').waitFor()
    }
    await page.evaluate(
      `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }`,
    )
    await press(/Copy the repeat line/)
    expect(await page.evaluate(`copied`)).toBe('npx touchstone test --only IMG-UPLOAD-04')
    await press(/Copy the curl line/)
    expect(await page.evaluate(`copied`)).toMatch(/^curl -i -H "Authorization: Bearer \$IMAGES/)
  })
})

test('what the server wrote stays text', async (context) => {
  const page = await open(context)
  await openAll(page)
  await page.getByRole('searchbox').fill(hostile)
  await page.waitForURL(/#q=/)
  expect(await page.locator('img, iframe, object, a[href^="javascript:"]').count()).toBe(0)
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.locator('h1').textContent()).toBe(`http://t ${hostile}`)
  // The policy protects the page even if a string was not escaped.
  await page.evaluate(
    `document.querySelector('main').innerHTML = '<img src="http://evil.test/b.png" onerror="alert(4)">'`,
  )
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 100))`)
  expect(events).toEqual([])
})

test('a requirement links to the page of its contract, if there is one', async (context) => {
  const page = await open(context, desktop, { content: htmlOf(resultOf(), ['images']) })
  const link = page.locator('#IMG-UPLOAD-04').getByRole('link', { name: 'in the contract' })
  expect(await link.getAttribute('href')).toBe('docs/images.html#IMG-UPLOAD-04')
  const without = await open(context)
  expect(await without.getByRole('link', { name: 'in the contract' }).count()).toBe(0)
})

test('5,000 requirements can be searched and linked', async (context) => {
  const known = requirements as Record<string, (typeof requirements)[RequirementId]>
  const before = Object.keys(known)
  const ids = Array.from({ length: 5000 }, (_, index) => `BIG-AREA-${index}` as RequirementId)
  for (const [index, id] of ids.entries()) known[id] = known[before[index % before.length]!]!
  const big = htmlOf(
    resultOf(
      ids.map((id, index) =>
        verdictOf(id, { verdict: index % 500 === 7 ? 'fail' : 'pass', title: `title ${index}.` }),
      ),
    ),
  )
  for (const id of ids) delete known[id]
  const page = await open(context, desktop, { content: big })
  expect(await shownStatus(page)).toBe('5000 of 5000 requirements')
  expect(await page.locator('.requirement').count()).toBe(5000)
  // Only the failures are rendered at first.
  expect(await page.locator('.requirement >> visible=true').count()).toBe(10)
  await page.getByRole('searchbox').fill('title 4321.')
  await page.waitForURL(/#q=/)
  expect(await shownStatus(page)).toBe('1 of 5000 requirements')
  expect(await page.locator('.requirement >> visible=true').count()).toBe(1)
  await page.getByRole('button', { name: 'Show all' }).press('Enter')
  expect(await page.locator('.requirement >> visible=true').count()).toBe(10)
  await page.goto(`${address}#BIG-AREA-4999`)
  expect(await page.locator('#BIG-AREA-4999 .body').isVisible()).toBe(true)
})

test('a print contains the failures and all requirements, and no controls', async (context) => {
  const page = await open(context)
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('form, nav, button.copy').locator('visible=true').count()).toBe(0)
  expect(await page.locator('#IMG-UPLOAD-04 dl.sides').first().isVisible()).toBe(true)
  expect(await page.locator('#IMG-UPLOAD-01 > summary').isVisible()).toBe(true)
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi, type TestContext } from 'vitest'
import { installTimeoutMs } from '../../conformance/proof/interop/apt.testing.ts'
import { findChromium, type Chromium } from '../../conformance/proof/interop/chromium.testing.ts'
import { mockOf, type MockKind, type Running } from '../../mocks/registry.ts'
import { initialize } from './command.testing.ts'
import type { MockOptions } from './mock/options.ts'
import { servingOf } from './mock/serving.ts'

// In a real browser, web pages of another origin use the mocks.
vi.setConfig({ testTimeout: 30_000 })
const log = (line: string) => process.stderr.write(`\n${line}\n`)

const started: Running[] = []
let chromium: Chromium | string
let server: Server
/** The origin of the page, which the tool server allows. */
let origin: string
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  chromium = await findChromium(log)
  if (typeof chromium === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests of web pages. ${chromium}`)
}, installTimeoutMs)
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await Promise.all(started.map((mock) => mock.close()))
  if (typeof chromium === 'object') await chromium.close()
})

/** Opens a page. If no browser is found, skips the test, or throws in CI. */
async function openPage(address: string, { skip }: TestContext): Promise<Page> {
  if (typeof chromium === 'string') {
    if (process.env['CI']) throw new Error(chromium)
    return skip(chromium)
  }
  const page = await chromium.browser.newPage()
  await page.goto(address)
  return page
}

/** Starts a mock as `touchstone mock` with these options does, and returns its URLs. */
async function mock(name: string, options: MockOptions, kind: MockKind = 'stateful') {
  const { hosts, start } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const running = await start({ kind, ports, serving: servingOf(name, options) })
  started.push(running)
  return running.urls as Record<string, string>
}

interface PageRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The name of a file part, which makes the body a form. */
  file?: string
}

/** Returns what a page reads from a response; `blocked` if the browser withholds the response. */
async function fetchIn(page: Page, url: string, request: PageRequest = {}) {
  return page.evaluate(
    async ([address, { file, ...init }]) => {
      const form = new FormData()
      if (file !== undefined) form.append('file', new Blob(['a file']), file)
      try {
        const response = await fetch(address, {
          ...init,
          ...(file === undefined ? {} : { body: form }),
        })
        const type = response.headers.get('content-type')
        return {
          status: response.status,
          session: response.headers.get('mcp-session-id'),
          json: type === 'application/json' ? ((await response.json()) as unknown) : undefined,
        }
      } catch {
        return 'blocked'
      }
    },
    [url, request] as const,
  )
}

/** Returns the result in the envelope with which the image service responds. */
async function resultIn(page: Page, url: string, request: PageRequest) {
  const response = await fetchIn(page, url, request)
  expect(response).toMatchObject({ status: 200, json: { success: true } })
  return (response as { json: { result: { uploadURL?: string; variants?: string[] } } }).json.result
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const hook = {
  method: 'POST',
  headers: { 'private-token': 'hooks-token', 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
}

for (const kind of ['stateful', 'contract'] as const)
  test(`a page uses the ${kind} mocks of images and hooks`, async (context) => {
    const { account, batch } = await mock('images', {}, kind)
    const { api } = await mock('hooks', {}, kind)
    const page = await openPage(origin, context)
    const images = `${account}/accounts/acc-1/images`
    const post = { method: 'POST', headers: bearer('images-token') }
    const ofTicket = {
      ...post,
      headers: { ...post.headers, 'content-type': 'application/json' },
      body: '{}',
    }
    expect(await fetchIn(page, `${images}/v1`, { ...post, file: 'a.png' })).toMatchObject({
      status: 200,
    })
    const { uploadURL } = await resultIn(page, `${images}/v2/direct_upload`, ofTicket)
    const { variants } = await resultIn(page, uploadURL!, { method: 'POST', file: 'a.png' })
    expect(await fetchIn(page, variants![0]!)).toMatchObject({ status: 200 })
    expect(
      await fetchIn(page, `${batch}/images/v2`, { headers: bearer('images-batch-token') }),
    ).toMatchObject({ status: 200, json: { success: true } })
    expect(await fetchIn(page, `${images}/v2`)).toMatchObject({
      status: 401,
      json: { success: false },
    })
    expect(await fetchIn(page, `${api}/projects/42/hooks`, hook)).toMatchObject({ status: 201 })
  })

test('with --no-cors, pages of another origin cannot read responses', async (context) => {
  const { delivery } = await mock('images', { cors: false })
  const { api } = await mock('hooks', { cors: false })
  const page = await openPage(origin, context)
  expect([
    await fetchIn(page, `${delivery}/hash/id/public`),
    await fetchIn(page, `${api}/projects/42/hooks`, hook),
  ]).toEqual(['blocked', 'blocked'])
  // A browser sends this request without a preflight request, but a page must not change the mock.
  const reset = new URL('/_touchstone/reset', api)
  const resetFrom = async (headers: Record<string, string>) =>
    (await fetch(reset, { method: 'POST', headers })).status
  expect([await resetFrom({ origin }), await resetFrom({})]).toEqual([403, 204])
})

test('only a page of an allowed origin uses the tool server', async (context) => {
  const { mcp } = await mock('tools', { allowOrigin: [origin] })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const request = { method: 'POST', headers, body: JSON.stringify(initialize) }
  const page = await openPage(origin, context)
  const opened = await fetchIn(page, mcp!, request)
  expect(opened).toMatchObject({ status: 200, session: expect.stringMatching(/./) })
  const { session } = opened as { session: string }
  expect(
    await fetchIn(page, mcp!, {
      method: 'DELETE',
      headers: { ...headers, 'mcp-session-id': session },
    }),
  ).toMatchObject({ status: 200 })
  const other = await openPage(origin.replace('127.0.0.1', 'localhost'), context)
  expect(await fetchIn(other, mcp!, request)).toBe('blocked')
})

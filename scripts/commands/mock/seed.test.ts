import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { mockOf, mocks, type MockKind, type Running } from '../../../mocks/registry.ts'
import { initialize } from '../command.testing.ts'
import { readSeed } from './seed.ts'
import { servingOf } from './serving.ts'

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()))
})

async function seedFile(text: string, name = 'seed.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-seed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

async function start(name: string, seed?: string, kind: MockKind = 'stateful') {
  const { hosts, start: startMock } = mockOf(name)
  const ports = Object.fromEntries(hosts.map((host) => [host, 0]))
  const initial = seed === undefined ? {} : { initial: await readSeed(seed) }
  const mock = await startMock({ kind, ports, serving: servingOf(name, {}), ...initial })
  started.push(mock)
  return mock.urls as Record<string, string>
}

async function call(url: string, headers: Record<string, string>, body?: object, method?: string) {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text }
}

const reset = async (url: string) =>
  (await fetch(new URL('/_touchstone/reset', url), { method: 'POST' })).status

const images = `
images:
  - id: logo
    file: logo.png
    metadata: { team: web }
    uploaded: '2026-01-31T12:00:00Z'
  - id: a/b
    requireSignedURLs: true
`

test('images of a seed are listed and delivered, and return after a reset', async () => {
  const seed = await seedFile(images)
  await writeFile(join(dirname(seed), 'logo.png'), 'the bytes of a logo')
  const { account, delivery } = await start('images', seed)
  const api = { authorization: 'Bearer images-token' }
  const list = async () => {
    const { text } = await call(`${account}/accounts/acc-1/images/v2`, api)
    return (JSON.parse(text) as { result: { images: { id: string; variants: string[] }[] } }).result
      .images
  }
  const before = await list()
  expect(before).toMatchObject([
    {
      id: 'logo',
      filename: 'logo.png',
      uploaded: '2026-01-31T12:00:00.000Z',
      requireSignedURLs: false,
    },
    { id: 'a/b', filename: 'a/b.png', requireSignedURLs: true },
  ])
  expect(await call(before[0]!.variants[0]!, {})).toEqual({
    status: 200,
    text: 'the bytes of a logo',
  })
  const details = await call(`${account}/accounts/acc-1/images/v1/logo`, api)
  expect(JSON.parse(details.text)).toMatchObject({ result: { metadata: { team: 'web' } } })
  await call(`${account}/accounts/acc-1/images/v1/logo`, api, undefined, 'DELETE')
  await call(`${account}/accounts/acc-1/images/v2/direct_upload`, api, {})
  await call(`${account}/accounts/acc-1/images/v1/variants`, api, {
    id: 'small',
    options: { fit: 'cover', width: 1, height: 1, metadata: 'none' },
  })
  expect((await list()).map(({ id }) => id)).toEqual(['a/b'])
  expect(await reset(delivery!)).toBe(204)
  expect(await list()).toMatchObject(before.map(({ id, variants }) => ({ id, variants })))
})

test('variants of a seed exist, and return after a reset', async () => {
  const seed = await seedFile(`
images:
  - id: logo
    requireSignedURLs: true
variants:
  - id: small
    options: { width: 20, fit: cover }
    neverRequireSignedURLs: true
  - id: public
    options: { width: 99 }
`)
  const { account, delivery } = await start('images', seed)
  const api = { authorization: 'Bearer images-token' }
  const url = `${account}/accounts/acc-1/images/v1`
  const variants = async () =>
    (
      JSON.parse((await call(`${url}/variants`, api)).text) as {
        result: { variants: Record<string, object> }
      }
    ).result.variants
  const expected = {
    public: {
      id: 'public',
      options: { fit: 'scale-down', width: 99, height: 768, metadata: 'none' },
      neverRequireSignedURLs: false,
    },
    small: {
      id: 'small',
      options: { fit: 'cover', width: 20, height: 768, metadata: 'none' },
      neverRequireSignedURLs: true,
    },
  }
  expect(await variants()).toEqual(expected)
  const { result } = JSON.parse((await call(`${url}/logo`, api)).text) as {
    result: { variants: string[] }
  }
  const small = result.variants.find((one) => one.endsWith('/small'))!
  expect((await call(small, {})).status).toBe(200)
  await call(`${url}/variants/small`, api, undefined, 'DELETE')
  expect(Object.keys(await variants())).toEqual(['public'])
  expect(await reset(delivery!)).toBe(204)
  expect(await variants()).toEqual(expected)
})

test('hooks of a seed exist, and return after a reset', async () => {
  const seed = await seedFile(
    JSON.stringify({ hooks: [{ url: 'http://127.0.0.1:9/', token: 'hush', job_events: true }] }),
    'seed.json',
  )
  const { api } = await start('hooks', seed)
  const headers = { 'private-token': 'hooks-token' }
  const hooks = async () =>
    JSON.parse((await call(`${api}/projects/42/hooks`, headers)).text) as object[]
  const expected = [
    {
      id: 1,
      project_id: 42,
      url: 'http://127.0.0.1:9/',
      job_events: true,
      push_events: true,
      enable_ssl_verification: true,
    },
  ]
  expect(await hooks()).toMatchObject(expected)
  await call(`${api}/projects/42/hooks`, headers, { url: 'http://127.0.0.1:9/' })
  expect(await hooks()).toHaveLength(2)
  expect(await reset(api!)).toBe(204)
  expect(await hooks()).toMatchObject(expected)
  expect(await hooks()).toHaveLength(1)
})

test('books of a seed are found, and a reset ends loans', async () => {
  const seed = await seedFile(
    'books:\n  - { id: b-100, title: The Zebra Book, author: Ada }\n  - { id: b-001, title: First, author: Ada }\n',
  )
  const { mcp } = await start('tools', seed)
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' }
  const opened = await fetch(mcp!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(initialize),
  })
  await opened.text()
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id')!
  const callTool = async (name: string, args: object) =>
    (
      await call(mcp!, headers, {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name, arguments: args },
      })
    ).text
  expect(await callTool('shelf_search_books', { query: 'zebra' })).toContain('b-100')
  expect(await callTool('shelf_get_book', { id: 'b-001' })).toContain('First')
  const loan = { book_id: 'b-100', reader_id: 'r-001' }
  expect(await callTool('shelf_create_loan', loan)).toContain('l-002')
  expect(await callTool('shelf_create_loan', loan)).toContain('l-003')
  expect(await reset(mcp!)).toBe(204)
  expect(await callTool('shelf_create_loan', { ...loan, book_id: 'b-002' })).toMatch(/l-00[12]/)
})

test('a reset forgets the deliveries of the receiver', async () => {
  const { receiver } = await start('receiver')
  await call(
    receiver!,
    { 'x-hook-token': 'receiver-secret', 'x-hook-event': 'Push Hook' },
    { object_kind: 'push' },
  )
  const deliveries = async () =>
    (
      JSON.parse((await call(new URL('/_touchstone/deliveries', receiver).href, {})).text) as {
        deliveries: object[]
      }
    ).deliveries.length
  expect(await deliveries()).toBe(1)
  expect(await reset(receiver!)).toBe(204)
  expect(await deliveries()).toBe(0)
})

test.each(Object.keys(mocks).filter((name) => name !== 'greeting'))(
  'the mock %s can be reset',
  async (name) => {
    const urls = await start(name, undefined, 'contract')
    for (const url of Object.values(urls)) {
      expect(await reset(url)).toBe(204)
      const read = await fetch(new URL('/_touchstone/reset', url))
      expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await read.text()).toMatch(/use POST/i)
    }
  },
)

const longText = 'x'.repeat(1100)

test.each([
  ['images: [{ id: a, id: b }]', /seed\.yaml:1:19 {2}is not YAML: the key id appears twice /],
  [
    'images: [{ id: a, fil: b }]',
    /seed\.yaml:1:19 {2}images\[0\] has the unknown key fil\. Did you mean file\? Known: id, file, filename,/,
  ],
  ['images:\n  - { id: ../a }', /seed\.yaml:2:11 {2}images\[0\]\.id cannot be used in a path/],
  [
    'images:\n  - { id: a, file: absent.png }',
    /seed\.yaml:2:20 .*file names absent\.png, which cannot be read: there/,
  ],
  ['images:\n  - id: a\n  - id: a', /seed\.yaml:3:9 {2}images\[1\]\.id is used twice/],
  ['images: [{ id: a, uploaded: today }]', /uploaded must be an ISO 8601 timestamp/],
  [`images: [{ id: a, metadata: { a: ${longText} } }]`, /is larger than 1024 bytes/],
  [
    'hooks:\n  - url: 5\n  - url: "ftp://a/"\n',
    /2:10 {2}hooks\[0\]\.url must be a string\n.*3:10 {2}hooks\[1\]\.url must be/,
  ],
  [
    'hooks: [{ url: "http://a/", job_events: maybe }]',
    /hooks\[0\]\.job_events must be true or false/,
  ],
  ['books: [{ id: a, title: A }]', /seed\.yaml:1:9 {2}books\[0\]\.author is missing/],
  ['books: [{ id: mine, title: A, author: B }]', /books\[0\]\.id must be b- and three digits/],
  ['- a', /seed\.yaml:1:1 {2}the file must be a map of keys and values/],
  [
    'imags: []',
    /seed\.yaml:1:1 {2}the file has the unknown key imags\. Did you mean images\? Known: images, variants, hooks, books/,
  ],
  [
    'hooks:\n  - url: "http://a/"\n    jobs: true\nimages: []\nmore: 1',
    /3:5 {2}hooks\[0\] has the unknown key jobs\. [^]*5:1 {2}the file has the unknown key more\./,
  ],
  [
    'variants:\n  - id: small\n    options: { width: 0, heigth: 5, fit: zoom }',
    /3:23 {2}variants\[0\]\.options\.width must be a positive integer[^]*3:26 {2}variants\[0\]\.options has the unknown key heigth\. Did you mean height\?/,
  ],
  ['variants: [{ id: a/b }]', /1:18 {2}variants\[0\]\.id must consist of letters, digits, _ and -/],
  ['variants: [{ id: a }, { id: a }]', /1:29 {2}variants\[1\]\.id is used twice/],
  ['images: [*a]', /seed\.yaml is not YAML: Unresolved alias .*: a$/],
  ['books: [{ id: b-100, title: "", author: B }]', /books\[0\]\.title must not be empty/],
  ['books: [{ id: b-100, title: A, author: B, copies: -1 }]', /copies must be at least 0/],
])('%.40s has a clear error', async (text, error) => {
  await expect(readSeed(await seedFile(text))).rejects.toThrow(error)
})

test('an empty file is valid, and an absent file is not', async () => {
  expect(await readSeed(await seedFile(''))).toEqual({
    images: [],
    variants: [],
    hooks: [],
    books: [],
  })
  await expect(readSeed('absent.yaml')).rejects.toThrow('absent.yaml cannot be read: there is no')
})

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ToolsClock } from './clock.ts'
import { connectClient, startServer, type TestClient } from './tools.testing.ts'

interface Page {
  total: number
  count: number
  offset: number
  has_more: boolean
  next_offset: number | null
  truncated?: boolean
  truncation_message?: string
  [items: string]: unknown
}

const json = async ({ text }: TestClient, name: string, args: object) =>
  JSON.parse(await text(name, { ...args, response_format: 'json' })) as Page

/** Collects every item of a list by following next_offset. */
async function collectAll(
  testClient: TestClient,
  name: string,
  items: string,
  args: object,
): Promise<string[]> {
  const met: string[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const page: Page = await json(testClient, name, { ...args, offset })
    const ids = (page[items] as { id: string }[]).map(({ id }) => id)
    expect([page.offset, page.count, page.has_more]).toEqual([
      offset,
      ids.length,
      page.total > offset + ids.length,
    ])
    met.push(...ids)
    offset = page.next_offset
  }
  return met
}

describe('pages', () => {
  test('have twenty items by default, and report the rest', async () => {
    const {
      total,
      count,
      offset,
      has_more: more,
      next_offset: next,
    } = await json(await connectClient(await startServer()), 'list_readers', {})
    expect([total, count, offset, more, next]).toEqual([45, 20, 0, true, 20])
  })

  test.each([
    [7, 44],
    [45, 0],
    [100, 0],
    [1, 44],
  ])('with limit %i and offset %i reach the end of the list', async (limit, offset) => {
    const page = await json(await connectClient(await startServer()), 'list_readers', {
      limit,
      offset,
    })
    expect([page.count, page.has_more, page.next_offset]).toEqual([
      Math.min(limit, 45 - offset),
      false,
      null,
    ])
  })

  test('after the end are empty', async () => {
    const page = await json(await connectClient(await startServer()), 'list_readers', {
      offset: 500,
    })
    expect([page.total, page.count, page['readers'], page.has_more, page.next_offset]).toEqual([
      45,
      0,
      [],
      false,
      null,
    ])
  })

  test('contain every item', async () => {
    const testClient = await connectClient(await startServer())
    expect(await collectAll(testClient, 'list_readers', 'readers', { limit: 7 })).toHaveLength(45)
    expect(
      new Set(await collectAll(testClient, 'search_books', 'books', { query: 'the', limit: 13 }))
        .size,
    ).toBe(60)
  })

  test('contain the same items in both formats', async () => {
    const testClient = await connectClient(await startServer())
    const { books } = (await json(testClient, 'search_books', { query: 'sea' })) as unknown as {
      books: { id: string; title: string }[]
    }
    const markdown = await testClient.text('search_books', { query: 'sea' })
    expect(books.length).toBeGreaterThan(5)
    for (const { id, title } of books) expect(markdown).toContain(`## ${title} (${id})`)
    expect(markdown).not.toMatch(/\d{4}-\d\d-\d\dT|\d{10}/)
  })
})

describe('truncation', () => {
  test.each(['json', 'markdown'])(
    'keeps %s within 25,000 characters, and explains how to continue',
    async (form) => {
      const text = await (
        await connectClient(await startServer())
      ).text('report_inventory', { limit: 100, response_format: form })
      expect(text.length).toBeGreaterThan(23_000)
      expect(text.length).toBeLessThanOrEqual(25_000)
      expect(text).toMatch(/Continue with offset \d+, or narrow it down with filters/)
    },
  )

  test('loses no items', async () => {
    const testClient = await connectClient(await startServer())
    const page = await json(testClient, 'report_inventory', { limit: 100 })
    expect(page).toMatchObject({ truncated: true, has_more: true, next_offset: page.count })
    expect(
      new Set(await collectAll(testClient, 'report_inventory', 'copies', { limit: 100 })).size,
    ).toBe(240)
    expect(await json(testClient, 'report_inventory', { limit: 10 })).not.toHaveProperty(
      'truncated',
    )
  })
})

/** A clock on which timeouts elapse a thousand times faster. */
const fastClock: ToolsClock = {
  now: Date.now,
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds / 1000)
    return () => clearTimeout(timer)
  },
}

async function connectWithUpstream(
  answer: (response: ServerResponse) => void,
  clock?: ToolsClock,
): Promise<TestClient> {
  const upstream = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => upstream.once('listening', resolve))
  onTestFinished(() => {
    upstream.close()
    upstream.closeAllConnections()
  })
  return connectClient(
    await startServer({
      upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      ...(clock && { clock }),
    }),
  )
}

describe('a single item that is longer than the limit', () => {
  const summary = '📚 A very long summary. '.repeat(4000)
  const item = {
    id: 'b-001',
    title: 'The Long Book',
    author: summary,
    email: summary,
    book_id: summary,
    tags: Array.from({ length: 9000 }, (_, at) => `tag ${at}`),
    summary,
  }
  const connect = () =>
    connectWithUpstream((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...item, books: [item, item], readers: [item] })),
    )

  test.each([
    ['get_book', { id: 'b-001' }],
    ['search_books', { query: 'long' }],
    ['list_readers', {}],
    ['create_loan', { book_id: 'b-001', reader_id: 'r-001' }],
  ])('is shortened by %s, with a message', async (name, args) => {
    const testClient = await connect()
    const markdown = await testClient.text(name, args)
    const text = await testClient.text(name, { ...args, response_format: 'json' })
    for (const result of [markdown, text]) {
      expect(result.length).toBeLessThanOrEqual(25_000)
      expect(result).toContain('A single item was too long')
      expect(result).toContain('b-001')
      expect(result).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
    }
    expect(text.length).toBeGreaterThan(20_000)
    expect(JSON.parse(text)).toMatchObject({ truncated: true })
  })

  test('does not hide the next item', async () => {
    expect(await json(await connect(), 'search_books', { query: 'long' })).toMatchObject({
      count: 1,
      total: 2,
      has_more: true,
      next_offset: 1,
      books: [{ id: 'b-001', title: 'The Long Book' }],
    })
  })
})

describe('failures', () => {
  test.each([
    [404, /not found.*identifier/],
    [403, /Permission denied/],
    [401, /Invalid API authentication/],
    [429, /Rate limit exceeded.*Wait/],
    [500, /failed with status 500/],
    [503, /status 503/],
    [418, /status 418/],
    [302, /status 302/],
  ])('of the upstream with status %i are reported', async (status, expected) => {
    const { call } = await connectWithUpstream((response) =>
      response.writeHead(status).end('{"id": "b-001"}'),
    )
    const { isError, content } = await call('get_book', { id: 'b-001' })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(expected)])
    expect(content[0]?.text).toMatch(/^Error: /)
  })

  test.each([
    ['no response', () => {}],
    [
      'an incomplete response',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 90 }).write('{'),
    ],
  ])('of an upstream with %s are reported after the timeout', async (_what, answer) => {
    expect(
      await (await connectWithUpstream(answer, fastClock)).text('get_book', { id: 'b-001' }),
    ).toMatch(/^Error: The request timed out/)
  })

  test.each([
    [
      'a reset connection',
      (response: ServerResponse) => void response.socket?.resetAndDestroy(),
      /^Error: Unexpected error of type ECONNRESET/,
    ],
    [
      'a body that is not JSON',
      (response: ServerResponse) => void response.end('<html>'),
      /^Error: Unexpected error of type SyntaxError/,
    ],
    [
      'JSON of another type',
      (response: ServerResponse) => void response.end('[]'),
      /^Error: Unexpected error of type TypeError/,
    ],
  ])('of an upstream with %s are reported', async (_what, answer, expected) => {
    expect(await (await connectWithUpstream(answer)).text('get_book', { id: 'b-001' })).toMatch(
      expected,
    )
  })

  test('an empty search result is reported without isError', async () => {
    const { call } = await connectClient(await startServer())
    for (const form of ['json', 'markdown']) {
      expect(await call('search_books', { query: 'zzz', response_format: form })).toEqual({
        content: [{ type: 'text', text: "No books found matching 'zzz'." }],
      })
    }
  })
})

test.each([
  ['search_books', {}],
  ['search_books', { query: 'a' }],
  ['search_books', { query: ' a ' }],
  ['search_books', { query: 'x'.repeat(201) }],
  ['search_books', { query: 7 }],
  ['search_books', { query: 'the', tags: Array(11).fill('sea') }],
  ['search_books', { query: 'the', tags: 'sea' }],
  ['search_books', { query: 'the', limit: 0 }],
  ['search_books', { query: 'the', limit: 101 }],
  ['search_books', { query: 'the', limit: 1.5 }],
  ['search_books', { query: 'the', limit: '5' }],
  ['search_books', { query: 'the', offset: -1 }],
  ['search_books', { query: 'the', response_format: 'xml' }],
  ['search_books', { query: 'the', more: 1 }],
  ['get_book', { id: 'x' }],
  ['create_loan', { book_id: 'b-001', reader_id: 'r-001', days: 61 }],
])('%s refuses %j before it runs', async (name, args) => {
  let runs = 0
  const testClient = await connectClient(
    await startServer({ around: (_call, next) => ((runs += 1), next()) }),
  )
  const { isError, content } = await testClient.call(name, args)
  expect([isError, runs]).toEqual([true, 0])
  expect(content[0]?.text).toMatch(/^Error: Invalid input for shelf_/)
})

import { afterEach, expect, test, vi } from 'vitest'
import { Store, type NewImage } from './store.ts'
import { parseTimestamp, formatTimestamp } from './time.ts'

afterEach(() => vi.useRealTimers())

const image = (id: string): NewImage => ({
  id,
  filename: 'a.png',
  uploaded: 1,
  requireSignedURLs: false,
  metadata: undefined,
  draft: false,
  bytes: undefined,
  type: 'image/png',
})

/** Counts how often `work` reads an element of the list of this store. */
function countReads(store: Store, work: () => void): number {
  const { listed } = store
  let reads = 0
  const counted = new Proxy(listed, {
    get(elements, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(elements, key) as unknown
    },
  })
  Object.assign(store, { listed: counted })
  work()
  Object.assign(store, { listed })
  return reads
}

test('a page of a long list reads as many images as a page of a short list', () => {
  const [short, long] = [1000, 100_000].map((count) => {
    const store = new Store()
    for (let i = 0; i < count; i++) store.add(image(`00000000-0000-4000-8000-${i}`))
    return store
  }) as [Store, Store]
  for (const order of ['oldest', 'newest'] as const) {
    expect(countReads(short, () => short.page(900, 20, order))).toBe(20)
    expect(countReads(long, () => long.page(99_000, 20, order))).toBe(20)
  }
})

test('removed images are missing in the list', () => {
  const store = new Store()
  for (let i = 0; i < 100_000; i++) store.add(image(`00000000-0000-4000-8000-${i}`))
  for (let i = 0; i < 1000; i++) store.remove(`00000000-0000-4000-8000-${i * 7}`)
  expect(store.listed).toHaveLength(99_000)
  expect(store.page(0, 2, 'newest').map(({ id }) => id.slice(24))).toEqual(['99999', '99998'])
})

test('a write is returned by `get` at once, and by `read` after `settleMs`', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const store = new Store({ settleMs: 30 })
  store.add(image('a'))
  expect([store.get('a')?.id, store.read('a'), store.listed.length]).toEqual(['a', undefined, 0])
  vi.advanceTimersByTime(30)
  expect([store.read('a')?.id, store.listed.length]).toEqual(['a', 1])
  expect([store.remove('a'), store.remove('a'), store.read('a')?.id]).toEqual([true, false, 'a'])
  vi.advanceTimersByTime(30)
  expect([store.read('a'), store.listed.length]).toEqual([undefined, 0])
})

test('an unlisted image returns to its position when it is listed again', () => {
  const store = new Store()
  const [, b] = ['a', 'b', 'c'].map((id) => store.add(image(id)))
  store.unlist(b!)
  expect(store.listed.map(({ id }) => id)).toEqual(['a', 'c'])
  store.list(b!)
  expect(store.listed.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test.each([
  ['2026-11-21T01:42:51.123Z', '2026-11-21T01:42:51.123Z'],
  ['2026-11-21T03:42:51+02:00', '2026-11-21T01:42:51.000Z'],
  ['20261121T014251Z', '2026-11-21T01:42:51.000Z'],
  ['2026-11-21T01:42', '2026-11-21T01:42:00.000Z'],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-11-21T25:00:00Z', undefined],
  ['tomorrow', undefined],
  ['1700000000', undefined],
])('parses %s as %s', (timestamp, expected) => {
  const moment = parseTimestamp(timestamp)
  expect(moment === undefined ? undefined : new Date(moment).toISOString()).toBe(expected)
})

test('parses every format that it writes', () => {
  const moment = Date.UTC(2026, 10, 21, 23, 42, 51)
  for (const form of ['ms', 'seconds', 'offset', 'basic'] as const)
    expect(parseTimestamp(formatTimestamp(moment, form))).toBe(moment)
})

test('writes timestamps like toISOString', () => {
  for (const moment of [
    0,
    999,
    59_999,
    3_599_999,
    3_600_000,
    Date.UTC(2026, 1, 28, 23, 59, 59, 7),
    -1,
    Date.now(),
  ]) {
    expect(formatTimestamp(moment, 'ms')).toBe(new Date(moment).toISOString())
  }
})

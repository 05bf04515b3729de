import { expect, test } from 'vitest'
import { Store, type NewImage } from './store.ts'
import { parseTimestamp, formatTimestamp } from './time.ts'

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

test('the time to read a page does not depend on the number of images, and memory stays small', () => {
  const before = process.memoryUsage().heapUsed
  const store = new Store()
  for (let i = 0; i < 100_000; i++) store.add(image(`00000000-0000-4000-8000-${i}`))
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(200)
  const small = new Store()
  for (let i = 0; i < 1000; i++) small.add(image(`${i}`))
  const timeOf = (work: () => void) => {
    const started = process.cpuUsage()
    for (let i = 0; i < 5000; i++) work()
    return process.cpuUsage(started).user
  }
  const [few, many] = [timeOf(() => small.page(900, 20)), timeOf(() => store.page(99_000, 20))]
  // If the time were proportional to the number of images, it would be a hundred times as long.
  expect(many / few).toBeLessThan(30)
  for (let i = 0; i < 1000; i++) store.remove(`00000000-0000-4000-8000-${i * 7}`)
  expect(store.listed).toHaveLength(99_000)
  expect(store.page(0, 2, 'newest').map(({ id }) => id.slice(24))).toEqual(['99999', '99998'])
})

test('a write is returned by `get` at once, and by `read` after `settleMs`', async () => {
  const store = new Store({ settleMs: 30 })
  store.add(image('a'))
  expect([store.get('a')?.id, store.read('a'), store.listed.length]).toEqual(['a', undefined, 0])
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect([store.read('a')?.id, store.listed.length]).toEqual(['a', 1])
  expect([store.remove('a'), store.remove('a'), store.read('a')?.id]).toEqual([true, false, 'a'])
  await new Promise((resolve) => setTimeout(resolve, 60))
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

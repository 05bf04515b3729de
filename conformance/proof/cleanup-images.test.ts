import { afterEach, describe, expect, it } from 'vitest'
import { startImages, type ImagesOptions, type ImagesServer } from '../../mocks/stateful/images.ts'
import { clockOf, totalsOf } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'

// Against somebody's account the suite leaves nothing behind, and touches nothing that it did not make.
let server: ImagesServer
afterEach(() => server.close())

async function judged(options: ImagesOptions = {}, more: SuiteOptions = {}) {
  server = await startImages({ rules: { fetchStallMs: 20 }, ...options })
  const theirs = server.store.add({
    id: 'theirs',
    filename: 'a.png',
    uploaded: Date.now(),
    requireSignedURLs: false,
    metadata: undefined,
    draft: false,
    bytes: new Uint8Array(1),
    type: 'image/png',
  })
  server.store.flexibleVariants = true
  const { tokens, account } = server.options
  const images = {
    url: server.account,
    account,
    token: tokens.api,
    batch: { url: server.batch, token: tokens.batch },
    delivery: server.delivery,
    bulk: true,
    flexibleVariants: true,
    state: true,
    clock: new URL('/_touchstone/clock', server.account).href,
    fetchTimeout: 600,
  }
  const run = await startSuite(
    {
      images,
      suite: {
        pictures: {},
        settle: 0,
        pace: 0,
        patience: 10_000,
        watch: 3000,
        concurrency: 8,
        timeout: 10_000,
      },
    },
    more,
  )
  return { run, theirs, verdicts: await run.verdicts, ...(await run.finish()) }
}

describe('a guest', { timeout: 30_000 }, () => {
  it('takes away what it made, and nothing else', async () => {
    const { verdicts, left, theirs } = await judged()
    expect(totalsOf(verdicts)).toMatchObject({ fail: 0, error: 0 })
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([theirs])
    expect([...server.store.variants.keys()]).toEqual(['public'])
    expect(server.store.flexibleVariants).toBe(true)
  })

  it('names what it could not take away', async () => {
    const { left } = await judged({
      around: async (call, next) =>
        call.operation === 'deleteImage'
          ? { status: 500, body: { success: false, errors: [] } }
          : next(),
    })
    expect(left.length).toBeGreaterThan(50)
    expect(left[0]).toMatch(
      /^DELETE http:\/\/127\.0\.0\.1:\d+\/client\/v4\/accounts\/acc-1\/images\/v1\/\S+ returned 500/,
    )
  })

  it.each(['setting', 'clock'])(
    'puts the %s back where it is called off while that is changed',
    async (changed) => {
      const off = new AbortController()
      const watching = setInterval(() => {
        if (changed === 'setting' ? !server.store.flexibleVariants : server.clock.offset !== 0)
          off.abort()
      }, 1)
      const { left } = await judged(
        { delayMs: 5 },
        {
          signal: off.signal,
          selection: { only: [changed === 'setting' ? 'IMG-CONFIG-01' : 'IMG-LIMIT-09'] },
        },
      )
      clearInterval(watching)
      expect(off.signal.aborted).toBe(true)
      expect(server.store.flexibleVariants).toBe(true)
      expect(server.clock.offset).toBe(0)
      expect(left).toEqual([])
    },
  )

  it('moves the clock once to each moment at which checks look, and puts it back where some of them break', async () => {
    const minutes: number[] = []
    const watching = setInterval(() => {
      const now = Math.round(server.clock.offset / 60_000)
      if (now !== minutes.at(-1)) minutes.push(now)
    }, 1)
    const only = ['IMG-LIMIT-06', 'IMG-LIMIT-09', 'IMG-STATE-03']
    const { verdicts, left } = await judged(
      { delayMs: 10, rules: { fetchStallMs: 20, ticketIsExpired: () => false } },
      { selection: { only } },
    )
    clearInterval(watching)
    expect(verdicts.map(({ requirement, verdict }) => [requirement, verdict])).toEqual([
      ['IMG-STATE-03', 'observed'],
      ['IMG-LIMIT-06', 'fail'],
      ['IMG-LIMIT-09', 'fail'],
    ])
    expect(minutes).toEqual([0, 28, 32, 120, 0])
    expect(left).toEqual([])
  })

  it('waits no longer than the target file says for an upload that stalls, and leaves nothing of it', async () => {
    const { verdicts, left, theirs } = await judged(
      { rules: { fetchStallMs: 60_000 } },
      { clock: clockOf(10), selection: { only: ['IMG-STATUS-13'] } },
    )
    expect(verdicts.map(({ verdict, observations }) => [verdict, observations])).toEqual([
      ['observed', ['an image that stalls: no response: no complete response within 2.6 s']],
    ])
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([theirs])
  })

  it('breaks off an upload that stalls where it is called off', async () => {
    const off = new AbortController()
    setTimeout(() => off.abort(), 200)
    const started = performance.now()
    const { left } = await judged(
      { rules: { fetchStallMs: 60_000 } },
      { signal: off.signal, selection: { only: ['IMG-STATUS-13'] } },
    )
    expect(performance.now() - started).toBeLessThan(2000)
    expect(left).toEqual([])
  })

  it('takes it away also where it is called off', async () => {
    const off = new AbortController()
    setTimeout(() => off.abort(), 200)
    const { verdicts, left, theirs } = await judged({ delayMs: 20 }, { signal: off.signal })
    const totals = totalsOf(verdicts)
    expect(totals['not covered']).toBeGreaterThan(20)
    expect(totals).toMatchObject({ fail: 0, error: 0 })
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([theirs])
  })
})

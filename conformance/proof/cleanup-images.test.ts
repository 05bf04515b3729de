import { afterEach, describe, expect, it } from 'vitest'
import { startImages, type ImagesOptions, type ImagesServer } from '../../mocks/stateful/images.ts'
import { clockOf, totalsOf } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import { suiteDefaults } from '../target-file/index.ts'

// The suite removes what it created in an account, and changes nothing else.
let server: ImagesServer
afterEach(() => server.close())

async function judgeImages(options: ImagesOptions = {}, more: SuiteOptions = {}) {
  server = await startImages({ rules: { fetchStallMs: 20 }, ...options })
  const existing = server.store.add({
    id: 'existing',
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
    url: server.accountUrl,
    account,
    token: tokens.api,
    batch: { url: server.batchUrl, token: tokens.batch },
    delivery: server.deliveryUrl,
    bulk: true,
    flexibleVariants: true,
    state: true,
    clock: new URL('/_touchstone/clock', server.accountUrl).href,
    fetchTimeout: 600,
  }
  const run = await startSuite(
    {
      images,
      suite: {
        pictures: {},
        ...suiteDefaults,
        settle: 0,
      },
    },
    more,
  )
  return { run, existing, verdicts: await run.verdicts, ...(await run.finish()) }
}

describe('a run on an image service', () => {
  it('removes what it created, and nothing else', async () => {
    const { verdicts, left, existing } = await judgeImages()
    expect(totalsOf(verdicts)).toMatchObject({ fail: 0, error: 0 })
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([existing])
    expect([...server.store.variants.keys()]).toEqual(['public'])
    expect(server.store.flexibleVariants).toBe(true)
  })

  it('reports what it could not remove', async () => {
    const { left } = await judgeImages({
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

  it('reports images that still exist although DELETE succeeded', async () => {
    const { left, existing } = await judgeImages(
      {
        around: async (call, next) =>
          call.operation === 'deleteImage'
            ? { status: 200, body: { success: true, errors: [], messages: [], result: {} } }
            : next(),
      },
      { selection: { only: ['IMG-UPLOAD'] } },
    )
    const remaining = [...server.store.images.values()].filter((one) => one !== existing)
    expect(remaining.length).toBeGreaterThan(0)
    expect(left.length).toBe(remaining.length)
    expect(left[0]).toMatch(/\/images\/v1\/\S+ still exists, although DELETE succeeded$/)
  })

  it.each(['setting', 'clock'])(
    'restores a changed %s if the run is cancelled',
    async (changed) => {
      const abort = new AbortController()
      const polling = setInterval(() => {
        if (changed === 'setting' ? !server.store.flexibleVariants : server.clock.offset !== 0)
          abort.abort()
      }, 1)
      const { left } = await judgeImages(
        { delayMs: 5 },
        {
          signal: abort.signal,
          selection: { only: [changed === 'setting' ? 'IMG-CONFIG-01' : 'IMG-LIMIT-09'] },
        },
      )
      clearInterval(polling)
      expect(abort.signal.aborted).toBe(true)
      expect(server.store.flexibleVariants).toBe(true)
      expect(server.clock.offset).toBe(0)
      expect(left).toEqual([])
    },
  )

  it('moves the clock once to each moment that checks need, and restores it even if checks fail', async () => {
    const minutes: number[] = []
    const polling = setInterval(() => {
      const now = Math.round(server.clock.offset / 60_000)
      if (now !== minutes.at(-1)) minutes.push(now)
    }, 1)
    const only = ['IMG-LIMIT-06', 'IMG-LIMIT-09', 'IMG-STATE-03']
    const { verdicts, left } = await judgeImages(
      {
        delayMs: 10,
        rules: {
          fetchStallMs: 20,
          // The mock enforces the expiry of tickets ten minutes late.
          ticketIsExpired: ({ expiresAt }, now) => now > expiresAt + 600_000,
        },
      },
      { selection: { only } },
    )
    clearInterval(polling)
    expect(verdicts.map(({ requirement, verdict }) => [requirement, verdict])).toEqual([
      ['IMG-STATE-03', 'observed'],
      ['IMG-LIMIT-06', 'fail'],
      ['IMG-LIMIT-09', 'fail'],
    ])
    expect(minutes).toEqual([0, 28, 32, 120, 0])
    expect(left).toEqual([])
  })

  it('waits for a stalled upload only as long as the target file allows, and leaves nothing behind', async () => {
    const { verdicts, left, existing } = await judgeImages(
      { rules: { fetchStallMs: 86_400_000 } },
      { clock: clockOf(10), selection: { only: ['IMG-STATUS-13'] } },
    )
    expect(verdicts.map(({ verdict, observations }) => [verdict, observations])).toEqual([
      [
        'observed',
        [
          'an upload whose image never arrives completely: no complete response: timeout after 2.6 s',
        ],
      ],
    ])
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([existing])
  })

  it('aborts a stalled upload if the run is cancelled', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 200)
    const { left } = await judgeImages(
      { rules: { fetchStallMs: 60_000 } },
      { signal: abort.signal, selection: { only: ['IMG-STATUS-13'] } },
    )
    expect(left).toEqual([])
  })

  it('removes what it created if the run is cancelled', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 200)
    const { verdicts, left, existing } = await judgeImages(
      { delayMs: 20 },
      { signal: abort.signal },
    )
    const totals = totalsOf(verdicts)
    expect(totals['not covered']).toBeGreaterThan(20)
    expect(totals).toMatchObject({ fail: 0, error: 0 })
    expect(left).toEqual([])
    expect([...server.store.images.values()]).toEqual([existing])
  })
})

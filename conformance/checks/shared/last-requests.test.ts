import { describe, expect, it } from 'vitest'
import { processClock } from '../../engine/index.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import type { HttpClient, HttpExchange, HttpRequest } from '../../wire/index.ts'
import { LastRequests, outcomeOf } from './last-requests.ts'

/** A clean-up at a server that needs this many milliseconds for each response. */
function newCleanup(responseMs: number, pace = 0) {
  let now = 0
  const timeouts: (number | undefined)[] = []
  const client = {
    send: (request: HttpRequest) => {
      now += responseMs
      timeouts.push(request.timeout)
      return Promise.resolve({ summary: '204' } as HttpExchange)
    },
  } as unknown as HttpClient
  const environment = {
    clock: { ...processClock, now: () => now },
    timeout: 10_000,
    suite: { ...suiteDefaults, pace },
  }
  return { last: new LastRequests(client, environment), timeouts }
}

const requests = Array.from({ length: 100 }, (_, index) => ({
  operation: 'deleteImage',
  method: 'DELETE',
  url: `http://127.0.0.1/${index}`,
}))

describe('the requests of the clean-up', () => {
  it('are all sent to a fast server, and returned in their order', async () => {
    const sent = await newCleanup(100).last.send(requests)
    expect(sent.map(({ request }) => request)).toEqual(requests)
    expect(sent.every(({ exchange }) => exchange !== undefined)).toBe(true)
  })

  it('end after 20 s, and report which of them were not sent', async () => {
    const { last, timeouts } = newCleanup(1000)
    const sent = await last.send(requests)
    expect(sent.filter(({ exchange }) => exchange !== undefined)).toHaveLength(20)
    expect(outcomeOf(sent[0]!)).toBe('returned 204')
    expect(outcomeOf(sent[99]!)).toBe(
      'was not sent, because the time limit of the clean-up had passed',
    )
    // No request may take longer than the time that is left.
    expect(timeouts.at(0)).toBe(10_000)
    expect(timeouts.at(-1)).toBe(1000)
  })

  it('share the time of one clean-up', async () => {
    const { last } = newCleanup(1000)
    await last.send(requests.slice(0, 15))
    const later = await last.send(requests.slice(15))
    expect(later.filter(({ exchange }) => exchange !== undefined)).toHaveLength(5)
  })

  it('do not wait for the end of a pause after the time limit', async () => {
    const ends: (() => void)[] = []
    const clock = {
      ...processClock,
      now: () => 0,
      after: (_: number, end: () => void) => {
        ends.push(end)
        return () => {}
      },
    }
    const client = {
      send: (_request: HttpRequest, _priority: number, signal: AbortSignal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ summary: '429' })),
        ),
    } as unknown as HttpClient
    const last = new LastRequests(client, { clock, timeout: 10_000, suite: suiteDefaults })
    const sent = last.send(requests.slice(0, 1))
    expect(ends).toHaveLength(1)
    ends[0]!()
    expect(outcomeOf((await sent)[0]!)).toBe('returned 429')
  })

  it('have more time if the target file limits the pace', async () => {
    const sent = await newCleanup(1000, 1000).last.send(requests)
    expect(sent.every(({ exchange }) => exchange !== undefined)).toBe(true)
  })
})

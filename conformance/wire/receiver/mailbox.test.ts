import { Agent } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bare, closers, endAll, timeoutMs, send, started } from './receiver.testing.ts'

afterEach(() => {
  vi.useRealTimers()
  return endAll()
})

describe('a mailbox', () => {
  it('returns earlier and later deliveries, each once', async () => {
    const box = (await started()).openMailbox()
    await send(box.url, { body: '1' })
    await send(box.url, { body: '2' })
    expect((await box.next(timeoutMs, ({ json }) => json === 2))?.json).toBe(2)
    expect((await box.next(timeoutMs))?.json).toBe(1)
    expect(await box.next(0)).toBeUndefined()
    const [third, fourth, seen] = [
      box.next(timeoutMs),
      box.next(Infinity, ({ json }) => json !== 3),
      box.waitFor(({ json }) => json === 4, timeoutMs),
    ]
    await send(box.url, { body: '3' })
    await send(box.url, { body: '4' })
    expect([await third, await fourth, await seen].map((delivery) => delivery?.json)).toEqual([
      3, 4, 4,
    ])
    expect((await box.waitFor(({ json }) => json === 1, 0))?.json).toBe(1)
    expect(await box.waitFor(() => false, 20)).toBeUndefined()
    expect(box.deliveries.map(({ json }) => json)).toEqual([1, 2, 3, 4])
  })

  it('rejects a wait whose filter throws', async () => {
    const box = (await started()).openMailbox()
    const asked = box.next(timeoutMs, () => {
      throw new Error('odd question')
    })
    const rejected = expect(asked).rejects.toThrow('odd question')
    expect((await send(box.url)).status).toBe(200)
    await rejected
    expect(await box.next(timeoutMs)).toBeDefined()
  })

  it('sends the configured response', async () => {
    const box = (await started()).openMailbox({
      response: {
        status: 503,
        body: '{}',
        headers: { 'content-type': 'application/json', 'Retry-After': '1' },
      },
    })
    expect(await send(box.url)).toMatchObject({
      status: 503,
      text: '{}',
      headers: { 'content-type': 'application/json', 'retry-after': '1', 'content-length': '2' },
    })
    box.response = { status: 204, afterMs: 20 }
    expect(await send(box.url)).toMatchObject({ status: 204, text: '' })
    box.response = 'close'
    await expect(send(box.url)).rejects.toThrow()
    box.response = { status: 200 }
    expect((await send(box.url)).status).toBe(200)
    expect(box.deliveries.map(({ responseOutcome }) => responseOutcome)).toEqual([
      503,
      204,
      'closed the connection',
      200,
    ])
    expect(box.deliveries[2]!.record()).toMatchObject({
      failure: 'the receiver closed the connection',
    })
    expect(() => (box.response = { status: 42 })).toThrow(RangeError)
    expect(() => (box.response = { status: 200, headers: { a: 'b\n' } })).toThrow(TypeError)
  })

  it('sends no response, but closes the connection after a while', async () => {
    const box = (await started({ silenceMs: 50 })).openMailbox({ response: 'silence' })
    await expect(send(box.url)).rejects.toThrow()
    expect(box.deliveries[0]).toMatchObject({
      responseOutcome: 'sent no response',
      isComplete: true,
    })
  })

  it('contains a delivery before its response is sent, even if the sender does not wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const receiver = await started()
    const box = receiver.openMailbox({ response: { status: 200, afterMs: 60 } })
    const socket = bare(
      receiver,
      `POST ${box.pathAndQuery} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`,
    )
    const delivery = (await box.next(timeoutMs))!
    expect(delivery).toMatchObject({ responseOutcome: undefined, isComplete: true, json: {} })
    expect(delivery.record().failure).toMatch(/no response yet/)
    socket.destroy()
    box.response = { status: 200 }
    expect((await send(box.url)).status).toBe(200)
    // The delay of the first response has passed, but that response was not sent.
    vi.advanceTimersByTime(60)
    expect(box.deliveries.map(({ responseOutcome }) => responseOutcome)).toEqual([undefined, 200])
  })

  it('keeps the latest 1000 deliveries', async () => {
    const receiver = await started()
    const box = receiver.openMailbox()
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    closers.unshift(() => agent.destroy())
    await Promise.all(
      Array.from({ length: 1010 }, (_, index) => send(box.url, { agent, body: String(index) })),
    )
    expect([box.deliveries.length, box.dropped, receiver.connections]).toEqual([1000, 10, 4])
    expect(new Set(box.deliveries.map(({ number }) => number)).size).toBe(1000)
    expect((await box.next(0))?.number).toBe(11)
  })
})

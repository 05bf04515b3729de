import { describe, expect, it } from 'vitest'
import { clockOf } from './clock.ts'
import { newGate } from './gate.ts'

describe('a gate', () => {
  it('limits concurrent requests, and admits those of earlier checks first', async () => {
    const gate = newGate({ concurrency: 1 })
    const leave = await gate.enter(0)
    const order: number[] = []
    const entering = [3, 1, 2, 1].map(async (priority) => {
      const out = await gate.enter(priority)
      order.push(priority)
      out()
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    leave()
    leave() // a second call has no effect
    await Promise.all(entering)
    expect(order).toEqual([1, 1, 2, 3])
  })

  it('keeps a pause between two starts', async () => {
    const clock = clockOf(1)
    const gate = newGate({ concurrency: 8, pace: 20, clock })
    const started = clock.now()
    await Promise.all([1, 2, 3].map(async (priority) => (await gate.enter(priority))()))
    expect(clock.now() - started).toBeGreaterThanOrEqual(39)
  })
})

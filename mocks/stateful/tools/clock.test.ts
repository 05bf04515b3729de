import { describe, expect, it } from 'vitest'
import { newMovableClock } from './clock.ts'

/** A clock that does not move, and its pending waits. */
function newStillClock() {
  const waits = new Map<() => void, number>()
  return {
    waits,
    now: () => 1000,
    after: (milliseconds: number, callback: () => void) => {
      waits.set(callback, milliseconds)
      return () => void waits.delete(callback)
    },
  }
}
const lengths = ({ waits }: ReturnType<typeof newStillClock>) => [...waits.values()]

describe('a clock that can be set ahead', () => {
  it('measures waits with `elapsed` of its base clock, if the base clock has this counter', () => {
    let counted = 0
    const base = { ...newStillClock(), elapsed: () => counted }
    const clock = newMovableClock(base)
    clock.after(30_000, () => {})
    counted = 2000
    clock.setAhead(25_000)
    expect([clock.now(), lengths(base)]).toEqual([26_000, [3000]])
  })

  it('shortens pending waits, and lengthens them when it is reset', () => {
    const base = newStillClock()
    const clock = newMovableClock(base)
    clock.after(30_000, () => {})
    clock.setAhead(25_000)
    expect([clock.now(), lengths(base)]).toEqual([26_000, [5000]])
    clock.setAhead(41_000)
    expect(lengths(base)).toEqual([0])
    clock.setAhead(0)
    expect([clock.now(), lengths(base)]).toEqual([1000, [30_000]])
  })

  it('calls back once, and not after it was cancelled', () => {
    const base = newStillClock()
    const clock = newMovableClock(base)
    const called: string[] = []
    clock.after(10, () => called.push('first'))
    const stop = clock.after(10, () => called.push('second'))
    stop()
    for (const callback of [...base.waits.keys()]) callback()
    base.waits.clear()
    clock.setAhead(100)
    expect([called, lengths(base)]).toEqual([['first'], []])
  })
})

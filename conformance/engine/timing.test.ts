import { expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { CheckTimer } from './timing.ts'

/** A clock that the test sets. */
function newClock(): Clock & { time: number } {
  const clock = {
    time: 1000,
    now: () => clock.time,
    realTime: () => clock.time,
    sleep: () => Promise.resolve(),
    after: () => () => {},
  }
  return clock
}

function newPending(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

test('a wait of several parts of a check counts once', async () => {
  const clock = newClock()
  const timer = new CheckTimer(clock, 1000)
  const [first, second] = [newPending(), newPending()]
  clock.time = 1010
  const one = timer.during('lock', 'tokens', first.promise)
  clock.time = 1020
  const other = timer.during('lock', 'tokens', second.promise)
  clock.time = 1030
  first.resolve()
  await one
  clock.time = 1050
  second.resolve()
  await other
  timer.begin()
  clock.time = 1060
  expect(timer.end([])).toEqual({
    startMs: 50,
    endMs: 60,
    waits: [{ kind: 'lock', name: 'tokens', fromMs: 10, milliseconds: 40 }],
    slowest: [],
  })
})

test('only the slowest requests are reported', () => {
  const timer = new CheckTimer(newClock(), 1000)
  const messages = [3, 40, 10, 30, 20].map((milliseconds, index) => ({
    number: index + 1,
    operation: 'getImage',
    milliseconds,
  }))
  expect(timer.end(messages).slowest.map(({ number }) => number)).toEqual([2, 4, 5])
})

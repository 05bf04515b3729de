import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PendingWait } from '../engine/index.ts'
import { consoleReporter } from './console.ts'
import type { Head } from './result.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const head = {
  suite: { name: 'touchstone', version: '0.1.0' },
  targetName: 'http://t',
  planned: ['a', 'b'].map((key) => ({ key, contract: 'tools', topic: 'server' })),
} as unknown as Head

/** Starts a run that waits, and returns what has been printed since. */
function start(isTTY: boolean, currentWait: () => PendingWait | undefined) {
  let printed = ''
  const out = { write: (text: string) => (printed += text), isTTY, columns: 80 }
  const reporter = consoleReporter(out, { currentWait })
  reporter.start!(head)
  printed = ''
  return { reporter, take: () => [printed, (printed = '')][0]! }
}

const slow = { purpose: 'tools/call slow_tool', limitMs: 30_000, leftMs: 27_500 }

test('a terminal shows what the run waits for when nothing else happens', () => {
  const { reporter, take } = start(true, () => slow)
  vi.advanceTimersByTime(1000)
  expect(take()).not.toContain('waiting')
  vi.advanceTimersByTime(1000)
  expect(take()).toContain('0 of 2 checks, waiting up to 28 s for tools/call slow_tool')
  reporter.exchange!(1)
  vi.advanceTimersByTime(1000)
  expect(take()).not.toContain('waiting')
})

test('a log names each wait at most once, and only a long one', () => {
  const { reporter, take } = start(false, () => slow)
  vi.advanceTimersByTime(4000)
  reporter.exchange!(1)
  vi.advanceTimersByTime(4000)
  expect(take()).toBe('')
  vi.advanceTimersByTime(60_000)
  expect(take()).toBe('waiting up to 30 s for tools/call slow_tool\n')
})

test.each([true, false])('is silent after a cancellation, on a terminal: %s', (isTTY) => {
  const { reporter, take } = start(isTTY, () => slow)
  vi.advanceTimersByTime(1000)
  reporter.cancel!()
  take()
  vi.advanceTimersByTime(60_000)
  expect(take()).toBe('')
})

test('a log is silent about a run that works', () => {
  const { take } = start(false, () => undefined)
  vi.advanceTimersByTime(60_000)
  expect(take()).toBe('')
})

test('hides control characters in the name of a tool', () => {
  const { take } = start(false, () => ({ ...slow, purpose: 'tools/call \u001b[31m' }))
  vi.advanceTimersByTime(10_000)
  expect(take()).not.toContain('\u001b')
})

import { expect, test } from 'vitest'
import { actingCheck, watchingCheck, type Check } from './check.ts'
import { processClock } from './clock.ts'
import type { Context, RunOptions } from './context.ts'
import { newGate } from './gate.ts'
import type { Message } from './ledger.ts'
import { startRun } from './run.ts'
import type { Verdict } from './verdict.ts'

type World = Context<Message>

const messageOf = (operation: string): Message => ({
  kind: 'text',
  number: 1,
  operation,
  milliseconds: 0,
  record: () => ({
    number: 1,
    operation,
    request: { method: '', url: '', headers: {}, body: null },
    curl: '',
    milliseconds: 0,
  }),
})

/** Sends a message, and passes. */
const sends = (text: string) =>
  actingCheck<World>('IMG-GET-01', {
    title: `sends ${text}`,
    run: async ({ ledger }) => {
      ledger.record(messageOf(text))
      ledger.expectValue(text, {
        name: 'sent',
        expected: text,
        test: () => true,
        received: () => text,
      })
    },
  })

/** Waits as long as the run allows, and passes if nothing happened meanwhile. */
const waits = actingCheck<World>('IMG-GET-02', {
  title: 'waits',
  run: async ({ ledger, signal }) => {
    await processClock.sleep(60_000, signal)
    ledger.expectValue(0, {
      name: 'is silent',
      expected: 'nothing',
      test: () => true,
      received: String,
    })
  },
})

/** Fails if it sees a message with the given text. */
const refuses = (text: string, more: { needs?: string[] } = {}) =>
  watchingCheck<Message, string>('IMG-IMAGE-01', {
    title: `refuses ${text}`,
    sources: [],
    ...more,
    examine: ({ operation }) => [
      { name: 'holds', held: operation !== text, expected: `not ${text}`, received: operation },
    ],
  })

/** Runs checks, and cancels the run as soon as a check is known to fail. */
async function runUntilFailing(
  checks: readonly Check<World, Message>[],
  more: Partial<RunOptions<World, Message>> = {},
): Promise<{ failing: string[]; verdicts: Record<string, Verdict> }> {
  const failing: string[] = []
  const cancellation = new AbortController()
  const { verdicts } = startRun<World, Message>({
    checks,
    openWorld: (context) => context,
    gate: newGate({ concurrency: 4 }),
    clock: processClock,
    seed: 1,
    signal: cancellation.signal,
    onFailing({ title }) {
      failing.push(title)
      cancellation.abort()
    },
    ...more,
  })
  return {
    failing,
    verdicts: Object.fromEntries((await verdicts).map((verdict) => [verdict.title, verdict])),
  }
}

test('reports a watching check that fails before the run ends, once', async () => {
  const { failing, verdicts } = await runUntilFailing([
    sends('good'),
    sends('bad'),
    waits,
    refuses('bad'),
    refuses('worse'),
  ])
  expect(failing).toEqual(['refuses bad'])
  expect(verdicts['refuses bad']).toMatchObject({ verdict: 'fail' })
  expect(verdicts['sends bad']).toMatchObject({ verdict: 'pass' })
})

test('a check that was cancelled while it waited, or while messages were missing, does not pass', async () => {
  const { verdicts } = await runUntilFailing([
    sends('bad'),
    waits,
    refuses('bad'),
    refuses('worse'),
  ])
  for (const title of ['waits', 'refuses worse'])
    expect(verdicts[title], title).toMatchObject({
      verdict: 'not covered',
      reasonCode: 'cancelled',
    })
})

test('a watching check passes in a cancelled run if all messages were sent before', async () => {
  const { verdicts } = await runUntilFailing([sends('bad'), refuses('bad'), refuses('worse')])
  expect(verdicts['refuses worse']).toMatchObject({ verdict: 'pass' })
})

test('does not report a failing check that is not selected, does not apply, or lacks a key', async () => {
  const checks = [sends('bad'), refuses('bad')]
  for (const more of [
    { selected: ({ kind }: { kind: string }) => kind === 'act' },
    { inapplicable: ({ kind }: { kind: string }) => (kind === 'watch' ? 'no' : undefined) },
    { missing: ({ kind }: { kind: string }) => (kind === 'watch' ? ['images.bulk'] : []) },
  ])
    expect((await runUntilFailing(checks, more)).failing).toEqual([])
})

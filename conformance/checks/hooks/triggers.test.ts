import { afterEach, expect, it } from 'vitest'
import { startHooks, targetOf, type HooksServer } from '../../../mocks/stateful/hooks.ts'
import { judgeTarget } from '../../proof/trial.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import type { HooksTarget } from './target.ts'

let server: HooksServer | undefined
afterEach(() => server?.close())

/** Judges the causes and flags of pushes, if pushes happen as `trigger` says. */
async function judge(trigger: (endpoint: string) => HooksTarget['trigger']) {
  server = await startHooks()
  const { hooks } = targetOf(server)
  const verdicts = await judgeTarget(
    { hooks: { ...hooks, trigger: trigger(hooks.trigger.url) }, suite: suiteDefaults },
    { selection: { only: ['EVT-PUSH-01', 'EVT-PUSH-04', 'HOOK-SERVICE-01'] } },
  )
  return verdicts.map(({ requirement, verdict, reason }) => ({ requirement, verdict, reason }))
}

/** A program that posts to the endpoint, and then exits with this code. */
const posting = (endpoint: string, exitCode: number) => ({
  command: process.execPath,
  args: [
    '-e',
    `fetch('${endpoint}', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"event":"push_events"}' }).then(() => process.exit(${exitCode}))`,
  ],
})

it('makes events happen with a program', async () => {
  expect(await judge((endpoint) => ({ push_events: posting(endpoint, 0) }))).toEqual(
    ['HOOK-SERVICE-01', 'EVT-PUSH-01', 'EVT-PUSH-04'].map((requirement) => ({
      requirement,
      verdict: 'pass',
    })),
  )
})

it('does not cover what needs a program that fails', async () => {
  for (const { verdict, reason } of await judge((endpoint) => ({
    push_events: posting(endpoint, 4),
  }))) {
    expect(verdict).toBe('not covered')
    expect(reason).toBe('hooks.trigger.push_events.command failed: the program ended (exit code 4)')
  }
})

it('does not cover what needs an endpoint that fails', async () => {
  for (const { verdict, reason } of await judge((endpoint) => ({ url: `${endpoint}/none` }))) {
    expect(verdict).toBe('not covered')
    expect(reason).toMatch(/^the endpoint of hooks\.trigger\.url returned 404/)
  }
})

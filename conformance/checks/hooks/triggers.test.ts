import { afterEach, describe, expect, it } from 'vitest'
import { startHooks, targetOf, type HooksServer } from '../../../mocks/stateful/hooks.ts'
import { judgeTarget } from '../../proof/trial.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import type { HooksTarget } from './target.ts'

let server: HooksServer | undefined
afterEach(() => server?.close())

/**
 * Runs the checks of the requirements in `only`, by default those about pushes in the project.
 * `trigger` returns the setting `hooks.trigger` of the target file.
 */
async function judge(
  trigger: (endpoint: string) => HooksTarget['trigger'],
  only = ['EVT-PUSH-01', 'EVT-PUSH-04', 'HOOK-SERVICE-01'],
) {
  server = await startHooks()
  const { hooks } = targetOf(server)
  const verdicts = await judgeTarget(
    { hooks: { ...hooks, trigger: trigger(hooks.trigger.url) }, suite: suiteDefaults },
    { selection: { only } },
  )
  return verdicts.map(({ requirement, verdict, reason }) => ({ requirement, verdict, reason }))
}

/** A program that posts its last argument to the endpoint, and then exits with this code. */
const posting = (endpoint: string, exitCode: number, body = '{"event":"push_events"}') => ({
  command: process.execPath,
  args: [
    '-e',
    `fetch('${endpoint}', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: process.argv[1] }).then(() => process.exit(${exitCode}))`,
    body,
  ],
})

it('causes events with a program', async () => {
  expect(await judge((endpoint) => ({ push_events: posting(endpoint, 0) }))).toEqual(
    ['HOOK-SERVICE-01', 'EVT-PUSH-01', 'EVT-PUSH-04'].flatMap((requirement) =>
      // Each requirement has a check with few hooks, and one with several.
      Array.from({ length: 2 }, () => ({ requirement, verdict: 'pass' })),
    ),
  )
})

it('reports checks as not covered if their program fails', async () => {
  for (const { verdict, reason } of await judge((endpoint) => ({
    push_events: posting(endpoint, 4),
  }))) {
    expect(verdict).toBe('not covered')
    expect(reason).toBe('hooks.trigger.push_events.command failed: the program ended (exit code 4)')
  }
})

it('asks the endpoint only for the events that it can cause, and programs for the others', async () => {
  expect(
    await judge((endpoint) => ({
      url: `${endpoint}/none`,
      events: ['issues_events'],
      push_events: posting(endpoint, 0),
    })),
  ).toContainEqual({ requirement: 'EVT-PUSH-01', verdict: 'pass' })
  const verdicts = await judge(
    (endpoint) => ({ url: endpoint, events: ['push_events'] }),
    ['EVT-PUSH-01', 'EVT-ISSUE-01'],
  )
  expect(verdicts).toContainEqual({ requirement: 'EVT-PUSH-01', verdict: 'pass' })
  expect(verdicts).toContainEqual({
    requirement: 'EVT-ISSUE-01',
    verdict: 'not covered',
    reason: 'needs hooks.trigger.issues_events.command (or hooks.trigger.url) in the target file',
  })
})

it('reports checks as not covered if their endpoint fails', async () => {
  for (const { verdict, reason } of await judge((endpoint) => ({ url: `${endpoint}/none` }))) {
    expect(verdict).toBe('not covered')
    expect(reason).toMatch(/^the endpoint of hooks\.trigger\.url returned 404/)
  }
})

describe('actions', () => {
  const body = '{"event":"wiki_page_events","action":"{action}"}'
  const judgeActions = (trigger: (endpoint: string) => HooksTarget['trigger']) =>
    judge(trigger, ['EVT-WIKIPAGE-01'])
  /** The positions of the two checks of EVT-WIKIPAGE-01 in the verdicts. */
  const [anyAction, eachAction] = [0, 1]

  it('are caused by a program that gets the action as an argument', async () => {
    const verdicts = await judgeActions((endpoint) => ({
      actions: ['create', 'delete', 'merge'],
      wiki_page_events: posting(endpoint, 0, body),
    }))
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
  })

  it('are not covered if no argument of the program is the action', async () => {
    const verdicts = await judgeActions((endpoint) => ({
      actions: ['create'],
      wiki_page_events: posting(endpoint, 0, '{"event":"wiki_page_events"}'),
    }))
    expect(verdicts[anyAction]).toMatchObject({ verdict: 'pass' })
    expect(verdicts[eachAction]).toMatchObject({
      verdict: 'not covered',
      reason: 'no argument in hooks.trigger.wiki_page_events.args contains {action}',
    })
  })

  it('are not covered if the target file lists no action of the event', async () => {
    const verdicts = await judgeActions((endpoint) => ({ url: endpoint, actions: ['merge'] }))
    expect(verdicts[eachAction]).toMatchObject({
      verdict: 'not covered',
      reason: 'hooks.trigger.actions contains none of create, update, delete',
    })
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startHooks, targetOf, type HooksServer } from '../../../mocks/stateful/hooks.ts'
import { judgeTarget } from '../../proof/trial.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import type { HooksTarget } from './target.ts'

let server: HooksServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/**
 * Runs the checks of the requirements in `only`, by default those about pushes in the project.
 * `trigger` returns the setting `hooks.trigger` of the target file.
 */
async function judge(
  trigger: (endpoint: string) => HooksTarget['trigger'],
  only = ['EVT-PUSH-01', 'EVT-PUSH-04', 'HOOK-SERVICE-01'],
) {
  const verdicts = await verdictsOf(trigger, { selection: { only } })
  return verdicts
    .map(({ requirement, verdict, reason }) => ({ requirement, verdict, reason }))
    .filter(({ reason }) => reason !== 'needs hooks.trigger.actions in the target file')
}

async function verdictsOf(
  trigger: (endpoint: string) => HooksTarget['trigger'],
  options: Parameters<typeof judgeTarget>[1],
) {
  server ??= await startHooks()
  const { hooks } = targetOf(server)
  return judgeTarget(
    {
      hooks: { ...hooks, trigger: trigger(hooks.trigger.url) },
      // Declares that the service can reach the suite, so that a missing delivery is a failure.
      suite: { ...suiteDefaults, receiver: { listen: '127.0.0.1:0' } },
    },
    options,
  )
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
    // Each requirement has a check with few hooks, and others with several.
    Object.entries({ 'HOOK-SERVICE-01': 2, 'EVT-PUSH-01': 4, 'EVT-PUSH-04': 2 }).flatMap(
      ([requirement, length]) => Array.from({ length }, () => ({ requirement, verdict: 'pass' })),
    ),
  )
})

it('reports checks as not covered if their program fails', async () => {
  for (const { verdict, reason } of await judge((endpoint) => ({
    push_events: posting(endpoint, 4),
  }))) {
    expect(verdict).toBe('not covered')
    expect(reason).toMatch(
      /^hooks\.trigger\.push_events\.command failed: the program ended \(exit code 4\); command line: \S+ -e 'fetch.* '\{"event":"push_events"\}'$/,
    )
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
    expect(reason).toMatch(
      /^the endpoint of hooks\.trigger\.url returned 404.* to \{"event":"push_events"\}$/,
    )
  }
})

describe('a missing delivery', () => {
  /** The expectations that were not met, with the exchanges, of the checks of a requirement. */
  const failuresOf = async (
    requirement: string,
    trigger: (endpoint: string) => HooksTarget['trigger'],
    options: Partial<Parameters<typeof judgeTarget>[1]> = {},
  ) =>
    (await verdictsOf(trigger, { selection: { only: [requirement] }, ...options })).map(
      ({ verdict, expectations, exchanges }) => ({
        verdict,
        received: expectations.filter(({ held }) => !held).map(({ received }) => received),
        sent: exchanges
          .filter(({ operation }) => operation === 'triggerEvent')
          .map(({ request, response }) => ({ ...request, headers: {}, response: response?.body })),
      }),
    )

  it('shows the request to the endpoint, which no check examines', async () => {
    const endpoint = createServer((_, response) => response.end('queued'))
    await new Promise<void>((listening) => endpoint.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/cause`
    const operations = new Set<string>()
    const body = '{"event":"push_events"}'
    const request = `the request POST ${url} ${body} (status 200, 2 times)`
    const sent = { method: 'POST', url, headers: {}, body, response: 'queued' }
    const missing = `no delivery within 10 s (suite.patience) after ${request}`
    try {
      expect(
        await failuresOf('EVT-PUSH-01', () => ({ url }), {
          onMessage: (_, { operation }) => operations.add(operation),
        }),
      ).toEqual([
        { verdict: 'fail', received: [missing], sent: [sent, sent] },
        ...Array.from({ length: 3 }, () => ({
          verdict: 'fail',
          received: [`a failed step: ${missing}`],
          sent: [sent, sent],
        })),
      ])
    } finally {
      endpoint.close()
    }
    expect(operations).toContain('createHook')
    expect(operations).not.toContain('triggerEvent')
  })

  it('shows the program with its action, and without secrets', async () => {
    server = await startHooks()
    const { token } = targetOf(server).hooks
    const args = ['-e', '0', '{action}', `token=${token}`]
    const commandLine = `${process.execPath} -e 0 create "token=$HOOKS_TOKEN"`
    const [failure] = await failuresOf('EVT-RELEASE-01', () => ({
      releases_events: { command: process.execPath, args },
    }))
    expect(failure).toEqual({
      verdict: 'fail',
      received: [
        `no delivery within 10 s (suite.patience) after the program ${commandLine} (exit code 0, 2 times)`,
      ],
      sent: Array.from({ length: 2 }, () => ({
        method: 'program',
        url: commandLine,
        headers: {},
        body: null,
        response: 'exit code 0',
      })),
    })
  })

  it('of a single action shows what was sent for this action', async () => {
    server = await startHooks({
      beforeDelivery: (delivery) => (delivery.action === 'delete' ? undefined : delivery),
    })
    const failures = await failuresOf('EVT-WIKIPAGE-01', (url) => ({
      url,
      actions: ['create', 'delete'],
    }))
    expect(failures.flatMap(({ received }) => received)).toEqual([
      expect.stringMatching(
        /^no delivery of this event within 10 s \(suite\.patience\) after the request POST \S+ \{"event":"wiki_page_events","action":"delete"\} \(status 200, 3 times\)$/,
      ),
    ])
  })

  it('after a test call shows the test call', async () => {
    server = await startHooks({ beforeDelivery: () => undefined })
    const [failure] = await failuresOf('HOOK-TEST-02', () => undefined)
    expect(failure?.received).toEqual([
      expect.stringMatching(
        /^no delivery within 10 s \(suite\.patience\) after the request POST \S+\/test\/push_events \(status 201\)$/,
      ),
    ])
  })
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

  it('are not required if the document does not list them as causes', async () => {
    const judgePushes = (trigger: (endpoint: string) => HooksTarget['trigger']) =>
      judge(trigger, ['EVT-PUSH-04'])
    expect(
      await judgePushes((endpoint) => ({ url: endpoint, actions: ['create', 'delete'] })),
    ).toEqual(Array.from({ length: 3 }, () => ({ requirement: 'EVT-PUSH-04', verdict: 'pass' })))
    const [, refused] = await judgePushes((endpoint) => ({
      actions: ['create'],
      push_events: posting(endpoint, 0),
    }))
    expect(refused).toMatchObject({
      verdict: 'not covered',
      reason: 'no argument in hooks.trigger.push_events.args contains {action}',
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

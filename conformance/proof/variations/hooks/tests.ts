import type { HooksFactor } from './variation.ts'
import { failure } from '../../../../mocks/stateful/hooks.ts'
import { at, page, successes } from './building.ts'

/** Test calls: what they take, what they do, and what they answer. */
export const tests: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-TEST-04',
    name: 'events that can be tested',
    levels: [
      { name: 'all', description: 'Tests every event.' },
      {
        name: 'pushes',
        notCombined: true,
        description: 'Tests pushes alone, as its target file says.',
        choices: { testEvents: 'push' },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-06',
    name: 'tests below another project',
    levels: [
      { name: 'refused', description: 'Knows hooks below their own project.' },
      {
        name: 'made',
        description: 'Knows hooks by their ids, below any project.',
        choices: { testableProjects: 'any' },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'the status of a test call',
    levels: [
      { name: 'created', description: 'Answers 201.' },
      { name: 'OK', description: 'Answers 200.', choices: { testStatus: 200 } },
      { name: 'accepted', description: 'Answers 202.', choices: { testStatus: 202 } },
      {
        name: 'no content',
        notCombined: true,
        description: 'Answers 204.',
        choices: { testStatus: 204 },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'the body of a test call',
    levels: [
      { name: 'a message', description: 'Answers with a message.' },
      {
        name: 'none',
        description: 'Answers without a body.',
        deviation: successes('testHook', ({ status }) => ({ status })),
      },
      {
        name: 'a page',
        description: 'Answers with a page.',
        deviation: successes('testHook', ({ status }) => page(status, 'Done')),
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'when a test call is answered',
    levels: [
      { name: 'at once', description: 'Answers before it delivers.' },
      {
        name: 'after the receiver',
        description: 'Answers when the receiver has.',
        choices: { testAwaitsDelivery: true },
      },
      {
        name: 'with the outcome',
        notCombined: true,
        description: 'Answers when the receiver has, and with a failure where the delivery failed.',
        choices: { testAwaitsDelivery: true },
        deviation: {
          ...successes('testHook', (reply, { server, params }) => {
            const [last] = server.store.recent(params['hook_id'] ?? '')
            const { response_status: status = null } = last ?? {}
            return status !== null && status < 300
              ? reply
              : failure(server.choices, 422, `The receiver answered ${status ?? 'nothing'}`)
          }),
          rules: { deliveryTimeoutMs: 200 },
        },
      },
    ],
  },
  {
    requirement: 'EVT-EVENT-02',
    name: 'tests of events that are off',
    levels: [
      { name: 'delivered', description: 'Delivers them.' },
      {
        name: 'passed over',
        description: 'Answers, and delivers nothing.',
        choices: { unsetFlag: 'ignores' },
      },
      { name: 'refused', description: 'Refuses them.', choices: { unsetFlag: 'refuses' } },
    ],
  },
  {
    requirement: 'HOOK-TEST-01',
    name: 'the pace of test calls',
    levels: [
      { name: 'at once', description: 'Answers as fast as it can.' },
      {
        name: 'uneven',
        description: 'Answers some test calls later than others.',
        deviation: at('testHook', async (call, next) => {
          await new Promise((resolve) =>
            setTimeout(resolve, 2 * (Number(call.params['hook_id']) % 5 || 1)),
          )
          return next()
        }),
      },
    ],
  },
]

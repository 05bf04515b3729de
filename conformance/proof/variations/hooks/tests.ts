import type { HooksFactor } from './variation.ts'
import { failure } from '../../../../mocks/stateful/hooks.ts'
import { at, page, successes } from './building.ts'

/** Test calls: what they take, what they do, and what they answer. */
export const tests: readonly HooksFactor[] = [
  {
    row: 'HOOK-TEST-04',
    factor: 'events that can be tested',
    levels: [
      { name: 'all', says: 'Tests every event.' },
      {
        name: 'pushes',
        alone: true,
        says: 'Tests pushes alone, as its target file says.',
        choices: { testEvents: 'push' },
      },
    ],
  },
  {
    row: 'HOOK-TEST-06',
    factor: 'tests below another project',
    levels: [
      { name: 'refused', says: 'Knows hooks below their own project.' },
      {
        name: 'made',
        says: 'Knows hooks by their ids, below any project.',
        choices: { testableProjects: 'any' },
      },
    ],
  },
  {
    row: 'HOOK-TEST-07',
    factor: 'the status of a test call',
    levels: [
      { name: 'created', says: 'Answers 201.' },
      { name: 'OK', says: 'Answers 200.', choices: { testStatus: 200 } },
      { name: 'accepted', says: 'Answers 202.', choices: { testStatus: 202 } },
      { name: 'no content', alone: true, says: 'Answers 204.', choices: { testStatus: 204 } },
    ],
  },
  {
    row: 'HOOK-TEST-07',
    factor: 'the body of a test call',
    levels: [
      { name: 'a message', says: 'Answers with a message.' },
      {
        name: 'none',
        says: 'Answers without a body.',
        deviation: successes('testHook', ({ status }) => ({ status })),
      },
      {
        name: 'a page',
        says: 'Answers with a page.',
        deviation: successes('testHook', ({ status }) => page(status, 'Done')),
      },
    ],
  },
  {
    row: 'HOOK-TEST-07',
    factor: 'when a test call is answered',
    levels: [
      { name: 'at once', says: 'Answers before it delivers.' },
      {
        name: 'after the receiver',
        says: 'Answers when the receiver has.',
        choices: { testAwaitsDelivery: true },
      },
      {
        name: 'with the outcome',
        alone: true,
        says: 'Answers when the receiver has, and with a failure where the delivery failed.',
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
    row: 'EVT-EVENT-02',
    factor: 'tests of events that are off',
    levels: [
      { name: 'delivered', says: 'Delivers them.' },
      {
        name: 'passed over',
        says: 'Answers, and delivers nothing.',
        choices: { unsetFlag: 'ignores' },
      },
      { name: 'refused', says: 'Refuses them.', choices: { unsetFlag: 'refuses' } },
    ],
  },
  {
    row: 'HOOK-TEST-01',
    factor: 'the pace of test calls',
    levels: [
      { name: 'at once', says: 'Answers as fast as it can.' },
      {
        name: 'uneven',
        says: 'Answers some test calls later than others.',
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

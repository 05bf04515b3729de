import { flags } from '../../../../mocks/deliveries/events.ts'
import type { HooksFactor } from './variation.ts'
import { failure } from '../../../../mocks/stateful/hooks.ts'
import { onOperation, pageReply, changeSuccesses } from './building.ts'

/**
 * Choices about what test calls accept, do and return, and about what an event in the project
 * causes.
 */
export const tests: readonly HooksFactor[] = [
  {
    requirement: 'none',
    name: 'additional events with each event',
    values: [
      { name: 'none', description: 'Delivers only the event that happened.' },
      {
        name: 'pipeline, issue and push events',
        description:
          'Delivers a pipeline and an issue event with each push, and a push with every other event.',
        choices: {
          furtherEvents: {
            push_events: ['pipeline_events', 'issues_events'],
            ...Object.fromEntries(
              flags.filter((flag) => flag !== 'push_events').map((flag) => [flag, ['push_events']]),
            ),
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'events of earlier actions',
    values: [
      { name: 'none', description: 'Delivers only the event of the action that happened.' },
      {
        name: 'delivered first',
        description:
          'Delivers events of the earlier actions first: an issue is opened, then closed.',
        choices: { earlierActions: true },
      },
    ],
  },
  {
    requirement: 'EVT-MERGEREQUEST-57',
    name: 'actions that the document does not list as causes',
    values: [
      { name: 'named', description: 'Delivers an event that names the action.' },
      {
        name: 'updates',
        description: 'Delivers an update if a merge request is reopened, approved or unapproved.',
        choices: { furtherActions: 'update' },
      },
      {
        name: 'not delivered',
        description: 'Delivers nothing for such an action.',
        choices: { furtherActions: 'ignore' },
      },
      {
        name: 'refused',
        description: 'Cannot cause such an action in the project.',
        choices: { furtherActions: 'refuse' },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-04',
    name: 'events that can be tested',
    values: [
      { name: 'all', description: 'Accepts test calls of every event.' },
      {
        name: 'only push_events',
        notCombined: true,
        description: 'Accepts only test calls of pushes, as its target file says.',
        choices: { testEvents: 'push' },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'the status of a test call',
    values: [
      { name: '201', description: 'Returns 201.' },
      { name: '200', description: 'Returns 200.', choices: { testStatus: 200 } },
      { name: '202', description: 'Returns 202.', choices: { testStatus: 202 } },
      {
        name: '204',
        notCombined: true,
        description: 'Returns 204.',
        choices: { testStatus: 204 },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'the body of the response to a test call',
    values: [
      { name: 'a message', description: 'Returns a message.' },
      {
        name: 'none',
        description: 'Returns no body.',
        deviation: changeSuccesses('testHook', ({ status }) => ({ status })),
      },
      {
        name: 'an HTML page',
        description: 'Returns an HTML page.',
        deviation: changeSuccesses('testHook', ({ status }) => pageReply(status, 'Done')),
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-07',
    name: 'time of the response to a test call',
    values: [
      { name: 'before the delivery', description: 'Responds before it delivers.' },
      {
        name: 'after the receiver has responded',
        description: 'Responds after the receiver has responded.',
        choices: { testAwaitsDelivery: true },
      },
      {
        name: 'after the receiver has responded, with the result of the delivery',
        notCombined: true,
        description:
          'Responds after the receiver has responded, with a failure if the delivery failed.',
        choices: { testAwaitsDelivery: true },
        deviation: {
          ...changeSuccesses('testHook', (reply, { server, params }) => {
            const [last] = server.store.recent(params['hook_id'] ?? '')
            const { response_status: status = null } = last ?? {}
            return status !== null && status < 300
              ? reply
              : failure(server.choices, 422, `The receiver returned ${status ?? 'nothing'}`)
          }),
          rules: { deliveryTimeoutMs: 200 },
        },
      },
    ],
  },
  {
    requirement: 'EVT-EVENT-02',
    name: 'test calls for an event whose flag is false',
    values: [
      { name: 'accepted and delivered', description: 'Delivers an event whose flag is false.' },
      {
        name: 'accepted but not delivered',
        description: 'Returns a success and sends nothing.',
        choices: { unsetFlag: 'ignores' },
      },
      {
        name: 'refused',
        description: 'Refuses a test call for an event whose flag is false.',
        choices: { unsetFlag: 'refuses' },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-01',
    name: 'duration of test calls',
    values: [
      { name: 'at once', description: 'Responds as fast as it can.' },
      {
        name: 'uneven',
        description: 'Delays the responses to some test calls.',
        deviation: onOperation('testHook', async (call, next) => {
          await new Promise((resolve) =>
            setTimeout(resolve, 2 * (Number(call.params['hook_id']) % 5 || 1)),
          )
          return next()
        }),
      },
    ],
  },
]

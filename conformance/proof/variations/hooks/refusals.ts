import { failure, type HooksOperation } from '../../../../mocks/stateful/hooks.ts'
import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import { RateWindow } from '../rate-window.ts'
import type { HooksFactor } from './variation.ts'
import { newState, pageReply, changeReplies } from './building.ts'

/** Refuses every fortieth call of some operations with 429 and these headers. */
function limitRate(
  operations: readonly HooksOperation[],
  headers: Record<string, string>,
): HooksDeviation {
  const calls = newState(() => ({ count: 0 }))
  return {
    around: (call, next) => {
      if (!operations.includes(call.operation) || (calls(call).count += 1) % 40 !== 20)
        return next()
      return Promise.resolve({ ...failure(call.server.choices, 429, 'Too many requests'), headers })
    },
  }
}

/** Refuses calls of some operations with 429 if there are more than `limit` within `seconds`. */
function limitToWindow(
  operations: readonly HooksOperation[],
  limit: number,
  seconds: number,
  headers: Record<string, string> = {},
): HooksDeviation {
  const windowOf = newState(() => new RateWindow(limit, seconds))
  return {
    around: async (call, next) =>
      !operations.includes(call.operation) || windowOf(call).accepts()
        ? next()
        : { ...failure(call.server.choices, 429, 'Too many requests'), headers },
  }
}

/** Choices about how a service refuses requests. */
export const refusals: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an invalid token',
    values: [
      { name: '401', description: 'Returns 401.' },
      { name: '403', description: 'Returns 403.', choices: { unauthorizedStatus: 403 } },
      {
        name: '404',
        description: 'Returns 404, as for an unknown project.',
        choices: { unauthorizedStatus: 404 },
      },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an unknown project or hook',
    values: [
      { name: '404', description: 'Returns 404.' },
      { name: '400', description: 'Returns 400.', choices: { missingStatus: 400 } },
      { name: '403', description: 'Returns 403.', choices: { missingStatus: 403 } },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an invalid request',
    values: [
      { name: '400', description: 'Returns 400.' },
      { name: '422', description: 'Returns 422.', choices: { invalidStatus: 422 } },
      {
        name: '409',
        notCombined: true,
        description: 'Returns 409.',
        deviation: changeReplies((reply) =>
          reply.status === 400 ? { ...reply, status: 409 } : reply,
        ),
      },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the body of a refusal',
    values: [
      {
        name: 'an object with the field message',
        description: 'Describes the error in the field `message`.',
      },
      {
        name: 'an object in the field error',
        description: 'Describes the error in an object in the field `error`.',
        choices: { failureBody: 'error' },
      },
      { name: 'none', description: 'Returns no body.', choices: { failureBody: 'empty' } },
      {
        name: 'an HTML page',
        notCombined: true,
        description: 'Returns an HTML page.',
        deviation: changeReplies((reply) =>
          reply.status < 400 ? reply : pageReply(reply.status, 'No'),
        ),
      },
    ],
  },
  {
    requirement: 'HOOK-LIMIT-01',
    name: 'hooks of a project',
    values: [
      { name: 'any number', description: 'Accepts any number of hooks.' },
      {
        name: 'a limited number, such as 47',
        notCombined: true,
        description: 'Accepts 47 hooks in a project, and offers no way to delete one.',
        deviation: {
          around: async (call, next) => {
            if (call.operation === 'deleteHook')
              return failure(call.server.choices, 405, 'There is no way to delete hooks')
            return call.operation === 'createHook' && call.server.store.list().length >= 47
              ? failure(call.server.choices, 422, 'The project has too many hooks')
              : next()
          },
        },
      },
    ],
  },
  {
    requirement: 'HOOK-LIMIT-01',
    name: 'rate limits',
    values: [
      { name: 'none', description: 'Accepts every call.' },
      {
        name: 'some creation requests are refused',
        description: 'Refuses some creations with 429 and Retry-After.',
        deviation: limitRate(['createHook'], { 'Retry-After': '0' }),
      },
      {
        name: 'some test calls are refused',
        notCombined: true,
        description: 'Refuses some test calls with 429 without Retry-After.',
        deviation: limitRate(['testHook'], {}),
      },
      {
        name: 'a number of test calls per minute, such as five',
        notCombined: true,
        description: 'Accepts five test calls a minute, then returns 429 with Retry-After.',
        deviation: limitToWindow(['testHook'], 5, 60, { 'Retry-After': '60' }),
      },
      {
        name: 'a number of calls per second, such as 13',
        notCombined: true,
        description: 'Accepts 13 calls in a second, then returns 429 without Retry-After.',
        deviation: limitToWindow(['createHook', 'testHook'], 13, 1),
      },
    ],
  },
]

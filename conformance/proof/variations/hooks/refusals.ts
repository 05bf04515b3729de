import { failure, type HooksOperation } from '../../../../mocks/stateful/hooks.ts'
import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import { RateWindow } from '../rate-window.ts'
import type { HooksFactor } from './variation.ts'
import { newState, pageReply, changeReplies } from './building.ts'

/** Refuses every fortieth call with 429, with or without Retry-After. */
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

/** Refuses calls beyond a limit within a number of seconds. */
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

/** How a service refuses requests. */
export const refusals: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an invalid token',
    values: [
      { name: 'unauthorized', description: 'Returns 401.' },
      { name: 'forbidden', description: 'Returns 403.', choices: { unauthorizedStatus: 403 } },
      {
        name: 'not found',
        description: 'Returns 404, as for an unknown project.',
        choices: { unauthorizedStatus: 404 },
      },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an unknown project or hook',
    values: [
      { name: 'not found', description: 'Returns 404.' },
      { name: 'invalid', description: 'Returns 400.', choices: { missingStatus: 400 } },
      { name: 'forbidden', description: 'Returns 403.', choices: { missingStatus: 403 } },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an invalid request',
    values: [
      { name: 'bad request', description: 'Returns 400.' },
      { name: 'unprocessable', description: 'Returns 422.', choices: { invalidStatus: 422 } },
      {
        name: 'conflict',
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
      { name: 'a message', description: 'Describes the error in a message.' },
      {
        name: 'an error',
        description: 'Describes the error in an object.',
        choices: { failureBody: 'error' },
      },
      { name: 'none', description: 'Returns no body.', choices: { failureBody: 'empty' } },
      {
        name: 'a page',
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
    name: 'rate limits',
    values: [
      { name: 'none', description: 'Accepts every call.' },
      {
        name: 'creations',
        description: 'Refuses some creations with 429 and Retry-After.',
        deviation: limitRate(['createHook'], { 'Retry-After': '0' }),
      },
      {
        name: 'tests',
        notCombined: true,
        description: 'Refuses some test calls with 429 without Retry-After.',
        deviation: limitRate(['testHook'], {}),
      },
      {
        name: 'tests by the minute',
        notCombined: true,
        description: 'Accepts five test calls a minute, then returns 429 with Retry-After.',
        deviation: limitToWindow(['testHook'], 5, 60, { 'Retry-After': '60' }),
      },
      {
        name: 'calls by the second',
        notCombined: true,
        description: 'Accepts 13 calls in a second, then returns 429 without Retry-After.',
        deviation: limitToWindow(['createHook', 'testHook'], 13, 1),
      },
    ],
  },
]

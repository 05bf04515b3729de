import { failure, type HooksOperation } from '../../../../mocks/stateful/hooks.ts'
import type { HooksDeviation } from '../../faults/hooks/fault.ts'
import type { HooksFactor } from './variation.ts'
import { kept, page, replies } from './building.ts'

/** Refuses every fortieth call with 429, and may say when to ask again. */
function limiting(
  operations: readonly HooksOperation[],
  headers: Record<string, string>,
): HooksDeviation {
  const calls = kept(() => ({ count: 0 }))
  return {
    around: (call, next) => {
      if (!operations.includes(call.operation) || (calls(call).count += 1) % 40 !== 20)
        return next()
      return Promise.resolve({ ...failure(call.server.choices, 429, 'Too many requests'), headers })
    },
  }
}

/** How a service says no. */
export const refusals: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for no valid token',
    levels: [
      { name: 'unauthorized', description: 'Answers 401.' },
      { name: 'forbidden', description: 'Answers 403.', choices: { unauthorizedStatus: 403 } },
      {
        name: 'not found',
        description: 'Answers 404, as if there were no such project.',
        choices: { unauthorizedStatus: 404 },
      },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for what does not exist',
    levels: [
      { name: 'not found', description: 'Answers 404.' },
      { name: 'invalid', description: 'Answers 400.', choices: { missingStatus: 400 } },
      { name: 'forbidden', description: 'Answers 403.', choices: { missingStatus: 403 } },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the status for an invalid request',
    levels: [
      { name: 'bad request', description: 'Answers 400.' },
      { name: 'unprocessable', description: 'Answers 422.', choices: { invalidStatus: 422 } },
      {
        name: 'conflict',
        notCombined: true,
        description: 'Answers 409.',
        deviation: replies((reply) => (reply.status === 400 ? { ...reply, status: 409 } : reply)),
      },
    ],
  },
  {
    requirement: 'HOOK-ERROR-03',
    name: 'the body of a refusal',
    levels: [
      { name: 'a message', description: 'Says in a message what is wrong.' },
      {
        name: 'an error',
        description: 'Says in an object what is wrong.',
        choices: { failureBody: 'error' },
      },
      { name: 'none', description: 'Refuses without a word.', choices: { failureBody: 'empty' } },
      {
        name: 'a page',
        notCombined: true,
        description: 'Refuses with a page.',
        deviation: replies((reply) => (reply.status < 400 ? reply : page(reply.status, 'No'))),
      },
    ],
  },
  {
    requirement: 'HOOK-LIMIT-01',
    name: 'limits of calls',
    levels: [
      { name: 'none', description: 'Takes every call.' },
      {
        name: 'creations',
        description: 'Puts a creation off now and then, with 429.',
        deviation: limiting(['createHook'], { 'Retry-After': '0' }),
      },
      {
        name: 'tests',
        notCombined: true,
        description: 'Puts a test call off now and then, without saying for how long.',
        deviation: limiting(['testHook'], {}),
      },
    ],
  },
]

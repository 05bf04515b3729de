import type { HooksOperation } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

/** Replaces the status of a refusal. */
const changeStatus = (
  name: string,
  description: string,
  where: HooksOperation,
  from: number,
  to: number,
): HooksFault =>
  fault(
    name,
    description,
    ['HOOK-ERROR-02'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.status !== from) return reply
      hit()
      return {
        ...reply,
        status: to,
        ...(to === 302 ? { headers: { Location: '/users/sign_in' } } : {}),
      }
    }, where),
  )

/** Faults in which refusals have a wrong status. */
export const statuses: readonly HooksFault[] = [
  changeStatus(
    'missing-token-leads-to-a-sign-in',
    'Redirects a creation without a valid token to a login page.',
    'createHook',
    401,
    302,
  ),
  changeStatus(
    'missing-token-breaks-the-test-call',
    'Returns 500 for a test call without a valid token.',
    'testHook',
    401,
    500,
  ),
  changeStatus(
    'invalid-creation-breaks-down',
    'Returns 500 for an invalid creation.',
    'createHook',
    400,
    500,
  ),
  changeStatus(
    'unknown-project-breaks-down',
    'Returns 502 for a creation in an unknown project.',
    'createHook',
    404,
    502,
  ),
  changeStatus(
    'unknown-hook-breaks-down',
    'Returns 500 for a test call of an unknown hook.',
    'testHook',
    404,
    500,
  ),
]

import type { HooksOperation } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

/** The usual refusal under another status. */
const under = (
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

/** Refusals that are told in a wrong way. */
export const statuses: readonly HooksFault[] = [
  under(
    'missing-token-leads-to-a-sign-in',
    'Sends whoever has no valid token to a page to sign in.',
    'createHook',
    401,
    302,
  ),
  under(
    'missing-token-breaks-the-test-call',
    'Answers 500 where a test call has no valid token.',
    'testHook',
    401,
    500,
  ),
  under(
    'invalid-creation-breaks-down',
    'Answers 500 where a creation is not valid.',
    'createHook',
    400,
    500,
  ),
  under(
    'unknown-project-breaks-down',
    'Answers 502 where a project does not exist.',
    'createHook',
    404,
    502,
  ),
  under(
    'unknown-hook-breaks-down',
    'Answers 500 where a hook does not exist.',
    'testHook',
    404,
    500,
  ),
]

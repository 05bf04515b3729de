import type { HooksFault } from './fault.ts'
import { fails, fault, onRequest } from './building.ts'

/** Each call, out of order. */
export const operations: readonly HooksFault[] = [
  fault(
    'create-hook-breaks-down',
    'A creation ends in an internal error, though the hook is made.',
    ['HOOK-CREATE-01'],
    fails('createHook', 500),
  ),
  fault(
    'create-hook-is-not-there',
    'A creation is answered as if there were nothing at its path.',
    ['HOOK-CREATE-01'],
    fails('createHook', 404),
  ),
  fault(
    'test-hook-breaks-down',
    'A test call ends in an internal error, though it delivers.',
    ['HOOK-TEST-01'],
    fails('testHook', 500),
  ),
  fault(
    'test-hook-is-not-there',
    'A test call is answered as if there were nothing at its path.',
    ['HOOK-TEST-01'],
    fails('testHook', 404),
  ),
  fault(
    'hook-is-not-kept',
    'A hook is told as created, and forgotten at once.',
    ['HOOK-TEST-01', 'HOOK-CREATE-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { id } = (reply.body ?? {}) as { id?: number }
      if (id !== undefined && call.server.store.remove(String(id))) hit()
      return reply
    }, 'createHook'),
  ),
  fault(
    'hook-is-tested-by-another-method',
    'A test call by POST is not allowed.',
    ['HOOK-TEST-01'],
    fails('testHook', 405),
  ),

  fault(
    'url-alone-makes-no-hook',
    'A creation has to say something of push_events.',
    ['HOOK-CREATE-02'],
    fails('createHook', 400, async (call) => (await call.fields())['push_events'] === undefined),
  ),
  fault(
    'hook-needs-a-second-field',
    'A creation that brings nothing but a url breaks down.',
    ['HOOK-CREATE-02'],
    fails('createHook', 500, async (call) => Object.keys(await call.fields()).length === 1),
  ),

  fault(
    'second-test-call-is-refused',
    'A hook can be tested once only.',
    ['HOOK-TEST-03'],
    (hit) => {
      const tested = new Set<unknown>()
      return fails(
        'testHook',
        422,
        ({ params }) => tested.size === tested.add(params['hook_id']).size,
      )(hit)
    },
  ),
]

import type { HooksFault } from './fault.ts'
import { failWith, fault, onRequest } from './building.ts'

/** Serves the API below another path. */
const movedApi = (name: string, description: string, basePath: string): HooksFault =>
  fault(name, description, ['HOOK-VERSION-01'], (hit) => ({
    basePath,
    around: (_call, next) => {
      hit()
      return next()
    },
  }))

/** Faults for each operation. */
export const operations: readonly HooksFault[] = [
  fault(
    'create-hook-breaks-down',
    'Returns 500 for a creation, although the hook is created.',
    ['HOOK-CREATE-01'],
    failWith('createHook', 500),
  ),
  fault(
    'create-hook-is-not-there',
    'Returns 404 for a creation.',
    ['HOOK-CREATE-01'],
    failWith('createHook', 404),
  ),
  fault(
    'test-hook-breaks-down',
    'Returns 500 for a test call, although it sends the delivery.',
    ['HOOK-TEST-01'],
    failWith('testHook', 500),
  ),
  fault(
    'test-hook-is-not-there',
    'Returns 404 for a test call.',
    ['HOOK-TEST-01'],
    failWith('testHook', 404),
  ),
  fault(
    'hook-is-not-kept',
    'Returns a success for a creation, and deletes the hook at once.',
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
    'Returns 405 for a test call by POST.',
    ['HOOK-TEST-01'],
    failWith('testHook', 405),
  ),

  movedApi('api-has-another-version', 'Serves the API below /api/v3.', '/api/v3'),
  movedApi('api-has-no-version', 'Serves the API below /api.', '/api'),

  fault(
    'url-alone-makes-no-hook',
    'Refuses a creation without push_events.',
    ['HOOK-CREATE-02'],
    failWith('createHook', 400, async (call) => (await call.fields())['push_events'] === undefined),
  ),
  fault(
    'hook-needs-a-second-field',
    'Returns 500 for a creation with only a url.',
    ['HOOK-CREATE-02'],
    failWith('createHook', 500, async (call) => Object.keys(await call.fields()).length === 1),
  ),

  fault(
    'second-test-call-is-refused',
    'Refuses a second test call of a hook.',
    ['HOOK-TEST-03'],
    (hit) => {
      const tested = new Set<unknown>()
      return failWith(
        'testHook',
        422,
        ({ params }) => tested.size === tested.add(params['hook_id']).size,
      )(hit)
    },
  ),
]

import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject, onFields, onRequest, replaceRules } from './building.ts'

/** Stands in for an address that nobody gave. Nothing listens there. */
const nowhere = 'http://127.0.0.1:9/nowhere'

export const creation: readonly HooksFault[] = [
  fault(
    'url-is-not-required',
    'A hook without a url is made, and leads nowhere.',
    ['HOOK-CONFIG-01'],
    onFields((fields, hit) => {
      if (fields['url'] !== undefined) return fields
      hit()
      return { ...fields, url: nowhere }
    }),
  ),
  fault(
    'creation-without-a-url-succeeds',
    'A creation without a url succeeds, and makes nothing.',
    ['HOOK-CONFIG-01'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (reply.status < 300 || (await call.fields().catch(() => undefined))?.['url'] !== undefined)
        return reply
      hit()
      return { status: 201, body: {} }
    }, 'createHook'),
  ),
  fault(
    'url-of-any-type-is-taken',
    'A url that is an object is taken for its text.',
    ['HOOK-CONFIG-02'],
    onFields((fields, hit) => {
      if (!isObject(fields['url'])) return fields
      hit()
      return { ...fields, url: nowhere }
    }),
  ),
  fault(
    'token-of-any-type-is-taken',
    'A token that is an object is taken for its text.',
    ['HOOK-CONFIG-05'],
    onFields((fields, hit) => {
      if (!isObject(fields['token'])) return fields
      hit()
      return { ...fields, token: JSON.stringify(fields['token']) }
    }),
  ),
  fault(
    'broken-json-makes-a-hook',
    'A body that is no JSON makes a hook that leads nowhere.',
    ['HOOK-CREATE-04'],
    onRequest((call, next, hit) => {
      const right = call.fields.bind(call)
      call.fields = () =>
        right().catch(() => {
          hit()
          return { url: nowhere }
        })
      return next()
    }, 'createHook'),
  ),
  fault(
    'unknown-project-gets-a-hook',
    'A hook is made for a project that does not exist.',
    ['HOOK-CREATE-06'],
    replaceRules({ isKnownProject: () => true }),
  ),
  fault(
    'unknown-hook-is-tested',
    'A test call of a hook that does not exist succeeds.',
    ['HOOK-TEST-05'],
    onRequest(async (call, next, hit) => {
      if (call.server.store.get(call.params['hook_id'] ?? '') !== undefined) return next()
      const reply = await next()
      if (reply.status !== 404) return reply
      hit()
      return { status: 201, body: { message: '201 Created' } }
    }, 'testHook'),
  ),

  fault(
    'pushes-are-off-by-default',
    'push_events is false where a creation leaves it out.',
    ['HOOK-CONFIG-07'],
    onFields((fields, hit) => {
      if (fields['push_events'] !== undefined) return fields
      hit()
      return { ...fields, push_events: false }
    }),
  ),
  fault(
    'record-shows-pushes-as-off',
    'push_events is shown as false where a creation leaves it out.',
    ['HOOK-CONFIG-07'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      if (
        reply.status >= 300 ||
        !isObject(reply.body) ||
        (await call.fields())['push_events'] !== undefined
      )
        return reply
      hit()
      return { ...reply, body: { ...reply.body, push_events: false } }
    }, 'createHook'),
  ),
  ...refusedTokens([
    ['creation-with-a-token-is-refused', 'A creation that sets a token is refused.', 400],
    [
      'creation-with-a-token-breaks-down',
      'A creation that sets a token ends in an internal error.',
      500,
    ],
  ]),
]

function refusedTokens(
  faults: readonly [name: string, description: string, status: number][],
): HooksFault[] {
  const rows: readonly RequirementId[] = ['HOOK-CONFIG-04']
  return faults.map(([name, description, status]) =>
    fault(
      name,
      description,
      rows,
      onRequest(async (call, next, hit) => {
        const { token } = await call.fields().catch(() => ({}) as Record<string, unknown>)
        if (typeof token !== 'string' || token === '') return next()
        hit()
        return { status, body: { message: 'token is not supported' } }
      }, 'createHook'),
    ),
  )
}

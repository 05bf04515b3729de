import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Refusal } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject, onFields, onReply, onRequest, replaceRules } from './building.ts'

/** The url that a fault stores if a creation contains no valid url. Nothing listens there. */
const unusedUrl = 'http://127.0.0.1:9/nowhere'

export const creation: readonly HooksFault[] = [
  fault(
    'new-hooks-have-the-id-of-the-first',
    'Returns the id of the first hook of a project whenever another one is created.',
    ['HOOK-TEST-08'],
    (hit) => {
      let first: unknown
      return onReply((reply) => {
        if (reply.status >= 300 || !isObject(reply.body)) return undefined
        first ??= reply.body['id']
        return first === reply.body['id']
          ? undefined
          : { ...reply, body: { ...reply.body, id: first } }
      }, 'createHook')(hit)
    },
  ),
  fault(
    'url-is-not-required',
    'Creates a hook without a url.',
    ['HOOK-CONFIG-01'],
    onFields((fields, hit) => {
      if (fields['url'] !== undefined) return fields
      hit()
      return { ...fields, url: unusedUrl }
    }),
  ),
  fault(
    'token-replaces-a-url',
    'Creates a hook without a url if the creation contains a token.',
    ['HOOK-CONFIG-01'],
    onFields((fields, hit) => {
      if (fields['url'] !== undefined || fields['token'] === undefined) return fields
      hit()
      return { ...fields, url: unusedUrl }
    }),
  ),
  fault(
    'creation-without-a-url-succeeds',
    'Returns a success for a creation without a url and creates nothing.',
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
    'url-of-any-type-is-accepted',
    'Creates a hook although its url is an object.',
    ['HOOK-CONFIG-02'],
    onFields((fields, hit) => {
      if (!isObject(fields['url'])) return fields
      hit()
      return { ...fields, url: unusedUrl }
    }),
  ),
  fault(
    'token-of-any-type-is-accepted',
    'Converts a token that is an object to a string.',
    ['HOOK-CONFIG-05'],
    onFields((fields, hit) => {
      if (!isObject(fields['token'])) return fields
      hit()
      return { ...fields, token: JSON.stringify(fields['token']) }
    }),
  ),
  fault(
    'broken-json-makes-a-hook',
    'Creates a hook although the body is not JSON.',
    ['HOOK-CREATE-04'],
    onRequest((call, next, hit) => {
      const readFields = call.fields.bind(call)
      call.fields = () =>
        readFields().catch(() => {
          hit()
          return { url: unusedUrl }
        })
      return next()
    }, 'createHook'),
  ),
  fault(
    'charset-is-refused',
    'Refuses JSON whose media type has a parameter.',
    ['HOOK-CREATE-08'],
    onRequest(({ request }, next, hit) => {
      if (!(request.headers['content-type'] ?? '').startsWith('application/json;')) return next()
      hit()
      throw new Refusal(415, 'Only application/json is accepted')
    }, 'createHook'),
  ),
  fault(
    'hooks-are-found-in-any-project',
    'Finds a hook under the path of the other project.',
    ['HOOK-TEST-06'],
    replaceRules({ isOwnProject: () => true }),
  ),
  fault(
    'hooks-are-found-in-unknown-projects',
    'Finds a hook under the path of every project, even an unknown one.',
    ['HOOK-TEST-06', 'HOOK-CREATE-06'],
    replaceRules({ isOwnProject: () => true, isKnownProject: () => true }),
  ),
  fault(
    'unknown-project-gets-a-hook',
    'Creates a hook for an unknown project.',
    ['HOOK-CREATE-06'],
    replaceRules({ isKnownProject: () => true }),
  ),
  fault(
    'unknown-hook-is-tested',
    'Returns a success for a test call of an unknown hook.',
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
    'Sets push_events to false if a creation does not contain it.',
    ['HOOK-CONFIG-07'],
    onFields((fields, hit) => {
      if (fields['push_events'] !== undefined) return fields
      hit()
      return { ...fields, push_events: false }
    }),
  ),
  fault(
    'last-push-flag-is-the-default',
    'If a creation does not contain push_events, uses its value in the last creation with this field.',
    ['HOOK-CONFIG-07'],
    (hit) => {
      let last: unknown = true
      return onFields((fields) => {
        if (fields['push_events'] !== undefined) last = fields['push_events']
        if (last !== false || fields['push_events'] !== undefined) return fields
        hit()
        return { ...fields, push_events: false }
      })(hit)
    },
  ),
  fault(
    'any-other-flag-turns-pushes-off',
    'Sets push_events to false if a creation does not contain it, but sets another flag to true.',
    ['HOOK-CONFIG-07'],
    onFields((fields, hit) => {
      if (fields['push_events'] !== undefined || !Object.values(fields).includes(true))
        return fields
      hit()
      return { ...fields, push_events: false }
    }),
  ),
  fault(
    'pushes-of-another-project-are-off-by-default',
    'Sets push_events to false if a creation in the other project does not contain it.',
    ['HOOK-CONFIG-07'],
    onFields((fields, hit, { server, params }) => {
      if (fields['push_events'] !== undefined || params['id'] !== server.options.otherProject)
        return fields
      hit()
      return { ...fields, push_events: false }
    }),
  ),
  fault(
    'record-shows-pushes-as-off',
    'Returns push_events: false for a creation that does not contain it.',
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
    ['creation-with-a-token-is-refused', 'Refuses a creation with a token.', 400],
    ['creation-with-a-token-breaks-down', 'Returns 500 for a creation with a token.', 500],
  ]),
]

function refusedTokens(
  faults: readonly [name: string, description: string, status: number][],
): HooksFault[] {
  const requirements: readonly RequirementId[] = ['HOOK-CONFIG-04']
  return faults.map(([name, description, status]) =>
    fault(
      name,
      description,
      requirements,
      onRequest(async (call, next, hit) => {
        const { token } = await call.fields().catch(() => ({}) as Record<string, unknown>)
        if (typeof token !== 'string' || token === '') return next()
        hit()
        return { status, body: { message: 'token is not supported' } }
      }, 'createHook'),
    ),
  )
}

import type { HooksCall } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import {
  failWith,
  fault,
  isObject,
  onFields,
  onMessage,
  onRequest,
  withHeader,
  withoutHeader,
} from './building.ts'

type Hook = ReturnType<HooksCall['server']['store']['list']>[number]

const push = ({ server }: HooksCall, hook: Hook) =>
  void server.outbox.add(server, hook, 'push', 'push_events')

/**
 * Makes a fault that sends the push of a test call also to other hooks. `isIncluded` selects them
 * among the three hooks before and the three hooks after the tested hook in the list of hooks. All
 * payloads have the same ids.
 */
const sendToOthers = (
  name: string,
  description: string,
  isIncluded: (hook: Hook) => boolean,
): HooksFault =>
  fault(name, description, ['HOOK-TEST-08'], (hit) => ({
    choices: { payloadIds: 'sample' },
    ...onRequest(async (call, next, hitOnce) => {
      const reply = await next()
      const hooks = call.server.store.list()
      const at = hooks.findIndex(({ id }) => String(id) === call.params['hook_id'])
      if (reply.status >= 300 || at === -1) return reply
      for (const other of hooks.slice(Math.max(0, at - 3), at + 4))
        if (other !== hooks[at] && isIncluded(other)) {
          hitOnce()
          push(call, other)
        }
      return reply
    }, 'testHook')(hit),
  }))

/**
 * Makes a fault that sends one token in the deliveries of all hooks that have the same URL.
 * `choose` is called for each hook with the URL. It receives the token that was chosen for the
 * earlier hooks, and the token of this hook, and returns the token to send.
 */
const shareToken = (
  name: string,
  description: string,
  choose: (soFar: string | undefined, token: string | undefined) => string | undefined,
): HooksFault =>
  fault(name, description, ['EVT-HEADER-01'], (hit) => {
    const tokens = new Map<string, string | undefined>()
    return {
      around: async (call, next) => {
        const reply = await next()
        tokens.clear()
        for (const { url, token } of call.server.store.list())
          tokens.set(url, choose(tokens.get(url), token))
        return reply
      },
      beforeDelivery: (delivery) => {
        const token = tokens.get(delivery.hook.url)
        if (token === undefined || token === delivery.hook.token) return delivery
        hit()
        return withHeader(delivery, 'X-Hook-Token', token)
      },
    }
  })

/** Makes a fault that sends the token only in the first `kept` deliveries of a hook. */
const loseTokenAfter =
  (kept: number): HooksFault['make'] =>
  (hit) => {
    const counts = new Map<unknown, number>()
    return {
      beforeDelivery: (delivery) => {
        const count = (counts.get(delivery.hook.id) ?? 0) + 1
        counts.set(delivery.hook.id, count)
        if (count <= kept) return delivery
        hit()
        return withoutHeader(delivery, 'X-Hook-Token')
      },
    }
  }

/**
 * Faults in which deliveries go to the wrong hooks or have a wrong token. Also faults in the
 * delivery of confidential issues, and faults in which a field of a wrong type is accepted.
 */
export const isolation: readonly HooksFault[] = [
  sendToOthers(
    'test-reaches-all-hooks-with-the-event',
    'Sends the push of a test call also to other hooks whose push_events is true.',
    (hook) => hook.push_events,
  ),
  sendToOthers(
    'test-reaches-hooks-without-the-event',
    'Sends the push of a test call also to other hooks whose push_events is false.',
    (hook) => !hook.push_events,
  ),
  shareToken(
    'hooks-with-one-url-share-a-token',
    'If several hooks have the same url, sends the token of the first one to all of them.',
    (soFar, token) => soFar ?? token,
  ),
  shareToken(
    'hooks-with-one-url-share-the-last-token',
    'If several hooks have the same url, sends the token of the last one to all of them.',
    (_soFar, token) => token,
  ),
  fault(
    'long-tokens-are-cut',
    'Sends only the first 72 characters of a token.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => withHeader(delivery, 'X-Hook-Token', delivery.hook.token!.slice(0, 72)),
      ({ hook }) => (hook.token?.length ?? 0) > 72,
    ),
  ),
  fault(
    'spaces-of-tokens-become-one',
    'Sends one space for several consecutive spaces of a token.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) =>
        withHeader(delivery, 'X-Hook-Token', delivery.hook.token!.replaceAll(/ +/g, ' ')),
      ({ hook }) => hook.token?.includes('  ') === true,
    ),
  ),
  fault(
    'tokens-of-digits-become-numbers',
    'Sends a token of digits as a number.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => withHeader(delivery, 'X-Hook-Token', String(Number(delivery.hook.token))),
      ({ hook }) => /^\d+$/.test(hook.token ?? ''),
    ),
  ),
  fault(
    'repeated-deliveries-lose-the-token',
    'Repeats a failed delivery without its token.',
    ['EVT-HEADER-01'],
    (hit) => ({
      choices: { retries: 1 },
      rules: { retryDelayMs: 0 },
      beforeDelivery: (delivery) => {
        if (delivery.attempt === 1) return delivery
        hit()
        return withoutHeader(delivery, 'X-Hook-Token')
      },
    }),
  ),
  fault(
    'third-delivery-loses-the-token',
    'Sends X-Hook-Token only in the first two deliveries of a hook.',
    ['EVT-HEADER-01'],
    loseTokenAfter(2),
  ),
  fault(
    'fifth-delivery-loses-the-token',
    'Sends X-Hook-Token only in the first four deliveries of a hook.',
    ['EVT-HEADER-01'],
    loseTokenAfter(4),
  ),
  fault(
    'confidential-issues-are-not-delivered',
    'Sends nothing for a test call with confidential_issues_events.',
    ['EVT-EVENT-12'],
    onMessage(
      () => undefined,
      ({ trigger }) => trigger === 'confidential_issues_events',
    ),
  ),
  fault(
    'confidential-issues-cannot-be-tested',
    'Refuses a test call with confidential_issues_events.',
    ['EVT-EVENT-12'],
    failWith('testHook', 404, ({ params }) => params['event'] === 'confidential_issues_events'),
  ),
  fault(
    'confidential-issues-have-no-token',
    'Sends confidential issues without X-Hook-Token.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => withoutHeader(delivery, 'X-Hook-Token'),
      ({ trigger }) => trigger === 'confidential_issues_events',
    ),
  ),
  fault(
    'confidential-issues-have-no-title',
    'Sends confidential issues without their title.',
    ['EVT-ISSUE-11'],
    onMessage(
      (delivery) => {
        const { object_attributes: attributes } = delivery.body
        if (isObject(attributes)) delete attributes['title']
        return delivery
      },
      ({ trigger }) => trigger === 'confidential_issues_events',
    ),
  ),
  fault(
    'null-counts-as-a-url',
    'Creates a hook from a url that is null.',
    ['HOOK-CONFIG-01'],
    onFields((fields, hit) => {
      if (fields['url'] !== null) return fields
      hit()
      return { ...fields, url: 'http://127.0.0.1:9/none' }
    }),
  ),
  fault(
    'list-counts-as-a-url',
    'Creates a hook from a url that is an array, and uses its first element.',
    ['HOOK-CONFIG-02'],
    onFields((fields, hit) => {
      if (!Array.isArray(fields['url'])) return fields
      hit()
      return { ...fields, url: String(fields['url'][0]) }
    }),
  ),
  fault(
    'number-counts-as-a-url',
    'Creates a hook from a url that is a number.',
    ['HOOK-CONFIG-02'],
    onFields((fields, hit) => {
      if (typeof fields['url'] !== 'number') return fields
      hit()
      return { ...fields, url: 'http://127.0.0.1:9/none' }
    }),
  ),
  fault(
    'boolean-counts-as-a-url',
    'Creates a hook from a url that is a boolean.',
    ['HOOK-CONFIG-02'],
    onFields((fields, hit) => {
      if (typeof fields['url'] !== 'boolean') return fields
      hit()
      return { ...fields, url: 'http://127.0.0.1:9/none' }
    }),
  ),
  fault(
    'list-counts-as-a-token',
    'Creates a hook from a token that is an array, and uses its first element.',
    ['HOOK-CONFIG-05'],
    onFields((fields, hit) => {
      if (!Array.isArray(fields['token'])) return fields
      hit()
      return { ...fields, token: String(fields['token'][0]) }
    }),
  ),
  fault(
    'path-is-in-lower-case',
    'Sends the path of a URL in lower case.',
    ['EVT-DELIVERY-02'],
    onMessage((delivery) => {
      const url = new URL(delivery.url)
      return { ...delivery, url: `${url.origin}${url.pathname.toLowerCase()}${url.search}` }
    }),
  ),
]

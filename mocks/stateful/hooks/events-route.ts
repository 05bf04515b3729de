import { findFlag, knownNames, similarName } from '../../deliveries/event-names.ts'
import { eventOf, type Flag } from '../../deliveries/events.ts'
import { actionsOf, furtherActionsOf } from '../../deliveries/actions.ts'
import type { Route } from '../http/server.ts'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import type { HooksContext } from './call.ts'

const maxBytes = 64 * 1024

/**
 * The route `POST /_touchstone/events`, which makes an event happen in the project. The body is for
 * example `{"event": "issues_events", "action": "close"}`, or the same fields as a form. The
 * service delivers the event to the hooks whose flag is true. If the request names no action, the
 * service chooses one.
 */
export function eventsRoute(server: HooksContext): Route {
  return {
    method: 'POST',
    path: '/_touchstone/events',
    handle: ({ env: { incoming } }) =>
      readBody(incoming, maxBytes, 400)
        .then(fieldsOf)
        .then((fields) => ({ status: 200, body: { hooks: triggerEvent(server, fields) } }))
        .catch((error: unknown) => ({
          status: 400,
          body: { error: error instanceof Error ? error.message : String(error) },
        })),
  }
}

/**
 * Returns the fields of a JSON object or a form. Ignores Content-Type, because curl declares every
 * body as a form, and the choices of the service, because the route is not part of its API.
 */
function fieldsOf(body: Buffer): Record<string, unknown> {
  const json = jsonOf(body)
  if (json === undefined) {
    if (/^\s*[{[]/.test(body.toString())) throw new Error('The body is not JSON')
    return Object.fromEntries(new URLSearchParams(body.toString()))
  }
  if (isObject(json.value)) return json.value
  throw new Error('the body must be a JSON object, such as {"event": "push_events"}, or a form')
}

/** Triggers the event of a request, and returns the number of deliveries that it causes. */
function triggerEvent(
  server: HooksContext,
  { event: given, action }: Record<string, unknown>,
): number {
  const flag = typeof given === 'string' ? findFlag(given) : undefined
  const event = flag === undefined ? undefined : eventOf(flag)
  if (flag === undefined || event === undefined) throw new Error(unknownEvent(given))
  const listed: readonly string[] = actionsOf[event]
  const all = [...listed, ...(furtherActionsOf[event] ?? [])]
  const spelled = typeof action === 'string' ? action.toLowerCase() : action
  const happened = all.find((one) => one === spelled)
  if (action !== undefined && happened === undefined)
    throw new Error(`action must be one of ${all.join(', ')}, or be left out`)
  const { furtherEvents, earlierActions, furtherActions } = server.choices
  if (happened !== undefined && !listed.includes(happened)) {
    if (furtherActions === 'refuse') throw new Error(`the service has no action ${happened}`)
    if (furtherActions === 'ignore') return 0
    if (furtherActions === 'update')
      return deliver(server, flag, listed.includes('update') ? 'update' : undefined)
  }
  const at = happened === undefined ? -1 : listed.indexOf(happened)
  const actions = [...(earlierActions && at > 0 ? listed.slice(0, at) : []), happened]
  const counts = [
    ...actions.map((one) => deliver(server, flag, one)),
    ...(furtherEvents[flag] ?? []).map((one) => deliver(server, one)),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

function unknownEvent(given: unknown): string {
  const known = `${knownNames.join(', ')}; push_events and "Push Hook" are accepted too`
  if (typeof given !== 'string' || given === '') return `event must be one of ${known}`
  const similar = similarName(given)
  return `there is no event named ${given.slice(0, 100)}.${similar === undefined ? '' : ` Did you mean ${similar}?`} Known: ${known}`
}

/** Delivers an event to the hooks of the project that enable it, and returns their number. */
function deliver(server: HooksContext, flag: Flag, action?: string): number {
  const { store, rules, options, outbox } = server
  const hooks = store
    .list()
    .filter((hook) => rules.receivesEvent(hook, flag, options.project, action))
  outbox.addToAll(server, hooks, { event: eventOf(flag)!, trigger: flag, action })
  return hooks.length
}

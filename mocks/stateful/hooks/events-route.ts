import { eventNames, eventOf, events, flags, type Flag } from '../../deliveries/events.ts'
import { actionsOf } from '../../deliveries/actions.ts'
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
  if (json === undefined) return Object.fromEntries(new URLSearchParams(body.toString()))
  if (isObject(json.value)) return json.value
  throw new Error('the body must be a JSON object, such as {"event": "push_events"}, or a form')
}

/** Finds a flag by its name, or by the name, X-Hook-Event or object_kind of its event. */
function flagOf(text: string): Flag | undefined {
  const spell = (word: string) => word.toLowerCase().replaceAll(/[\s_-]+/g, '_')
  const named = eventNames.find((name) =>
    [name, events[name].header, events[name].objectKind].map(spell).includes(spell(text)),
  )
  return flags.find((flag) => flag === spell(text)) ?? (named && events[named].flag)
}

/** Triggers the event of a request, and returns the number of deliveries that it causes. */
function triggerEvent(
  server: HooksContext,
  { event: given, action }: Record<string, unknown>,
): number {
  const flag = typeof given === 'string' ? flagOf(given) : undefined
  const event = flag === undefined ? undefined : eventOf(flag)
  if (flag === undefined || event === undefined)
    throw new Error(
      `event must be one of ${flags.join(', ')}; names such as push and "Push Hook" are accepted too`,
    )
  const all: readonly string[] = actionsOf[event]
  const at = all.findIndex((one) => one === action)
  if (action !== undefined && at === -1)
    throw new Error(
      all.length === 0
        ? `${flag} has no actions: leave action out`
        : `action must be one of ${all.join(', ')}, or be left out`,
    )
  const { furtherEvents, earlierActions } = server.choices
  const actions = action === undefined ? [undefined] : all.slice(earlierActions ? 0 : at, at + 1)
  const counts = [
    ...actions.map((one) => deliver(server, flag, one)),
    ...(furtherEvents[flag] ?? []).map((one) => deliver(server, one)),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
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

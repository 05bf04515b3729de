import { eventOf, type Flag } from '../../deliveries/events.ts'
import { actionsOf } from '../../deliveries/actions.ts'
import type { Route } from '../http/server.ts'
import { readFields } from './fields.ts'
import type { HooksContext } from './call.ts'

/**
 * The route `POST /_touchstone/events`, which makes an event happen in the project. The JSON body
 * is for example `{"event": "issues_events", "action": "close"}`. The service delivers the event to
 * the hooks whose flag is true. If the request names no action, the service chooses one.
 */
export function eventsRoute(server: HooksContext): Route {
  return {
    method: 'POST',
    path: '/_touchstone/events',
    handle: ({ env: { incoming } }) =>
      readFields(incoming, incoming.headers['content-type'], server)
        .then((fields) => ({ status: 200, body: { hooks: triggerEvent(server, fields) } }))
        .catch((error: unknown) => ({
          status: 400,
          body: { error: error instanceof Error ? error.message : String(error) },
        })),
  }
}

/** Triggers the event of a request, and returns the number of deliveries that it causes. */
function triggerEvent(
  server: HooksContext,
  { event: flag, action }: Record<string, unknown>,
): number {
  const event = typeof flag === 'string' ? eventOf(flag) : undefined
  if (event === undefined)
    throw new Error('event must be the name of a hook flag, such as push_events')
  const all: readonly string[] = actionsOf[event]
  const at = all.findIndex((one) => one === action)
  if (action !== undefined && at === -1)
    throw new Error(`action must be one of ${all.join(', ')}, or be left out`)
  const { furtherEvents, earlierActions } = server.choices
  const actions = action === undefined ? [undefined] : all.slice(earlierActions ? 0 : at, at + 1)
  const counts = [
    ...actions.map((one) => deliver(server, flag as Flag, one)),
    ...(furtherEvents[flag as Flag] ?? []).map((one) => deliver(server, one)),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Delivers an event to the hooks of the project that enable it, and returns their number. */
function deliver(server: HooksContext, flag: Flag, action?: string): number {
  const { store, rules, options, outbox } = server
  const hooks = store
    .list()
    .filter((hook) => rules.receivesEvent(hook, flag, options.project, action))
  for (const hook of hooks) void outbox.add(server, hook, eventOf(flag)!, flag, action)
  return hooks.length
}

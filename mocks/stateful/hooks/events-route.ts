import { eventOf, type Flag } from '../../deliveries/events.ts'
import type { Route } from '../http/server.ts'
import { readFields } from './fields.ts'
import type { HooksContext } from './call.ts'

/**
 * The route that makes an event happen in the project: `POST /_touchstone/events` with
 * `{"event": "push_events"}`. The service delivers the event to the hooks whose flag is true.
 */
export function eventsRoute(server: HooksContext): Route {
  return {
    method: 'POST',
    path: '/_touchstone/events',
    handle: ({ env: { incoming } }) =>
      readFields(incoming, incoming.headers['content-type'], server)
        .then(({ event: flag }) => {
          if (typeof flag !== 'string' || eventOf(flag) === undefined)
            throw new Error('event must be the name of a hook flag, such as push_events')
          const flags = [flag as Flag, ...(server.choices.furtherEvents[flag as Flag] ?? [])]
          return {
            status: 200,
            body: { hooks: flags.reduce((count, one) => count + deliver(server, one), 0) },
          }
        })
        .catch((error: unknown) => ({
          status: 400,
          body: { error: error instanceof Error ? error.message : String(error) },
        })),
  }
}

/** Delivers an event to the hooks of the project that enable it, and returns their number. */
function deliver(server: HooksContext, flag: Flag): number {
  const { store, rules, options, outbox } = server
  const hooks = store.list().filter((hook) => rules.receivesEvent(hook, flag, options.project))
  for (const hook of hooks) void outbox.add(server, hook, eventOf(flag)!, flag)
  return hooks.length
}

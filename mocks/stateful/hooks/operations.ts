import type { Flag } from '../../deliveries/events.ts'
import type { Reply } from '../http/reply.ts'
import { created, recordOf } from './answers.ts'
import type { HooksCall } from './call.ts'
import { newHook } from './fields.ts'
import type { Hook } from './store.ts'
import { HooksRefusal } from './refusal.ts'

/** Adds a hook to the project. */
export async function createHook(call: HooksCall): Promise<Reply> {
  const { server } = call
  const made = newHook(await call.fields(), server)
  return created(call, server.store.add(made, server.options.project, server.choices.hookIds))
}

/** Has an event delivered to a hook's receiver. */
export async function testHook(call: HooksCall): Promise<Reply> {
  const { server, params } = call
  const { choices, outbox, rules } = server
  const hook = known(call)
  const event = rules.eventOf(params['event'] ?? '')
  if (event === undefined || (choices.testEvents === 'push' && event !== 'push'))
    throw new HooksRefusal('event-unknown', choices.missingStatus, 'There is no such event')
  const trigger = params['event'] as Flag
  const wanted = hook[trigger] || choices.unsetFlag === 'delivers'
  if (!wanted && choices.unsetFlag === 'refuses')
    throw new HooksRefusal('flag-unset', 422, `${trigger} is not enabled for this hook`)
  if (choices.givenUpAfter > 0 && hook.failures >= choices.givenUpAfter)
    throw new HooksRefusal(
      'hook-given-up',
      422,
      'This hook was given up, since its receiver acknowledges nothing',
    )
  if (wanted) {
    const sent = outbox.add(server, hook, event, trigger)
    // Whoever is told that a delivery is under way must be able to rely on it.
    if (sent === undefined)
      throw new HooksRefusal('queue-full', 429, 'Too many deliveries of this hook are waiting')
    if (choices.testWaits) await sent
  }
  return choices.testStatus === 204
    ? { status: 204 }
    : {
        status: choices.testStatus,
        body: { message: `${choices.testStatus} ${words[choices.testStatus]}` },
      }
}

const words = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const

/** Lists the hooks of the project. */
export function listHooks({ server }: HooksCall): Reply {
  return { status: 200, body: server.store.list().map(recordOf) }
}

/** Shows one hook. */
export function getHook(call: HooksCall): Reply {
  return { status: 200, body: recordOf(known(call)) }
}

/** Deletes a hook. What is under way to its receiver still arrives. */
export function deleteHook(call: HooksCall): Reply {
  call.server.store.remove(String(known(call).id))
  return { status: 204 }
}

/** Lists the last deliveries of a hook with their answers, the newest first. */
export function listHookEvents(call: HooksCall): Reply {
  return { status: 200, body: call.server.store.recent(String(known(call).id)) }
}

function known({ server, params }: HooksCall): Hook {
  const hook = server.store.get(params['hook_id'] ?? '')
  if (hook === undefined)
    throw new HooksRefusal('hook-unknown', server.choices.missingStatus, 'There is no such hook')
  return hook
}

import type { Flag } from '../../deliveries/events.ts'
import { noteUnknownFields } from '../../serving/ignored.ts'
import type { Reply } from '../http/reply.ts'
import { creationReply, recordOf } from './replies.ts'
import type { HooksCall } from './call.ts'
import { knownFields, newHook } from './fields.ts'
import type { Hook } from './store.ts'
import { HooksRefusal } from './refusal.ts'

/** Adds a hook to the project in the path. */
export async function createHook(call: HooksCall): Promise<Reply> {
  const { server, params } = call
  const { project, otherProject } = server.options
  const given = await call.fields()
  if (server.choices.unknownFields === 'ignore')
    noteUnknownFields(call.request, Object.keys(given), knownFields)
  const fields = newHook(given, server)
  const owner = params['id'] === otherProject ? otherProject : project
  return creationReply(call, server.store.add(fields, owner, server.choices.hookIds))
}

/** Sends an event to a hook's receiver. */
export async function testHook(call: HooksCall): Promise<Reply> {
  const { server, params } = call
  const { choices, outbox, rules } = server
  const hook = requireHook(call)
  const event = rules.eventOf(params['event'] ?? '')
  const trigger = params['event'] as Flag
  const isTestable =
    choices.testEvents === 'push'
      ? event === 'push'
      : choices.testEvents === 'all' || trigger !== 'confidential_issues_events'
  if (event === undefined || !isTestable)
    throw new HooksRefusal('event-unknown', choices.missingStatus, 'There is no such event')
  const isDelivered = hook[trigger] || choices.unsetFlag === 'delivers'
  if (!isDelivered && choices.unsetFlag === 'refuses')
    throw new HooksRefusal('flag-unset', 422, `${trigger} is not enabled for this hook`)
  if (choices.disabledAfter > 0 && hook.failures >= choices.disabledAfter)
    throw new HooksRefusal(
      'hook-disabled',
      422,
      'This hook is disabled, because its receiver does not acknowledge deliveries',
    )
  if (isDelivered) {
    const sent = outbox.add(server, hook, event, trigger)
    // A success response promises a delivery, so a full queue must be reported.
    if (sent === undefined)
      throw new HooksRefusal('queue-full', 429, 'Too many deliveries of this hook are waiting')
    if (choices.testAwaitsDelivery) await sent
  }
  return choices.testStatus === 204
    ? { status: 204 }
    : {
        status: choices.testStatus,
        body: { message: `${choices.testStatus} ${statusTexts[choices.testStatus]}` },
      }
}

const statusTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const

/** Lists the hooks of the project in the path. */
export function listHooks(call: HooksCall): Reply {
  const hooks = call.server.store.list().filter((hook) => isInPath(hook, call))
  return { status: 200, body: hooks.map(recordOf) }
}

/** Returns one hook. */
export function getHook(call: HooksCall): Reply {
  return { status: 200, body: recordOf(requireHook(call)) }
}

/** Deletes a hook. Pending deliveries are still sent. */
export function deleteHook(call: HooksCall): Reply {
  call.server.store.remove(String(requireHook(call).id))
  return { status: 204 }
}

/** Lists the latest attempts to deliver to a hook, with their responses, newest first. */
export function listHookEvents(call: HooksCall): Reply {
  return { status: 200, body: call.server.store.recent(String(requireHook(call).id)) }
}

/** Whether a call may use a hook. Calls with unknown projects were refused earlier. */
const isInPath = (hook: Hook, { params, server: { rules } }: HooksCall): boolean =>
  rules.isOwnProject(params['id'] ?? '', hook.project)

function requireHook(call: HooksCall): Hook {
  const { server, params } = call
  const hook = server.store.get(params['hook_id'] ?? '')
  if (hook === undefined || !isInPath(hook, call))
    throw new HooksRefusal('hook-unknown', server.choices.missingStatus, 'There is no such hook')
  return hook
}

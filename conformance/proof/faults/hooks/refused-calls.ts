import { flags } from '../../../../mocks/deliveries/events.ts'
import type { HooksCall } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject, onRequest } from './building.ts'

type Hook = ReturnType<HooksCall['server']['store']['list']>[number]

const push = ({ server }: HooksCall, hook: Hook) =>
  void server.outbox.add(server, hook, 'push', 'push_events')

const isInOwnProject = ({ params, server }: HooksCall) => params['id'] === server.options.project

/** Delivers after a test call that was refused because of its path. */
const sendRefused = (
  name: string,
  description: string,
  isSelected: (call: HooksCall) => boolean,
): HooksFault =>
  fault(
    name,
    description,
    ['HOOK-ERROR-04'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const hook = call.server.store.get(call.params['hook_id'] ?? '')
      if (reply.status === 401 || reply.status < 300 || hook === undefined || !isSelected(call))
        return reply
      hit()
      push(call, hook)
      return reply
    }, 'testHook'),
  )

/** A refused creation: its call, the status of the response, and what the client sent. */
interface RefusedCreation {
  call: HooksCall
  status: number
  /** The fields; none if the body is malformed. */
  fields: Readonly<Record<string, unknown>>
  body: string
}

const urlOf = ({ fields, body }: RefusedCreation): unknown =>
  fields['url'] ?? /"url": *"([^"]+)"/.exec(body)?.[1]

/**
 * Refuses a creation, and creates the hook nevertheless. If `isPushed` is true, also sends a first
 * push to the hook.
 */
const storeRefused =
  (isPushed: boolean) =>
  (
    name: string,
    description: string,
    isSelected: (creation: RefusedCreation) => boolean,
  ): HooksFault =>
    fault(
      name,
      description,
      ['HOOK-ERROR-04'],
      onRequest(async (call, next, hit) => {
        const body = copyBody(call)
        const { status, ...reply } = await next()
        if (status < 300) return { status, ...reply }
        const fields = await call.fields().catch(() => ({}) as Record<string, unknown>)
        const creation = { call, status, fields, body: body() }
        const url = urlOf(creation)
        const { store, options } = call.server
        const [known] = store.list()
        if (known === undefined || typeof url !== 'string' || !isSelected(creation))
          return { status, ...reply }
        hit()
        const hook = { ...known, push_events: true, url, token: undefined }
        const stored = store.add(hook, options.project, 'integer')
        if (isPushed) push(call, stored)
        return { status, ...reply }
      }, 'createHook'),
    )

/** Refuses a creation, creates the hook nevertheless, and sends a first push. */
const createRefused = storeRefused(true)
/** Refuses a creation, and creates the hook nevertheless. */
const keepRefused = storeRefused(false)

/** Copies the body of a call while it is read. */
function copyBody({ request }: HooksCall): () => string {
  const chunks: Uint8Array[] = []
  const read = request.iterator.bind(request)
  request.iterator = async function* (options) {
    for await (const chunk of read(options) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      yield chunk
    }
  } as typeof read
  return () => Buffer.concat(chunks).toString()
}

/** Faults in which calls are refused, but carried out nevertheless. */
export const refusedCalls: readonly HooksFault[] = [
  sendRefused(
    'refused-test-of-an-unknown-event-sends-a-push',
    'Refuses a test call for an event that does not exist, but sends a push.',
    isInOwnProject,
  ),
  sendRefused(
    'refused-test-of-a-longer-event-name-sends-a-push',
    'Refuses a test call for an unknown event that begins with push_events, but sends a push.',
    (call) => isInOwnProject(call) && call.params['event']!.startsWith('push_events'),
  ),
  sendRefused(
    'refused-test-in-a-wrong-project-sends-a-push',
    'Refuses a test call in a project other than its own, but sends a push.',
    (call) => !isInOwnProject(call),
  ),
  sendRefused(
    'refused-test-in-the-other-project-sends-a-push',
    'Refuses a test call whose path names the other project of the target, but sends a push.',
    ({ params, server }) => params['id'] === server.options.otherProject,
  ),
  keepRefused(
    'refused-creation-receives-events',
    'Refuses a creation, but creates the hook, which receives the pushes of the project.',
    () => true,
  ),
  keepRefused(
    'creation-refused-for-its-event-flags-receives-events',
    'Refuses a creation because of its flags, but creates the hook, which receives pushes.',
    ({ fields }) =>
      flags.some((flag) => fields[flag] !== undefined && typeof fields[flag] !== 'boolean'),
  ),
  createRefused(
    'refused-creation-sends-a-push',
    'Refuses a creation, creates the hook nevertheless, and sends a first push.',
    ({ call }) => isInOwnProject(call),
  ),
  createRefused(
    'creation-refused-for-its-access-token-sends-a-push',
    'Refuses a creation with a wrong access token, but creates the hook and sends a first push.',
    ({ call, status }) => status === 401 && call.headers['private-token'] !== undefined,
  ),
  createRefused(
    'creation-refused-for-its-project-sends-a-push',
    'Refuses a creation in a project other than its own, but creates the hook and sends a push.',
    ({ call }) => !isInOwnProject(call),
  ),
  createRefused(
    'creation-refused-for-its-event-flags-sends-a-push',
    'Refuses a creation because of its flags, but creates the hook and sends a first push.',
    ({ fields }) =>
      flags.some((flag) => fields[flag] !== undefined && typeof fields[flag] !== 'boolean'),
  ),
  createRefused(
    'creation-refused-for-its-token-field-sends-a-push',
    'Refuses a creation because of its token, but creates the hook and sends a first push.',
    ({ fields }) => isObject(fields['token']),
  ),
  createRefused(
    'creation-refused-for-a-cut-off-body-sends-a-push',
    'Refuses a body that is cut off, but creates a hook from the fields before the cut, and sends a first push.',
    ({ fields }) => fields['url'] === undefined,
  ),
]

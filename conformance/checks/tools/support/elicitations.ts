import { NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange, McpReply, McpServerRequest } from '../../../wire/index.ts'

import type { Session } from './client-session.ts'
import type { NamedCall } from './named-calls.ts'
import { changesDuring } from './visible-data.ts'
import type { ToolsWorld } from './world.ts'

export const actions = ['accept', 'decline', 'cancel'] as const

type Action = (typeof actions)[number]

/**
 * A call of the tool in `tools.elicit`, which asks the user for input, and the requests that the
 * server sent to the client.
 */
export interface ElicitingCall {
  readonly exchange: McpExchange
  readonly elicitations: readonly McpServerRequest[]
}

/**
 * Calls the eliciting tool on each transport, and responds to its elicitation requests with
 * `action`. If `action` is undefined, the client does not declare the capability `elicitation`.
 * The calls with one action are made once per run, and all checks share them.
 */
export const callElicitingTool = (
  world: ToolsWorld,
  action: Action | undefined,
): Promise<readonly ElicitingCall[]> =>
  world.shared(`elicitation: ${action ?? 'no capability'}`, (common) =>
    common.onEachTransport((session) => callOnTransport(common, session, action)),
  )

async function callOnTransport(
  world: ToolsWorld,
  { transport }: Session,
  action: Action | undefined,
  prepare: (session: Session) => Session = (session) => session,
): Promise<ElicitingCall> {
  const { tool, arguments: args, content } = world.target.elicit!
  const elicitations: McpServerRequest[] = []
  const onRequest = (request: McpServerRequest): McpReply | undefined => {
    if (request.method !== 'elicitation/create') return undefined
    elicitations.push(request)
    return action === undefined
      ? undefined
      : { result: action === 'accept' ? { action, content } : { action } }
  }
  const session = await world.openSession(transport, {
    onRequest,
    ...(action === undefined ? {} : { capabilities: { elicitation: {} } }),
  })
  // Opens the stream of the session, because the server may send its request on this stream or on
  // the stream of the call.
  if (transport === 'http') await session.connection.listen()
  const exchange = await prepare(session).call(tool, args)
  await session.connection.close()
  return { exchange, elicitations }
}

/**
 * Returns the fields that change in the results of other tools when the user declines, cancels and
 * accepts, in this order. The session must be the only one that makes calls.
 */
export async function changesByAction(
  world: ToolsWorld,
  session: Session,
  observers: readonly NamedCall[],
): Promise<Readonly<Record<Action, readonly string[]>>> {
  const changesBy = async (action: Action) =>
    (await changesDuring(
      world,
      session,
      observers,
      () => callOnTransport(world, session, action, world.withoutLock),
      { ignoresTimes: true },
    )) ?? []
  const [decline, cancel] = [await changesBy('decline'), await changesBy('cancel')]
  return { decline, cancel, accept: await changesBy('accept') }
}

/**
 * Calls the eliciting tool twice in one session. Returns the second call, with the requests that
 * the server sent during both calls.
 */
export async function elicitTwice(
  world: ToolsWorld,
  { transport }: Session,
): Promise<ElicitingCall> {
  const { tool, arguments: args } = world.target.elicit!
  const received: McpServerRequest[] = []
  const session = await world.openSession(transport, {
    onRequest(request) {
      received.push(request)
      return request.method === 'elicitation/create' ? { result: { action: 'decline' } } : undefined
    },
    capabilities: { elicitation: {} },
  })
  if (transport === 'http') await session.connection.listen()
  await session.call(tool, args)
  const exchange = await session.call(tool, args)
  await session.connection.close()
  return { exchange, elicitations: received }
}

/**
 * Returns the calls during which the server sent an elicitation request. Ends the check as not
 * applicable if there are none, because the protocol does not require a server to send any.
 */
export async function requireElicitations(
  world: ToolsWorld,
  action: Action,
): Promise<readonly ElicitingCall[]> {
  const calls = (await callElicitingTool(world, action)).filter(
    ({ elicitations }) => elicitations.length > 0,
  )
  if (calls.length === 0) throw new NotApplicable('the tool sends no elicitation request')
  for (const { exchange } of calls) world.record(exchange)
  return calls
}

export const elicitationsOf = (calls: readonly ElicitingCall[]) =>
  calls.flatMap(({ elicitations }) => elicitations)

const primitives = ['string', 'number', 'integer', 'boolean']

/** Whether a field has no nested fields: a string, a number, a boolean, or a choice of values. */
function isFlat(field: unknown): boolean {
  if (!isObject(field)) return false
  const { type, items } = field
  if (type === 'array')
    return (
      isObject(items) &&
      (Array.isArray(items['enum']) ||
        Array.isArray(items['anyOf']) ||
        Array.isArray(items['oneOf'])) &&
      items['properties'] === undefined
    )
  return typeof type === 'string'
    ? primitives.includes(type)
    : Array.isArray(field['enum']) || Array.isArray(field['oneOf'])
}

/** Whether a schema describes an object whose fields are all flat. */
export function isFlatSchema(schema: unknown): boolean {
  return (
    isObject(schema) &&
    schema['type'] === 'object' &&
    isObject(schema['properties']) &&
    Object.values(schema['properties']).every(isFlat)
  )
}

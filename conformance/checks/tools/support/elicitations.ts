import { NotApplicable, isObject } from '../../../engine/index.ts'
import type { McpExchange, McpReply, McpServerRequest } from '../../../wire/index.ts'

import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

export const actions = ['accept', 'decline', 'cancel'] as const

type Action = (typeof actions)[number]

/** A call that asks its user, and what it asked. */
export interface ElicitingCall {
  readonly exchange: McpExchange
  readonly elicitations: readonly McpServerRequest[]
}

/** Calls the tool that asks, for each transport, and answers in one way; without a way, by a client that cannot be asked. Once in a run for each way. */
export const callElicitingTool = (
  world: ToolsWorld,
  action: Action | undefined,
): Promise<readonly ElicitingCall[]> =>
  world.shared(`asks its user: ${action ?? 'nobody'}`, (common) =>
    common.onEachTransport((session) => callOnTransport(common, session, action)),
  )

async function callOnTransport(
  world: ToolsWorld,
  { transport }: Session,
  action: Action | undefined,
): Promise<ElicitingCall> {
  const { tool, arguments: given, content } = world.access.elicit!
  const questions: McpServerRequest[] = []
  const onRequest = (request: McpServerRequest): McpReply | undefined => {
    if (request.method !== 'elicitation/create') return undefined
    questions.push(request)
    return action === undefined
      ? undefined
      : { result: action === 'accept' ? { action, content } : { action } }
  }
  const session = await world.openSession(transport, {
    onRequest,
    ...(action === undefined ? {} : { capabilities: { elicitation: {} } }),
  })
  // A question may come on the stream of the call, or on the session's own.
  if (transport === 'http') await session.connection.listen()
  const exchange = await session.call(tool, given)
  await session.connection.close()
  return { exchange, elicitations: questions }
}

/** The calls whose user was asked. The protocol lets a server be without questions. */
export async function requireElicitations(
  world: ToolsWorld,
  action: Action,
): Promise<readonly ElicitingCall[]> {
  const asked = (await callElicitingTool(world, action)).filter(
    ({ elicitations }) => elicitations.length > 0,
  )
  if (asked.length === 0) throw new NotApplicable('the tool asks its user nothing')
  for (const { exchange } of asked) world.record(exchange)
  return asked
}

export const elicitationsOf = (asked: readonly ElicitingCall[]) =>
  asked.flatMap(({ elicitations }) => elicitations)

const primitives = ['string', 'number', 'integer', 'boolean']

/** Whether a field holds no other fields: a text, a number, a truth, or some of a list of values. */
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

/** Whether a schema is one of an object of flat fields. */
export function isFlatSchema(schema: unknown): boolean {
  return (
    isObject(schema) &&
    schema['type'] === 'object' &&
    isObject(schema['properties']) &&
    Object.values(schema['properties']).every(isFlat)
  )
}

import { NotApplicable, NotCovered, isObject } from '../../../engine/index.ts'
import type {
  McpExchange,
  McpInitializeOptions,
  McpReply,
  McpServerRequest,
} from '../../../wire/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { changesDuring, findObservers } from './visible-data.ts'
import type { ToolsWorld } from './world.ts'

export const actions = ['accept', 'decline', 'cancel'] as const

type Action = (typeof actions)[number]

/**
 * How the client responds: by an action of the user, or by accepting with content that the schema
 * does not allow.
 */
type Answer = Action | 'invalid content'

/** How a client takes part in elicitation, if it does not respond. */
type Silence = 'no capability' | 'only URLs'

const capabilitiesOf = (answer: Answer | Silence): McpInitializeOptions['capabilities'] =>
  answer === 'no capability' ? {} : { elicitation: answer === 'only URLs' ? { url: {} } : {} }

/** Content with a wrong type in each field of a schema; empty if the schema has no fields. */
export const contentAgainst = (schema: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {})
      // A value that is neither a string nor a number, a boolean or a list.
      .map(([name]) => [name, { touchstone: 'invalid' }]),
  )

/**
 * A call of the tool in `tools.elicit`, which asks the user for input, and the requests that the
 * server sent to the client.
 */
export interface ElicitingCall {
  readonly exchange: McpExchange
  readonly elicitations: readonly McpServerRequest[]
  /** The version of MCP in the session. */
  readonly version: unknown
}

/**
 * Calls the eliciting tool on each transport, and responds to its elicitation requests with
 * `answer`. The calls with one answer are made once per run, and all checks share them.
 */
export const callElicitingTool = (
  world: ToolsWorld,
  answer: Answer | Silence,
): Promise<readonly ElicitingCall[]> =>
  world.shared(`elicitation: ${answer}`, (common) =>
    common.onEachTransport((session) => callOnTransport(common, session, answer)),
  )

async function callOnTransport(
  world: ToolsWorld,
  { transport }: Session,
  answer: Answer | Silence,
  prepare: (session: Session) => Session = (session) => session,
): Promise<ElicitingCall> {
  const { tool, arguments: args, content } = world.target.elicit!
  const elicitations: McpServerRequest[] = []
  const onRequest = ({ method, params, ...request }: McpServerRequest): McpReply | undefined => {
    if (method !== 'elicitation/create') return undefined
    elicitations.push({ method, params, ...request })
    switch (answer) {
      case 'no capability':
      case 'only URLs':
        return undefined
      case 'accept':
        return { result: { action: answer, content } }
      case 'invalid content':
        return { result: { action: 'accept', content: contentAgainst(params['requestedSchema']) } }
      default:
        return { result: { action: answer } }
    }
  }
  const session = await world.openSession(transport, {
    onRequest,
    capabilities: capabilitiesOf(answer),
  })
  // Another client has the capability, so that a server that does not separate its clients fails.
  if (answer === 'no capability' && transport !== 'stdio')
    await world.openSession(transport, { capabilities: { elicitation: {} } })
  // Opens the stream of the session, because the server may send its request on this stream or on
  // the stream of the call.
  if (transport === 'http') await session.connection.listen()
  const exchange = await prepare(session).call(tool, args)
  await session.connection.close()
  return { exchange, elicitations, version: session.handshake.result?.['protocolVersion'] }
}

/** The fields that change in the results of other tools, by the response of the client. */
type ChangesByAnswer = Readonly<Record<Answer, readonly string[]>>

/**
 * Returns the fields that change in the results of other tools when the client declines, cancels,
 * responds with invalid content, and accepts, in this order. Ends the check if no tool shows a
 * change after the user accepts.
 */
export const changesByAnswer = (world: ToolsWorld): Promise<ChangesByAnswer> =>
  world.shared('changes by elicitation', async (common) => {
    const observers = await findObservers(common, common.target.elicit!)
    if (observers.length === 0)
      throw new NotCovered<ToolsNeed>('no tool that only reads shows what the call changes', [
        'tools.search',
        'tools.calls',
      ])
    let found: ChangesByAnswer | undefined
    await common.onOneTransport(async (session) => {
      found = await common.withExclusiveUpstream(session, async (alone) => {
        const changesBy = async (answer: Answer) =>
          (await changesDuring(
            common,
            alone,
            observers,
            () => callOnTransport(common, alone, answer, common.withoutLock),
            { ignoresTimes: true },
          )) ?? []
        const [decline, cancel] = [await changesBy('decline'), await changesBy('cancel')]
        const invalid = await changesBy('invalid content')
        return { decline, cancel, 'invalid content': invalid, accept: await changesBy('accept') }
      })
    })
    if (found === undefined || found.accept.length === 0)
      throw new NotApplicable('no tool that only reads shows a change after the user accepts')
    return found
  })

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
  const version = session.handshake.result?.['protocolVersion']
  return { exchange, elicitations: received, version }
}

/**
 * Returns the calls during which the server sent an elicitation request. Ends the check as not
 * applicable if there are none, because the protocol does not require a server to send any.
 */
export async function requireElicitations(
  world: ToolsWorld,
  answer: Answer,
): Promise<readonly ElicitingCall[]> {
  const calls = (await callElicitingTool(world, answer)).filter(
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

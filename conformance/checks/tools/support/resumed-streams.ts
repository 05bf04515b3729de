import { NotApplicable } from '../../../engine/index.ts'
import type { McpConnection, McpExchange, McpReceived } from '../../../wire/index.ts'
import type { NamedCall } from './named-calls.ts'
import { maxDelay } from './plain-calls.ts'
import { harmlessCalls } from './progress-messages.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** A stream that was resumed, and the messages on it that belong to other streams. */
export interface ResumedStream {
  readonly exchange: McpExchange
  readonly foreign: readonly McpReceived[]
}

/** The ids of events before and after a stream was resumed. */
export interface ResumedEvents {
  readonly exchange: McpExchange
  /** The ids of all events of the session, by stream. */
  readonly all: readonly (readonly string[])[]
  /** The ids of the events of the stream that was resumed after the first of them. */
  readonly stream: readonly string[]
  /** The ids of the events of that stream which the resumed stream contains. */
  readonly again: readonly string[]
}

/** The streams that were resumed in the session that received the events, and in another one. */
export interface ResumedStreams {
  readonly inSession: ResumedStream
  /** Undefined if the server has no sessions. */
  readonly elsewhere: ResumedStream | undefined
  readonly events: ResumedEvents
}

/** The call of an unknown tool changes nothing, and has a response. */
const unknownCall: NamedCall = { tool: 'touchstone_nothing', arguments: {} }
/** How many calls are made, each with a separate stream. */
const maxCalls = 6

/**
 * Makes a call whose id and progress token occur in no other message. Returns the ids of the events
 * on its stream.
 */
async function callWithMark(session: Session, { tool, arguments: args }: NamedCall) {
  const mark = `touchstone-resumed-${crypto.randomUUID()}`
  const exchange = await session.call(tool, args, { id: mark, meta: { progressToken: mark } })
  const eventIds = [...session.connection.received, ...exchange.responses].flatMap((message) =>
    message.exchange === exchange.number && message.eventId !== undefined ? [message.eventId] : [],
  )
  return { mark, eventIds }
}

/**
 * Opens a stream that begins after an event. Uses a separate connection, because messages that are
 * sent again on the stream are not second responses.
 */
async function resume(
  world: ToolsWorld,
  { connection: { sessionId, protocolVersion } }: Session,
  lastEventId: string,
): Promise<{ exchange: McpExchange | undefined; messages: readonly McpReceived[] }> {
  const connection: McpConnection = await world.connect('http')
  Object.assign(connection, { sessionId, protocolVersion })
  const exchange = await world.runThroughGate(() => connection.listen({ lastEventId }))
  if (exchange?.httpStatus === 200) await connection.until(() => false, maxDelay)
  // Otherwise, closing the connection would end the session.
  connection.sessionId = undefined
  return { exchange, messages: [...connection.received, ...connection.unmatchedResponses] }
}

/** The streams of the session that were resumed once for all checks. */
export const resumedStreams = (world: ToolsWorld): Promise<ResumedStreams> =>
  world.shared('resumed streams', resumeStreams)

/**
 * Makes some calls that change nothing. Resumes the stream with the most events after its first
 * one, in its session and in another session. Throws `NotApplicable` if events have no ids.
 */
async function resumeStreams(world: ToolsWorld): Promise<ResumedStreams> {
  const session = await world.openSession('http')
  const harmless = harmlessCalls(world, session).slice(0, maxCalls)
  const made: Awaited<ReturnType<typeof callWithMark>>[] = []
  for (const call of harmless.length > 0 ? harmless : [unknownCall])
    made.push(await callWithMark(session, call))
  // At least two streams, even if there is only one call.
  made.push(await callWithMark(session, harmless[0] ?? unknownCall))
  const [longest] = made.toSorted((one, next) => next.eventIds.length - one.eventIds.length)
  const [eventId] = longest!.eventIds
  if (eventId === undefined)
    throw new NotApplicable('the events of the server have no ids, so no stream can be resumed')
  const own = await resume(world, session, eventId)
  if (own.exchange === undefined) throw new NotApplicable('no stream can be resumed')
  const marks = made.filter((one) => one !== longest).map(({ mark }) => mark)
  const contains = (message: McpReceived, mark: string) =>
    JSON.stringify(message.message).includes(mark)
  return {
    inSession: {
      exchange: own.exchange,
      foreign: own.messages.filter((one) => marks.some((mark) => contains(one, mark))),
    },
    elsewhere: await resumeElsewhere(world, session, eventId),
    events: {
      exchange: own.exchange,
      all: made.map(({ eventIds }) => eventIds),
      stream: longest!.eventIds,
      again: own.messages.flatMap(({ eventId: id }) =>
        id !== undefined && longest!.eventIds.includes(id) ? [id] : [],
      ),
    },
  }
}

/** Resumes a stream in another session, which has made no call. */
async function resumeElsewhere(
  world: ToolsWorld,
  { connection }: Session,
  eventId: string,
): Promise<ResumedStream | undefined> {
  if (connection.sessionId === undefined) return undefined
  const other = await world.openSession('http')
  const { exchange, messages } = await resume(world, other, eventId)
  if (exchange === undefined) return undefined
  // The only response of the other session is that to its handshake.
  const foreign = messages.filter(
    ({ kind, json }) =>
      json['method'] === 'notifications/progress' ||
      (kind === 'response' && json['id'] !== null && json['id'] !== other.handshake.id),
  )
  return { exchange, foreign }
}

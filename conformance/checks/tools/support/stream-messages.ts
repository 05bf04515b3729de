import { isDeepStrictEqual } from 'node:util'
import { NotApplicable } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { maxDelay } from './plain-calls.ts'
import { harmlessCalls } from './progress-messages.ts'
import type { ToolsWorld } from './world.ts'

/** A call over streamable HTTP, and the messages that arrived on each stream of its session. */
export interface CallWithStreams {
  readonly exchange: McpExchange
  readonly received: readonly McpReceived[]
}

/**
 * Opens the event stream of a session, and makes the calls that change nothing, one at a time.
 * Returns those during which the server sent notifications or requests. Throws `NotApplicable` if
 * the server has no event streams, or sent no such messages.
 */
export async function callWithOpenStream(world: ToolsWorld): Promise<readonly CallWithStreams[]> {
  const { elicit } = world.target
  const session = await world.openSession('http', {
    onRequest: ({ method }) =>
      method === 'elicitation/create' ? { result: { action: 'decline' } } : undefined,
    ...(elicit === undefined ? {} : { capabilities: { elicitation: {} } }),
  })
  const { connection } = session
  const stream = await world.runThroughGate(() => connection.listen())
  if (stream?.httpStatus !== 200) throw new NotApplicable('the server opens no event streams')
  // When the ping has its response, the server has opened the stream.
  await session.request('ping')
  if (session.declares('logging')) await session.request('logging/setLevel', { level: 'debug' })
  const made: { exchange: McpExchange; from: number }[] = []
  for (const [index, { tool, arguments: args }] of [
    ...harmlessCalls(world, session),
    ...(elicit === undefined ? [] : [elicit]),
  ].entries()) {
    const from = connection.received.length
    const meta = { progressToken: `touchstone-stream-${index}` }
    made.push({ from, exchange: await session.call(tool, args, { meta }) })
  }
  await connection.until(() => false, maxDelay)
  const calls = made
    .map(({ exchange, from }, index) => ({
      exchange,
      received: connection.received.slice(from, made[index + 1]?.from),
    }))
    .filter(({ received }) => received.length > 0)
  if (calls.length === 0) throw new NotApplicable('the server sends only responses')
  return calls
}

/** The messages of the event stream that also arrived on the stream of a response. */
export const messagesOnTwoStreams = (received: readonly McpReceived[]): McpReceived[] =>
  received.filter(
    ({ stream, json }) =>
      stream === 'get' &&
      received.some((other) => other.stream === 'post' && isDeepStrictEqual(other.json, json)),
  )

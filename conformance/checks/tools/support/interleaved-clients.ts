import { RateLimited, type Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** How many requests each of two clients sends without waiting for responses. */
const requestsPerClient = 25
/**
 * How many requests are in progress at the same time, at most. Over streamable HTTP, each may open
 * a connection, and a server may refuse connections beyond a small backlog, such as five.
 */
const maxInProgress = 4

/** The exchanges of a client, and the marker that only this client sends. */
export interface InterleavedClient {
  readonly marker: string
  readonly exchanges: readonly McpExchange[]
  readonly unmatchedResponses: McpConnection['unmatchedResponses']
}

/**
 * Builds a request of a client: tools/list, or a call of an unknown tool whose name contains the
 * client's marker. Half of the ids are numbers without the marker, which both clients use.
 */
function requestAt(
  marker: string,
  at: number,
): { method: string; params: Readonly<Record<string, unknown>>; id: number | string } {
  const id = at % 4 < 2 ? 1000 + at : `${marker}-${at}`
  return at % 2 === 0
    ? { method: 'tools/call', params: { name: `${marker}_nothing_${at}`, arguments: {} }, id }
    : { method: 'tools/list', params: {}, id }
}

/**
 * Sends requests of two clients alternately, as many at the same time as `maxInProgress` and the
 * gate (the limit on concurrent requests) permit, but at least two.
 */
export async function sendInterleaved(
  { runConcurrently }: Pick<ToolsWorld, 'runConcurrently'>,
  sessions: readonly Session[],
): Promise<InterleavedClient[]> {
  const markers = sessions.map(() => `touchstone${crypto.randomUUID().slice(0, 8)}`)
  const turns = Array.from({ length: requestsPerClient }, (_, at) => at)
  const sent = turns.flatMap((at) =>
    sessions.map(({ connection }, index) => () => {
      const { method, params, id } = requestAt(markers[index]!, at)
      return connection.request(method, params, { id, operation: `${method} interleaved` })
    }),
  )
  const done: McpExchange[] = []
  for (let at = 0; at < sent.length; at += maxInProgress)
    done.push(...(await runConcurrently(sent.slice(at, at + maxInProgress))))
  return sessions.map(({ connection }, index) => ({
    marker: markers[index]!,
    exchanges: done.filter((_, at) => at % sessions.length === index),
    unmatchedResponses: connection.unmatchedResponses,
  }))
}

/** Describes each response that belongs to another request, or to a request of the other client. */
export function findMixedResponses(clients: readonly InterleavedClient[]): string[] {
  return clients.flatMap(({ marker, exchanges, unmatchedResponses }) => {
    const others = clients.map((client) => client.marker).filter((one) => one !== marker)
    const wrong = exchanges.flatMap(({ id, sent, responses }) => {
      const isList = sent.text?.includes('"tools/list"') === true
      return responses.flatMap(({ json }) => {
        const content = JSON.stringify(json)
        if (others.some((other) => content.includes(other)))
          return [`the response to ${String(id)} contains the name that another client sent`]
        if (!isList && isToolList(json['result']))
          return [`${String(id)} called a tool, and its response is a list`]
        return isList && content.includes(`${marker}_nothing`)
          ? [`${String(id)} requested a list, and its response is about a call`]
          : []
      })
    })
    const own = new Set(exchanges.map(({ id }) => id))
    // A second response to a request of the same client is covered by TOOL-MCP-05.
    const foreign = unmatchedResponses.filter(({ json }) => !own.has(json['id'] as string))
    return [
      ...wrong,
      ...foreign.map(
        ({ json }) =>
          `a response has the id ${JSON.stringify(json['id']) ?? '(missing)'}, which this client did not send`,
      ),
    ]
  })
}

const isToolList = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  Array.isArray((result as { tools?: unknown }).tools)

const separateResponses: Expectation<readonly string[]> = {
  name: 'sends each client only its own responses',
  expected: 'on each connection, only responses to its own requests',
  test: (found) => found.length === 0,
  received: (found) => found.slice(0, 3).join('; '),
}

const allAnswered: Expectation<readonly McpExchange[]> = {
  name: 'answers all requests of both clients',
  expected: 'a response to each request',
  test: (silent) => silent.length === 0,
  received: (silent) =>
    `requests without a response: ${silent.length}; the first one: ${silent[0]?.summary}`,
}

export async function expectSeparateResponses(
  world: ToolsWorld,
  first: Session,
  second: Session,
): Promise<void> {
  const clients = await sendInterleaved(world, [first, second])
  const unanswered = clients.flatMap(({ exchanges }) =>
    exchanges.filter(({ response }) => response === undefined),
  )
  const limited = unanswered.find(({ httpStatus }) => httpStatus === 429)
  if (limited !== undefined) throw new RateLimited('tools/call')
  world.expectValue(findMixedResponses(clients), separateResponses)
  // Half of the requests call unknown tools. A process that ends in such a call ends with one
  // client too.
  const ended = unanswered[0]
  if (ended !== undefined && [first, second].some(({ connection }) => connection.hasEndedInMessage))
    await world.requireMet('TOOL-CALL-06', ended.summary)
  for (const exchange of unanswered) world.requireReadable(exchange)
  world.expectValue(unanswered, allAnswered)
}

export const openTwoSessions = async (
  { openSession }: ToolsWorld,
  transport: Session['transport'],
): Promise<[Session, Session]> => Promise.all([openSession(transport), openSession(transport)])

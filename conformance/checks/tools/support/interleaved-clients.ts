import { Blocked, type Expectation } from '../../../engine/index.ts'
import type { McpConnection, McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** How many requests each of two clients has under way. */
const requestsPerClient = 25

/** A client, the word that only it sends, and what came of its requests. */
export interface InterleavedClient {
  readonly marker: string
  readonly exchanges: readonly McpExchange[]
  readonly strays: McpConnection['strays']
}

/** What a client asks for: lists, and tools that there are not, whose names have its word in them. Half of the ids are those of the other client, too. */
function requestAt(
  word: string,
  at: number,
): { method: string; params: Readonly<Record<string, unknown>>; id: number | string } {
  const id = at % 4 < 2 ? 1000 + at : `${word}-${at}`
  return at % 2 === 0
    ? { method: 'tools/call', params: { name: `${word}_nothing_${at}`, arguments: {} }, id }
    : { method: 'tools/list', params: {}, id }
}

/** Two clients ask by turns, without waiting for answers. */
export async function sendInterleaved(
  { runThroughGate }: Pick<ToolsWorld, 'runThroughGate'>,
  sessions: readonly Session[],
): Promise<InterleavedClient[]> {
  const words = sessions.map(() => `touchstone${crypto.randomUUID().slice(0, 8)}`)
  const turns = Array.from({ length: requestsPerClient }, (_, at) => at)
  const sent = turns.map((at) =>
    sessions.map(({ connection }, index) => () => {
      const { method, params, id } = requestAt(words[index]!, at)
      return connection.request(method, params, { id, operation: `${method} by turns` })
    }),
  )
  const done = await runThroughGate(() =>
    Promise.all(sent.map((turn) => Promise.all(turn.map((send) => send())))),
  )
  return sessions.map(({ connection }, index) => ({
    marker: words[index]!,
    exchanges: done.map((turn) => turn[index]!),
    strays: connection.strays,
  }))
}

/** What shows that clients got each other's answers, in words. */
export function findMixedResponses(clients: readonly InterleavedClient[]): string[] {
  return clients.flatMap(({ marker, exchanges, strays }) => {
    const others = clients.map((client) => client.marker).filter((one) => one !== marker)
    const wrong = exchanges.flatMap(({ id, sent, responses }) => {
      const isList = sent.text?.includes('"tools/list"') === true
      return responses.flatMap(({ json }) => {
        const text = JSON.stringify(json)
        if (others.some((other) => text.includes(other)))
          return [`the answer to ${String(id)} tells the name that another client asked with`]
        if (!isList && isToolList(json['result']))
          return [`${String(id)} called a tool, and its answer is a list`]
        return isList && text.includes(`${marker}_nothing`)
          ? [`${String(id)} asked for a list, and its answer is about a call`]
          : []
      })
    })
    const own = new Set(exchanges.map(({ id }) => id))
    // A second answer to what a client asked itself is another row's affair.
    const foreign = strays.filter(({ json }) => !own.has(json['id'] as string))
    return [
      ...wrong,
      ...foreign.map(
        ({ json }) =>
          `a response came with the id ${JSON.stringify(json['id']) ?? 'missing'}, for which this client did not wait`,
      ),
    ]
  })
}

const isToolList = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  Array.isArray((result as { tools?: unknown }).tools)

const separateResponses: Expectation<readonly string[]> = {
  name: 'gives each client its own answers',
  expected: 'answers to what the client itself asked',
  test: (found) => found.length === 0,
  received: (found) => found.slice(0, 3).join('; '),
}

const allAnswered: Expectation<readonly McpExchange[]> = {
  name: 'answers all of both',
  expected: 'a response to each request',
  test: (silent) => silent.length === 0,
  received: (silent) => `${silent.length} have none; ${silent[0]?.summary}`,
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
  if (limited !== undefined) throw new Blocked('TOOL-RATE-01', limited.summary, 'rate-limited')
  world.expectOf(findMixedResponses(clients), separateResponses)
  world.expectOf(unanswered, allAnswered)
}

export const openTwoSessions = async (
  { openSession }: ToolsWorld,
  transport: Session['transport'],
): Promise<[Session, Session]> => Promise.all([openSession(transport), openSession(transport)])

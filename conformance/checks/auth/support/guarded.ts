import type { HttpExchange, HttpRequest, McpExchange } from '../../../wire/index.ts'
import type { ToolsTarget } from '../../tools/target.ts'
import type { ToolsHarness } from '../../tools/support/harness.ts'
import { httpPlaces, ssePlaces, type HttpSession, type ProtectedPlace } from './places.ts'

/** A place, and what it answers to a good token: a place that serves nobody proves nothing about tokens. */
export interface Guarded {
  readonly place: ProtectedPlace
  readonly answer: HttpExchange
}

/** Whether a transport is first asked for there. */
export const isEntrance = ({ place: { method, inSession, transport } }: Guarded): boolean =>
  !inSession && (transport === 'sse' || method === 'POST')

interface Options {
  access: ToolsTarget
  place: ToolsHarness
  /** A good one; undefined where none is asked for. */
  token: string | undefined
  send(request: HttpRequest): Promise<HttpExchange>
  note(exchange: McpExchange): McpExchange
}

/**
 * All places of both HTTP transports. Sessions are opened by a good token and stay open; what a good token does to one (ending it, opening its only stream) is
 * tried in another session.
 */
export async function guardedPlaces({
  access: { http, sse },
  place: { client },
  token,
  send,
  note,
}: Options): Promise<Guarded[]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const session = async (): Promise<HttpSession | undefined> => {
    const connection = await client.connect('http', { headers })
    note(await connection.initialize())
    return connection.sessionId === undefined
      ? undefined
      : { id: connection.sessionId, protocolVersion: connection.protocolVersion }
  }
  const endpoint = async () => (await client.connect('sse', { headers })).endpoint
  const [kept, spent, told] = await Promise.all([
    http === undefined ? undefined : session(),
    http === undefined ? undefined : session(),
    sse === undefined ? undefined : endpoint(),
  ])
  const places = (given: HttpSession | undefined) => [
    ...(http === undefined ? [] : httpPlaces(http, given)),
    ...(sse === undefined ? [] : ssePlaces(sse, told)),
  ]
  const tried = places(spent)
  const answers: Guarded[] = []
  // In turn, since the last of a session ends it.
  for (const [index, place] of places(kept).entries()) {
    answers.push({
      place,
      answer: await send(
        tried[index]!.request(token === undefined ? undefined : `Bearer ${token}`),
      ),
    })
  }
  return answers
}

import type { HttpExchange, HttpRequest, McpExchange } from '../../../wire/index.ts'
import type { ToolsTarget } from '../../tools/target.ts'
import type { ToolsHarness } from '../../tools/support/harness.ts'
import {
  httpEndpoints,
  sseEndpoints,
  type HttpSession,
  type ProtectedEndpoint,
} from './protected-endpoints.ts'

/**
 * A protected endpoint, and its response to a valid token. If it refuses that token, its refusals
 * of other tokens prove nothing.
 */
export interface ProbedEndpoint {
  readonly endpoint: ProtectedEndpoint
  readonly exchange: HttpExchange
}

/** Whether the endpoint receives the first request of a client, which has no session yet. */
export const isEntryPoint = ({
  endpoint: { method, inSession, isFurther, transport },
}: ProbedEndpoint): boolean =>
  !inSession && !isFurther && (transport === 'sse' || method === 'POST')

interface Options {
  target: ToolsTarget
  harness: ToolsHarness
  /** A valid token; undefined if the server requires none. */
  token: string | undefined
  send(request: HttpRequest): Promise<HttpExchange>
  record(exchange: McpExchange): McpExchange
  /** Runs `work` when the gate (the limit on concurrent requests) permits it. */
  runThroughGate<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Sends a valid token to all endpoints of both HTTP transports. Uses a separate session, because
 * these requests may end it or open its only stream. The returned endpoints belong to another
 * session, which stays open.
 */
export async function probeAllEndpoints({
  target: { http, sse },
  harness: { client },
  token,
  send,
  record,
  runThroughGate,
}: Options): Promise<ProbedEndpoint[]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const openSession = async (): Promise<HttpSession | undefined> => {
    const connection = await client.connect('http', { headers })
    record(await connection.initialize())
    return connection.sessionId === undefined
      ? undefined
      : { id: connection.sessionId, protocolVersion: connection.protocolVersion }
  }
  const openSse = async () => (await client.connect('sse', { headers })).endpoint
  const [openedSession, probeSession, messageEndpoint] = await Promise.all([
    http === undefined ? undefined : runThroughGate(openSession),
    http === undefined ? undefined : runThroughGate(openSession),
    sse === undefined ? undefined : runThroughGate(openSse),
  ])
  const endpointsOf = (session: HttpSession | undefined) => [
    ...(http === undefined ? [] : httpEndpoints(http, session)),
    ...(sse === undefined ? [] : sseEndpoints(sse, messageEndpoint)),
  ]
  // A broken server may start a session for only one of the two.
  const hasSessions = openedSession !== undefined && probeSession !== undefined
  const probes = endpointsOf(hasSessions ? probeSession : undefined)
  const probed: ProbedEndpoint[] = []
  // Sends one request at a time, because the last request ends the session.
  for (const [index, endpoint] of endpointsOf(hasSessions ? openedSession : undefined).entries()) {
    probed.push({
      endpoint,
      exchange: await send(
        probes[index]!.request(token === undefined ? undefined : `Bearer ${token}`),
      ),
    })
  }
  return probed
}

import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../http/body.ts'
import { note } from '../../serving/notes.ts'
import { Refusal } from '../http/reply.ts'
import { mayUseSession, ownerOf } from './auth/guard.ts'
import type { ToolsContext, RequestHandler, ToolsSession } from './call.ts'
import type { ToolsChoices } from './choices.ts'
import { connect } from './connect.ts'
import { jsonBody } from './json-body.ts'
import { describeCalls, isRequest, type JsonRpc } from './protocol.ts'
import { PendingCalls } from './pending-calls.ts'
import { receiveMessages } from './intercept-messages.ts'

interface OpenSession {
  session: ToolsSession
  transport: StreamableHTTPServerTransport
  calls: PendingCalls<IncomingMessage>
}

/**
 * Serves streamable HTTP. The SDK's transport handles the streams; this code finds the session of a
 * request.
 */
export function newStreamableEndpoint(context: ToolsContext): RequestHandler {
  const { choices, rules, sessions } = context
  const opened = new WeakMap<ToolsSession, OpenSession>()

  const openSession = async (): Promise<OpenSession> => {
    const transport = new StreamableHTTPServerTransport({
      ...(choices.sessions ? { sessionIdGenerator: () => newId(choices.sessionIds) } : {}),
      enableJsonResponse: choices.framing === 'json',
      onsessioninitialized: (id) => {
        session.id = id
        sessions.set(id, session)
        const [oldest] = sessions.values()
        if (sessions.size > rules.maxSessions) void oldest?.close()
      },
    })
    transport.onclose = () => sessions.delete(transport.sessionId ?? '')
    const calls = new PendingCalls<IncomingMessage>(context, note)
    calls.watch(transport as Transport)
    const session = await connect(context, 'http', transport as Transport)
    const open = { session, transport, calls }
    opened.set(session, open)
    return open
  }

  /** Returns the session of a request, and marks it as the most recently used. */
  const requireSession = (request: IncomingMessage): OpenSession => {
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string') {
      note(request, { requirement: 'TOOL-HTTP-07' })
      throw new Refusal(400, 'Bad Request: the header Mcp-Session-Id is missing', -32000)
    }
    const session = sessions.get(id)
    const open = session === undefined ? undefined : opened.get(session)
    if (session === undefined || open === undefined || !mayUseSession(request, session, choices)) {
      note(request, { requirement: 'TOOL-HTTP-06' })
      throw new Refusal(404, 'Session not found', -32001)
    }
    sessions.delete(id)
    sessions.set(id, session)
    return open
  }

  const post = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await jsonBody(request, context)
    const received = (Array.isArray(body) ? body : [body]) as JsonRpc[]
    if (!received.every(isObject))
      throw new Refusal(400, 'Invalid Request: this is not a JSON-RPC message', -32600)
    note(request, { call: describeCalls(received) })
    const id = request.headers['mcp-session-id']
    const messages = receiveMessages(
      received,
      context,
      'http',
      typeof id === 'string' ? id : undefined,
    )
    const isNew =
      !choices.sessions || (id === undefined && isObject(body) && body['method'] === 'initialize')
    const open = isNew ? undefined : requireSession(request)
    if (messages.length === 0 && received.length > 0) {
      // The client of a dropped request waits for its response, as on other transports.
      if (!received.some(isRequest)) response.writeHead(202).end()
      return
    }
    const { session, transport, calls } = open ?? (await openSession())
    calls.add(messages, request)
    response.once('close', () => calls.remove(request))
    if (isNew) session.owner = ownerOf(request)
    // Closes the session after the response if no further request can follow: the server has no
    // sessions, or initialize was refused.
    if (isNew)
      response.once('close', () => {
        if (session.id === undefined) void session.close()
      })
    await transport.handleRequest(
      request,
      response,
      Array.isArray(body) || messages.length > 1 ? messages : messages[0],
    )
  }

  return async (request, response) => {
    noteUnknownVersion(request, response)
    refuseUnsupportedVersion(request, choices)
    if (request.method === 'POST') return post(request, response)
    const isServed =
      choices.sessions &&
      ((request.method === 'GET' && choices.getStream) ||
        (request.method === 'DELETE' && choices.deleteSessions))
    if (!isServed) throw new Refusal(405, 'Method not allowed', -32000)
    const { session, transport } = requireSession(request)
    if (request.method === 'GET') {
      session.openStreams += 1
      response.once('close', () => {
        session.openStreams -= 1
      })
    }
    await transport.handleRequest(request, response)
  }
}

/** Notes the requirement if the SDK refuses a request because of its protocol version. */
function noteUnknownVersion(request: IncomingMessage, response: ServerResponse): void {
  const version = request.headers['mcp-protocol-version']
  if (typeof version !== 'string' || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return
  response.once('finish', () => {
    if (response.statusCode === 400) note(request, { requirement: 'TOOL-HTTP-08' })
  })
}

/** Refuses a version that the SDK supports, but this server does not. */
function refuseUnsupportedVersion(request: IncomingMessage, { versions }: ToolsChoices): void {
  const version = request.headers['mcp-protocol-version']
  if (typeof version !== 'string' || versions.includes(version)) return
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return
  note(request, { requirement: 'TOOL-HTTP-08' })
  throw new Refusal(400, `Bad Request: the protocol version ${version} is not supported`, -32000)
}

let sessionCount = 0

function newId(form: ToolsChoices['sessionIds']): string {
  sessionCount += 1
  return {
    uuid: () => randomUUID() as string,
    hex: () => randomBytes(32).toString('hex'),
    short: () => `${randomBytes(9).toString('base64url')}.${sessionCount}`,
  }[form]()
}

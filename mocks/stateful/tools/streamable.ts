import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isObject } from '../http/body.ts'
import { Refusal } from '../http/reply.ts'
import { mayUse, ownerOf } from './auth/guard.ts'
import type { ToolsContext, Serve, ToolsSession } from './call.ts'
import type { ToolsChoices } from './choices.ts'
import { connect } from './connect.ts'
import { jsonBody } from './json-body.ts'
import { isRequest, type JsonRpc } from './protocol.ts'
import { takenIn } from './tap.ts'

interface Open {
  session: ToolsSession
  transport: StreamableHTTPServerTransport
}

/** Serves streamable HTTP. The SDK's transport does the streams; which session a request belongs to is decided here. */
export function newStreamableDoor(context: ToolsContext): Serve {
  const { choices, rules, sessions } = context
  const transports = new WeakMap<ToolsSession, StreamableHTTPServerTransport>()

  const begin = async (): Promise<Open> => {
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
    const session = await connect(context, 'http', transport as Transport)
    transports.set(session, transport)
    return { session, transport }
  }

  /** The session that a request names, as the one that was used last. */
  const named = (request: IncomingMessage): Open => {
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string')
      throw new Refusal(400, 'Bad Request: the header Mcp-Session-Id is missing', -32000)
    const session = sessions.get(id)
    const transport = session === undefined ? undefined : transports.get(session)
    if (session === undefined || transport === undefined || !mayUse(request, session, choices))
      throw new Refusal(404, 'Session not found', -32001)
    sessions.delete(id)
    sessions.set(id, session)
    return { session, transport }
  }

  const post = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await jsonBody(request, context)
    const given = (Array.isArray(body) ? body : [body]) as JsonRpc[]
    if (!given.every(isObject))
      throw new Refusal(400, 'Invalid Request: this is no message of JSON-RPC', -32600)
    const id = request.headers['mcp-session-id']
    const taken = takenIn(given, context, 'http', typeof id === 'string' ? id : undefined)
    const isNew =
      !choices.sessions || (id === undefined && isObject(body) && body['method'] === 'initialize')
    const open = isNew ? undefined : named(request)
    if (taken.length === 0 && given.length > 0) {
      // Who lost a request waits for its answer, as on any other transport.
      if (!given.some(isRequest)) response.writeHead(202).end()
      return
    }
    const { session, transport } = open ?? (await begin())
    if (isNew) session.owner = ownerOf(request)
    // Without sessions, and where initialize was refused, nobody can come back.
    if (isNew)
      response.once('close', () => {
        if (session.id === undefined) void session.close()
      })
    await transport.handleRequest(
      request,
      response,
      Array.isArray(body) || taken.length > 1 ? taken : taken[0],
    )
  }

  return async (request, response) => {
    if (request.method === 'POST') return post(request, response)
    const isServed =
      choices.sessions &&
      ((request.method === 'GET' && choices.getStream) ||
        (request.method === 'DELETE' && choices.deletes))
    if (!isServed) throw new Refusal(405, 'Method not allowed', -32000)
    const { session, transport } = named(request)
    if (request.method === 'GET') {
      session.listening += 1
      response.once('close', () => {
        session.listening -= 1
      })
    }
    await transport.handleRequest(request, response)
  }
}

let counted = 0

function newId(form: ToolsChoices['sessionIds']): string {
  counted += 1
  return {
    uuid: () => randomUUID() as string,
    hex: () => randomBytes(32).toString('hex'),
    short: () => `${randomBytes(9).toString('base64url')}.${counted}`,
  }[form]()
}

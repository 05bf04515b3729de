import type { IncomingMessage } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { millisecondsSince, printable, type RequestListener } from '../../serving/log.ts'
import { note } from '../../serving/notes.ts'
import { Refusal } from '../http/reply.ts'
import { mayUseSession, ownerOf } from './auth/guard.ts'
import type { ToolsContext, RequestHandler } from './call.ts'
import { connect } from './connect.ts'
import { jsonBody } from './json-body.ts'
import { isObject } from '../http/body.ts'
import { PendingCalls, type CallFailure } from './pending-calls.ts'
import { describeCalls, type JsonRpc } from './protocol.ts'
import { receiveMessages } from './intercept-messages.ts'

/**
 * The transport HTTP+SSE of the first protocol revision: an event stream, and an endpoint for
 * messages, whose URL the stream announces. A session lasts as long as its stream.
 */
export function newSseEndpoint(
  context: ToolsContext,
  onRequest: RequestListener | undefined,
): {
  open: RequestHandler
  post: RequestHandler
} {
  const transports = new Map<string, SSEServerTransport>()
  const callsOf = new WeakMap<SSEServerTransport, PendingCalls<Posted>>()
  // The line of a posted message is logged before its response is sent.
  const logFailure = ({ at, began }: Posted, failure: CallFailure, call: JsonRpc) =>
    onRequest?.({
      at,
      server: 'tools',
      call: printable(describeCalls([call])),
      ms: millisecondsSince(began),
      ...failure,
      reason: printable(failure.reason),
    })
  return {
    async open(request, response) {
      if (request.method !== 'GET') throw new Refusal(405, 'Method not allowed', -32000)
      const transport = new SSEServerTransport('/messages', response)
      const id = transport.sessionId
      const calls = new PendingCalls(context, logFailure)
      calls.watch(transport)
      callsOf.set(transport, calls)
      transport.onclose = () => {
        transports.delete(id)
        context.sessions.delete(id)
      }
      transports.set(id, transport)
      const session = await connect(context, 'sse', transport)
      session.id = id
      session.owner = ownerOf(request)
      // The client may have disconnected during `connect`.
      if (transports.has(id)) context.sessions.set(id, session)
    },
    async post(request, response) {
      if (request.method !== 'POST') throw new Refusal(405, 'Method not allowed', -32000)
      const id = new URL(request.url ?? '/', 'http://shelf').searchParams.get('sessionId') ?? ''
      const transport = transports.get(id)
      const session = context.sessions.get(id)
      if (
        transport === undefined ||
        (session !== undefined && !mayUseSession(request, session, context.choices))
      )
        throw new Refusal(404, 'Session not found', -32001)
      if (!isJson(request))
        throw new Refusal(415, 'The content type must be application/json', -32000)
      const body = await jsonBody(request, context)
      if (!isObject(body))
        throw new Refusal(400, 'Invalid Request: this is not a JSON-RPC message', -32600)
      note(request, { call: describeCalls([body]) })
      const { auth } = request as IncomingMessage & { auth?: AuthInfo }
      const authInfo = auth === undefined ? {} : { authInfo: auth }
      const posted = { at: new Date().toISOString(), began: performance.now() }
      for (const message of receiveMessages([body], context, 'sse', id)) {
        callsOf.get(transport)?.add([message], posted)
        await transport.handleMessage(message, authInfo).catch(() => {
          throw new Refusal(400, 'Invalid Request: this is not a JSON-RPC message', -32600)
        })
      }
      response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted')
    },
  }
}

/** When a message was posted: as an ISO 8601 timestamp, and in milliseconds. */
interface Posted {
  at: string
  began: number
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')

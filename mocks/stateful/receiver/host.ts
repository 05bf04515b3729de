import type { Server } from 'node:http'
import { note } from '../../serving/notes.ts'
import { failureHeaders } from '../../serving/prefer.ts'
import { readBody } from '../http/body.ts'
import { Refusal, type Reply } from '../http/reply.ts'
import { newServer, type RequestContext } from '../http/server.ts'
import type { ReceiverMiddleware, ReceiverCall, ReceiverContext } from './call.ts'
import { receiveDelivery } from './receive.ts'

/** Creates the server of the receiver. It does not listen yet. */
export function newHost(server: ReceiverContext, around: ReceiverMiddleware | undefined): Server {
  const { options, choices } = server
  return newServer({
    routes: [
      {
        method: 'POST',
        path: options.path,
        handle: (c) => handleRequest(c, server, around),
        // The reason does not show whether the token is missing or wrong.
        requirementOf: (reason) => (reason === 'token-mismatch' ? 'EVT-RECEIVER-11' : undefined),
      },
      {
        method: 'GET',
        path: '/_touchstone/deliveries',
        handle: () => ({ status: 200, body: { deliveries: server.accepted.newestFirst() } }),
      },
      { method: 'ALL', path: options.path, handle: () => refuseMethod(server) },
    ],
    failureOf,
    notFoundReply: (method, path) => failure(404, `There is no operation ${method} ${path}`),
    form: choices,
    delayMs: options.delayMs,
  })
}

/**
 * Handles a request, inside the middleware if there is one. An error that the middleware throws
 * also becomes a failure.
 */
async function handleRequest(
  c: RequestContext,
  server: ReceiverContext,
  around: ReceiverMiddleware | undefined,
): Promise<Reply> {
  const call = callOf(c, server)
  const next = () => receiveDelivery(call).catch(failureOf)
  try {
    return await (around === undefined ? next() : around(call, next))
  } catch (error) {
    return failureOf(error)
  }
}

function callOf(c: RequestContext, server: ReceiverContext): ReceiverCall {
  const { incoming } = c.env
  note(incoming, { event: incoming.headers['x-hook-event']?.toString() })
  let read: Promise<Buffer> | undefined
  return {
    operation: 'receiveDelivery',
    method: incoming.method ?? 'POST',
    path: c.req.path,
    headers: incoming.headers as Record<string, string | undefined>,
    server,
    request: incoming,
    bytes() {
      return (read ??= readBody(incoming, this.server.rules.maxBodyBytes))
    },
  }
}

function refuseMethod({ choices, rules }: ReceiverContext): Reply {
  const status = choices.otherMethodStatus
  const allowed = status === 405 ? rules.allowedMethods() : undefined
  return {
    ...failure(status, status === 405 ? 'Deliveries must use POST' : 'Not found'),
    ...(allowed === undefined ? {} : { headers: { Allow: allowed } }),
  }
}

function failureOf(error: unknown): Reply {
  if (error instanceof Refusal) return failure(error.status, error.message, error.reason)
  return failure(
    500,
    `Internal server error: ${error instanceof Error ? error.message : String(error)}`,
  )
}

function failure(status: number, error: string, reason?: string): Reply {
  return { status, reason, headers: failureHeaders(status), body: { error } }
}

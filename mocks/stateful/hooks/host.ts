import type { Server } from 'node:http'
import { newServer, type RequestContext, type Route } from '../http/server.ts'
import type { Reply } from '../http/reply.ts'
import { failure, failureOf, forcedFailure, refusalOfToken } from './replies.ts'
import type {
  HooksMiddleware,
  HooksCall,
  HooksContext,
  HooksHandler,
  HooksOperation,
} from './call.ts'
import { eventsRoute } from './events-route.ts'
import { readFields } from './fields.ts'
import {
  createHook,
  deleteHook,
  getHook,
  listHookEvents,
  listHooks,
  testHook,
} from './operations.ts'
import { requirementOf } from './refused.ts'
import { HooksRefusal } from './refusal.ts'

const handlers: Record<HooksOperation, HooksHandler> = {
  createHook,
  testHook,
  listHooks,
  getHook,
  deleteHook,
  listHookEvents,
}

const hooks = '/projects/:id/hooks'

/** The contract defines only the first two operations. The others make the mock easier to use. */
const routes: readonly { operation: HooksOperation; method: Route['method']; path: string }[] = [
  { operation: 'createHook', method: 'POST', path: hooks },
  { operation: 'testHook', method: 'POST', path: `${hooks}/:hook_id/test/:event` },
  { operation: 'listHooks', method: 'GET', path: hooks },
  { operation: 'getHook', method: 'GET', path: `${hooks}/:hook_id` },
  { operation: 'deleteHook', method: 'DELETE', path: `${hooks}/:hook_id` },
  { operation: 'listHookEvents', method: 'GET', path: `${hooks}/:hook_id/events` },
]

/** Creates the server of the API. It does not listen yet. */
export function newHost(server: HooksContext, around: HooksMiddleware | undefined): Server {
  const { choices, options } = server
  return newServer({
    routes: [
      ...routes.map(({ operation, method, path }): Route => ({
        method,
        path: options.basePath + path,
        handle: (c) => handleRequest(operation, c, server, around),
        requirementOf: (reason) => requirementOf(reason, operation),
      })),
      eventsRoute(server),
    ],
    failureOf: (error) => failureOf(choices, error),
    notFoundReply: (method, path) =>
      failure(choices, 404, `There is no operation ${method} ${path}`),
    form: choices,
    delayMs: options.delayMs,
  })
}

/**
 * Handles a request, inside the middleware if there is one. An error that the middleware throws
 * also becomes a failure.
 */
async function handleRequest(
  operation: HooksOperation,
  c: RequestContext,
  server: HooksContext,
  around: HooksMiddleware | undefined,
): Promise<Reply> {
  const call = callOf(operation, c, server)
  if (around === undefined) return handleCall(call)
  try {
    return await around(call, () => handleCall(call))
  } catch (error) {
    return failureOf(server.choices, error)
  }
}

function callOf(operation: HooksOperation, c: RequestContext, server: HooksContext): HooksCall {
  const { incoming } = c.env
  const headers = incoming.headers as Record<string, string | undefined>
  let read: Promise<Record<string, unknown>> | undefined
  return {
    operation,
    headers,
    server,
    method: incoming.method ?? 'GET',
    path: c.req.path,
    params: c.req.param() as Record<string, string>,
    request: incoming,
    fields() {
      return (read ??= readFields(incoming, this.headers['content-type'], this.server))
    },
  }
}

/**
 * Handles a call: returns the failure that the client forces, if any. Otherwise it checks the token
 * and the project, and runs the operation.
 */
async function handleCall(call: HooksCall): Promise<Reply> {
  const { rules, options, choices } = call.server
  try {
    const forced = call.forced === undefined ? forcedFailure(call) : call.forced()
    if (forced !== undefined) return forced
    const refused = call.authorize === undefined ? refusalOfToken(call) : call.authorize()
    if (refused !== undefined) return refused
    const { project, otherProject } = options
    const isKnown = [project, otherProject].some((known) =>
      rules.isKnownProject(call.params['id'] ?? '', known),
    )
    if (!isKnown)
      throw new HooksRefusal('project-unknown', choices.missingStatus, 'There is no such project')
    return await handlers[call.operation](call)
  } catch (error) {
    return failureOf(choices, error)
  }
}

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as Exchange } from 'hono'
import { Hono } from 'hono/tiny'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import { defaultHostname, urlHostOf } from '../../serving/address.ts'
import { note } from '../../serving/notes.ts'
import { send, type CallerData } from './send.ts'
import type { ReplyForm, Reply } from './reply.ts'

type Bindings = { Bindings: HttpBindings }
export type RequestContext = Exchange<Bindings>

/** One route of a server. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ALL'
  /** A pattern in the syntax of the router, Hono. */
  path: string
  /** Whether a GET route also serves HEAD. */
  head?: boolean
  handle(call: RequestContext): Reply | Promise<Reply>
  /** Returns the requirement according to which a request is refused for a reason. */
  requirementOf?: (reason: string) => RequirementId | undefined
}

export interface ServerOptions {
  routes: readonly Route[]
  /** Turns any thrown error into a reply. */
  failureOf(error: unknown): Reply
  /** The reply if no route matches. */
  notFoundReply(method: string, path: string): Reply
  form: ReplyForm
  /** Fields to which the form does not apply. */
  callerData?: CallerData
  /** Milliseconds by which every response is delayed. */
  delayMs: number
}

/** Makes a server that does not listen yet. */
export function newServer({
  routes,
  failureOf,
  notFoundReply,
  form,
  callerData,
  delayMs,
}: ServerOptions): Server {
  // The router must see the undecoded path, because an encoded slash is not a separator.
  const app = new Hono<Bindings>({
    getPath: (_request, { env } = {}) => (env === undefined ? '/' : pathOf(env.incoming)),
  })
  const write = ({ env: { incoming, outgoing } }: RequestContext, reply: Reply): Response => {
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT
    try {
      send(incoming, outgoing, reply, form, callerData)
    } catch {
      // The reply cannot be written, for example because of a line break in a header.
      outgoing.destroy()
    }
    return RESPONSE_ALREADY_SENT
  }
  const deliver = (c: RequestContext, reply: Reply): Response | Promise<Response> =>
    delayMs > 0
      ? new Promise((resolve) => setTimeout(() => resolve(write(c, reply)), delayMs))
      : write(c, reply)
  const notFound = (c: RequestContext) =>
    deliver(c, notFoundReply(c.env.incoming.method ?? 'GET', c.req.path))
  const noteRequirement = ({ requirementOf }: Route, c: RequestContext, { reason }: Reply) => {
    if (reason === undefined || requirementOf === undefined) return
    note(c.env.incoming, { requirement: requirementOf(reason) })
  }
  for (const route of routes) {
    const respond = (c: RequestContext, reply: Reply) => {
      noteRequirement(route, c, reply)
      return deliver(c, reply)
    }
    const handle = (c: RequestContext): Response | Promise<Response> => {
      if (!matchesExactly(c, route)) return notFound(c)
      const reply = route.handle(c)
      // Synchronous replies are not awaited, because awaiting takes more time than many handlers
      // need.
      return reply instanceof Promise
        ? reply.then((resolved) => respond(c, resolved))
        : respond(c, reply)
    }
    if (route.method === 'ALL') app.all(route.path, handle)
    else app.on(route.method, route.path, handle)
  }
  app.notFound(notFound)
  app.onError((error, c) => deliver(c, failureOf(error)))
  return serverOf(app)
}

/**
 * Whether a request matches a route exactly. The router alone treats HEAD as GET, ignores a
 * trailing slash, and accepts malformed percent-encoding. This server does none of these.
 */
function matchesExactly(
  { req: { path }, env: { incoming } }: RequestContext,
  route: Route,
): boolean {
  if (route.method !== 'ALL' && incoming.method !== route.method && route.head !== true)
    return false
  // A trailing slash can only belong to a last parameter that may contain slashes.
  if (path.length > 1 && path.endsWith('/') && !route.path.endsWith('.+}')) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Wraps the router in a Node server. Replies are written directly, to control every byte. */
function serverOf(app: Hono<Bindings>): Server {
  // The global Request and Response must not change for other code in the process. `send` handles
  // unread bodies.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    hostname: 'localhost',
    errorHandler: () => {},
  })
  // The timeout is longer than the pauses of a test run. Otherwise the server might close an idle
  // connection just when a client sends a request.
  return createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const unlessSent = () => {
      if (!outgoing.headersSent && !outgoing.destroyed)
        void app.fetch(placeholderRequest(incoming.method), { incoming, outgoing })
    }
    listener(incoming, outgoing).then(unlessSent, unlessSent)
  })
}

/**
 * The listener fails if the Host header and the path of the request do not form a URL. No handler
 * needs the URL, so a request without a valid URL is served with this placeholder. The class
 * Request does not allow some methods. These methods have no route, so they become OPTIONS.
 */
function placeholderRequest(method = 'GET'): Request {
  return new Request('http://localhost/', {
    method: /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(method) ? method : 'OPTIONS',
  })
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? url : url.slice(0, queryStart)
}

/**
 * Starts listening, by default on the loopback address, and returns the origin. If the port is in
 * use, rejects with an error that has a `code` and the `port`.
 */
export function listen(server: Server, port: number, hostname = defaultHostname): Promise<string> {
  const scheme = server instanceof SecureServer ? 'https' : 'http'
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { port })))
    server.listen(port, hostname, () =>
      resolve(`${scheme}://${urlHostOf(hostname)}:${(server.address() as AddressInfo).port}`),
    )
  })
}

/** Closes the server and all its connections at once. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A server that never listened reports an error here, which does not matter.
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

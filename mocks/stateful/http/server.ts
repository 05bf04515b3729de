import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as Exchange } from 'hono'
import { Hono } from 'hono/tiny'
import { send, type Foreign } from './send.ts'
import type { ReplyForm, Reply } from './reply.ts'

type Bindings = { Bindings: HttpBindings }
export type RequestContext = Exchange<Bindings>

/** One way into a server. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ALL'
  /** As the router writes paths. */
  path: string
  /** Whether HEAD is taken for GET. */
  head?: boolean
  open(call: RequestContext): Reply | Promise<Reply>
}

export interface ServerOptions {
  ways: readonly Route[]
  /** What becomes of a thrown error, also of one from nowhere. */
  failureOf(error: unknown): Reply
  /** What is answered where no way leads. */
  nothing(method: string, path: string): Reply
  form: ReplyForm
  /** What of answers the form leaves alone. */
  foreign?: Foreign
  /** How long every answer is held back. */
  delayMs: number
}

/** Makes a server of replies. It does not listen yet. */
export function newServer({
  ways,
  failureOf,
  nothing,
  form,
  foreign,
  delayMs,
}: ServerOptions): Server {
  // The router sees paths as they came: which slash was encoded is nothing that it may decide.
  const app = new Hono<Bindings>({
    getPath: (_request, { env } = {}) => (env === undefined ? '/' : pathOf(env.incoming)),
  })
  const write = ({ env: { incoming, outgoing } }: RequestContext, reply: Reply): Response => {
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT
    try {
      send(incoming, outgoing, reply, form, foreign)
    } catch {
      // A reply that cannot be written, say with a line break in a header: nothing sensible is left to say.
      outgoing.destroy()
    }
    return RESPONSE_ALREADY_SENT
  }
  const deliver = (c: RequestContext, reply: Reply): Response | Promise<Response> =>
    delayMs > 0
      ? new Promise((resolve) => setTimeout(() => resolve(write(c, reply)), delayMs))
      : write(c, reply)
  const missing = (c: RequestContext) =>
    deliver(c, nothing(c.env.incoming.method ?? 'GET', c.req.path))
  for (const way of ways) {
    const handle = (c: RequestContext): Response | Promise<Response> => {
      if (!isMeant(c, way)) return missing(c)
      const reply = way.open(c)
      // What is at hand is not waited for: the turns of a promise cost more than many an answer.
      return reply instanceof Promise ? reply.then((made) => deliver(c, made)) : deliver(c, reply)
    }
    if (way.method === 'ALL') app.all(way.path, handle)
    else app.on(way.method, way.path, handle)
  }
  app.notFound(missing)
  app.onError((error, c) => deliver(c, failureOf(error)))
  return serverOf(app)
}

/** The router takes HEAD for GET, passes over a slash at the end, and leaves escapes that decode to nothing as they are. This server does not. */
function isMeant({ req: { path }, env: { incoming } }: RequestContext, way: Route): boolean {
  if (way.method !== 'ALL' && incoming.method !== way.method && way.head !== true) return false
  // Only what takes slashes itself, where it comes last, may end so.
  if (path.length > 1 && path.endsWith('/') && !way.path.endsWith('.+}')) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Puts Node's server around the router. What is written goes past both: replies decide on every byte themselves. */
function serverOf(app: Hono<Bindings>): Server {
  // Whoever runs this server in a process of theirs keeps their own Request and Response; unread bodies are the sender's affair.
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    hostname: 'localhost',
    errorHandler: () => {},
  })
  // Longer than the pauses of a test run, so that no client finds its idle connection closed just as it sends.
  return createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const unlessSent = () => {
      if (!outgoing.headersSent && !outgoing.destroyed)
        void app.fetch(standIn(incoming.method), { incoming, outgoing })
    }
    listener(incoming, outgoing).then(unlessSent, unlessSent)
  })
}

/**
 * The listener gives up where Host and target make no URL. Nobody here asks for one, so such a request is served too.
 * Not every method can be in a Request, but those that cannot have no way of their own either.
 */
function standIn(method = 'GET'): Request {
  return new Request('http://localhost/', {
    method: /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(method) ? method : 'OPTIONS',
  })
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** Starts listening on the loopback address and gives the origin. A taken port rejects with its `code` and `port`. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { port })))
    server.listen(port, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

/** Closes at once, idle and busy connections too. */
export function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A server that never listened reports that as an error, which is no news here.
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

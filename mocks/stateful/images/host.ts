import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as Exchange } from 'hono'
import { Hono } from 'hono/tiny'
import { failure, failureOf, forcedFailure, refusedToken } from './answers.ts'
import type { Around, Call, Context, Handler, Host, Operation, Reply } from './call.ts'
import { deliverImage } from './delivery.ts'
import { IncomingCall, split } from './incoming.ts'
import { deleteImage, getImage, listImages, listImagesAsText } from './reading.ts'
import { isMeant, routes, type Route } from './routes.ts'
import { send } from './send.ts'
import { completeDirectUpload, createDirectUpload, uploadImage } from './uploads.ts'
import { createVariant, deleteVariant, getVariant, listVariants, updateConfig, updateVariant } from './variants.ts'

const handlers: Record<Operation, Handler> = {
  uploadImage, createDirectUpload, listImages, getImage, deleteImage,
  createVariant, listVariants, getVariant, updateVariant, deleteVariant, updateConfig,
  batchUploadImage: uploadImage, batchListImages: listImages, batchDeleteImage: deleteImage,
  completeDirectUpload, deliverImage,
}

/** Where nobody stands around to look at a reply's body. */
const unseenHandlers: Record<Operation, Handler> = { ...handlers, listImages: listImagesAsText, batchListImages: listImagesAsText }

type Bindings = { Bindings: HttpBindings }

/** A way into a server that is no operation of the document. */
export interface Door { path: string; open(request: HttpBindings['incoming']): Promise<Reply> }

/** Makes the server of one host. It does not listen yet. */
export function newHost(host: Host, server: Context, around: Around | undefined, door?: Door): Server {
  // Routes look at the path as it came: the router's own reading would decode ids before anybody can tell which slash was encoded.
  const app = new Hono<Bindings>({ getPath: (_request, { env } = {}) => (env === undefined ? '/' : split(env.incoming).path) })
  const deliver = deliverer(server)
  const nothing = (c: Exchange<Bindings>) => deliver(c, failure(server.choices, 404, `There is nothing at ${c.env.incoming.method ?? 'GET'} ${c.req.path}`))
  const operations = host === 'account' ? app.basePath(server.options.basePath) : app
  for (const route of routes[host]) {
    const handle = handlerOf(route, host, server, around)
    operations.on(route.method, route.path, (c): Response | Promise<Response> => {
      if (!isMeant(route, c.env.incoming.method ?? 'GET', c.req.path)) return nothing(c)
      const reply = handle(c)
      return reply instanceof Promise ? reply.then((done) => deliver(c, done)) : deliver(c, reply)
    })
  }
  if (door !== undefined) app.post(door.path, async (c) => (c.req.path === door.path ? deliver(c, await door.open(c.env.incoming)) : nothing(c)))
  app.notFound(nothing)
  app.onError((error, c) => deliver(c, failureOf(server.choices, error)))
  return serverOf(app)
}

/** Puts Node's server around the router. What is written goes past both: replies decide on every byte themselves. */
function serverOf(app: Hono<Bindings>): Server {
  // Whoever runs this server in a process of theirs keeps their own Request and Response; unread bodies are the sender's affair.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false, hostname: 'localhost', errorHandler: () => {} })
  // Longer than the pauses of a test run, so that no client finds its idle connection closed just as it sends.
  return createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const unlessSent = () => {
      if (!outgoing.headersSent && !outgoing.destroyed) void app.fetch(standIn(incoming.method), { incoming, outgoing })
    }
    listener(incoming, outgoing).then(unlessSent, unlessSent)
  })
}

/**
 * The listener gives up where Host and target make no URL. Nobody here asks for one, so such a request is served too.
 * Not every method can be in a Request, but those that cannot have no route either.
 */
function standIn(method = 'GET'): Request {
  return new Request('http://localhost/', { method: /^(GET|HEAD|POST|PATCH|DELETE)$/.test(method) ? method : 'OPTIONS' })
}

/** Whoever stands around included; what they throw becomes a failure too. */
function handlerOf(route: Route, host: Host, server: Context, around: Around | undefined): (c: Exchange<Bindings>) => Reply | Promise<Reply> {
  const { operation } = route
  return (c) => {
    const { account = server.options.account, ...params } = c.req.param() as Record<string, string>
    const call = new IncomingCall({ operation, host, path: c.req.path, params, account }, server, c.env.incoming)
    if (around === undefined) return run(call, unseenHandlers)
    try {
      return around(call, () => Promise.resolve(run(call, handlers))).catch((error: unknown) => failureOf(server.choices, error))
    } catch (error) {
      return failureOf(server.choices, error)
    }
  }
}

/** All that stands between a request and its answer: what was asked for, who asks, where, and the action. */
function run(call: Call, actions: Record<Operation, Handler>): Reply | Promise<Reply> {
  const { server, host } = call
  const { choices, rules, options } = server
  try {
    const forced = host === 'delivery' ? undefined : call.forced === undefined ? forcedFailure(call) : call.forced()
    if (forced !== undefined) return forced
    if (host === 'account' || host === 'batch') {
      const refused = call.authorize === undefined ? refusedToken(call) : call.authorize()
      if (refused !== undefined) return refused
    }
    if (!rules.isKnownAccount(call.account, options.account)) return failure(choices, 404, 'There is no such account')
    const reply = actions[call.operation](call)
    return reply instanceof Promise ? reply.catch((error: unknown) => failureOf(choices, error)) : reply
  } catch (error) {
    return failureOf(choices, error)
  }
}

function deliverer(server: Context): (c: Exchange<Bindings>, reply: Reply) => Response | Promise<Response> {
  const write = ({ incoming, outgoing }: HttpBindings, reply: Reply): Response => {
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT
    try {
      send(incoming, outgoing, reply, server.choices)
    } catch {
      // A reply that cannot be written, say with a line break in a header: nothing sensible is left to say.
      outgoing.destroy()
    }
    return RESPONSE_ALREADY_SENT
  }
  return ({ env }, reply) => {
    const { delayMs } = server.options
    return delayMs > 0 ? new Promise((resolve) => setTimeout(() => resolve(write(env, reply)), delayMs)) : write(env, reply)
  }
}

/** Starts listening on the loopback address and gives the origin. A taken port rejects with its `code` and `port`. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(Object.assign(error, { port })))
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
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

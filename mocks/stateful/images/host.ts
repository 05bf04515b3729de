import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failure, failureOf, forcedFailure, refusedToken } from './answers.ts'
import type { Around, Call, Context, Handler, Host, Operation, Reply } from './call.ts'
import { deliverImage } from './delivery.ts'
import { readForm, type UploadForm } from './form.ts'
import { readJson } from './json-body.ts'
import { deleteImage, getImage, listImages } from './reading.ts'
import { findRoute, type Route } from './routes.ts'
import { send } from './send.ts'
import { completeDirectUpload, createDirectUpload, uploadImage } from './uploads.ts'
import { createVariant, deleteVariant, getVariant, listVariants, updateConfig, updateVariant } from './variants.ts'

const handlers: Record<Operation, Handler> = {
  uploadImage, createDirectUpload, listImages, getImage, deleteImage,
  createVariant, listVariants, getVariant, updateVariant, deleteVariant, updateConfig,
  batchUploadImage: uploadImage, batchListImages: listImages, batchDeleteImage: deleteImage,
  completeDirectUpload, deliverImage,
}

/** Something that answers before any operation is looked for. */
export type Door = (request: IncomingMessage, path: string) => Promise<Reply> | undefined

/** Makes the server of one host. It does not listen yet. */
export function newHost(host: Host, server: Context, around: Around | undefined, door?: Door): Server {
  // Longer than the pauses of a test run, so that no client finds its idle connection closed just as it sends.
  return createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    let reply = door?.(request, path)
    reply ??= answered(host, server, around, request, path, mark < 0 ? '' : target.slice(mark + 1)) as Promise<Reply>
    if (!(reply instanceof Promise)) {
      deliver(request, response, reply, server)
      return
    }
    reply.then(
      (done) => deliver(request, response, done, server),
      (error: unknown) => deliver(request, response, failureOf(server.choices, error), server),
    )
  })
}

function answered(host: Host, server: Context, around: Around | undefined, request: IncomingMessage, path: string, query: string): Reply | Promise<Reply> {
  const method = request.method ?? 'GET'
  const route = findRoute(host, method, path, server.options.basePath)
  if (route === undefined) return failure(server.choices, 404, `There is nothing at ${method} ${path}`)
  const call = new IncomingCall(host, server, route, request, path, query)
  if (around === undefined) return run(call)
  try {
    return around(call, () => Promise.resolve(run(call)))
  } catch (error) {
    return failureOf(server.choices, error)
  }
}

/** All that stands between a request and its answer: what was asked for, who asks, where, and the action. */
function run(call: Call): Reply | Promise<Reply> {
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
    const reply = handlers[call.operation](call)
    return reply instanceof Promise ? reply.catch((error: unknown) => failureOf(choices, error)) : reply
  } catch (error) {
    return failureOf(choices, error)
  }
}

function deliver(request: IncomingMessage, response: ServerResponse, reply: Reply, server: Context): void {
  const write = () => {
    if (response.destroyed) return
    try {
      send(request, response, reply, server.choices)
    } catch {
      // A reply that cannot be written, say with a line break in a header: nothing sensible is left to say.
      response.destroy()
    }
  }
  if (server.options.delayMs > 0) setTimeout(write, server.options.delayMs)
  else write()
}

class IncomingCall implements Call {
  operation: Operation
  host: Host
  method: string
  path: string
  params: Record<string, string>
  headers: Record<string, string | undefined>
  account: string
  authorize?: () => Reply | undefined
  forced?: () => Reply | undefined
  server: Context
  request: IncomingMessage
  // Most calls never look at their query or their body: both are read when somebody asks.
  private readonly queryText: string
  private queryRead: URLSearchParams | undefined
  private formRead: Promise<UploadForm> | undefined
  private jsonRead: Promise<unknown> | undefined

  constructor(host: Host, server: Context, route: Route, request: IncomingMessage, path: string, query: string) {
    this.operation = route.operation
    this.host = host
    this.method = request.method ?? 'GET'
    this.path = path
    this.params = route.params
    this.headers = request.headers as Record<string, string | undefined>
    this.account = route.account ?? server.options.account
    this.server = server
    this.request = request
    this.queryText = query
  }

  get query(): URLSearchParams { return this.queryRead ??= new URLSearchParams(this.queryText) }
  set query(query: URLSearchParams) { this.queryRead = query }

  form(): Promise<UploadForm> {
    return this.formRead ??= readForm(this.request, this.headers['content-type'], this.server.options.maxFileBytes)
  }

  json(): Promise<unknown> { return this.jsonRead ??= readJson(this.request) }
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

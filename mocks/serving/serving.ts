import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { applyCors, type AllowedOrigins } from './cors.ts'
import { logRequest, type RequestListener } from './log.ts'

/** How `touchstone mock` serves a mock. None of it is part of a contract. */
export interface Serving {
  /** The web pages that may use the mock; by default none. */
  origins?: AllowedOrigins
  /** Called after each request. */
  onRequest?: RequestListener
}

/** One of the servers of a mock. */
export interface ServedHost {
  /** The mock, with its host if it has several, such as `images/upload`. */
  name: string
  /** Hides the secrets of a path in the request log. */
  hidePath?: (path: string) => string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Makes a server, which does not listen yet, serve its requests in this way. */
export function applyServing(
  server: Server,
  { name, hidePath = (path) => path }: ServedHost,
  { origins, onRequest }: Serving = {},
): Server {
  const handlers = server.listeners('request') as Handler[]
  server.removeAllListeners('request')
  return server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (onRequest !== undefined)
      logRequest(request, response, { server: name, listener: onRequest, hidePath })
    if (origins !== undefined && applyCors(request, response, origins)) return
    for (const handle of handlers) handle.call(server, request, response)
  })
}

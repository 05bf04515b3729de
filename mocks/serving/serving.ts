import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { applyCors, type AllowedOrigins } from './cors.ts'

/** How `touchstone mock` serves a mock. None of it is part of a contract. */
export interface Serving {
  /** The web pages that may use the mock; by default none. */
  origins?: AllowedOrigins
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Makes a server, which does not listen yet, serve its requests in this way. */
export function applyServing(server: Server, serving: Serving = {}): Server {
  const handlers = server.listeners('request') as Handler[]
  server.removeAllListeners('request')
  return server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (serving.origins !== undefined && applyCors(request, response, serving.origins)) return
    for (const handle of handlers) handle.call(server, request, response)
  })
}

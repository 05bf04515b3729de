import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Certificate } from './certificate.ts'
import { isControlPath, isPath, refuseControlRequest, type ControlPath } from './control.ts'
import { applyCors, isAllowedPage, isPreflight, type AllowedOrigins } from './cors.ts'
import { newDisturber, restartDisturbers, type Disturbance } from './disturb.ts'
import { logRequest, type RequestListener } from './log.ts'
import { note } from './notes.ts'

/** How `touchstone mock` serves a mock. None of it is part of a contract. */
export interface Serving {
  /** The address or name on which the mock listens; by default 127.0.0.1. */
  hostname?: string
  /** The certificate; by default the mock uses no TLS. */
  tls?: Certificate & {
    /** The PEM file of the authority that clients must trust, if it is known. */
    caFile?: string
  }
  /** The web pages that may use the mock; by default none. */
  origins?: AllowedOrigins
  /** Called after each request. */
  onRequest?: RequestListener
  /** Delays and failures; by default none. */
  disturbance?: Disturbance
}

/** One of the servers of a mock. */
export interface ServedHost {
  /** The mock, with its host if it has several, such as `images/upload`. */
  name: string
  /** Hides the secrets of a path in the request log. */
  hidePath?: (path: string) => string
  /** The statuses of random failures. The host must return them for `Prefer: code=…`. */
  failures?: readonly number[]
  /** Restores the initial state. Called for `POST /_touchstone/reset`. */
  reset?: () => void
  /** The paths below `/_touchstone/` that the host handles itself. */
  control?: readonly ControlPath[]
  /** The paths below `/_touchstone/` that the host has only with `--stateful`. */
  statefulControl?: readonly ControlPath[]
  /** The option that lets pages of further origins use the mock. */
  pageOption?: '--no-cors' | '--allow-origin'
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Applies `serving` to a server that does not listen yet. Returns the server to use in its place.
 */
export function applyServing(
  server: Server,
  {
    name,
    hidePath = (path) => path,
    failures,
    reset,
    control = [],
    statefulControl = [],
    pageOption,
  }: ServedHost,
  serving: Serving | undefined,
): Server {
  if (serving === undefined) return server
  const { origins, onRequest, disturbance } = serving
  const ownPaths: readonly ControlPath[] = reset === undefined ? control : ['reset', ...control]
  const handlers = server.listeners('request') as Handler[]
  const disturber =
    disturbance === undefined ? undefined : newDisturber(name, disturbance, failures)
  return serverFor(server, serving).on(
    'request',
    (request: IncomingMessage, response: ServerResponse) => {
      if (onRequest !== undefined)
        logRequest(request, response, {
          server: name,
          listener: onRequest,
          hidePath,
          canInject: failures !== undefined,
        })
      if (origins !== undefined && applyCors(request, response, origins)) return
      if (pageOption === '--allow-origin' && isPreflight(request))
        note(request, { reason: `a page of another origin; ${nextFor(request, pageOption)}` })
      // Browsers send such a request without a preflight request, so without this check any page
      // could change the mock.
      if (isControlPath(request) && !isAllowedPage(request, origins)) {
        response
          .writeHead(403)
          .end(
            `Web pages are not allowed to use this mock.${pageOption === undefined ? '' : ` Next: ${nextFor(request, pageOption)}.`}\n`,
          )
        return
      }
      if (refuseControlRequest(request, response, ownPaths, statefulControl)) return
      if (reset !== undefined && isPath('reset', request)) {
        reset()
        if (disturbance !== undefined) restartDisturbers(disturbance)
        response.writeHead(204).end()
        return
      }
      const handle = () => {
        for (const handler of handlers) handler.call(server, request, response)
      }
      if (disturber === undefined || isControlPath(request)) return handle()
      disturber.disturb(request)
      const delay = disturber.nextDelay()
      if (delay === 0) return handle()
      setTimeout(() => {
        if (!response.destroyed) handle()
      }, delay)
    },
  )
}

/** What the user can do to let the page that sent a request use the mock. */
const nextFor = (
  { headers: { origin } }: IncomingMessage,
  pageOption: NonNullable<ServedHost['pageOption']>,
): string =>
  pageOption === '--no-cors'
    ? 'start the mock without --no-cors'
    : `start the mock with --allow-origin ${origin}`

/** Returns a server without request handlers: this one, or one with TLS that replaces it. */
function serverFor(server: Server, { tls }: Serving): Server {
  server.removeAllListeners('request')
  if (tls === undefined) return server
  const { key, cert } = tls
  const secured = createSecureServer({ key, cert, keepAliveTimeout: server.keepAliveTimeout })
  for (const handler of server.listeners('clientError'))
    secured.on('clientError', handler as (error: Error) => void)
  // An HTTPS server has all methods and events of an HTTP server.
  return secured as unknown as Server
}

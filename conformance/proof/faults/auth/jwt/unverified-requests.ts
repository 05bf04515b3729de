import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  defaultJwtRules,
  type AccessRequest,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import {
  onHttpRequest,
  fault,
  withChoices,
  type MakeAuthDeviation,
  replaceRules,
} from '../building.ts'
import { openFor, openForMethod, openWithSlash } from '../open-messages.ts'
import { acceptUnread } from './tokens.ts'

/**
 * Lets every user use every session, because the server does not know the user of a request without
 * a token.
 */
const withSharedSessions = (make: MakeAuthDeviation): MakeAuthDeviation =>
  withChoices({ server: { sessionsFor: 'everyone' } }, make)

/** Requires no token for the requests that `where` selects. */
const requireNoToken = (where: (request: AccessRequest) => boolean): MakeAuthDeviation =>
  withSharedSessions(replaceRules({ jwt: { requiresToken: (request) => !where(request) } }))
const overSse = (make: MakeAuthDeviation): MakeAuthDeviation =>
  withChoices({ hosting: { transports: ['sse'] } }, make)

/** Accepts any token in a session that was opened with a valid one. */
const trustKnownSessions: MakeAuthDeviation = (hit) => {
  const { rules } = acceptUnread((token) => token !== '')(hit)
  let isKnown = false
  return {
    rules: {
      jwt: {
        ...rules?.jwt,
        requiresToken({ session }) {
          isKnown = session !== undefined
          return true
        },
        async verifySignature(token, secret, choices) {
          const known = isKnown
          const verified = await defaultJwtRules.verifySignature(token, secret, choices)
          return known && verified === undefined
            ? rules!.jwt!.verifySignature!(token, secret, choices)
            : verified
        },
      },
    },
  }
}

/** Requires no token on a connection that has sent a valid one. */
const trustKnownConnections: MakeAuthDeviation = (hit) => {
  const known = new WeakSet<object>()
  let socketOfRequest: object | undefined
  return {
    intercept(request, _response, next) {
      socketOfRequest = request.socket
      next()
    },
    rules: {
      jwt: {
        async verifySignature(token, secret, choices) {
          const socket = socketOfRequest
          const verified = await defaultJwtRules.verifySignature(token, secret, choices)
          if (verified !== undefined && socket !== undefined) known.add(socket)
          return verified
        },
        requiresToken() {
          const isKnown = socketOfRequest !== undefined && known.has(socketOfRequest)
          if (isKnown) hit()
          return !isKnown
        },
      },
    },
  }
}

/** Handles requests whose headers exceed the limit. */
const onOverlongHeader =
  (respond: (socket: Duplex) => void): MakeAuthDeviation =>
  (hit) => {
    const known = new WeakSet<Server>()
    return onHttpRequest((request: IncomingMessage) => {
      const { server } = request.socket as unknown as { server: Server }
      if (known.has(server)) return
      known.add(server)
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        if (error.code !== 'HPE_HEADER_OVERFLOW') return
        hit()
        respond(socket)
      })
    })(hit)
  }
const respondWith = (status: string) => (socket: Duplex) =>
  void socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno`,
  )

/** Faults in which the token of some requests is not verified. */
export const unverifiedRequests = [
  fault(
    'get-unguarded',
    'Requires no token for GET /mcp.',
    ['AUTH-JWT-16'],
    requireNoToken(({ path, method }) => path === '/mcp' && method === 'GET'),
  ),
  fault(
    'delete-unguarded',
    'Requires no token for DELETE.',
    ['AUTH-JWT-16'],
    requireNoToken(({ method }) => method === 'DELETE'),
  ),
  fault(
    'post-unguarded',
    'Requires no token for POST /mcp.',
    ['AUTH-JWT-16', 'AUTH-JWT-02'],
    requireNoToken(({ path, method }) => path === '/mcp' && method === 'POST'),
  ),
  ...['tools/list', 'tools/call', 'ping', 'notifications/initialized'].map((method) =>
    fault(
      `${method.replace('/', '-')}-unguarded`,
      `Requires no token for ${method}.`,
      ['AUTH-JWT-16'],
      openForMethod(method),
    ),
  ),
  fault(
    'ping-unguarded-in-sessions',
    'Requires no token for ping in a session.',
    ['AUTH-JWT-16'],
    openForMethod('ping', true),
  ),
  fault(
    'arrays-unguarded',
    'Requires no token for an array of messages.',
    ['AUTH-JWT-16'],
    openFor(Array.isArray),
  ),
  fault(
    'slash-unguarded',
    'Requires no token if the path ends with a slash.',
    ['AUTH-JWT-16'],
    openWithSlash,
  ),
  fault(
    'session-unguarded',
    'Requires a token only when a session begins.',
    ['AUTH-JWT-16'],
    requireNoToken(({ session }) => session !== undefined),
  ),
  fault(
    'session-accepts-any-token',
    'Accepts any token in a session that was opened with a valid one.',
    ['AUTH-JWT-16'],
    withSharedSessions(trustKnownSessions),
  ),
  fault(
    'events-unguarded',
    'Requires no token to open an SSE stream.',
    ['AUTH-JWT-16'],
    overSse(requireNoToken(({ path }) => path === '/sse')),
  ),
  fault(
    'messages-unguarded',
    'Requires no token for POST /messages, the endpoint of an SSE stream.',
    ['AUTH-JWT-16'],
    overSse(requireNoToken(({ path }) => path === '/messages')),
  ),
  // The fault also violates AUTH-JWT-02 and AUTH-JWT-04, the refusals of missing and invalid
  // tokens. It does not list them, because the requests of their checks use a trusted connection
  // only by chance.
  fault(
    'connection-trusted',
    'Requires a token only once per connection.',
    ['AUTH-JWT-16'],
    withSharedSessions(trustKnownConnections),
  ),

  fault(
    'overlong-500',
    'Returns 500 for a token that exceeds the header limit.',
    ['AUTH-JWT-18'],
    onOverlongHeader(respondWith('500 Internal Server Error')),
  ),
  fault(
    'overlong-cut-off',
    'Closes the connection for a token that exceeds the header limit.',
    ['AUTH-JWT-18'],
    onOverlongHeader((socket) => void socket.destroy()),
  ),
  fault(
    'overlong-200',
    'Returns 200 for a token that exceeds the header limit.',
    ['AUTH-JWT-18'],
    onOverlongHeader(respondWith('200 OK')),
  ),
]

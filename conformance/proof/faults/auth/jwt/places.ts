import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  defaultJwtRules,
  type AccessRequest,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { door, fault, hosted, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { letsIn } from './opening.ts'

/** Where nobody is asked who comes, a session cannot be for its user alone. */
const forAll = (make: MakeAuthDeviation): MakeAuthDeviation =>
  hosted({ server: { sessionsFor: 'everyone' } }, make)

/** Asks nobody who comes in this way. */
const open = (where: (asked: AccessRequest) => boolean): MakeAuthDeviation =>
  forAll(replaceRules({ jwt: { guards: (asked) => !where(asked) } }))
const bySse = (make: MakeAuthDeviation): MakeAuthDeviation =>
  hosted({ hosting: { transports: ['sse'] } }, make)

/** Lets everybody into sessions that somebody opened with a good token. */
const knownSessions: MakeAuthDeviation = (hit) => {
  const { rules } = letsIn((token) => token !== '')(hit)
  let isKnown = false
  return {
    rules: {
      jwt: {
        ...rules?.jwt,
        guards({ session }) {
          isKnown = session !== undefined
          return true
        },
        async opened(token, secret, choices) {
          const known = isKnown
          const right = await defaultJwtRules.opened(token, secret, choices)
          return known && right === undefined ? rules!.jwt!.opened!(token, secret, choices) : right
        },
      },
    },
  }
}

/** Trusts a connection on which a good token came once. */
const knownConnections: MakeAuthDeviation = (hit) => {
  const known = new WeakSet<object>()
  let from: object | undefined
  return {
    intercept(request, _response, next) {
      from = request.socket
      next()
    },
    rules: {
      jwt: {
        async opened(token, secret, choices) {
          const socket = from
          const right = await defaultJwtRules.opened(token, secret, choices)
          if (right !== undefined && socket !== undefined) known.add(socket)
          return right
        },
        guards() {
          const isKnown = from !== undefined && known.has(from)
          if (isKnown) hit()
          return !isKnown
        },
      },
    },
  }
}

/** Does this with headers that are longer than it reads. */
const overlong =
  (answer: (socket: Duplex) => void): MakeAuthDeviation =>
  (hit) => {
    const told = new WeakSet<Server>()
    return door((request: IncomingMessage) => {
      const { server } = request.socket as unknown as { server: Server }
      if (told.has(server)) return
      told.add(server)
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        if (error.code !== 'HPE_HEADER_OVERFLOW') return
        hit()
        answer(socket)
      })
    })(hit)
  }
const page = (status: string) => (socket: Duplex) =>
  void socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno`,
  )

/** Requests that nobody judges. */
export const places = [
  fault(
    'get-unguarded',
    'Opens the stream of GET to everybody.',
    ['AUTH-JWT-16'],
    open(({ path, method }) => path === '/mcp' && method === 'GET'),
  ),
  fault(
    'delete-unguarded',
    'Lets everybody end sessions.',
    ['AUTH-JWT-16'],
    open(({ method }) => method === 'DELETE'),
  ),
  fault(
    'post-unguarded',
    'Serves everybody who posts to /mcp.',
    ['AUTH-JWT-16', 'AUTH-JWT-02'],
    open(({ path, method }) => path === '/mcp' && method === 'POST'),
  ),
  fault(
    'session-unguarded',
    'Asks for a token at the beginning of a session only.',
    ['AUTH-JWT-16'],
    open(({ session }) => session !== undefined),
  ),
  fault(
    'session-takes-any-token',
    'Takes any token in a session that a good one opened.',
    ['AUTH-JWT-16'],
    forAll(knownSessions),
  ),
  fault(
    'events-unguarded',
    'Opens the stream of events to everybody.',
    ['AUTH-JWT-16'],
    bySse(open(({ path }) => path === '/sse')),
  ),
  fault(
    'messages-unguarded',
    'Takes messages for a stream of events from everybody.',
    ['AUTH-JWT-16'],
    bySse(open(({ path }) => path === '/messages')),
  ),
  fault(
    'connection-trusted',
    'Asks for a token once on each connection.',
    ['AUTH-JWT-16', 'AUTH-JWT-02', 'AUTH-JWT-04'],
    forAll(knownConnections),
  ),

  fault(
    'overlong-500',
    'Breaks down on a token that is longer than it reads.',
    ['AUTH-JWT-18'],
    overlong(page('500 Internal Server Error')),
  ),
  fault(
    'overlong-cut-off',
    'Ends the connection on a token that is longer than it reads.',
    ['AUTH-JWT-18'],
    overlong((socket) => void socket.destroy()),
  ),
  fault(
    'overlong-200',
    'Answers 200 to a token that is longer than it reads.',
    ['AUTH-JWT-18'],
    overlong(page('200 OK')),
  ),
]

import type { IncomingMessage, Server } from 'node:http'
import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import { changeHead, pathOf } from '../../../faults/auth/building.ts'
import { onHead } from '../../tools/streaming.ts'
import type { AuthFactor } from '../variation.ts'

const absent = (text: string): AuthDeviation => ({
  rules: { jwt: { missingTokenRefusal: { status: 401, text } } },
})
const invalid = (text: string): AuthDeviation => ({
  rules: { jwt: { invalidTokenRefusal: { status: 403, text } } },
})
const error = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
const page = (title: string): string =>
  `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`

/** Responds to the requests for which `statusOf` returns a status, before authentication. */
const respondFirst = (
  statusOf: (request: IncomingMessage) => number | undefined,
): AuthDeviation => ({
  intercept(request, response, next) {
    const status = statusOf(request)
    if (status === undefined) return next()
    request.resume()
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(status === 405 ? { Allow: 'POST' } : {}),
      })
      .end(error(-32000, 'This cannot be done here'))
  },
})
const isStream = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  url.startsWith('/mcp') && method === 'GET'

/** Changes the server at its first request. */
const prepareServer = (prepare: (server: Server) => void): AuthDeviation => {
  const done = new WeakSet<Server>()
  return {
    intercept({ socket }, _response, next) {
      const { server } = socket as unknown as { server: Server }
      if (!done.has(server)) {
        done.add(server)
        prepare(server)
      }
      next()
    },
  }
}

/** Choices about the form of refusals, and about when they are sent. */
export const refusals: readonly AuthFactor[] = [
  {
    requirement: 'none',
    name: 'format of refusals',
    values: [
      { name: 'text', description: 'Refuses in plain text.' },
      { name: 'json', description: 'Refuses in JSON.', choices: { jwt: { refusals: 'json' } } },
    ],
  },
  {
    requirement: 'none',
    name: 'text for a missing header',
    values: [
      {
        name: 'Unauthorized',
        description: 'Returns "Unauthorized" for a missing Authorization header.',
      },
      {
        name: 'a sentence',
        description:
          'Returns a sentence about missing credentials for a missing Authorization header.',
        deviation: absent('Authentication required: no credentials were provided.'),
      },
      {
        name: 'a sentence that names the header',
        notCombined: true,
        description: 'Names the missing header in the refusal.',
        deviation: absent('Missing Authorization header'),
      },
      {
        name: 'No token provided',
        notCombined: true,
        description: 'Returns "No token provided" for a missing Authorization header.',
        deviation: absent('No token provided'),
      },
      {
        name: 'an error of JSON-RPC',
        description: 'Returns a JSON-RPC error for a missing Authorization header.',
        deviation: absent(error(-32001, 'Unauthorized')),
      },
      {
        name: 'an HTML page',
        notCombined: true,
        description: 'Returns an HTML page for a missing Authorization header.',
        deviation: absent(page('401 Authorization Required')),
      },
      {
        name: 'Unauthorised',
        notCombined: true,
        description: 'Returns "Unauthorised" for a missing Authorization header.',
        deviation: absent('Unauthorised'),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'text for an invalid token',
    values: [
      { name: 'Invalid token', description: 'Returns "Invalid token" for an invalid token.' },
      {
        name: 'a sentence',
        description: 'Returns a sentence for an invalid token.',
        deviation: invalid('The token could not be verified.'),
      },
      {
        name: 'invalid_token',
        notCombined: true,
        description: 'Returns "invalid_token" for an invalid token.',
        deviation: invalid('invalid_token'),
      },
      {
        name: 'Forbidden',
        notCombined: true,
        description: 'Returns "Forbidden: bad token" for an invalid token.',
        deviation: invalid('Forbidden: bad token'),
      },
      {
        name: 'an error of JSON-RPC',
        description: 'Returns a JSON-RPC error for an invalid token.',
        deviation: invalid(error(-32003, 'Forbidden: invalid token')),
      },
      {
        name: 'JWT verification failed',
        notCombined: true,
        description: 'Returns "JWT verification failed" for an invalid token.',
        deviation: invalid('JWT verification failed'),
      },
      {
        name: 'an HTML page',
        notCombined: true,
        description: 'Returns an HTML page for an invalid token.',
        deviation: invalid(page('403 Invalid Token')),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'challenges',
    values: [
      { name: 'sent', description: 'Sends a challenge with 401.' },
      {
        name: 'none',
        description: 'Sends no challenge.',
        choices: { jwt: { challenges: false } },
        unmet: ['AUTH-JWT-31'],
      },
      {
        name: 'with 403',
        notCombined: true,
        description: 'Sends a challenge with 403 as well.',
        deviation: onHead((status, headers) =>
          status === 403
            ? {
                status,
                headers: {
                  ...headers,
                  'www-authenticate':
                    'Bearer error="invalid_token", error_description="The token is invalid"',
                },
              }
            : undefined,
        ),
      },
      {
        name: 'with a realm',
        notCombined: true,
        description: 'Sends a challenge with a realm and a scope.',
        deviation: onHead((status, headers) =>
          status === 401
            ? {
                status,
                headers: {
                  ...headers,
                  'www-authenticate': 'Bearer realm="shelf", scope="shelf:read"',
                },
              }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'content types of refusals',
    values: [
      { name: 'with charset', description: 'Returns a charset with each refusal.' },
      {
        name: 'plain',
        description: 'Returns no charset with a refusal.',
        deviation: onHead((status, headers) =>
          status === 401 || status === 403
            ? {
                status,
                headers: {
                  ...headers,
                  'content-type': headers['content-type']?.split(';')[0] ?? 'text/plain',
                },
              }
            : undefined,
        ),
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Returns no content type with refusals.',
        deviation: onHead((status, { 'content-type': type, ...headers }) =>
          type !== undefined && (status === 401 || status === 403)
            ? { status, headers }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'connections after refusals',
    values: [
      { name: 'kept', description: 'Keeps connections open after a refusal.' },
      {
        name: 'closed',
        description: 'Closes connections after a refusal.',
        deviation: onHead((status, headers) =>
          status === 401 || status === 403
            ? { status, headers: { ...headers, connection: 'close' } }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'first validation',
    values: [
      { name: 'the token', description: 'Verifies the token before anything else.' },
      {
        name: 'the method',
        description: 'Returns 405 for GET before it verifies the token.',
        choices: { server: { getStream: false } },
        deviation: respondFirst((request) => (isStream(request) ? 405 : undefined)),
      },
      {
        name: 'the session',
        description:
          'Returns 400 for GET and DELETE without a session id, before it verifies the token.',
        deviation: respondFirst((request) =>
          pathOf(request) === '/mcp' &&
          request.method !== 'POST' &&
          request.headers['mcp-session-id'] === undefined
            ? 400
            : undefined,
        ),
      },
      {
        name: 'the accepted type',
        notCombined: true,
        description:
          'Returns 406 for a request that does not accept JSON, before it verifies the token.',
        deviation: respondFirst((request) =>
          request.method === 'POST' &&
          pathOf(request) === '/mcp' &&
          !(request.headers.accept ?? '').includes('application/json')
            ? 406
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'long headers',
    values: [
      { name: 'refused', description: 'Refuses headers of more than 16 KiB with 431.' },
      {
        name: 'accepted',
        description: 'Accepts headers of up to 1 MiB.',
        deviation: prepareServer(
          (server) => void Object.assign(server, { maxHeaderSize: 1024 * 1024 }),
        ),
      },
      {
        name: 'refused with 400',
        notCombined: true,
        description: 'Refuses headers of more than 16 KiB with 400.',
        deviation: prepareServer(
          (server) =>
            void server.on(
              'clientError',
              (_error, socket) =>
                void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
            ),
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'other headers',
    values: [
      { name: 'none', description: 'Sends no further headers.' },
      {
        name: 'those of a proxy',
        description: 'Sends headers that a proxy adds.',
        deviation: {
          intercept(_request, response, next) {
            changeHead(response, (status, headers) => ({
              status,
              headers: {
                ...headers,
                via: '1.1 proxy',
                'x-request-id': '7',
                'cache-control': 'no-store',
                vary: 'Authorization',
              },
            }))
            next()
          },
        },
      },
    ],
  },
]

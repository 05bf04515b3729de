import type { IncomingMessage, Server } from 'node:http'
import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import { changesHead, pathOf } from '../../../faults/auth/building.ts'
import { heads } from '../../tools/streaming.ts'
import type { AuthFactor } from '../variation.ts'

const absent = (text: string): AuthDeviation => ({
  rules: { jwt: { absent: { status: 401, text } } },
})
const invalid = (text: string): AuthDeviation => ({
  rules: { jwt: { invalid: { status: 403, text } } },
})
const error = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
const page = (title: string): string =>
  `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`

/** Answers to some requests before anybody asks who comes. */
const first = (answer: (request: IncomingMessage) => number | undefined): AuthDeviation => ({
  intercept(request, response, next) {
    const status = answer(request)
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

/** Does something to the server on its first request. */
const prepared = (prepare: (server: Server) => void): AuthDeviation => {
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

/** How refusals look, and when they come. */
export const refusals: readonly AuthFactor[] = [
  {
    requirement: 'form',
    name: 'writing of refusals',
    levels: [
      { name: 'text', description: 'Refuses in plain text.' },
      { name: 'json', description: 'Refuses in JSON.', choices: { jwt: { refusals: 'json' } } },
    ],
  },
  {
    requirement: 'form',
    name: 'text where there is no header',
    levels: [
      { name: 'Unauthorized', description: 'Says Unauthorized.' },
      {
        name: 'a sentence',
        description: 'Says that credentials are missing.',
        deviation: absent('Authentication required: no credentials were provided.'),
      },
      {
        name: 'the header',
        notCombined: true,
        description: 'Says which header is missing.',
        deviation: absent('Missing Authorization header'),
      },
      {
        name: 'the token',
        notCombined: true,
        description: 'Says that a token is missing.',
        deviation: absent('No token provided'),
      },
      {
        name: 'an error of JSON-RPC',
        description: 'Refuses with an error of JSON-RPC.',
        deviation: absent(error(-32001, 'Unauthorized')),
      },
      {
        name: 'a page',
        notCombined: true,
        description: 'Refuses with a page of HTML.',
        deviation: absent(page('401 Authorization Required')),
      },
      {
        name: 'British',
        notCombined: true,
        description: 'Says Unauthorised.',
        deviation: absent('Unauthorised'),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'text about tokens',
    levels: [
      { name: 'Invalid token', description: 'Says Invalid token.' },
      {
        name: 'a sentence',
        description: 'Says that a token could not be verified.',
        deviation: invalid('The token could not be verified.'),
      },
      {
        name: 'a code',
        notCombined: true,
        description: 'Says invalid_token.',
        deviation: invalid('invalid_token'),
      },
      {
        name: 'Forbidden',
        notCombined: true,
        description: 'Says that this is forbidden with such a token.',
        deviation: invalid('Forbidden: bad token'),
      },
      {
        name: 'an error of JSON-RPC',
        description: 'Refuses tokens with an error of JSON-RPC.',
        deviation: invalid(error(-32003, 'Forbidden: invalid token')),
      },
      {
        name: 'the kind of token',
        notCombined: true,
        description: 'Says that a JWT is not valid.',
        deviation: invalid('JWT verification failed'),
      },
      {
        name: 'a page',
        notCombined: true,
        description: 'Refuses tokens with a page of HTML.',
        deviation: invalid(page('403 Invalid Token')),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'challenges',
    levels: [
      { name: 'told', description: 'Tells with 401 which scheme it wants.' },
      { name: 'none', description: 'Tells no scheme.', choices: { jwt: { challenges: false } } },
      {
        name: 'with 403',
        notCombined: true,
        description: 'Tells the scheme with 403 as well.',
        deviation: heads((status, headers) =>
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
        description: 'Tells a realm, and where metadata is.',
        deviation: heads((status, headers) =>
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
    requirement: 'form',
    name: 'content types of refusals',
    levels: [
      { name: 'with charset', description: 'Tells a charset with each text.' },
      {
        name: 'plain',
        description: 'Tells no charset.',
        deviation: heads((status, headers) =>
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
        description: 'Tells no content type of refusals.',
        deviation: heads((status, { 'content-type': type, ...headers }) =>
          type !== undefined && (status === 401 || status === 403)
            ? { status, headers }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'connections after refusals',
    levels: [
      { name: 'kept', description: 'Keeps connections after a refusal.' },
      {
        name: 'ended',
        description: 'Ends connections after a refusal.',
        deviation: heads((status, headers) =>
          status === 401 || status === 403
            ? { status, headers: { ...headers, connection: 'close' } }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'what is looked at first',
    levels: [
      { name: 'the token', description: 'Asks who comes before anything else.' },
      {
        name: 'the method',
        description: 'Answers 405 to GET before it asks who comes.',
        choices: { server: { getStream: false } },
        deviation: first((request) => (isStream(request) ? 405 : undefined)),
      },
      {
        name: 'the session',
        description: 'Answers 400 to GET and DELETE without a session before it asks who comes.',
        deviation: first((request) =>
          pathOf(request) === '/mcp' &&
          request.method !== 'POST' &&
          request.headers['mcp-session-id'] === undefined
            ? 400
            : undefined,
        ),
      },
      {
        name: 'the type',
        notCombined: true,
        description: 'Answers 406 to whoever takes no answers before it asks who comes.',
        deviation: first((request) =>
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
    requirement: 'form',
    name: 'long headers',
    levels: [
      { name: 'refused', description: 'Refuses headers of more than 16 kilobytes with 431.' },
      {
        name: 'read',
        description: 'Reads headers of up to a megabyte.',
        deviation: prepared((server) => void Object.assign(server, { maxHeaderSize: 1024 * 1024 })),
      },
      {
        name: 'refused with 400',
        notCombined: true,
        description: 'Refuses headers of more than 16 kilobytes with 400.',
        deviation: prepared(
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
    requirement: 'form',
    name: 'other headers',
    levels: [
      { name: 'none', description: 'Adds no headers.' },
      {
        name: 'those of a proxy',
        description: 'Adds headers that a proxy adds.',
        deviation: {
          intercept(_request, response, next) {
            changesHead(response, (status, headers) => ({
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

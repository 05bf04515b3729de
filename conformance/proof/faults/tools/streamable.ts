import type { IncomingMessage, ServerResponse } from 'node:http'
import { setHeader } from '../../../../mocks/stateful/tools.ts'
import {
  captureBody,
  isUnknownMethod,
  changeHead,
  onHttpRequest,
  fault,
  pathOf,
  replaceRules,
  type MakeToolsDeviation,
} from './building.ts'

const isMcpRequest = (request: IncomingMessage, method: string): boolean =>
  pathOf(request) === '/mcp' && request.method === method

/** Changes status and headers of responses to this HTTP method at /mcp. */
function onHead(
  change: (
    status: number,
    headers: Record<string, string>,
    request: IncomingMessage,
  ) => { status: number; headers: Record<string, string> } | undefined,
  method = 'POST',
): MakeToolsDeviation {
  return onHttpRequest((request, response, hit) => {
    if (isMcpRequest(request, method))
      changeHead(response, (status, headers) => {
        const changed = change(status, headers, request)
        if (changed !== undefined) hit()
        return changed
      })
  })
}

/** Replaces the status `from` in responses to the POST requests that `where` selects. */
const replaceStatus = (
  from: number,
  to: number,
  where: (request: IncomingMessage) => boolean = () => true,
): MakeToolsDeviation =>
  onHead((original, headers, request) =>
    original === from && where(request) ? { status: to, headers } : undefined,
  )

const hasSession = ({ headers }: IncomingMessage): boolean => 'mcp-session-id' in headers
const versionOf = ({ headers }: IncomingMessage): string =>
  String(headers['mcp-protocol-version'] ?? '')
const isUnknownVersion = (request: IncomingMessage): boolean => !/^20\d\d-/.test(versionOf(request))

/** Serves requests with this HTTP method whatever their version. */
const ignoreVersionOf = (what: string, method: string) =>
  fault(
    `${what}-of-any-version`,
    `Ignores an unknown version in MCP-Protocol-Version of ${method} requests.`,
    ['TOOL-HTTP-08'],
    onHttpRequest((request, _response, hit) => {
      if (!isMcpRequest(request, method) || !isUnknownVersion(request)) return
      hit()
      setHeader(request, 'mcp-protocol-version', '2025-06-18')
    }),
  )

/** Serves requests with this HTTP method whatever their origin. */
const ignoreOriginOf = (what: string, method: string) =>
  fault(
    `${what}-for-every-origin`,
    `Serves ${method} requests from any origin.`,
    ['TOOL-HTTP-09'],
    onHttpRequest((request, _response, hit) => {
      if (!isMcpRequest(request, method) || request.headers.origin === undefined) return
      hit()
      setHeader(request, 'origin', undefined)
    }),
  )

/** Refuses requests in a session that have no version in their headers. */
const refuseWithoutVersion = (status: number): MakeToolsDeviation =>
  onHttpRequest((request, response, hit) => {
    if (!isMcpRequest(request, 'POST') || !hasSession(request) || versionOf(request) !== '')
      return false
    hit()
    response.writeHead(status, { 'content-type': 'text/plain' }).end('no version')
    return true
  })

/** Opens an event stream for GET requests that the server refuses with `from`, if `isOpened`. */
const openRefusedStream = (
  from: number,
  isOpened: (request: IncomingMessage) => boolean,
): MakeToolsDeviation =>
  onHead(
    (status, headers, request) =>
      status === from && isOpened(request)
        ? {
            status: 200,
            headers: {
              ...omitHeader(headers, 'content-length'),
              'content-type': 'text/event-stream',
            },
          }
        : undefined,
    'GET',
  )

/** Replaces responses to GET /mcp. */
const onGet = (respond: (response: ServerResponse) => unknown): MakeToolsDeviation =>
  onHttpRequest((request, response, hit) => {
    if (!isMcpRequest(request, 'GET')) return false
    hit()
    respond(response)
    return true
  })

/** Also writes certain messages in responses to POST on the event stream of the session. */
const broadcast = (what: string, isBroadcast: (event: string) => boolean) =>
  fault(
    `${what}-are-broadcast`,
    `Sends ${what} of a call on the event stream of the session, too.`,
    ['TOOL-HTTP-13'],
    (hit) => {
      const streams = new Map<unknown, ServerResponse>()
      return onHttpRequest((request, response) => {
        const session = request.headers['mcp-session-id']
        if (isMcpRequest(request, 'GET')) streams.set(session, response)
        if (!isMcpRequest(request, 'POST')) return
        const write = response.write.bind(response) as (...args: unknown[]) => boolean
        response.write = ((chunk: unknown, ...rest: unknown[]) => {
          const stream = streams.get(session)
          if (stream !== undefined && isBroadcast(Buffer.from(chunk as Uint8Array).toString())) {
            hit()
            stream.write(chunk)
          }
          return write(chunk, ...rest)
        }) as typeof response.write
      })(hit)
    },
  )

/**
 * Sends the progress of calls at the same time on the stream of one of them, which `select` chooses
 * from the open streams, the oldest first.
 */
const gatherProgress = (
  select: (streams: readonly ServerResponse[]) => ServerResponse | undefined,
): MakeToolsDeviation => {
  return (hit) => {
    const streams = new Map<unknown, Set<ServerResponse>>()
    return onHttpRequest((request, response) => {
      if (!isMcpRequest(request, 'POST')) return
      const session = request.headers['mcp-session-id']
      const open = streams.get(session) ?? new Set()
      streams.set(session, open.add(response))
      response.once('close', () => open.delete(response))
      const write = response.write.bind(response) as (...args: unknown[]) => boolean
      response.write = ((chunk: unknown, ...rest: unknown[]) => {
        const text = Buffer.from(chunk as Uint8Array).toString()
        const chosen = select([...open].filter((one) => one.headersSent && !one.writableEnded))
        if (chosen === undefined || chosen === response || !text.includes('"progressToken"'))
          return write(chunk, ...rest)
        hit()
        return chosen.write(chunk)
      }) as typeof response.write
    })(hit)
  }
}

/** Faults of Streamable HTTP. Most faults of its sessions are in sessions.ts. */
export const streamable = [
  fault('answers-are-plain-text', 'Returns JSON as text/plain.', ['TOOL-HTTP-02'], (hit) => ({
    ...onHead((code, headers) =>
      code === 200
        ? { status: code, headers: { ...headers, 'content-type': 'text/plain' } }
        : undefined,
    )(hit),
    choices: { framing: 'json' },
  })),
  fault(
    'events-that-are-not-json',
    'Sends an event that is not JSON before each message.',
    ['TOOL-HTTP-02'],
    onHttpRequest((request, response, hit) => {
      if (!isMcpRequest(request, 'POST')) return
      changeHead(response, (status, headers) => ({
        status,
        headers: omitHeader(headers, 'content-length'),
      }))
      const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
      response.write = ((chunk: unknown, ...rest: unknown[]) => {
        const text = Buffer.from(chunk as Uint8Array).toString()
        if (!text.startsWith('event: message')) return write(chunk, ...rest)
        hit()
        return write(`data: working\n\n${text}`, ...rest)
      }) as typeof response.write
    }),
  ),

  fault(
    'notifications-get-200',
    'Returns 200 instead of 202 for notifications.',
    ['TOOL-HTTP-03'],
    replaceStatus(202, 200),
  ),
  fault(
    'notifications-get-a-body',
    'Returns a body with status 202 for notifications.',
    ['TOOL-HTTP-03'],
    onHttpRequest((request, response, hit) => {
      if (!isMcpRequest(request, 'POST')) return
      let isAccepted = false
      changeHead(response, (status, headers) => {
        isAccepted = status === 202
        return isAccepted
          ? {
              status,
              headers: { 'content-type': 'text/plain', ...omitHeader(headers, 'content-length') },
            }
          : undefined
      })
      const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
      response.end = ((...args: unknown[]) => {
        if (!isAccepted) return end(...args)
        hit()
        return end('Accepted')
      }) as typeof response.end
    }),
  ),
  fault(
    'notifications-get-a-message',
    'Responds to notifications with a JSON-RPC error.',
    ['TOOL-MCP-06', 'TOOL-HTTP-03'],
    onHttpRequest((request, response, hit) => {
      const body = captureBody(request)
      if (!isMcpRequest(request, 'POST')) return
      const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
      let isAccepted = false
      changeHead(response, (status, headers) => {
        isAccepted = status === 202 && body().includes('"notifications/')
        if (isAccepted) hit()
        return isAccepted
          ? {
              status: 200,
              headers: {
                'content-type': 'application/json',
                ...omitHeader(headers, 'content-length'),
              },
            }
          : undefined
      })
      response.end = ((...args: unknown[]) =>
        isAccepted
          ? end('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}')
          : end(...args)) as typeof response.end
    }),
  ),

  fault(
    'unknown-method-is-a-server-error',
    'Returns a page with status 500 for an unknown method.',
    ['TOOL-MCP-08'],
    (hit) => ({
      ...onHttpRequest((request, response, onHit) => {
        const body = captureBody(request)
        if (!isMcpRequest(request, 'POST')) return
        const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
        let isReplaced = false
        changeHead(response, () => {
          const method = /"method":"([^"]*)"/.exec(body())?.[1]
          isReplaced = method !== undefined && body().includes('"id":') && isUnknownMethod(method)
          if (isReplaced) onHit()
          return isReplaced ? { status: 500, headers: { 'content-type': 'text/html' } } : undefined
        })
        response.end = ((...args: unknown[]) =>
          isReplaced ? end('<h1>Internal Server Error</h1>') : end(...args)) as typeof response.end
      })(hit),
      choices: { framing: 'json' },
    }),
  ),

  fault(
    'get-is-not-found',
    'Returns 404 for GET.',
    ['TOOL-HTTP-04'],
    onGet((response) => response.writeHead(404).end()),
  ),
  fault(
    'get-returns-a-page',
    'Returns an HTML page for GET.',
    ['TOOL-HTTP-04'],
    onGet((response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A tool server</p>'),
    ),
  ),

  broadcast('progress-notifications', (event) => event.includes('"notifications/progress"')),
  broadcast('log-messages', (event) => event.includes('"notifications/message"')),
  broadcast('requests', (event) => event.includes('"elicitation/create"')),
  fault(
    'progress-is-on-the-oldest-stream',
    'Sends the progress of calls at the same time on the stream of the first one.',
    ['TOOL-HTTP-14'],
    gatherProgress((streams) => streams[0]),
  ),
  fault(
    'progress-is-on-the-newest-stream',
    'Sends the progress of calls at the same time on the stream of the last one.',
    ['TOOL-HTTP-14'],
    gatherProgress((streams) => streams.at(-1)),
  ),

  fault(
    'version-header-is-ignored',
    'Ignores an unknown version in MCP-Protocol-Version.',
    ['TOOL-HTTP-08'],
    onHttpRequest((request, _response, hit) => {
      if (!('mcp-protocol-version' in request.headers) || !isUnknownVersion(request)) return
      hit()
      setHeader(request, 'mcp-protocol-version', '2025-06-18')
    }),
  ),
  fault(
    'notifications-of-any-version',
    'Accepts notifications with an unknown version in MCP-Protocol-Version.',
    ['TOOL-HTTP-08'],
    onHttpRequest((request, response, hit) => {
      const body = captureBody(request)
      if (!isMcpRequest(request, 'POST') || !isUnknownVersion(request)) return
      const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
      let isAccepted = false
      changeHead(response, (status, headers) => {
        isAccepted = status === 400 && !body().includes('"id":')
        if (isAccepted) hit()
        return isAccepted
          ? { status: 202, headers: omitHeader(headers, 'content-length') }
          : undefined
      })
      response.end = ((...args: unknown[]) =>
        isAccepted ? end() : end(...args)) as typeof response.end
    }),
  ),
  ignoreVersionOf('event-streams', 'GET'),
  ignoreVersionOf('ends-of-sessions', 'DELETE'),
  fault(
    'unsupported-versions-are-served',
    'Serves requests with every version of MCP in their headers, but supports only the newest.',
    ['TOOL-HTTP-08'],
    (hit) => ({
      ...onHttpRequest((request) => {
        if (!['2025-06-18', '2025-03-26'].includes(versionOf(request))) return
        hit()
        setHeader(request, 'mcp-protocol-version', '2025-11-25')
      })(hit),
      choices: { versions: ['2025-11-25'] },
    }),
  ),
  fault(
    'version-of-the-session-is-refused',
    'Returns 400 for MCP-Protocol-Version 2025-03-26, although it supports this version.',
    ['TOOL-HTTP-08'],
    onHttpRequest((request, response, hit) => {
      if (!isMcpRequest(request, 'POST') || versionOf(request) !== '2025-03-26') return false
      hit()
      response.writeHead(400, { 'content-type': 'text/plain' }).end('another version')
      return true
    }),
  ),
  fault(
    'unknown-version-is-not-acceptable',
    'Returns 406 for an unknown protocol version.',
    ['TOOL-HTTP-08'],
    replaceStatus(
      400,
      406,
      (request) => 'mcp-protocol-version' in request.headers && versionOf(request) === 'touchstone',
    ),
  ),

  fault(
    'version-header-is-required',
    'Returns 400 for a request in a session without MCP-Protocol-Version.',
    ['TOOL-HTTP-12'],
    refuseWithoutVersion(400),
  ),
  fault(
    'missing-version-is-forbidden',
    'Returns 403 for a request in a session without MCP-Protocol-Version.',
    ['TOOL-HTTP-12'],
    refuseWithoutVersion(403),
  ),

  fault(
    'every-origin-is-trusted',
    'Serves requests from any origin.',
    ['TOOL-HTTP-09'],
    replaceRules((_rules, hit) => ({
      acceptsOrigin() {
        hit()
        return true
      },
    })),
  ),
  fault(
    'origin-is-compared-by-its-beginning',
    'Serves requests from any origin that begins with http://localhost.',
    ['TOOL-HTTP-09'],
    replaceRules(({ acceptsOrigin }, hit) => ({
      acceptsOrigin(origin) {
        const isSimilar = origin.startsWith('http://localhost') && !acceptsOrigin(origin)
        if (isSimilar) hit()
        return isSimilar || acceptsOrigin(origin)
      },
    })),
  ),
  ignoreOriginOf('event-streams', 'GET'),
  ignoreOriginOf('ends-of-sessions', 'DELETE'),
  fault(
    'null-origin-is-trusted',
    'Serves requests with the origin null.',
    ['TOOL-HTTP-09'],
    replaceRules(({ acceptsOrigin }, hit) => ({
      acceptsOrigin(origin) {
        if (origin === 'null') hit()
        return origin === 'null' || acceptsOrigin(origin)
      },
    })),
  ),
  fault(
    'foreign-origin-is-a-bad-request',
    'Returns 400 for requests from another origin.',
    ['TOOL-HTTP-09'],
    replaceStatus(403, 400),
  ),

  fault(
    'ended-session-is-a-bad-request',
    'Returns 400 for a session that was ended.',
    ['TOOL-HTTP-06'],
    replaceStatus(404, 400, hasSession),
  ),
  fault(
    'ended-session-still-streams',
    'Opens an event stream for a session that was ended.',
    ['TOOL-HTTP-06'],
    openRefusedStream(404, hasSession),
  ),
  fault(
    'stream-without-a-session',
    'Opens an event stream for a request without a session id.',
    ['TOOL-HTTP-07'],
    openRefusedStream(400, (request) => !hasSession(request)),
  ),
  fault(
    'no-session-is-not-found',
    'Returns 404 for requests without a session id.',
    ['TOOL-HTTP-07'],
    replaceStatus(400, 404, (request) => !hasSession(request)),
  ),
  fault(
    'no-session-is-forbidden',
    'Returns 403 for requests without a session id.',
    ['TOOL-HTTP-07'],
    replaceStatus(400, 403, (request) => !hasSession(request)),
  ),
]

function omitHeader({ ...headers }: Record<string, string>, name: string): Record<string, string> {
  delete headers[name]
  return headers
}

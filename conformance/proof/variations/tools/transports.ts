import { setHeader } from '../../../../mocks/stateful/tools.ts'
import { changeHead, pathOf } from '../../faults/tools/building.ts'
import type { ToolsDeviation } from '../../faults/tools/fault.ts'
import { onHead, splitBytes, rewriteStreams } from './streaming.ts'
import type { ToolsFactor } from './variation.ts'

const isSession = (headers: object): boolean => 'mcp-session-id' in headers

/** Responds to DELETE with a body. */
const endWithBody: ToolsDeviation = {
  intercept(request, response, next) {
    const end = response.end.bind(response) as (...args: unknown[]) => typeof response
    if (request.method === 'DELETE')
      response.end = ((...args: unknown[]) =>
        response.statusCode < 300 ? end('{"ended":true}') : end(...args)) as typeof response.end
    next()
  },
}

/** The id of the session that began last. */
let latest: string | undefined

/** Serves requests without a session id in the session that began last. */
const serveInLatestSession: ToolsDeviation = {
  intercept(request, response, next) {
    const { headers } = request
    if (!isSession(headers) && 'mcp-protocol-version' in headers && latest !== undefined)
      setHeader(request, 'mcp-session-id', latest)
    changeHead(response, (_status, { 'mcp-session-id': id }) => {
      latest = id ?? latest
      return undefined
    })
    next()
  },
}

/** Rewrites every line. */
const rewriteLines = (change: (line: string) => string): ToolsDeviation => ({ lines: change })

/** Choices that MCP leaves for transports. */
export const transports: readonly ToolsFactor[] = [
  {
    requirement: 'none',
    name: 'transport',
    values: [
      { name: 'streamable HTTP', description: 'Serves Streamable HTTP.' },
      {
        name: 'server-sent events',
        description: 'Serves HTTP+SSE.',
        choices: { transports: ['sse'] },
      },
      {
        name: 'a subprocess',
        description: 'Runs as a subprocess.',
        choices: { transports: ['stdio'] },
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-10',
    name: 'format of responses',
    values: [
      { name: 'event streams', description: 'Responds with streams of events.' },
      { name: 'JSON', description: 'Responds with JSON.', choices: { framing: 'json' } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-10',
    name: 'sessions',
    values: [
      { name: 'used', description: 'Has sessions.' },
      { name: 'none', description: 'Has no sessions.', choices: { sessions: false } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-05',
    name: 'ids of sessions',
    values: [
      { name: 'uuid', description: 'Uses UUIDs as session ids.' },
      {
        name: 'hex',
        description: 'Uses long hexadecimal session ids.',
        choices: { sessionIds: 'hex' },
      },
      {
        name: 'short',
        description: 'Uses short session ids with a counter.',
        choices: { sessionIds: 'short' },
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-04',
    name: 'stream of GET',
    values: [
      { name: 'opened', description: 'Opens a stream for GET.' },
      { name: 'refused', description: 'Refuses GET with 405.', choices: { getStream: false } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-06',
    name: 'DELETE requests for a session',
    values: [
      { name: 'accepted', description: 'Accepts DELETE.' },
      {
        name: 'refused',
        description: 'Refuses DELETE with 405.',
        choices: { deleteSessions: false },
      },
      {
        name: 'accepted with a JSON body',
        description: 'Responds to DELETE with a JSON body.',
        deviation: endWithBody,
      },
      {
        name: 'accepted with 204',
        notCombined: true,
        description: 'Responds to DELETE with 204.',
        deviation: onHead((status, { 'content-length': _, ...headers }, { method }) =>
          method === 'DELETE' && status === 200 ? { status: 204, headers } : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-07',
    name: 'requests without a session',
    values: [
      { name: '400', description: 'Returns 400 for requests without a session id.' },
      {
        name: 'served',
        notCombined: true,
        description: 'Serves requests without a session id in the session that began last.',
        deviation: serveInLatestSession,
      },
      {
        name: '404',
        notCombined: true,
        description: 'Returns 404 for requests without a session id.',
        unmet: ['TOOL-HTTP-07'],
        deviation: onHead((status, headers, request) =>
          status === 400 && pathOf(request) === '/mcp' && !isSession(request.headers)
            ? { status: 404, headers }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-09',
    name: 'trusted origins',
    values: [
      { name: 'loopback', description: 'Trusts origins on loopback.' },
      {
        name: 'any',
        notCombined: true,
        description: 'Trusts every origin and host, like a public service.',
        unmet: ['TOOL-HTTP-09'],
        deviation: { rules: { acceptsOrigin: () => true, acceptsHost: () => true } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'content types',
    values: [
      { name: 'plain', description: 'Returns content types without parameters.' },
      {
        name: 'with charset',
        description: 'Returns content types with a charset.',
        deviation: onHead((status, headers) =>
          headers['content-type'] === undefined
            ? undefined
            : {
                status,
                headers: {
                  ...headers,
                  'content-type': `${headers['content-type'].split(';')[0]}; charset=utf-8`,
                },
              },
        ),
      },
      {
        name: 'in capitals',
        description: 'Returns content types in capitals.',
        deviation: onHead((status, headers) =>
          headers['content-type'] === undefined
            ? undefined
            : {
                status,
                headers: { ...headers, 'content-type': headers['content-type'].toUpperCase() },
              },
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'format of events',
    values: [
      { name: 'LF', description: 'Ends lines of events with LF.' },
      {
        name: 'CRLF',
        description: 'Ends lines of events with CRLF.',
        deviation: rewriteStreams((text) => text.replaceAll('\n', '\r\n')),
      },
      {
        name: 'CR',
        notCombined: true,
        description: 'Ends lines of events with CR.',
        deviation: rewriteStreams((text) => text.replaceAll('\n', '\r')),
      },
      {
        name: 'with comments',
        notCombined: true,
        description: 'Sends comments between events to keep connections alive.',
        deviation: rewriteStreams((text) => `: alive\n\n${text}: alive\n\n`),
      },
      {
        name: 'in chunks',
        description: 'Splits events into chunks of seven bytes.',
        deviation: rewriteStreams((text) => splitBytes(text, 7)),
      },
      {
        name: 'byte by byte',
        notCombined: true,
        description: 'Sends the beginning of each event byte by byte.',
        deviation: rewriteStreams((text) => [
          ...splitBytes(text.slice(0, 60), 1),
          Buffer.from(text.slice(60)),
        ]),
      },
      {
        name: 'without event types',
        notCombined: true,
        description: 'Omits the type of message events.',
        deviation: rewriteStreams((text) => text.replaceAll('event: message\n', '')),
      },
      {
        name: 'without spaces after colons',
        notCombined: true,
        description: 'Omits the space after the colon of a field.',
        deviation: rewriteStreams((text) => text.replaceAll(/^(event|data): /gm, '$1:')),
      },
      {
        name: 'with an empty first event',
        description: 'Begins streams with an empty event that has id and retry.',
        deviation: rewriteStreams((text) => text, 'id: 0\nretry: 3000\ndata:\n\n'),
      },
    ],
  },
  {
    requirement: 'TOOL-SSE-02',
    name: 'URL in the endpoint event',
    values: [
      { name: 'a path', description: 'Sends the endpoint as a path.' },
      {
        name: 'an absolute URL',
        description: 'Sends the endpoint as a URL.',
        deviation: {
          intercept(request, response, next) {
            const { host } = request.headers
            rewriteStreams((text) =>
              text.replace(/^(event: endpoint\ndata: )\//, `$1http://${host}/`),
            ).intercept?.(request, response, next)
          },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-SSE-03',
    name: 'status for messages sent by POST',
    values: [
      { name: '202', description: 'Returns 202 for messages.' },
      {
        name: '200',
        description: 'Returns 200 for messages.',
        deviation: onHead((status, headers, request) =>
          status === 202 && pathOf(request) === '/messages' ? { status: 200, headers } : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-STDIO-02',
    name: 'format of lines',
    values: [
      { name: 'compact', description: 'Writes JSON without spaces.' },
      {
        name: 'with spaces',
        description: 'Writes JSON with spaces.',
        deviation: rewriteLines(
          (line) => ` ${JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, ' ')} `,
        ),
      },
      {
        name: 'CRLF',
        description: 'Ends lines with CRLF.',
        deviation: rewriteLines((line) => `${line}\r`),
      },
      {
        name: 'in ASCII',
        description: 'Escapes characters outside ASCII.',
        deviation: rewriteLines((line) =>
          line.replaceAll(
            /[\u0080-\uffff]/g,
            (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        ),
      },
    ],
  },
]

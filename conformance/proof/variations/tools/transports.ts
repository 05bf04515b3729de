import { pathOf } from '../../faults/tools/building.ts'
import type { ToolsDeviation } from '../../faults/tools/fault.ts'
import { heads, pieces, streams } from './streaming.ts'
import type { ToolsFactor } from './variation.ts'

const isSession = (headers: object): boolean => 'mcp-session-id' in headers

/** Answers a request to end a session with a body. */
const endsWithBody: ToolsDeviation = {
  intercept(request, response, next) {
    const end = response.end.bind(response) as (...given: unknown[]) => typeof response
    if (request.method === 'DELETE')
      response.end = ((...given: unknown[]) =>
        response.statusCode < 300 ? end('{"ended":true}') : end(...given)) as typeof response.end
    next()
  },
}

/** Tells every line in another way. */
const lines = (change: (line: string) => string): ToolsDeviation => ({ lines: change })

/** What MCP leaves open of its transports. */
export const transports: readonly ToolsFactor[] = [
  {
    row: 'form',
    factor: 'transport',
    levels: [
      { name: 'streamable HTTP', says: 'Serves over streamable HTTP.' },
      {
        name: 'server-sent events',
        says: 'Serves over server-sent events.',
        choices: { transports: ['sse'] },
      },
      { name: 'a subprocess', says: 'Serves as a subprocess.', choices: { transports: ['stdio'] } },
    ],
  },
  {
    row: 'TOOL-HTTP-10',
    factor: 'framing',
    levels: [
      { name: 'events', says: 'Answers with streams of events.' },
      { name: 'json', says: 'Answers with JSON.', choices: { framing: 'json' } },
    ],
  },
  {
    row: 'TOOL-HTTP-10',
    factor: 'sessions',
    levels: [
      { name: 'kept', says: 'Keeps sessions.' },
      { name: 'none', says: 'Keeps no sessions.', choices: { sessions: false } },
    ],
  },
  {
    row: 'TOOL-HTTP-05',
    factor: 'ids of sessions',
    levels: [
      { name: 'uuid', says: 'Names sessions by UUIDs.' },
      { name: 'hex', says: 'Names sessions by long numbers.', choices: { sessionIds: 'hex' } },
      {
        name: 'short',
        says: 'Names sessions by a few characters and a number.',
        choices: { sessionIds: 'short' },
      },
    ],
  },
  {
    row: 'TOOL-HTTP-04',
    factor: 'stream of GET',
    levels: [
      { name: 'opened', says: 'Opens a stream for GET.' },
      { name: 'refused', says: 'Refuses GET with 405.', choices: { getStream: false } },
    ],
  },
  {
    row: 'TOOL-HTTP-06',
    factor: 'end of sessions',
    levels: [
      { name: 'taken', says: 'Lets clients end sessions.' },
      { name: 'refused', says: 'Refuses DELETE with 405.', choices: { deletes: false } },
      {
        name: 'with a body',
        says: 'Tells in JSON that a session is ended.',
        deviation: endsWithBody,
      },
      {
        name: 'with 204',
        alone: true,
        says: 'Ends sessions with status 204.',
        deviation: heads((status, { 'content-length': _, ...headers }, { method }) =>
          method === 'DELETE' && status === 200 ? { status: 204, headers } : undefined,
        ),
      },
    ],
  },
  {
    row: 'TOOL-HTTP-07',
    factor: 'requests without a session',
    levels: [
      { name: '400', says: 'Refuses requests without a session with 400.' },
      {
        name: '404',
        alone: true,
        says: 'Refuses requests without a session with 404.',
        warns: ['TOOL-HTTP-07'],
        deviation: heads((status, headers, request) =>
          status === 400 && pathOf(request) === '/mcp' && !isSession(request.headers)
            ? { status: 404, headers }
            : undefined,
        ),
      },
    ],
  },
  {
    row: 'TOOL-HTTP-09',
    factor: 'trust in origins',
    levels: [
      { name: 'loopback', says: 'Trusts pages of this machine.' },
      {
        name: 'any',
        alone: true,
        says: 'Trusts all pages, as a public service does.',
        warns: ['TOOL-HTTP-09'],
        deviation: { rules: { trusts: () => true } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'content types',
    levels: [
      { name: 'plain', says: 'Tells content types without parameters.' },
      {
        name: 'with charset',
        says: 'Tells a charset with each content type.',
        deviation: heads((status, headers) =>
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
        says: 'Tells content types in capitals.',
        deviation: heads((status, headers) =>
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
    row: 'form',
    factor: 'writing of events',
    levels: [
      { name: 'with line feeds', says: 'Ends lines of events with line feeds.' },
      {
        name: 'with both ends',
        says: 'Ends lines of events with carriage return and line feed.',
        deviation: streams((text) => text.replaceAll('\n', '\r\n')),
      },
      {
        name: 'with carriage returns',
        alone: true,
        says: 'Ends lines of events with carriage returns.',
        deviation: streams((text) => text.replaceAll('\n', '\r')),
      },
      {
        name: 'with comments',
        alone: true,
        says: 'Writes comments between events, to keep connections alive.',
        deviation: streams((text) => `: alive\n\n${text}: alive\n\n`),
      },
      {
        name: 'in pieces',
        says: 'Cuts events into pieces of seven bytes.',
        deviation: streams((text) => pieces(text, 7)),
      },
      {
        name: 'byte by byte',
        alone: true,
        says: 'Writes the beginning of each event byte by byte.',
        deviation: streams((text) => [
          ...pieces(text.slice(0, 60), 1),
          Buffer.from(text.slice(60)),
        ]),
      },
      {
        name: 'without types',
        alone: true,
        says: 'Leaves out the type of message events.',
        deviation: streams((text) => text.replaceAll('event: message\n', '')),
      },
      {
        name: 'without spaces',
        alone: true,
        says: 'Writes no space behind the colon of a field.',
        deviation: streams((text) => text.replaceAll(/^(event|data): /gm, '$1:')),
      },
      {
        name: 'with a first event',
        says: 'Begins streams with an id and a time to wait.',
        deviation: streams((text) => text, 'id: 0\nretry: 3000\ndata:\n\n'),
      },
    ],
  },
  {
    row: 'TOOL-SSE-02',
    factor: 'endpoint of events',
    levels: [
      { name: 'a path', says: 'Tells the endpoint as a path.' },
      {
        name: 'a whole URL',
        says: 'Tells the endpoint as a whole URL.',
        deviation: {
          intercept(request, response, next) {
            const { host } = request.headers
            streams((text) =>
              text.replace(/^(event: endpoint\ndata: )\//, `$1http://${host}/`),
            ).intercept?.(request, response, next)
          },
        },
      },
    ],
  },
  {
    row: 'TOOL-SSE-03',
    factor: 'status of posts',
    levels: [
      { name: '202', says: 'Takes what is posted with 202.' },
      {
        name: '200',
        says: 'Takes what is posted with 200.',
        deviation: heads((status, headers, request) =>
          status === 202 && pathOf(request) === '/messages' ? { status: 200, headers } : undefined,
        ),
      },
    ],
  },
  {
    row: 'TOOL-STDIO-02',
    factor: 'writing of lines',
    levels: [
      { name: 'compact', says: 'Writes JSON without spaces.' },
      {
        name: 'with spaces',
        says: 'Writes JSON with spaces.',
        deviation: lines(
          (line) => ` ${JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, ' ')} `,
        ),
      },
      {
        name: 'with carriage returns',
        says: 'Ends lines with carriage return and line feed.',
        deviation: lines((line) => `${line}\r`),
      },
      {
        name: 'in ASCII',
        says: 'Writes characters beyond ASCII as escapes.',
        deviation: lines((line) =>
          line.replaceAll(
            /[\u0080-\uffff]/g,
            (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        ),
      },
    ],
  },
]

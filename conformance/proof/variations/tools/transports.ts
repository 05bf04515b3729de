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
    requirement: 'form',
    name: 'transport',
    levels: [
      { name: 'streamable HTTP', description: 'Serves over streamable HTTP.' },
      {
        name: 'server-sent events',
        description: 'Serves over server-sent events.',
        choices: { transports: ['sse'] },
      },
      {
        name: 'a subprocess',
        description: 'Serves as a subprocess.',
        choices: { transports: ['stdio'] },
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-10',
    name: 'framing',
    levels: [
      { name: 'events', description: 'Answers with streams of events.' },
      { name: 'json', description: 'Answers with JSON.', choices: { framing: 'json' } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-10',
    name: 'sessions',
    levels: [
      { name: 'kept', description: 'Keeps sessions.' },
      { name: 'none', description: 'Keeps no sessions.', choices: { sessions: false } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-05',
    name: 'ids of sessions',
    levels: [
      { name: 'uuid', description: 'Names sessions by UUIDs.' },
      {
        name: 'hex',
        description: 'Names sessions by long numbers.',
        choices: { sessionIds: 'hex' },
      },
      {
        name: 'short',
        description: 'Names sessions by a few characters and a number.',
        choices: { sessionIds: 'short' },
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-04',
    name: 'stream of GET',
    levels: [
      { name: 'opened', description: 'Opens a stream for GET.' },
      { name: 'refused', description: 'Refuses GET with 405.', choices: { getStream: false } },
    ],
  },
  {
    requirement: 'TOOL-HTTP-06',
    name: 'end of sessions',
    levels: [
      { name: 'taken', description: 'Lets clients end sessions.' },
      { name: 'refused', description: 'Refuses DELETE with 405.', choices: { deletes: false } },
      {
        name: 'with a body',
        description: 'Tells in JSON that a session is ended.',
        deviation: endsWithBody,
      },
      {
        name: 'with 204',
        notCombined: true,
        description: 'Ends sessions with status 204.',
        deviation: heads((status, { 'content-length': _, ...headers }, { method }) =>
          method === 'DELETE' && status === 200 ? { status: 204, headers } : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-07',
    name: 'requests without a session',
    levels: [
      { name: '400', description: 'Refuses requests without a session with 400.' },
      {
        name: '404',
        notCombined: true,
        description: 'Refuses requests without a session with 404.',
        unmet: ['TOOL-HTTP-07'],
        deviation: heads((status, headers, request) =>
          status === 400 && pathOf(request) === '/mcp' && !isSession(request.headers)
            ? { status: 404, headers }
            : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-HTTP-09',
    name: 'trust in origins',
    levels: [
      { name: 'loopback', description: 'Trusts pages of this machine.' },
      {
        name: 'any',
        notCombined: true,
        description: 'Trusts all pages, as a public service does.',
        unmet: ['TOOL-HTTP-09'],
        deviation: { rules: { trusts: () => true } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'content types',
    levels: [
      { name: 'plain', description: 'Tells content types without parameters.' },
      {
        name: 'with charset',
        description: 'Tells a charset with each content type.',
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
        description: 'Tells content types in capitals.',
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
    requirement: 'form',
    name: 'writing of events',
    levels: [
      { name: 'with line feeds', description: 'Ends lines of events with line feeds.' },
      {
        name: 'with both ends',
        description: 'Ends lines of events with carriage return and line feed.',
        deviation: streams((text) => text.replaceAll('\n', '\r\n')),
      },
      {
        name: 'with carriage returns',
        notCombined: true,
        description: 'Ends lines of events with carriage returns.',
        deviation: streams((text) => text.replaceAll('\n', '\r')),
      },
      {
        name: 'with comments',
        notCombined: true,
        description: 'Writes comments between events, to keep connections alive.',
        deviation: streams((text) => `: alive\n\n${text}: alive\n\n`),
      },
      {
        name: 'in pieces',
        description: 'Cuts events into pieces of seven bytes.',
        deviation: streams((text) => pieces(text, 7)),
      },
      {
        name: 'byte by byte',
        notCombined: true,
        description: 'Writes the beginning of each event byte by byte.',
        deviation: streams((text) => [
          ...pieces(text.slice(0, 60), 1),
          Buffer.from(text.slice(60)),
        ]),
      },
      {
        name: 'without types',
        notCombined: true,
        description: 'Leaves out the type of message events.',
        deviation: streams((text) => text.replaceAll('event: message\n', '')),
      },
      {
        name: 'without spaces',
        notCombined: true,
        description: 'Writes no space behind the colon of a field.',
        deviation: streams((text) => text.replaceAll(/^(event|data): /gm, '$1:')),
      },
      {
        name: 'with a first event',
        description: 'Begins streams with an id and a time to wait.',
        deviation: streams((text) => text, 'id: 0\nretry: 3000\ndata:\n\n'),
      },
    ],
  },
  {
    requirement: 'TOOL-SSE-02',
    name: 'endpoint of events',
    levels: [
      { name: 'a path', description: 'Tells the endpoint as a path.' },
      {
        name: 'a whole URL',
        description: 'Tells the endpoint as a whole URL.',
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
    requirement: 'TOOL-SSE-03',
    name: 'status of posts',
    levels: [
      { name: '202', description: 'Takes what is posted with 202.' },
      {
        name: '200',
        description: 'Takes what is posted with 200.',
        deviation: heads((status, headers, request) =>
          status === 202 && pathOf(request) === '/messages' ? { status: 200, headers } : undefined,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-STDIO-02',
    name: 'writing of lines',
    levels: [
      { name: 'compact', description: 'Writes JSON without spaces.' },
      {
        name: 'with spaces',
        description: 'Writes JSON with spaces.',
        deviation: lines(
          (line) => ` ${JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, ' ')} `,
        ),
      },
      {
        name: 'with carriage returns',
        description: 'Ends lines with carriage return and line feed.',
        deviation: lines((line) => `${line}\r`),
      },
      {
        name: 'in ASCII',
        description: 'Writes characters beyond ASCII as escapes.',
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

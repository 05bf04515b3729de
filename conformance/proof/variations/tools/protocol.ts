import type { ToolsDeviation } from '../../faults/tools/fault.ts'
import { isResponse, JsonRpcError, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import { heads } from './streaming.ts'
import type { ToolsFactor } from './variation.ts'

type Json = Record<string, unknown>

/** Changes every message that goes out. */
const sends = (change: (message: JsonRpc) => JsonRpc | JsonRpc[]): ToolsDeviation => ({
  message: (direction, message) => (direction === 'in' ? message : change(message)),
})
const results = (change: (result: Json) => Json): ToolsDeviation =>
  sends((message) =>
    'result' in message ? { ...message, result: change(message['result'] as Json) } : message,
  )
const errors = (change: (error: Json) => Json): ToolsDeviation =>
  sends((message) =>
    'error' in message ? { ...message, error: change(message['error'] as Json) } : message,
  )

const isList = ({ result }: JsonRpc): boolean =>
  typeof result === 'object' && result !== null && 'tools' in result
const isHandshake = (result: Json): boolean => 'serverInfo' in result

let pings = 0

/** What MCP leaves open of its messages. */
export const protocol: readonly ToolsFactor[] = [
  {
    row: 'TOOL-MCP-12',
    factor: 'parts of the list of tools',
    levels: [
      { name: 'one', says: 'Lists all tools at once.' },
      { name: 'threes', says: 'Lists tools in parts of three.', choices: { toolPage: 3 } },
      {
        name: 'single tools',
        alone: true,
        says: 'Lists one tool after the other.',
        choices: { toolPage: 1 },
      },
    ],
  },
  {
    row: 'TOOL-VERSION-01',
    factor: 'versions that are spoken',
    levels: [
      { name: 'all', says: 'Speaks all versions with a handshake.' },
      {
        name: 'the newest',
        says: 'Speaks the newest version only.',
        choices: { versions: ['2025-11-25'] },
      },
      {
        name: 'before the header',
        says: 'Speaks versions that know no header for the version.',
        choices: { versions: ['2025-03-26', '2024-11-05'] },
      },
      {
        name: 'the oldest',
        alone: true,
        says: 'Speaks the oldest version only.',
        choices: { versions: ['2024-11-05'] },
      },
    ],
  },
  {
    row: 'TOOL-MCP-02',
    factor: 'versions that are not spoken',
    levels: [
      { name: 'another', says: 'Proposes its own version.' },
      {
        name: 'an error',
        alone: true,
        says: 'Refuses with an error.',
        deviation: {
          rules: {
            negotiate(asked, spoken) {
              if (!spoken.includes(String(asked)))
                throw new JsonRpcError(-32602, 'Unsupported protocol version', {
                  supported: spoken,
                })
              return String(asked)
            },
          },
        },
      },
    ],
  },
  {
    row: 'TOOL-SERVER-02',
    factor: 'resources',
    levels: [
      { name: 'offered', says: 'Offers resources.' },
      { name: 'none', says: 'Offers no resources.', choices: { resources: false } },
    ],
  },
  {
    row: 'TOOL-RESOURCE-05',
    factor: 'which data are resources',
    levels: [
      { name: 'rules and books', says: 'Lists the rules, and has templates for books.' },
      { name: 'templates', says: 'Lists no single resources.', choices: { listsResources: false } },
      {
        name: 'without templates',
        says: 'Knows no templates.',
        deviation: {
          message(direction, message) {
            // Whoever asks for templates asks for a method that there is not.
            return direction === 'in' && message['method'] === 'resources/templates/list'
              ? { ...message, method: 'resources/templates/none' }
              : message
          },
        },
      },
    ],
  },
  {
    row: 'TOOL-RESOURCE-03',
    factor: 'missing resources',
    levels: [
      { name: '-32002', says: 'Tells a missing resource by the code of MCP.' },
      {
        name: '-32602',
        says: 'Tells a missing resource as an invalid parameter.',
        deviation: errors((error) =>
          error['code'] === -32002 ? { ...error, code: -32602 } : error,
        ),
      },
    ],
  },
  {
    row: 'TOOL-CALL-06',
    factor: 'tools that there are not',
    levels: [
      { name: 'error', says: 'Refuses an unknown tool with an error of JSON-RPC.' },
      {
        name: 'result',
        says: 'Refuses an unknown tool with a result that is marked as an error.',
        choices: { unknownTool: 'result' },
      },
    ],
  },
  {
    row: 'TOOL-MCP-13',
    factor: 'refusal of what is no request',
    levels: [
      { name: '400', says: 'Refuses what is no request with status 400.' },
      {
        name: '422',
        says: 'Refuses what is no request with status 422.',
        deviation: heads(
          (status, headers, { method, headers: { 'mcp-protocol-version': version = '2025' } }) =>
            status === 400 &&
            method === 'POST' &&
            String(version).startsWith('2025') &&
            headers['content-type'] === 'application/json' &&
            headers['mcp-session-id'] === undefined
              ? { status: 422, headers }
              : undefined,
        ),
        alone: true,
        warns: ['TOOL-HTTP-07'],
      },
    ],
  },
  {
    row: 'TOOL-MCP-09',
    factor: 'lines that are no JSON',
    levels: [
      { name: 'error', says: 'Answers a line that is no JSON with an error without an id.' },
      {
        name: 'silence',
        says: 'Passes over lines that are no JSON.',
        choices: { malformedLines: 'silence' },
      },
      {
        name: 'silence of a subprocess',
        alone: true,
        says: 'Passes over lines that are no JSON, as a subprocess.',
        choices: { malformedLines: 'silence', transports: ['stdio'] },
      },
    ],
  },
  {
    row: 'TOOL-MCP-10',
    factor: 'large input',
    levels: [
      { name: 'refused', says: 'Refuses more than four megabytes.' },
      {
        name: 'taken',
        says: 'Takes sixteen megabytes.',
        deviation: { rules: { maxBytes: 16 * 1024 * 1024 } },
      },
      {
        name: 'hung up on',
        alone: true,
        says: 'Closes the connection on which more than a megabyte comes.',
        deviation: {
          intercept(request, _response, next) {
            if (Number(request.headers['content-length'] ?? 0) > 1_000_000) request.socket.destroy()
            else next()
          },
        },
      },
    ],
  },
  {
    row: 'form',
    factor: 'what the handshake tells',
    levels: [
      { name: 'enough', says: 'Tells no more than has to be told.' },
      {
        name: 'more',
        says: 'Tells further capabilities, a title and instructions.',
        choices: { instructions: true },
        deviation: results((result) =>
          isHandshake(result)
            ? {
                ...result,
                capabilities: {
                  experimental: { 'shelf/shine': {} },
                  completions: {},
                  ...(result['capabilities'] as Json),
                  tools: { listChanged: true },
                },
                serverInfo: {
                  ...(result['serverInfo'] as Json),
                  title: 'The shelf',
                  websiteUrl: 'https://shelf.example',
                },
              }
            : result,
        ),
      },
    ],
  },
  {
    row: 'form',
    factor: 'members beside the protocol',
    levels: [
      { name: 'none', says: 'Sends only members that the protocol has.' },
      {
        name: '_meta',
        says: 'Sends _meta with each result.',
        deviation: results((result) => ({ ...result, _meta: { 'shelf.example/took': 1 } })),
      },
      {
        name: 'data',
        says: 'Sends data with each error.',
        deviation: errors((error) => ({ data: { hint: 'look again' }, ...error })),
      },
    ],
  },
  {
    row: 'form',
    factor: 'what comes unasked',
    levels: [
      { name: 'nothing', says: 'Sends nothing unasked.' },
      {
        name: 'changes',
        says: 'Tells before each list of tools that it has changed.',
        deviation: sends((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, message]
            : message,
        ),
      },
      {
        name: 'pings',
        says: 'Pings its client before each list of tools.',
        deviation: sends((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', id: `shelf-ping-${(pings += 1)}`, method: 'ping' }, message]
            : message,
        ),
      },
    ],
  },
  {
    row: 'form',
    factor: 'order of members of messages',
    levels: [
      { name: 'natural', says: 'Writes members in the order of the SDK.' },
      {
        name: 'reversed',
        says: 'Writes members in the reverse order.',
        deviation: sends((message) =>
          isResponse(message) ? Object.fromEntries(Object.entries(message).toReversed()) : message,
        ),
      },
    ],
  },
]

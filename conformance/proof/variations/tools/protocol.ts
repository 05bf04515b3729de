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
    requirement: 'TOOL-MCP-12',
    name: 'parts of the list of tools',
    levels: [
      { name: 'one', description: 'Lists all tools at once.' },
      { name: 'threes', description: 'Lists tools in parts of three.', choices: { toolPage: 3 } },
      {
        name: 'single tools',
        notCombined: true,
        description: 'Lists one tool after the other.',
        choices: { toolPage: 1 },
      },
    ],
  },
  {
    requirement: 'TOOL-VERSION-01',
    name: 'versions that are spoken',
    levels: [
      { name: 'all', description: 'Speaks all versions with a handshake.' },
      {
        name: 'the newest',
        description: 'Speaks the newest version only.',
        choices: { versions: ['2025-11-25'] },
      },
      {
        name: 'before the header',
        description: 'Speaks versions that know no header for the version.',
        choices: { versions: ['2025-03-26', '2024-11-05'] },
      },
      {
        name: 'the oldest',
        notCombined: true,
        description: 'Speaks the oldest version only.',
        choices: { versions: ['2024-11-05'] },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-02',
    name: 'versions that are not spoken',
    levels: [
      { name: 'another', description: 'Proposes its own version.' },
      {
        name: 'an error',
        notCombined: true,
        description: 'Refuses with an error.',
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
    requirement: 'TOOL-SERVER-02',
    name: 'resources',
    levels: [
      { name: 'offered', description: 'Offers resources.' },
      { name: 'none', description: 'Offers no resources.', choices: { resources: false } },
    ],
  },
  {
    requirement: 'TOOL-RESOURCE-05',
    name: 'which data are resources',
    levels: [
      { name: 'rules and books', description: 'Lists the rules, and has templates for books.' },
      {
        name: 'templates',
        description: 'Lists no single resources.',
        choices: { listsResources: false },
      },
      {
        name: 'without templates',
        description: 'Knows no templates.',
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
    requirement: 'TOOL-RESOURCE-03',
    name: 'missing resources',
    levels: [
      { name: '-32002', description: 'Tells a missing resource by the code of MCP.' },
      {
        name: '-32602',
        description: 'Tells a missing resource as an invalid parameter.',
        deviation: errors((error) =>
          error['code'] === -32002 ? { ...error, code: -32602 } : error,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-CALL-06',
    name: 'tools that there are not',
    levels: [
      { name: 'error', description: 'Refuses an unknown tool with an error of JSON-RPC.' },
      {
        name: 'result',
        description: 'Refuses an unknown tool with a result that is marked as an error.',
        choices: { unknownTool: 'result' },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-13',
    name: 'refusal of what is no request',
    levels: [
      { name: '400', description: 'Refuses what is no request with status 400.' },
      {
        name: '422',
        description: 'Refuses what is no request with status 422.',
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
        notCombined: true,
        unmet: ['TOOL-HTTP-07'],
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-09',
    name: 'lines that are no JSON',
    levels: [
      { name: 'error', description: 'Answers a line that is no JSON with an error without an id.' },
      {
        name: 'silence',
        description: 'Passes over lines that are no JSON.',
        choices: { malformedLines: 'silence' },
      },
      {
        name: 'silence of a subprocess',
        notCombined: true,
        description: 'Passes over lines that are no JSON, as a subprocess.',
        choices: { malformedLines: 'silence', transports: ['stdio'] },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-10',
    name: 'large input',
    levels: [
      { name: 'refused', description: 'Refuses more than four megabytes.' },
      {
        name: 'taken',
        description: 'Takes sixteen megabytes.',
        deviation: { rules: { maxBytes: 16 * 1024 * 1024 } },
      },
      {
        name: 'hung up on',
        notCombined: true,
        description: 'Closes the connection on which more than a megabyte comes.',
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
    requirement: 'form',
    name: 'what the handshake tells',
    levels: [
      { name: 'enough', description: 'Tells no more than has to be told.' },
      {
        name: 'more',
        description: 'Tells further capabilities, a title and instructions.',
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
    requirement: 'form',
    name: 'members beside the protocol',
    levels: [
      { name: 'none', description: 'Sends only members that the protocol has.' },
      {
        name: '_meta',
        description: 'Sends _meta with each result.',
        deviation: results((result) => ({ ...result, _meta: { 'shelf.example/took': 1 } })),
      },
      {
        name: 'data',
        description: 'Sends data with each error.',
        deviation: errors((error) => ({ data: { hint: 'look again' }, ...error })),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'what comes unasked',
    levels: [
      { name: 'nothing', description: 'Sends nothing unasked.' },
      {
        name: 'changes',
        description: 'Tells before each list of tools that it has changed.',
        deviation: sends((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, message]
            : message,
        ),
      },
      {
        name: 'pings',
        description: 'Pings its client before each list of tools.',
        deviation: sends((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', id: `shelf-ping-${(pings += 1)}`, method: 'ping' }, message]
            : message,
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'order of members of messages',
    levels: [
      { name: 'natural', description: 'Writes members in the order of the SDK.' },
      {
        name: 'reversed',
        description: 'Writes members in the reverse order.',
        deviation: sends((message) =>
          isResponse(message) ? Object.fromEntries(Object.entries(message).toReversed()) : message,
        ),
      },
    ],
  },
]

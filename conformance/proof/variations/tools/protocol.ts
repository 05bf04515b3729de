import type { ToolsDeviation } from '../../faults/tools/fault.ts'
import { isResponse, JsonRpcError, type JsonRpc } from '../../../../mocks/stateful/tools.ts'
import { neverElicit } from './notifications.ts'
import { onHead } from './streaming.ts'
import type { ToolsFactor } from './variation.ts'

type Json = Record<string, unknown>

/** Changes every message of the server. */
const onServerMessage = (change: (message: JsonRpc) => JsonRpc | JsonRpc[]): ToolsDeviation => ({
  message: (direction, message) => (direction === 'in' ? message : change(message)),
})
const onResult = (change: (result: Json) => Json): ToolsDeviation =>
  onServerMessage((message) =>
    'result' in message ? { ...message, result: change(message['result'] as Json) } : message,
  )
const onError = (change: (error: Json) => Json): ToolsDeviation =>
  onServerMessage((message) =>
    'error' in message ? { ...message, error: change(message['error'] as Json) } : message,
  )

const isList = ({ result }: JsonRpc): boolean =>
  typeof result === 'object' && result !== null && 'tools' in result
const isCallResult = ({ result }: JsonRpc): boolean =>
  typeof result === 'object' && result !== null && 'content' in result
const isHandshake = (result: Json): boolean => 'serverInfo' in result

/** Makes the URI of a subscription unknown to the server, unless `isAllowed` returns true. */
const onSubscription = (isAllowed: (uri: unknown) => boolean): ToolsDeviation => ({
  message(direction, message) {
    const params = message['params'] as Json | undefined
    if (direction === 'out' || message['method'] !== 'resources/subscribe') return message
    return isAllowed(params?.['uri'])
      ? message
      : { ...message, params: { uri: 'shelf://rules/without-subscriptions' } }
  },
})

let pings = 0

/** Choices that MCP leaves to servers, about their messages. */
export const protocol: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-MCP-12',
    name: 'pages of the list of tools',
    values: [
      { name: 'one page', description: 'Lists all tools on one page.' },
      {
        name: 'three tools per page',
        description: 'Lists three tools per page.',
        choices: { toolPage: 3 },
      },
      {
        name: 'one tool per page',
        notCombined: true,
        description: 'Lists one tool per page.',
        choices: { toolPage: 1 },
      },
    ],
  },
  {
    requirement: 'TOOL-VERSION-01',
    name: 'supported versions of MCP',
    values: [
      {
        name: '2024-11-05 to 2025-11-25',
        description: 'Supports all versions that begin with initialize.',
      },
      {
        name: 'only 2025-11-25',
        description: 'Supports only the newest version.',
        choices: { versions: ['2025-11-25'] },
      },
      {
        name: 'only 2024-11-05 and 2025-03-26',
        description: 'Supports only versions without MCP-Protocol-Version.',
        choices: { versions: ['2025-03-26', '2024-11-05'] },
      },
      {
        name: 'only 2024-11-05',
        notCombined: true,
        description: 'Supports only the oldest version.',
        choices: { versions: ['2024-11-05'] },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-02',
    name: 'unsupported versions',
    values: [
      {
        name: 'answered with a supported version',
        description: 'Responds to an unsupported version with a supported one.',
      },
      {
        name: 'refused with an error',
        notCombined: true,
        description: 'Refuses an unsupported version with an error.',
        deviation: {
          rules: {
            negotiateVersion(requested, supported) {
              if (!supported.includes(String(requested)))
                throw new JsonRpcError(-32602, 'Unsupported protocol version', {
                  supported,
                })
              return String(requested)
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-SERVER-02',
    name: 'resources',
    values: [
      { name: 'offered', description: 'Has resources.' },
      { name: 'none', description: 'Has no resources.', choices: { resources: false } },
    ],
  },
  {
    requirement: 'TOOL-RESOURCE-10',
    name: 'subscriptions',
    values: [
      { name: 'none', description: 'Does not declare resources.subscribe.' },
      {
        name: 'to all resources',
        description: 'Accepts subscriptions to all resources.',
        choices: { subscriptions: true },
      },
      {
        name: 'to some resources',
        description: 'Accepts subscriptions only to the rules about loans.',
        choices: { subscriptions: true },
        deviation: onSubscription((uri) => uri === 'shelf://rules/loans'),
      },
    ],
  },
  {
    requirement: 'TOOL-RESOURCE-05',
    name: 'kinds of resources',
    values: [
      {
        name: 'resources and templates',
        description: 'Lists one resource, the rules of the library, and has templates for books.',
      },
      {
        name: 'only templates',
        description: 'Has templates only.',
        choices: { listsResources: false },
      },
      {
        name: 'only resources',
        description: 'Has no templates.',
        deviation: {
          message(direction, message) {
            // Renames the method, so that the server does not know it.
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
    values: [
      { name: '-32002', description: 'Reports a missing resource with the code of MCP.' },
      {
        name: '-32602',
        description: 'Reports a missing resource as an invalid parameter.',
        deviation: onError((error) =>
          error['code'] === -32002 ? { ...error, code: -32602 } : error,
        ),
      },
    ],
  },
  {
    requirement: 'TOOL-CALL-06',
    name: 'unknown tools',
    values: [
      { name: 'error', description: 'Refuses an unknown tool with a JSON-RPC error.' },
      {
        name: 'result',
        description: 'Refuses an unknown tool with a result that has isError.',
        choices: { unknownTool: 'result' },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-13',
    name: 'HTTP status for invalid requests',
    values: [
      { name: '400', description: 'Refuses invalid requests with status 400.' },
      {
        name: '422',
        description: 'Refuses invalid requests with status 422.',
        deviation: onHead(
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
    requirement: 'TOOL-MCP-04',
    name: 'bodies of refusals',
    values: [
      { name: 'JSON-RPC', description: 'Refuses requests over HTTP with JSON-RPC errors.' },
      {
        name: 'other JSON',
        description:
          'Refuses HTTP requests with JSON that is not JSON-RPC, unless they concern a message.',
        choices: { refusals: 'other JSON' },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-09',
    name: 'lines that are not JSON',
    values: [
      {
        name: 'answered with an error',
        description: 'Responds to a line that is not JSON with an error without an id.',
      },
      {
        name: 'ignored',
        description: 'Ignores lines that are not JSON.',
        choices: { malformedLines: 'silence' },
      },
      {
        name: 'ignored by a subprocess',
        notCombined: true,
        description: 'Runs as a subprocess, and ignores lines that are not JSON.',
        choices: { malformedLines: 'silence', transports: ['stdio'] },
      },
    ],
  },
  {
    requirement: 'TOOL-MCP-10',
    name: 'large input',
    values: [
      { name: 'refused', description: 'Refuses messages of more than 4 MiB.' },
      {
        name: 'accepted',
        description: 'Accepts messages of up to 16 MiB.',
        deviation: { rules: { maxMessageBytes: 16 * 1024 * 1024 } },
      },
      {
        name: 'connection closed',
        notCombined: true,
        description: 'Closes the connection if a request body exceeds a megabyte.',
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
    requirement: 'none',
    name: 'members of the handshake',
    values: [
      { name: 'required', description: 'Returns only required members from initialize.' },
      {
        name: 'more',
        description: 'Returns further capabilities, a title and instructions.',
        choices: { instructions: true },
        deviation: onResult((result) =>
          isHandshake(result)
            ? {
                ...result,
                capabilities: {
                  experimental: { 'shelf/shine': {} },
                  shelf: {},
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
    requirement: 'none',
    name: 'optional members',
    values: [
      { name: 'none', description: 'Sends no optional members.' },
      {
        name: '_meta',
        description: 'Sends _meta with each result.',
        deviation: onResult((result) => ({ ...result, _meta: { 'shelf.example/took': 1 } })),
      },
      {
        name: 'data',
        description: 'Sends data with each error.',
        deviation: onError((error) => ({ data: { hint: 'look again' }, ...error })),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'messages of the server',
    values: [
      { name: 'nothing', description: 'Sends no messages except responses.' },
      {
        name: 'changes',
        description: 'Sends list_changed before each list of tools.',
        deviation: onServerMessage((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, message]
            : message,
        ),
      },
      {
        name: 'pings',
        description: 'Sends ping before each list of tools.',
        deviation: onServerMessage((message) =>
          isList(message)
            ? [{ jsonrpc: '2.0', id: `shelf-ping-${(pings += 1)}`, method: 'ping' }, message]
            : message,
        ),
      },
      {
        name: 'changes during calls, and nothing else',
        notCombined: true,
        description:
          'Sends list_changed before each result of a call, but neither progress, logs nor requests.',
        choices: { progress: 'none', logging: false },
        deviation: {
          around: neverElicit,
          ...onServerMessage((message) =>
            isCallResult(message)
              ? [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, message]
              : message,
          ),
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'order of members of messages',
    values: [
      { name: 'natural', description: 'Writes members in the order of the SDK.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse order.',
        deviation: onServerMessage((message) =>
          isResponse(message) ? Object.fromEntries(Object.entries(message).toReversed()) : message,
        ),
      },
    ],
  },
]

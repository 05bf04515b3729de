import { randomUUID } from 'node:crypto'
import { emptyAnswer, jsonAnswer, mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange, Handler } from './http.ts'
import { isObject, parseJson, textOf } from './json.ts'
import type { JsonObject } from './json.ts'
import type { IsOn } from './switches.ts'
import { describeTool, failureText, inputFault, tools } from './tools.ts'
import type { ToolContext } from './tools.ts'
import type { User } from './types.ts'

/** The outcome of the token check of one request. */
export type Verdict = Admitted | { readonly refusal: Answer }

export interface Admitted {
  readonly user: User
  /** Looks the user up anew, where that is wanted. */
  readonly lookUp?: () => Promise<User>
  readonly sessionProperties?: JsonObject
}

export type Guard = (exchange: Exchange) => Verdict | Promise<Verdict>

const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const serverInfo = { name: 'desk_mcp', version: '1.0.0' }

export const anonymous: User = { login: 'anonymous', email: '' }

/** The streamable HTTP transport with JSON answers, behind a guard. */
export function mcpHandler(on: IsOn, guard: Guard): Handler {
  const sessions = new Set<string>()

  return async (exchange) => {
    if (exchange.method === 'OPTIONS' && on('options-answered')) {
      return withHeaders(emptyAnswer(204), {
        Allow: 'POST, OPTIONS',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      })
    }
    const wrongMethod = exchange.method !== 'POST' && exchange.method !== 'DELETE'
    if (on('method-before-token') && exchange.method !== 'POST') {
      return methodNotAllowed()
    }
    const verdict = await guard(exchange)
    if ('refusal' in verdict) {
      return verdict.refusal
    }
    if (!originAllowed(exchange)) {
      return textAnswer(403, 'Origin not allowed')
    }
    if (wrongMethod || (exchange.method === 'DELETE' && !on('session-ids'))) {
      return methodNotAllowed()
    }
    return transportFault(on, exchange) ?? sessionStep(verdict, exchange)
  }

  async function sessionStep(admitted: Admitted, exchange: Exchange): Promise<Answer> {
    if (!on('session-ids')) {
      return answerBody(on, admitted, exchange.body)
    }
    const given = textOf(exchange.headers['mcp-session-id'])
    if (exchange.method === 'DELETE') {
      return emptyAnswer(given !== undefined && sessions.delete(given) ? 204 : 404)
    }
    const message = parseJson(exchange.body)
    if (isObject(message) && message['method'] === 'initialize') {
      const id = randomUUID()
      sessions.add(id)
      return withHeaders(await answerBody(on, admitted, exchange.body), { 'Mcp-Session-Id': id })
    }
    if (given === undefined) return rpcFault(400, null, -32600, 'Mcp-Session-Id is missing')
    if (!sessions.has(given)) return rpcFault(404, null, -32600, 'No such session')
    return answerBody(on, admitted, exchange.body)
  }
}

function methodNotAllowed(): Answer {
  return withHeaders(textAnswer(405, 'Method not allowed'), { Allow: 'POST' })
}

/** Web pages of other origins may not talk to a server on this machine. */
function originAllowed(exchange: Exchange): boolean {
  const origin = exchange.headers.origin
  return origin === undefined || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}

function transportFault(on: IsOn, exchange: Exchange): Answer | undefined {
  if (exchange.method !== 'POST') {
    return undefined
  }
  const accept = exchange.headers.accept ?? ''
  const bothListed = accept.includes('application/json') && accept.includes('text/event-stream')
  if (on('accept-header-checked') && !bothListed) {
    return textAnswer(406, 'Accept must list application/json and text/event-stream')
  }
  if (mediaType(exchange) !== 'application/json') {
    return textAnswer(415, 'Content-Type must be application/json')
  }
  const version = textOf(exchange.headers['mcp-protocol-version'])
  if (version !== undefined && !protocolVersions.includes(version)) {
    return rpcFault(400, null, -32600, 'Unsupported protocol version')
  }
  return undefined
}

export function rpcFault(
  status: number,
  id: string | number | null,
  code: number,
  message: string,
): Answer {
  return jsonAnswer(status, { jsonrpc: '2.0', id, error: { code, message } })
}

async function answerBody(on: IsOn, admitted: Admitted, body: string): Promise<Answer> {
  const message = parseJson(body)
  if (message === undefined) {
    return rpcFault(400, null, -32700, 'Parse error')
  }
  if (Array.isArray(message) && on('array-body-open')) {
    return answerBatch(on, admitted, message)
  }
  if (!isObject(message) || message['jsonrpc'] !== '2.0') {
    return rpcFault(400, null, -32600, 'Invalid request')
  }
  return answerMessage(on, admitted, message)
}

async function answerBatch(on: IsOn, admitted: Admitted, batch: unknown[]): Promise<Answer> {
  const replies: unknown[] = []
  for (const entry of batch) {
    if (isObject(entry)) {
      const answer = await answerMessage(on, admitted, entry)
      if (answer.body !== '') replies.push(parseJson(answer.body))
    }
  }
  return jsonAnswer(200, replies)
}

async function answerMessage(on: IsOn, admitted: Admitted, message: JsonObject): Promise<Answer> {
  const id = message['id']
  const method = textOf(message['method'])
  if (id === undefined || method === undefined) {
    return emptyAnswer(202)
  }
  if (typeof id !== 'string' && typeof id !== 'number') {
    return rpcFault(400, null, -32600, 'Invalid request')
  }
  const params = isObject(message['params']) ? message['params'] : {}
  const result = (value: unknown): Answer => jsonAnswer(200, { jsonrpc: '2.0', id, result: value })
  switch (method) {
    case 'initialize':
      return result(initializeResult(params))
    case 'ping':
      return result({})
    case 'tools/list':
      return result({ tools: tools.map(describeTool) })
    case 'tools/call':
      return callTool(on, admitted, id, params)
    default:
      return rpcFault(200, id, -32601, 'Method not found')
  }
}

function initializeResult(params: JsonObject): JsonObject {
  const asked = textOf(params['protocolVersion']) ?? ''
  return {
    protocolVersion: protocolVersions.includes(asked) ? asked : protocolVersions[0],
    capabilities: { tools: {} },
    serverInfo,
  }
}

async function callTool(
  on: IsOn,
  admitted: Admitted,
  id: string | number,
  params: JsonObject,
): Promise<Answer> {
  const tool = tools.find((candidate) => candidate.name === params['name'])
  if (tool === undefined) {
    return rpcFault(200, id, -32602, 'Unknown tool')
  }
  const input = isObject(params['arguments']) ? params['arguments'] : {}
  const fault = inputFault(tool, input)
  if (fault !== undefined) {
    return rpcFault(200, id, -32602, `Invalid input: ${fault}`)
  }
  const context: ToolContext = {
    on,
    currentUser: admitted.lookUp ?? (() => Promise.resolve(admitted.user)),
    sessionProperties: admitted.sessionProperties ?? {},
  }
  let result: JsonObject
  try {
    const output = await tool.run(input, context)
    result = { content: [{ type: 'text', text: output.text }], isError: false }
    if (output.structured !== undefined) result['structuredContent'] = output.structured
  } catch (error) {
    result = { content: [{ type: 'text', text: failureText(error) }], isError: true }
  }
  return jsonAnswer(200, { jsonrpc: '2.0', id, result })
}

import { fault, over, replaceRules, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

const isLarge = (message: object): boolean => JSON.stringify(message).length > 1_000_000

/** Never responds to large messages. */
const ignoreLargeMessages: MakeToolsDeviation = (hit) => ({
  rules: { maxMessageBytes: Number.POSITIVE_INFINITY },
  message(direction, message) {
    if (direction === 'out' || !isLarge(message)) return message
    hit()
    return undefined
  },
})

/** Repairs input that is not JSON. */
const repairJson = (repair: (text: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    parseMessage(text) {
      try {
        return JSON.parse(text) as unknown
      } catch {
        const read = JSON.parse(repair(text)) as unknown
        hit()
        return read
      }
    },
  }))

/** Ignores ping in a session that has sent input that is not JSON. */
const ignorePingAfterInvalidJson: MakeToolsDeviation = (hit) => {
  const broken = new Set<string>()
  return {
    intercept(request, response, next) {
      const session = request.headers['mcp-session-id']
      response.on('finish', () => {
        if (response.statusCode === 400 && request.method === 'POST' && typeof session === 'string')
          broken.add(session)
      })
      next()
    },
    message(direction, message, { session = '' }) {
      if (direction === 'out' || message['method'] !== 'ping' || !broken.has(session))
        return message
      hit()
      return undefined
    },
  }
}

/** Changes the code of the error for invalid JSON. */
const changeParseError = (code: number): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    get parseErrorCode() {
      hit()
      return code
    },
  }))

/** Serves requests that JSON-RPC does not allow, after `repair` has changed them. */
const serveRepaired = (repair: (message: Json) => Json | undefined): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    parseMessage(text) {
      const message = JSON.parse(text) as Json
      const repaired = message['method'] === 'ping' ? repair(message) : undefined
      if (repaired !== undefined) hit()
      return repaired ?? message
    },
  }))

/** Faults in the handling of input that is not JSON, and of large input. */
export const malformedInput = [
  fault(
    'requests-without-jsonrpc-are-served',
    'Serves requests without the member jsonrpc.',
    ['TOOL-MCP-17'],
    serveRepaired((message) => ('jsonrpc' in message ? undefined : { ...message, jsonrpc: '2.0' })),
  ),
  fault(
    'requests-of-other-versions-of-json-rpc-are-served',
    'Serves requests that name JSON-RPC 1.0.',
    ['TOOL-MCP-17'],
    serveRepaired((message) =>
      message['jsonrpc'] === '1.0' ? { ...message, jsonrpc: '2.0' } : undefined,
    ),
  ),
  fault(
    'requests-with-scalar-params-are-served',
    'Serves requests whose params are a string.',
    ['TOOL-MCP-17'],
    serveRepaired(({ params, ...message }) => (typeof params === 'string' ? message : undefined)),
  ),

  fault(
    'half-a-message-is-completed',
    'Adds the missing brace to a truncated message and responds to it.',
    ['TOOL-MCP-09'],
    repairJson((text) => `${text}}`),
  ),
  fault(
    'trailing-comma-is-accepted',
    'Accepts trailing commas.',
    ['TOOL-MCP-09'],
    over(
      ['stdio'],
      repairJson((text) => text.replaceAll(/,\s*([}\]])/g, '$1')),
    ),
  ),
  fault(
    'half-a-message-is-completed-over-sse',
    'Adds the missing brace to a truncated message, over HTTP+SSE, and responds to it.',
    ['TOOL-MCP-09'],
    over(
      ['sse'],
      repairJson((text) => `${text}}`),
    ),
  ),
  fault(
    'text-is-a-ping',
    'Treats any text that contains "ping" as a ping.',
    ['TOOL-MCP-09'],
    repairJson((text) =>
      text.includes('ping') ? '{"jsonrpc":"2.0","id":"malformed","method":"ping"}' : text,
    ),
  ),
  fault(
    'no-response-after-invalid-json',
    'Ignores ping in a session that has sent invalid JSON.',
    ['TOOL-MCP-09'],
    ignorePingAfterInvalidJson,
  ),

  fault(
    'invalid-json-is-an-invalid-request',
    'Returns the error -32600 for invalid JSON.',
    ['TOOL-MCP-15'],
    changeParseError(-32600),
  ),
  fault(
    'invalid-json-is-an-internal-error',
    'Returns the error -32603 for invalid JSON.',
    ['TOOL-MCP-15'],
    changeParseError(-32603),
  ),

  fault(
    'invalid-json-is-an-invalid-request-over-stdio',
    'Returns the error -32600 for invalid JSON over standard input.',
    ['TOOL-MCP-15'],
    over(['stdio'], changeParseError(-32600)),
  ),

  fault(
    'large-input-gets-no-response',
    'Does not respond to a message of more than a million characters.',
    ['TOOL-MCP-10'],
    ignoreLargeMessages,
  ),
  fault(
    'large-input-gets-no-response-over-sse',
    'Does not respond to a message of more than a million characters over HTTP+SSE.',
    ['TOOL-MCP-10'],
    over(['sse'], ignoreLargeMessages),
  ),
  fault(
    'large-line-gets-no-response',
    'Does not respond to a line of more than a million characters.',
    ['TOOL-MCP-10'],
    over(['stdio'], ignoreLargeMessages),
  ),
]

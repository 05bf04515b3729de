/** A JSON-RPC message of any kind. */
export type JsonRpc = Record<string, unknown>

/** One part of a tool's result. */
export interface ContentBlock {
  type: string
  text?: string
  [member: string]: unknown
}

/** The result of `tools/call`. */
export interface ToolResult {
  content: ContentBlock[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  [member: string]: unknown
}

/** An entry of `tools/list`. */
export interface Definition {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: Record<string, unknown>
  [member: string]: unknown
}

/** The log levels, from the least to the most severe. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof logLevels)[number]

/** The protocol revisions in which clients start with `initialize`, newest first. */
export const protocolVersions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]

/** Thrown by handlers; becomes a JSON-RPC error. */
export class JsonRpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = -32602
export const methodNotFound = -32601
export const parseError = -32700
/** MCP's code for an unknown resource. */
export const resourceNotFound = -32002

/** Whether a message is a response. */
export const isResponse = (message: JsonRpc): boolean => 'result' in message || 'error' in message
/** Whether a message requires a response. */
export const isRequest = (message: JsonRpc): boolean =>
  typeof message['method'] === 'string' && 'id' in message

/** Describes messages for the request log: their methods, and the tools that they call. */
export const describeCalls = (messages: readonly JsonRpc[]): string =>
  messages
    .map(({ method, params }) => {
      if (typeof method !== 'string') return 'response'
      const name = (params as { name?: unknown } | null | undefined)?.name
      return typeof name === 'string' ? `${method} ${name}` : method
    })
    .join(', ')

import type { HttpExchange, McpExchange } from '../../../wire/index.ts'

/** What a run against a tool server exchanges: messages of MCP, and bare requests for its authentication. */
export type ToolsMessage = McpExchange | HttpExchange

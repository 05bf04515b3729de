import type { HttpExchange, McpExchange } from '../../../wire/index.ts'

/** An exchange with a tool server: MCP messages, or HTTP requests for authentication. */
export type ToolsMessage = McpExchange | HttpExchange

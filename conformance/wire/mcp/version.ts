/** The newest revision of MCP in which a connection begins with `initialize`. */
export const newestVersion = '2025-11-25'

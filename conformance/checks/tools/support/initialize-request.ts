/** An initialize request, for code that sends it without an MCP client. */
export const initializeRequest = {
  jsonrpc: '2.0',
  id: 'touchstone',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'touchstone', version: '1' },
  },
}

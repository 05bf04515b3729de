import { newAuthServers } from './auth-program.ts'

export const authPythonServers = newAuthServers({
  file: 'auth-python/server.py',
  suffix: 'python',
  list: { tool: 'notes_list_items', title: 'title' },
  unmet: {
    'TOOL-HTTP-08 returns 400 for an unknown protocol version › the end of the session: refuses with 400':
      'ends a session without reading the header MCP-Protocol-Version',
    'TOOL-MCP-17 returns no result for requests that JSON-RPC does not allow › params that are a string: returns no result':
      'returns a result for a ping whose params are a string',
  },
})

import { newAuthServers } from './auth-program.ts'

export const authNodeServers = newAuthServers({
  file: 'auth-node/server.mjs',
  suffix: 'node',
  list: { tool: 'notes_list_notes', title: 'text' },
  unmet: {
    'TOOL-MCP-17 returns no result for requests that JSON-RPC does not allow › params that are a string: returns no result':
      'returns a result for a ping whose params are a string',
  },
})

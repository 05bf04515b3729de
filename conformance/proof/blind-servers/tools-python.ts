import { readSwitches, type BlindServer } from './blind-server.ts'
import { startToolServer } from './tool-server.ts'

export const toolsPython: BlindServer = {
  name: 'tools-python',
  switches: readSwitches('tools-python'),
  // The server supports MCP 2025-03-26, but refuses batches.
  skipped: ['TOOL-MCP-19'],
  realTime: 'all',
  start: (on) =>
    startToolServer(
      {
        file: 'tools-python/server.py',
        idField: 'id',
        titleField: 'title',
        respond: (id) => ({ id, borrower: 'City Gallery', until: '2026-05-01' }),
      },
      on,
    ),
}

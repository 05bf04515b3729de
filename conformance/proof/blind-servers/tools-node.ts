import { readSwitches, type BlindServer } from './blind-server.ts'
import { startToolServer } from './tool-server.ts'

export const toolsNode: BlindServer = {
  name: 'tools-node',
  switches: readSwitches('tools-node'),
  skipped: [],
  realTime: 'all',
  start: (on) =>
    startToolServer(
      {
        file: 'tools-node/server.mjs',
        idField: 'id',
        titleField: 'name',
        respond: (id) => ({ id, station: 'North Ridge', mean_temperature: 7.5 }),
      },
      on,
    ),
}

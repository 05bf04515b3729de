import { readSwitches, type BlindServer } from './blind-server.ts'
import { startHookService } from './hook-service.ts'

export const hooksNode: BlindServer = {
  name: 'hooks-node',
  switches: readSwitches('hooks-node'),
  // The sender waits twelve seconds for a receiver, so the check would wait as long.
  skipped: ['EVT-FAILURE-03'],
  realTime: 'all',
  start: (on) =>
    startHookService({ file: 'hooks-node/server.mjs', pushOnly: 'test-knows-push-only' }, on),
}

import { readSwitches, type BlindServer } from './blind-server.ts'
import { startHookService } from './hook-service.ts'

export const hooksPython2: BlindServer = {
  name: 'hooks-python-2',
  switches: readSwitches('hooks-python-2'),
  // The sender waits ten seconds for a receiver, so the check would wait as long.
  skipped: ['EVT-FAILURE-03'],
  realTime: 'all',
  start: (on) => startHookService({ file: 'hooks-python-2/server.py' }, on),
}

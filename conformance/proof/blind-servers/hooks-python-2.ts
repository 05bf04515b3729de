import { readSwitches, type BlindServer } from './blind-server.ts'
import { startHookService } from './hook-service.ts'

export const hooksPython2: BlindServer = {
  name: 'hooks-python-2',
  switches: readSwitches('hooks-python-2'),
  // The sender waits ten seconds for a receiver, so the check of EVT-FAILURE-03 would wait as long.
  // The author forgot the email of the users of builds, which the document lists.
  skipped: ['EVT-FAILURE-03', 'EVT-USER-05'],
  realTime: 'all',
  start: (on) => startHookService({ file: 'hooks-python-2/server.py' }, on),
}

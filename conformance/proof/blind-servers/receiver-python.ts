import { flags } from '../../../generated/events/names.ts'
import { readSwitches, type BlindServer } from './blind-server.ts'
import { startReceiver } from './receiver-node.ts'

/** The names of events in the target file, by their flags. */
const eventOf = new Map<string, string>(Object.entries(flags).map(([event, flag]) => [flag, event]))

export const receiverPython: BlindServer = {
  name: 'receiver-python',
  switches: readSwitches('receiver-python'),
  skipped: [],
  realTime: 'all',
  // Confidential issues have a flag, but no event of the document.
  start: (on) => startReceiver('receiver-python/server.py', on, (flag) => eventOf.get(flag) ?? []),
}

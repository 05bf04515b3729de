import { flags } from '../../../generated/events/names.ts'
import { readSwitches, type BlindServer } from './blind-server.ts'
import { startHookService } from './hook-service.ts'

/** The names of events in the document, by their flags. */
const eventOf = new Map<string, string>(Object.entries(flags).map(([event, flag]) => [flag, event]))

export const hooksPython: BlindServer = {
  name: 'hooks-python',
  switches: readSwitches('hooks-python'),
  // EVT-FAILURE-03 is about the timeout of the sender. Its check waits ten seconds for a receiver.
  // The author forgot the slug of wiki pages, which the document lists.
  skipped: ['EVT-FAILURE-03', 'EVT-WIKIPAGE-19'],
  realTime: 'all',
  start: (on) =>
    startHookService(
      {
        file: 'hooks-python/server.py',
        pushOnly: 'test-push-only',
        nameOf: (flag) => eventOf.get(flag) ?? 'confidential_issue',
      },
      on,
    ),
}

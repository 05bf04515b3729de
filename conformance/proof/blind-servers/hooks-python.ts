import { flags } from '../../../generated/events/names.ts'
import { actionsOf } from '../../../mocks/deliveries/actions.ts'
import { startPython } from '../python.ts'
import { blindPath, readSwitches, type BlindServer } from './blind-server.ts'
import { startTrigger } from './trigger.ts'

interface HookFacts {
  baseUrl: string
  project: number
  otherProject: number
  token: string
  triggerUrl: string
}

/** The names of events in the document, by their flags. */
const eventOf = new Map<string, string>(Object.entries(flags).map(([event, flag]) => [flag, event]))

export const hooksPython: BlindServer = {
  name: 'hooks-python',
  switches: readSwitches('hooks-python'),
  // EVT-FAILURE-03 is about the timeout of the sender. Its check waits ten seconds for a receiver.
  // The author forgot the slug of wiki pages, which the document lists.
  skipped: ['EVT-FAILURE-03', 'EVT-WIKIPAGE-19'],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startPython<HookFacts>([
      blindPath('hooks-python/server.py'),
      ...on.flatMap((name) => ['--on', name]),
    ])
    const trigger = await startTrigger(
      facts.triggerUrl,
      facts.project,
      (flag) => eventOf.get(flag) ?? 'confidential_issue',
    )
    return {
      target: {
        hooks: {
          url: facts.baseUrl,
          project: String(facts.project),
          otherProject: String(facts.otherProject),
          token: facts.token,
          trigger: { url: trigger.url, actions: [...new Set(Object.values(actionsOf).flat())] },
          // If only push events can be tested, the operator declares this in the target file.
          testEvents: on.includes('test-push-only')
            ? ['push_events']
            : [...Object.values(flags), 'confidential_issues_events'],
          state: true,
        },
      },
      async close() {
        await Promise.all([trigger.close(), close()])
      },
    }
  },
}

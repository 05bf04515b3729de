import { flags } from '../../../generated/events/names.ts'
import { allActions } from '../../../mocks/deliveries/actions.ts'
import { startServer } from '../blind/hooks/server.ts'
import { switches } from '../blind/hooks/switches.ts'
import type { BlindServer } from './blind-server.ts'
import { startTrigger } from './trigger.ts'

export const hooks: BlindServer = {
  name: 'hooks',
  switches,
  // EVT-FAILURE-03 is about the timeout of the sender. Its check waits ten seconds for a receiver.
  skipped: ['EVT-FAILURE-03'],
  realTime: ['test-status-202-later', 'deliver-late', 'deliver-out-of-order', 'rate-limit'],
  async start(on) {
    const server = await startServer(on)
    const trigger = await startTrigger(server.triggerUrl, server.project)
    return {
      target: {
        hooks: {
          url: server.baseUrl,
          project: String(server.project),
          otherProject: String(server.secondProject),
          token: server.token,
          trigger: { url: trigger.url, actions: allActions },
          // If only push events can be tested, the operator declares this in the target file.
          testEvents: on.includes('test-push-only')
            ? ['push_events']
            : [...Object.values(flags), 'confidential_issues_events'],
          state: true,
        },
      },
      async close() {
        await Promise.all([trigger.close(), server.close()])
      },
    }
  },
}

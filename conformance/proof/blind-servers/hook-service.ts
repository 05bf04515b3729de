import { flags } from '../../../generated/events/names.ts'
import { allActions } from '../../../mocks/deliveries/actions.ts'
import type { Started } from '../family.ts'
import { startBlindProcess } from './blind-server.ts'
import { startTrigger } from './trigger.ts'

interface HookFacts {
  baseUrl: string
  project: number
  otherProject: number
  token: string
  triggerUrl: string
}

interface HookService {
  /** Its file in the folder of the blind implementations. */
  file: string
  /** The switch, if there is one, with which only push events can be tested. */
  pushOnly?: string
  /** The author's name of an event, from its flag; by default the flag. */
  nameOf?: (flag: string) => string
}

/** Starts a hook service in a separate process, and the endpoint that causes its events. */
export async function startHookService(
  { file, pushOnly, nameOf }: HookService,
  on: readonly string[],
): Promise<Started> {
  const { facts, close } = await startBlindProcess<HookFacts>(file, on)
  const trigger = await startTrigger(facts.triggerUrl, facts.project, nameOf)
  return {
    target: {
      hooks: {
        url: facts.baseUrl,
        project: String(facts.project),
        otherProject: String(facts.otherProject),
        token: facts.token,
        trigger: { url: trigger.url, actions: allActions },
        // If only push events can be tested, the operator declares this in the target file.
        testEvents:
          pushOnly !== undefined && on.includes(pushOnly)
            ? ['push_events']
            : [...Object.values(flags), 'confidential_issues_events'],
        state: true,
      },
    },
    async close() {
      await Promise.all([trigger.close(), close()])
    },
  }
}

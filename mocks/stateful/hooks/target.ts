import { flags, type Flag } from '../../deliveries/events.ts'
import type { HooksServer } from '../hooks.ts'

/** The part of a target file that gives everything of a started server. */
export function targetOf({ url, options: { project, token }, context: { choices } }: HooksServer) {
  const triggers: readonly Flag[] = choices.testEvents === 'push' ? ['push_events'] : flags
  return { hooks: { url, project, token, triggers, state: true } }
}

import { flags } from '../../deliveries/events.ts'
import type { HooksServer } from '../hooks.ts'

/** The part of a target file that gives everything of a started server. */
export function targetOf({ url, options: { project, token } }: HooksServer) {
  return { hooks: { url, project, token, triggers: flags, state: true } }
}

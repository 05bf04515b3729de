import { HttpDoor } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import type { ToolsAccess } from './support/access.ts'
import { excluded } from '../auth/support/define.ts'
import { takeBack } from '../auth/support/unregister.ts'
import { Made } from '../auth/support/made.ts'
import { checks } from './topics/index.ts'
import type { ToolsMessage } from './support/tools-message.ts'
import { openPlace, type Place } from './support/harness.ts'
import { ToolsWorld } from './support/world.ts'

/** The parts of a target file that the contracts of tool servers need. */
export interface ToolsTarget {
  tools?: ToolsAccess | undefined
  suite: { identity?: { listen?: string | undefined; publicUrl?: string | undefined } | undefined }
}

/** A tool server. */
export const tools = subject<ToolsWorld, ToolsMessage, ToolsTarget>({
  section: 'tools',
  checks,
  excluded: ({ tools: access }, forms) => excluded(access?.auth?.pattern ?? 'none', forms),
  open({ tools: access, suite: { identity } }, surroundings) {
    if (access === undefined) throw new Error('the target has no tools section')
    const { clock, timeout, number } = surroundings
    // Tokens that the run is given are added to them.
    const secrets = { ...surroundings.secrets }
    const made = new Made(secrets)
    const http = new HttpDoor({ ...surroundings, secrets })
    let opening: Promise<Place> | undefined
    const place = () =>
      (opening ??= openPlace({ access, identity, clock, timeout, secrets, number }))
    return {
      world: (context) => new ToolsWorld(context, { access, place, timeout, http, made }),
      leave: (world) => world.leave(),
      finish: async (throwaway) => {
        // Where it could not be opened, nothing is open.
        await (await opening?.catch(() => undefined))?.close()
        // What the named tools have made, the target file has asked for.
        const left = throwaway ? [] : await takeBack(made.clients, http)
        http.close()
        return left
      },
    }
  },
})

import { HttpDoor } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { excluded } from '../auth/support/define.ts'
import { takeBack } from '../auth/support/unregister.ts'
import { Made } from '../auth/support/made.ts'
import { checks } from './topics/index.ts'
import type { ToolsMessage } from './support/tools-message.ts'
import { openPlace, type Place } from './support/harness.ts'
import { ToolsWorld } from './support/world.ts'
import type { ToolsTarget } from './target.ts'

/** A tool server. */
export const tools = subject<ToolsWorld, ToolsMessage, ToolsTarget>({
  checks,
  excluded: ({ auth }, forms) => excluded(auth?.pattern ?? 'none', forms),
  open(access, surroundings) {
    const {
      clock,
      timeout,
      number,
      suite: { identity },
    } = surroundings
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

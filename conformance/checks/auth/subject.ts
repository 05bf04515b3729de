import type { Context } from '../../engine/index.ts'
import { HttpClient } from '../../wire/index.ts'
import { subject } from '../shared/subject.ts'
import { openHarness, type ToolsHarness } from '../tools/support/harness.ts'
import type { ToolsMessage } from '../tools/support/tools-message.ts'
import { ToolsWorld } from '../tools/support/world.ts'
import type { ToolsTarget } from '../tools/target.ts'
import { checks as toolsChecks } from '../tools/topics/index.ts'
import { excluded, type WithAuth } from './support/define.ts'
import { Made } from './support/made.ts'
import { takeBack } from './support/unregister.ts'
import { AuthWorld } from './support/world.ts'
import { authentication } from './topics/index.ts'

/** A tool server, judged by the contracts tools and auth in one run. */
export const tools = subject<ToolsWorld & WithAuth, ToolsMessage, ToolsTarget>({
  checks: [...toolsChecks, ...authentication],
  inapplicable: ({ auth }, forms) => excluded(auth?.pattern ?? 'none', forms),
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
    const http = new HttpClient({ ...surroundings, secrets })
    let opening: Promise<ToolsHarness> | undefined
    const harness = () =>
      (opening ??= openHarness({ access, identity, clock, timeout, secrets, number }))
    const authenticate = (context: Context<ToolsMessage>) =>
      new AuthWorld(context, { access, harness, client: http, made })
    return {
      world: (context) =>
        Object.assign(new ToolsWorld(context, { access, harness, timeout, authenticate }), {
          auth: authenticate(context),
        }),
      cleanUp: (world) => world.leave(),
      close: async (throwaway) => {
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

import type { McpExchange } from '../../wire/index.ts'
import { subject } from '../subject.ts'
import type { ToolsAccess } from './access.ts'
import { checks } from './index.ts'
import { openPlace, type Place } from './place.ts'
import { ToolsWorld } from './world.ts'

/** The part of a target file that the tools contract needs. */
export interface ToolsTarget {
  tools?: ToolsAccess | undefined
}

/** A tool server. */
export const tools = subject<ToolsWorld, McpExchange, ToolsTarget>({
  section: 'tools',
  checks,
  open({ tools: access }, { clock, timeout, secrets, number }) {
    if (access === undefined) throw new Error('the target has no tools section')
    let opening: Promise<Place> | undefined
    const place = () => (opening ??= openPlace({ access, clock, timeout, secrets, number }))
    return {
      world: (context) => new ToolsWorld(context, { access, place, timeout }),
      leave: (world) => world.leave(),
      finish: async () => {
        await (await opening)?.close()
        // What the named tools have made, the target file has asked for.
        return []
      },
    }
  },
})

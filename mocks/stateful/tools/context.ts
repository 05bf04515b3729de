import { wallTimers } from '../../kit/timers.ts'
import { newGuard, type Auth } from './auth/index.ts'
import type { ToolsContext, DeviationPoints } from './call.ts'
import { defaultChoices, type ToolsChoices } from './choices.ts'
import { movable, type ToolsClock } from './clock.ts'
import { defaultRules, type ToolsRules } from './rules.ts'
import { newShelf } from './shelf/data.ts'
import { startShelf } from './shelf/server.ts'
import { tools } from './tools/index.ts'
import { newUpstream } from './upstream.ts'

/** How a tool server is to be, whatever it is reached by. */
export interface ServingOptions extends DeviationPoints {
  /** The URL of the API behind the tools; one of its own is started where it is not given. */
  upstream?: string
  /** Legal freedoms; what is not given is as in `defaultChoices`. */
  choices?: Partial<ToolsChoices>
  /** Demands of the document and of MCP, replaced one by one; for faults. */
  rules?: Partial<ToolsRules>
  /** Which of the four patterns of authentication it has over HTTP; none where it is not given. */
  auth?: Auth
  /** What time-outs run by; the wall's clock where it is not given. */
  clock?: ToolsClock
}

const wallClock: ToolsClock = { now: Date.now, ...wallTimers }

/** What all sessions of a server share. Whoever makes it closes its upstream. */
export async function newContext(options: ServingOptions): Promise<ToolsContext> {
  const {
    upstream: given,
    choices,
    rules: replaced,
    clock: base = wallClock,
    auth = { pattern: 'none' },
    definition,
    around,
    before,
    message,
    intercept,
    lines,
  } = options
  const rules = { ...defaultRules, ...replaced }
  const clock = movable(base)
  const guard = await newGuard(auth, clock)
  const shelf = newShelf()
  const own = given === undefined ? await startShelf(shelf, rules, Date.now) : undefined
  return {
    name: 'shelf_mcp',
    choices: { ...defaultChoices, ...choices },
    rules,
    clock,
    tools,
    shelf,
    upstream: newUpstream(given ?? own!.url, clock, rules, async () => own?.close()),
    places: {
      ...(definition && { definition }),
      ...(around && { around }),
      ...(before && { before }),
      ...(message && { message }),
      ...(intercept && { intercept }),
      ...(lines && { lines }),
    },
    guard,
    startedAt: Date.now(),
    sessions: new Map(),
  }
}

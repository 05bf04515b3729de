import { wallTimers } from '../../kit/timers.ts'
import type { InitialBook } from '../../registry/initial-data.ts'
import { newAudit, type AuditEntry } from '../audit.ts'
import { newGuard, type Auth } from './auth/index.ts'
import type { ToolsContext, DeviationPoints, HttpTransportName } from './call.ts'
import { defaultChoices, type ToolsChoices } from './choices.ts'
import { newMovableClock, type ToolsClock } from './clock.ts'
import { defaultRules, type ToolsRules } from './rules.ts'
import { newLibrary } from './library/data.ts'
import { startLibrary } from './library/server.ts'
import { tools } from './tools/index.ts'
import { newUpstream } from './upstream.ts'

/** Options of a tool server for all transports. */
export interface ServingOptions extends DeviationPoints {
  /** The URL of the upstream API; by default a built-in one is started. */
  upstream?: string
  /** What the contract leaves open; by default `defaultChoices`. */
  choices?: Partial<ToolsChoices>
  /** Replaces rules of the contract and of MCP, to build a server with a deliberate defect. */
  rules?: Partial<ToolsRules>
  /** The authentication pattern over HTTP; by default none. */
  auth?: Auth
  /** The transports that an HTTP server offers; by default both. */
  transports?: readonly HttpTransportName[]
  /**
   * Whether to also offer the tools, resources and prompts that the MCP project's conformance tool
   * needs.
   */
  everything?: boolean
  /** Books to add to the built-in API. */
  initial?: { books: readonly InitialBook[] }
  /** Called with each entry of the audit log. */
  onAuditEntry?: (entry: AuditEntry) => void
  /** The clock, which also runs timeouts; by default in real time. */
  clock?: ToolsClock
}

const wallClock: ToolsClock = { now: Date.now, ...wallTimers }

/** Makes the context that all sessions of a server share. The caller must close its upstream. */
export async function newContext(options: ServingOptions): Promise<ToolsContext> {
  const {
    upstream: upstreamUrl,
    choices,
    rules: replacedRules,
    clock: baseClock = wallClock,
    auth = { pattern: 'none' },
    transports = ['http', 'sse'],
    everything = false,
    onAuditEntry,
    initial,
    definition,
    around,
    aroundValidation,
    message,
    intercept,
    lines,
  } = options
  const rules = { ...defaultRules, ...replacedRules }
  const clock = newMovableClock(baseClock)
  const audit = newAudit(clock.now, onAuditEntry)
  const guard = await newGuard(auth, {
    clock,
    audit,
    resources: transports.map((transport) => (transport === 'http' ? '/mcp' : '/sse')),
  })
  const fixtures = everything ? (await import('./everything/index.ts')).fixtures : undefined
  const library = newLibrary(initial?.books)
  const ownLibrary =
    upstreamUrl === undefined ? await startLibrary(library, rules, Date.now) : undefined
  const upstream = newUpstream(upstreamUrl ?? ownLibrary!.url, clock, rules, async () =>
    ownLibrary?.close(),
  )
  return {
    name: 'shelf_mcp',
    choices: { ...defaultChoices, ...fixtures?.choices, ...choices },
    rules,
    clock,
    fixtures,
    tools: [...tools, ...(fixtures?.tools ?? [])],
    library,
    reset() {
      ownLibrary?.reset()
      clock.setAhead(0)
      upstream.url = upstream.initialUrl
    },
    upstream,
    deviations: {
      ...(definition && { definition }),
      ...(around && { around }),
      ...(aroundValidation && { aroundValidation }),
      ...(message && { message }),
      ...(intercept && { intercept }),
      ...(lines && { lines }),
    },
    audit,
    guard,
    transports,
    startedAt: Date.now(),
    sessions: new Map(),
  }
}

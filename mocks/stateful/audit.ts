import { Ring } from './http/ring.ts'

/**
 * An entry of the audit log of a tool server. Never contains a secret: no token, code, password,
 * state or verifier, and no arguments or results of tools.
 */
export interface AuditEntry {
  /** The time, in ISO 8601. */
  at: string
  event:
    | 'tool call'
    | 'register'
    | 'authorize'
    | 'sign in'
    | 'consent'
    | 'token'
    | 'refresh'
    | 'replay'
    | 'revoke'
    | 'introspect'
    | 'resource'
    | 'upstream'
    | 'rate limit'
  /** `failed`: the tool ran, but its result is an error. */
  outcome: 'done' | 'refused' | 'failed'
  /** The name of the tool; only for tool calls. */
  tool?: string | undefined
  /** The transport; only for tool calls. */
  transport?: 'http' | 'sse' | 'stdio' | undefined
  /** The id of the client, if known. */
  client?: string | undefined
  /** The login of the user, if known. */
  user?: string | undefined
  /** Why the request was refused or failed: an OAuth error code, or a short description. */
  reason?: string | undefined
}

export interface Audit {
  record(entry: Omit<AuditEntry, 'at'>): void
  /** The entries, newest first. */
  newestFirst(): AuditEntry[]
}

/** The maximum number of kept entries. A test run causes fewer entries. */
const maxEntries = 5000

/** Keeps the latest entries, and calls `onEntry` with each. */
export function newAudit(
  now: () => number,
  onEntry: (entry: AuditEntry) => void = () => {},
): Audit {
  const ring = new Ring<AuditEntry>(maxEntries)
  return {
    record(details) {
      const entry = { at: new Date(now()).toISOString(), ...details }
      ring.push(entry)
      onEntry(entry)
    },
    newestFirst: () => ring.newestFirst(),
  }
}

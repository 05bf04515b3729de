import { Ring } from '../http/ring.ts'

/**
 * An entry of the audit log. Never contains a secret: no token, code, password, state or verifier.
 */
export interface AuditEntry {
  /** The time, in ISO 8601. */
  at: string
  event:
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
  outcome: 'done' | 'refused'
  /** The id of the client, if known. */
  client?: string | undefined
  /** The login of the user, if known. */
  user?: string | undefined
  /** Why it was refused: an OAuth error code, or a short description. */
  reason?: string | undefined
}

export interface Audit {
  record(entry: Omit<AuditEntry, 'at'>): void
  /** The entries, newest first. */
  newest(): AuditEntry[]
}

/** More than a test run makes. */
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
    newest: () => ring.newest(),
  }
}

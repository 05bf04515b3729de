import { Ring } from '../http/ring.ts'

/** Something that happened and that somebody may have to look up. Never holds a secret: no token, code, password, state or verifier. */
export interface Entry {
  /** When, in ISO 8601. */
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
  /** The id of the client, where it is known. */
  client?: string | undefined
  /** The login of the user, where it is known. */
  user?: string | undefined
  /** Why it was refused: one of the codes of OAuth, or a few words of the server's own. */
  reason?: string | undefined
}

export interface Audit {
  note(entry: Omit<Entry, 'at'>): void
  /** The newest first. */
  newest(): Entry[]
}

/** More than a run of tests makes. */
const kept = 5000

/** Keeps the last entries, and shows each to `heard`. */
export function newAudit(now: () => number, heard: (entry: Entry) => void = () => {}): Audit {
  const ring = new Ring<Entry>(kept)
  return {
    note(given) {
      const entry = { at: new Date(now()).toISOString(), ...given }
      ring.push(entry)
      heard(entry)
    },
    newest: () => ring.newest(),
  }
}

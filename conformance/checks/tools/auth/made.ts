/** What values of a run are: two that are the same kind of thing count as equal where requests are compared. */
export type Kind = 'code' | 'verifier' | 'challenge' | 'state' | 'token' | 'secret' | 'session' | 'message endpoint'

/** A client that was registered, and where the server says that it can be taken back (RFC 7592). */
export interface Registered {
  readonly id: string
  readonly uri: string | undefined
  readonly token: string | undefined
}

/** Values that the suite made up, or was given, in one run. Those that open something are secrets: reports show their names. */
export class Made {
  /** The clients that were registered. */
  readonly clients: Registered[] = []
  private readonly kinds = new Map<string, Kind>()
  private readonly secrets: Record<string, string | undefined>
  private count = 0

  /** `secrets` gets those that must not be shown. */
  constructor(secrets: Record<string, string | undefined>) {
    this.secrets = secrets
  }

  add(value: string, kind: Kind): string {
    if (this.kinds.has(value)) return value
    this.kinds.set(value, kind)
    if (kind === 'token' || kind === 'secret') {
      this.count += 1
      this.secrets[`TOOLS_${kind.toUpperCase()}_${this.count}`] = value
    }
    return value
  }

  /** A value by its kind; itself where nobody has told of it. With or without the scheme of an Authorization header. */
  readonly alike = (value: string): string => {
    const [, scheme = '', credential = value] = /^(Bearer |Basic )?(.*)$/s.exec(value) ?? []
    const kind = this.kinds.get(credential)
    return kind === undefined ? value : `${scheme}<${kind}>`
  }
}

import type { HttpExchange } from '../../../wire/index.ts'
import { registeredIn, type Registered } from './client.ts'

/** What values of a run are: two that are the same kind of thing count as equal where requests are compared. */
type Kind = 'code' | 'verifier' | 'challenge' | 'state' | 'token' | 'secret' | 'cookie'

/** Kinds of what opens something. Short values may be any word, which would then be missing from every text. */
const opening: readonly Kind[] = ['code', 'token', 'secret', 'cookie']
const least = 8

/** Members of answers that open something. */
const given: Readonly<Record<string, Kind>> = {
  access_token: 'token',
  refresh_token: 'token',
  id_token: 'token',
  client_secret: 'secret',
  registration_access_token: 'secret',
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
    if (opening.includes(kind) && value.length >= least) {
      this.count += 1
      this.secrets[`TOOLS_${kind.toUpperCase()}_${this.count}`] = value
    }
    return value
  }

  /** Remembers what an answer gives: clients, and whatever opens something. */
  hear(answer: HttpExchange): void {
    this.clients.push(...registeredIn(answer))
    const { json } = answer
    if (typeof json === 'object' && json !== null)
      for (const [name, kind] of Object.entries(given))
        this.addText((json as Record<string, unknown>)[name], kind)
    for (const cookie of answer.headersOf('set-cookie'))
      this.addText(/^[^=;]*=([^;]*)/.exec(cookie)?.[1], 'cookie')
    const location = answer.header('location')
    if (location !== undefined && URL.canParse(location))
      this.addText(new URL(location).searchParams.get('code'), 'code')
  }

  private addText(value: unknown, kind: Kind): void {
    if (typeof value === 'string' && value.length >= least) this.add(value, kind)
  }

  /** A value by its kind; itself where nobody has told of it. With or without the scheme of an Authorization header. */
  readonly maskGenerated = (value: string): string => {
    const [, scheme = '', credential = value] = /^(Bearer |Basic )?(.*)$/s.exec(value) ?? []
    const kind = this.kinds.get(credential)
    return kind === undefined ? value : `${scheme}<${kind}>`
  }
}

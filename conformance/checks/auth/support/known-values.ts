import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import { Creations, type Journal } from '../../shared/journal.ts'
import { clientName, registeredIn, undoOfRegistration, type RegisteredClient } from './client.ts'

/** The kind of a value. Comparisons of requests treat values of the same kind as equal. */
type Kind = 'code' | 'verifier' | 'challenge' | 'state' | 'token' | 'secret' | 'cookie'

/**
 * The kinds that are secrets. Values with fewer than `minLength` characters are not masked, because
 * masking ordinary words would garble reports.
 */
const secretKinds: readonly Kind[] = ['code', 'token', 'secret', 'cookie']
const minLength = 8

/** Members of responses that contain secrets. */
export const secretMembers: Readonly<Record<string, Kind>> = {
  access_token: 'token',
  refresh_token: 'token',
  id_token: 'token',
  client_secret: 'secret',
  registration_access_token: 'secret',
}

/**
 * The values that the suite generated or received in a run. Reports contain the names of secrets,
 * not their values.
 */
export class KnownValues {
  /** The clients that were registered. */
  readonly clients: RegisteredClient[] = []
  private readonly kinds = new Map<string, Kind>()
  private readonly secrets: Record<string, string | undefined>
  private readonly creations: Creations
  private count = 0

  /** New secrets are added to `secrets`, by name. */
  constructor(secrets: Record<string, string | undefined>, journal: Journal) {
    this.secrets = secrets
    this.creations = new Creations(journal)
  }

  /** Notes a registration in the journal. Call it before each request. */
  readonly announce = (request: HttpRequest): void => {
    if (request.operation === 'register') this.creations.begin(request, clientName)
  }

  /** Adds a value and returns it. A secret is then masked in reports. */
  add(value: string, kind: Kind): string {
    if (this.kinds.has(value)) return value
    this.kinds.set(value, kind)
    if (secretKinds.includes(kind) && value.length >= minLength) {
      this.count += 1
      this.secrets[`TOOLS_${kind.toUpperCase()}_${this.count}`] = value
    }
    return value
  }

  /** Collects the clients and the secrets of a response. */
  collectFrom(exchange: HttpExchange): void {
    const [client] = registeredIn(exchange)
    if (client !== undefined) {
      this.clients.push(client)
      this.creations.end(exchange, undoOfRegistration(client))
    } else if ((exchange.status ?? 0) >= 300) this.creations.end(exchange)
    const { json } = exchange
    if (typeof json === 'object' && json !== null)
      for (const [name, kind] of Object.entries(secretMembers))
        this.addIfLong((json as Record<string, unknown>)[name], kind)
    for (const cookie of exchange.headersOf('set-cookie'))
      this.addIfLong(/^[^=;]*=([^;]*)/.exec(cookie)?.[1], 'cookie')
    const location = exchange.header('location')
    if (location !== undefined && URL.canParse(location))
      this.addIfLong(new URL(location).searchParams.get('code'), 'code')
  }

  private addIfLong(value: unknown, kind: Kind): void {
    if (typeof value === 'string' && value.length >= minLength) this.add(value, kind)
  }

  /**
   * Replaces a known value with its kind, as `<kind>`, but keeps the scheme of an Authorization
   * header. Returns other values unchanged.
   */
  readonly maskGenerated = (value: string): string => {
    const [, scheme = '', credential = value] = /^(Bearer |Basic )?(.*)$/s.exec(value) ?? []
    const kind = this.kinds.get(credential)
    return kind === undefined ? value : `${scheme}<${kind}>`
  }
}

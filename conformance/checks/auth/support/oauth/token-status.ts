import { NotApplicable, NotCovered, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { ToolsNeed } from '../../../tools/target.ts'
import type { Client } from '../client.ts'
import { members } from '../expectations.ts'
import { buildTokenEndpointRequest } from '../grant.ts'
import { isServed } from '../protected-endpoints.ts'
import type { AuthWorld } from '../world.ts'
import { confidentialClient, newUnknownToken } from './clients-and-codes.ts'

// What the checks of introspection and of revocation have in common.

/**
 * Returns a client with a secret, because a server may refuse introspection to public clients. If
 * clients cannot register themselves, returns the client in the target file.
 */
export const ownConfidentialClient = (world: AuthWorld): Promise<Client> =>
  world.auth.registration === false ? world.leaseClient() : confidentialClient(world)

/** A client that does not authenticate. If it has no secret anyway, the id of no client. */
export const withoutSecret = (client: Client): Client =>
  client.method === 'none'
    ? { ...client, id: newUnknownToken() }
    : { ...client, method: 'none', secret: undefined }

/**
 * How to authenticate at the introspection endpoint: as the resource server in the target file, or
 * else as a client. RFC 7662 §2.1 requires credentials, but does not say whose.
 */
async function introspectorOf(world: AuthWorld, client: Client): Promise<Client> {
  const { introspection } = world.auth
  if (introspection === undefined) return client
  const { metadata } = await world.findEndpoints()
  const methods = metadata && members(metadata)['introspection_endpoint_auth_methods_supported']
  const isBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  return {
    ...client,
    id: introspection.clientId,
    secret: introspection.clientSecret,
    method: isBasic ? 'client_secret_basic' : 'client_secret_post',
  }
}

const isDenied = ({ status }: HttpExchange): boolean => status === 401 || status === 403

const introspectionNotCovered = (summary: string) =>
  new NotCovered<ToolsNeed>(`the server does not let this client use introspection: ${summary}`, [
    'tools.auth.introspection.clientId',
  ])

/** The introspection endpoint, for the tokens of one client. */
export class Introspection {
  private readonly world: AuthWorld
  private readonly url: string
  /** The client whose tokens are described. No other check uses it at the same time. */
  readonly client: Client
  private readonly introspector: Client

  private constructor(world: AuthWorld, url: string, client: Client, introspector: Client) {
    this.world = world
    this.url = url
    this.client = client
    this.introspector = introspector
  }

  /** Throws `NotApplicable` if the server has no introspection endpoint. */
  static async of(world: AuthWorld): Promise<Introspection> {
    const { introspect } = await world.findEndpoints()
    if (introspect === undefined)
      throw new NotApplicable('the server has no introspection endpoint')
    const client = await ownConfidentialClient(world)
    return new Introspection(world, introspect, client, await introspectorOf(world, client))
  }

  send(token: string, hint?: string): Promise<HttpExchange> {
    return this.world.send(this.requestAs(this.introspector, { token, token_type_hint: hint }))
  }

  /** Sends the request without credentials. */
  sendWithoutCredentials(token: string): Promise<HttpExchange> {
    const { headers: _, ...request } = this.requestAs(this.introspector, {
      token,
      client_id: undefined,
      client_secret: undefined,
    })
    return this.world.send(request)
  }

  /** Sends the request with a wrong secret. Undefined if the credentials contain no secret. */
  sendWithWrongSecret(token: string): Promise<HttpExchange> | undefined {
    const { introspector } = this
    if (introspector.method === 'none') return undefined
    return this.world.send(
      this.requestAs({ ...introspector, secret: newUnknownToken() }, { token }),
    )
  }

  private requestAs(
    introspector: Client,
    fields: Parameters<typeof buildTokenEndpointRequest>[3],
  ): HttpRequest {
    return buildTokenEndpointRequest('introspect', this.url, introspector, fields)
  }

  /** Throws `NotCovered` if the credentials do not suffice. */
  async sendAllowed(token: string): Promise<HttpExchange> {
    const response = await this.send(token)
    if (isDenied(response)) throw introspectionNotCovered(response.summary)
    return response
  }

  /** Ends the check if the server does not report this token, which is valid, as active. */
  async requireActive(token: string): Promise<HttpExchange> {
    const response = await this.sendAllowed(token)
    if (members(response)['active'] === true) return response
    await this.world.requireMet('AUTH-PROVIDER-04', response.summary)
    throw introspectionNotCovered(response.summary)
  }
}

export const isActive = (active: boolean): Expectation<HttpExchange> => ({
  name: `returns active ${active}`,
  expected: `status 200 and active: ${active}`,
  test: (exchange) => exchange.status === 200 && members(exchange)['active'] === active,
})

/** The revocation endpoint. */
export class Revocation {
  private readonly world: AuthWorld
  private readonly url: string

  private constructor(world: AuthWorld, url: string) {
    this.world = world
    this.url = url
  }

  /** Throws `NotApplicable` if the server has no revocation endpoint. */
  static async of(world: AuthWorld): Promise<Revocation> {
    const { revoke } = await world.findEndpoints()
    if (revoke === undefined) throw new NotApplicable('the server has no revocation endpoint')
    return new Revocation(world, revoke)
  }

  /** Sends a revocation with the credentials of a client. Without `token`, names none. */
  send(client: Client, token: string | undefined, hint?: string): Promise<HttpExchange> {
    return this.world.send(
      buildTokenEndpointRequest('revoke', this.url, client, { token, token_type_hint: hint }),
    )
  }
}

/**
 * Whether the server cannot revoke this kind of token. It need not support access tokens (RFC 7009
 * §2).
 */
export const isUnsupportedType = (exchange: HttpExchange): boolean =>
  members(exchange)['error'] === 'unsupported_token_type'

export const noTransportServes: Expectation<readonly HttpExchange[]> = {
  name: 'no longer works',
  expected: 'a refusal on every transport',
  test: (exchanges) => !exchanges.some(isServed),
  received: (exchanges) => exchanges.map(({ summary }) => summary).join(' | '),
}

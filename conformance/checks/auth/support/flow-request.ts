import { createHash, randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../wire/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { Client } from './client.ts'
import type { KnownValues } from './known-values.ts'

/** A request to the authorization endpoint, which a user's browser opens. */
export interface FlowRequest {
  readonly client: Client
  readonly httpRequest: HttpRequest
  /** The `state` that was sent; undefined if there was none. */
  readonly state: string | undefined
  /** The PKCE verifier of `challenge`, for the token endpoint. */
  readonly verifier: string
  readonly challenge: string
  /** The redirect URI to which the browser is expected to return. */
  readonly redirectUri: string
}

/**
 * Changes to the parameters of a valid request: undefined omits a parameter, an array repeats it.
 */
export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The code challenge of a PKCE verifier, by the method S256.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636#section-4.2
 */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Builds a valid request with `changes`, and with a new state and a new PKCE verifier. */
export function buildAuthorizationRequest(
  endpoint: string,
  client: Client,
  { scope, resource }: AuthTarget,
  knownValues: KnownValues,
  changes: Changes = {},
): FlowRequest {
  const verifier = knownValues.add(randomBytes(32).toString('base64url'), 'verifier')
  const challenge = knownValues.add(challengeOf(verifier), 'challenge')
  const state = knownValues.add(randomBytes(12).toString('base64url'), 'state')
  const parameters: Changes = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope,
    resource,
    ...changes,
  }
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters))
    for (const one of value === undefined ? [] : [value].flat()) url.searchParams.append(name, one)
  const firstValueOf = (name: string) => [parameters[name]].flat()[0]
  return {
    client,
    httpRequest: {
      operation: 'authorize',
      method: 'GET',
      url: url.href,
      headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
    },
    state: firstValueOf('state'),
    verifier,
    challenge,
    redirectUri: firstValueOf('redirect_uri') ?? client.redirectUri,
  }
}

import { createHash, randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../wire/index.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { Client } from './client.ts'
import type { Made } from './made.ts'

/** A request for authorization: what a user's browser is sent to. */
export interface Ask {
  readonly client: Client
  readonly request: HttpRequest
  /** The state that was sent; undefined where none was. */
  readonly state: string | undefined
  /** Proves at /token that the code was asked for here. */
  readonly verifier: string
  readonly challenge: string
  /** Where the browser is to return. */
  readonly redirectUri: string
}

/** Parameters in place of, or beside, those of a good request: undefined leaves one out, a list sends it several times. */
export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** A good request, but for its changes, with a state and a proof of its own. */
export function askOf(
  endpoint: string,
  client: Client,
  { scope, resource }: AuthTarget,
  made: Made,
  changes: Changes = {},
): Ask {
  const verifier = made.add(randomBytes(32).toString('base64url'), 'verifier')
  const challenge = made.add(challengeOf(verifier), 'challenge')
  const own = made.add(randomBytes(12).toString('base64url'), 'state')
  const parameters: Changes = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    state: own,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope,
    resource,
    ...changes,
  }
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters))
    for (const one of value === undefined ? [] : [value].flat()) url.searchParams.append(name, one)
  const first = (name: string) => [parameters[name]].flat()[0]
  return {
    client,
    request: {
      operation: 'authorize',
      method: 'GET',
      url: url.href,
      headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
    },
    state: first('state'),
    verifier,
    challenge,
    redirectUri: first('redirect_uri') ?? client.redirectUri,
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Pairs } from './fields.ts'

/**
 * How the provider handles an authorization:
 *
 * - `approve`: the user agrees, and a token is issued;
 * - `deny`: the user declines;
 * - `error with status 400`: the token endpoint responds with an error and status 400;
 * - `error with status 200`: the token endpoint responds with an error and status 200, as GitHub
 *   does;
 * - `unknown token type`: the token endpoint issues a token whose type is not Bearer;
 * - `no user`: the user endpoints respond with status 401;
 * - `malformed user`: the user endpoints respond with status 200 and a body that is not JSON.
 */
export type IdentityMode =
  | 'approve'
  | 'deny'
  | 'error with status 400'
  | 'error with status 200'
  | 'unknown token type'
  | 'no user'
  | 'malformed user'

/** A user who signs in at the provider. */
export interface IdentityUser {
  readonly login: string
  readonly email: string
  readonly name: string
  readonly id: number
}

/** A request to the authorization endpoint. */
export interface IdentityAuthorization {
  /** The parameters as received, in order, with repeated names. */
  readonly query: Pairs
  readonly state: string | undefined
  readonly clientId: string | undefined
  readonly redirectUri: string | undefined
  readonly mode: IdentityMode
  readonly user: IdentityUser
  /** The code that was issued; undefined if the user denied access. */
  readonly code: string | undefined
  /** The token requests that contained this code. */
  readonly tokenRequests: IdentityTokenRequest[]
  /** With names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Milliseconds since the epoch, by the provider's clock. */
  readonly at: number
}

/** A request to the token endpoint. */
export interface IdentityTokenRequest {
  /** The fields of the body, in order. */
  readonly fields: Pairs
  readonly code: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Where the client sent its credentials. */
  readonly credentialsIn: 'basic' | 'body' | 'both' | 'nothing'
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** The authorization for which the code was issued; undefined for an unknown code. */
  readonly authorization: IdentityAuthorization | undefined
  /** The access token that was issued; undefined if none was. */
  readonly token: string | undefined
  /** The error code, if no token was issued. */
  readonly problem: string | undefined
  /** The requests to the user endpoints with this token. */
  readonly userRequests: IdentityUserRequest[]
  readonly at: number
}

/** A request to one of the user endpoints: `/user` or `/user/emails`. */
export interface IdentityUserRequest {
  readonly path: string
  /** The header Authorization, as received. */
  readonly authorization: string
  readonly token: string | undefined
  /** The request to which the provider returned the token; undefined for an unknown token. */
  readonly tokenRequest: IdentityTokenRequest | undefined
  readonly at: number
}

/** Returns a user whose fields contain this number. */
export function newUser(number: number): IdentityUser {
  return {
    login: `ts-user-${number}`,
    email: `ts-user-${number}@people.example`,
    name: `User ${number} of Touchstone`,
    id: 730_000 + number,
  }
}

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
 * - `no user`: requests for the user get status 401;
 * - `malformed user`: requests for the user get status 200 and a body that is not JSON.
 */
export type IdentityMode =
  | 'approve'
  | 'deny'
  | 'error with status 400'
  | 'error with status 200'
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
  /** The token requests with this code. */
  readonly tokenRequests: IdentityTokenRequest[]
  /** With names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Milliseconds since the epoch, by the provider's clock. */
  readonly at: number
}

/** A token request. */
export interface IdentityTokenRequest {
  /** The fields of the body, in order. */
  readonly fields: Pairs
  readonly code: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Where the client sent its credentials. */
  readonly credentialsIn: 'basic' | 'body' | 'nothing'
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** The authorization that the code was issued for; undefined for an unknown code. */
  readonly authorization: IdentityAuthorization | undefined
  /** The access token that was issued. */
  readonly token: string | undefined
  /** The error code, if no token was issued. */
  readonly problem: string | undefined
  /** The requests for a user that contained this token. */
  readonly userRequests: IdentityUserRequest[]
  readonly at: number
}

/** A request for a user. */
export interface IdentityUserRequest {
  readonly path: string
  /** The header as received. */
  readonly authorization: string
  readonly token: string | undefined
  /** The token request that the token was issued for; undefined for an unknown token. */
  readonly tokenRequest: IdentityTokenRequest | undefined
  readonly at: number
}

/** Generates the user with this number. */
export function newUser(number: number): IdentityUser {
  return {
    login: `ts-user-${number}`,
    email: `ts-user-${number}@people.example`,
    name: `User ${number} of Touchstone`,
    id: 730_000 + number,
  }
}

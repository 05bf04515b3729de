import type { IncomingHttpHeaders } from 'node:http'
import type { Pairs } from './fields.ts'

/**
 * What becomes of an authorization. 'deny': the user declines. 'no token': the token endpoint refuses with 400; 'no token, told with 200': as GitHub does.
 * 'no user': whoever asks for the user gets 401; 'garbage for a user': 200 and no JSON.
 */
export type IdentityMode =
  'approve' | 'deny' | 'no token' | 'no token, told with 200' | 'no user' | 'garbage for a user'

/** Somebody who signs in at the played identity provider. */
export interface IdentityUser {
  readonly login: string
  readonly email: string
  readonly name: string
  readonly id: number
}

/** Somebody was sent here to sign in. */
export interface IdentityAuthorization {
  /** As it came, in order, doubled names and all. */
  readonly query: Pairs
  readonly state: string | undefined
  readonly clientId: string | undefined
  readonly redirectUri: string | undefined
  readonly mode: IdentityMode
  readonly user: IdentityUser
  /** Undefined where it was denied. */
  readonly code: string | undefined
  /** What the code was brought to the token endpoint with. */
  readonly tokenRequests: IdentityTokenRequest[]
  /** With names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Milliseconds since the epoch, by the given clock. */
  readonly at: number
}

/** A token was asked for. */
export interface IdentityTokenRequest {
  /** Of the body, in order. */
  readonly fields: Pairs
  readonly code: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Where the client told who it is. */
  readonly credentialsIn: 'basic' | 'body' | 'nothing'
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
  /** The authorization that gave the code; undefined where none did. */
  readonly authorization: IdentityAuthorization | undefined
  /** The access token that was given. */
  readonly token: string | undefined
  /** The error that was told instead. */
  readonly problem: string | undefined
  /** Who was asked for with the token. */
  readonly userRequests: IdentityUserRequest[]
  readonly at: number
}

/** A user was asked for. */
export interface IdentityUserRequest {
  readonly path: string
  /** The header as it came. */
  readonly authorization: string
  readonly token: string | undefined
  /** The exchange that gave the token; undefined where none did. */
  readonly tokenRequest: IdentityTokenRequest | undefined
  readonly at: number
}

/** Somebody of a number. */
export function newUser(number: number): IdentityUser {
  return {
    login: `ts-user-${number}`,
    email: `ts-user-${number}@people.example`,
    name: `User ${number} of Touchstone`,
    id: 730_000 + number,
  }
}

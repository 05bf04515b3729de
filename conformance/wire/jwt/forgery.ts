import type { Json } from '../../engine/index.ts'
import { attackersSecret } from './attacker.ts'
import { encodeToken, type Signing } from './encoding.ts'

/** What is wrong with a forged token. */
export type Forgery =
  | 'secret'
  | 'issuer'
  | 'audience'
  | 'unsigned'
  | 'algorithm'
  | 'key'
  | 'critical'
  | 'expiry'
  | 'begin'
  | 'form'
  | 'size'

/** A token with its name, which completes the phrase "a token …". */
export interface NamedToken {
  readonly name: string
  readonly token: string
}

/** A token that no server may trust. */
export interface Forged extends NamedToken {
  readonly forgery: Forgery
}

/**
 * What forged tokens are derived from: a valid token, and the values that are needed to sign other
 * tokens.
 */
export interface ForgeryInput {
  validToken: string
  /** The decoded parts of a valid token. */
  header: Json
  claims: Json
  issuer: string | undefined
  audience: string | undefined
  /** Seconds since the epoch. */
  now: number
  /** The base URL of the attacker's keys, to which headers of forged tokens refer. */
  keysUrl: string | undefined
  /** Signs with the server's secret; returns undefined if that secret is not known. */
  signWithSecret(
    header: unknown,
    payload: unknown,
    hash?: 'sha256' | 'sha384' | 'sha512',
  ): string | undefined
  secret: string | undefined
}

/** A token with its name. The token is undefined if it cannot be generated. */
export type Candidate = readonly [name: string, token: string | undefined]

export const listForged = (forgery: Forgery, candidates: readonly Candidate[]): Forged[] =>
  candidates.flatMap(([name, token]) => (token === undefined ? [] : [{ name, forgery, token }]))

export const signWithAttackersSecret = (
  header: unknown,
  payload: unknown,
  secret = attackersSecret,
): string => encodeToken(header, payload, { secret, hash: 'sha256' })

export const signWithAttackersKey = (header: unknown, payload: unknown): string =>
  encodeToken(header, payload, 'attacker' satisfies Signing)

/** Returns a copy without the given member. */
export const without = (members: Json, name: string): Json =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))

import type { Json } from '../../engine/index.ts'
import { attackersSecret } from './attacker.ts'
import { encodeToken, type Signing } from './encoding.ts'

/** What a forged token gets wrong. */
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

/** A token, and what is different in it, in words that follow on `a token`. */
export interface NamedToken {
  readonly name: string
  readonly token: string
}

/** A token that no server may trust. */
export interface Forged extends NamedToken {
  readonly forgery: Forgery
}

/** What forgeries are made from: a good token, and the ways to sign another. */
export interface ForgeryInput {
  good: string
  /** Its parts, as they came. */
  header: Json
  claims: Json
  issuer: string | undefined
  audience: string | undefined
  /** Seconds since the epoch. */
  now: number
  /** An address of which a header may say that keys are there. */
  keysUrl: string | undefined
  /** Signs with the server's own secret; undefined where nobody told it. */
  signWithSecret(
    header: unknown,
    payload: unknown,
    hash?: 'sha256' | 'sha384' | 'sha512',
  ): string | undefined
  secret: string | undefined
}

/** Candidates: those that cannot be made are undefined. */
export type Candidate = readonly [name: string, token: string | undefined]

export const listForged = (forgery: Forgery, candidates: readonly Candidate[]): Forged[] =>
  candidates.flatMap(([name, token]) => (token === undefined ? [] : [{ name, forgery, token }]))

/** Signs with the attacker's secret. */
export const signWithAttackersSecret = (
  header: unknown,
  payload: unknown,
  secret = attackersSecret,
): string => encodeToken(header, payload, { secret, hash: 'sha256' })

/** Signs with the attacker's private key. */
export const signWithAttackersKey = (header: unknown, payload: unknown): string =>
  encodeToken(header, payload, 'attacker' satisfies Signing)

/** The same members but for one. */
export const without = (members: Json, name: string): Json =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))

import { randomUUID } from 'node:crypto'
import type { Json } from '../../engine/index.ts'
import { forgeAlgorithms } from './algorithms.ts'
import { forgeClaims } from './claims.ts'
import { encodeToken, decodePart } from './encoding.ts'
import {
  forgeCritical,
  forgeFormats,
  openTokens,
  forgeOversized,
  type OpenPoint,
} from './formats.ts'
import { forgeTokensWithKeys } from './keys.ts'
import type { Forged, ForgeryInput, NamedToken } from './forgery.ts'
import { forgeSignatures, forgeUnsigned } from './signatures.ts'
import { findTokenFlaw } from './verify.ts'

/** The server's secret with the claims that the server verifies, or a valid token. */
export interface JwtSource {
  secret?: string | undefined
  issuer?: string | undefined
  audience?: string | undefined
  /** Additional claims of every token; they replace others of the same name. */
  claims?: Json | undefined
  /**
   * A token that the server accepts. If the secret is not known, forged tokens are derived from
   * this token.
   */
  token?: string | undefined
  /** Milliseconds since the epoch. */
  now(): number
}

/** Generates valid and forged JSON Web Tokens. */
export interface JwtMint {
  /**
   * Returns the valid token from which forged tokens are derived. If the secret is known, this
   * token is generated, valid for `newTokenSeconds`, and reused for ten minutes. Otherwise it is
   * the token that the caller of `newJwtMint` passed.
   */
  validToken(): string
  /** Valid tokens of other forms; empty if the secret is not known. */
  variants(): readonly NamedToken[]
  /**
   * Tokens that no server may trust. Each differs from the valid token in one detail if possible.
   * With `keysUrl`, the headers of some tokens refer to keys at URLs below it.
   */
  forged(keysUrl?: string): readonly Forged[]
  /** Tokens that a server may either accept or refuse. */
  open(): readonly (NamedToken & { open: OpenPoint })[]
  /**
   * Returns tokens that expire at the same time: at least `seconds` from now, or in the past if
   * `seconds` is negative. Returns undefined if the secret is not known.
   */
  expiringIn(seconds: number): ExpiringTokens | undefined
}

/** Tokens that expire at the same time. */
export interface ExpiringTokens {
  /** Milliseconds since the epoch. */
  readonly expireAt: number
  /** Returns another token each time. */
  newToken(): string
}

/**
 * `iat` is this many seconds in the past, so that a server with a slow clock does not see it in the
 * future.
 */
const issuedAgo = 30
/** Seconds from `iat` to `exp`. */
const lifetime = 30 * 60
/** Seconds for which a generated token is valid, from the time at which it is generated. */
export const newTokenSeconds = lifetime - issuedAgo
/** Seconds for which the same token is returned. */
const reusedFor = 10 * 60

/** Returns undefined if there is neither a secret nor a token from which tokens can be derived. */
export function newJwtMint({
  secret,
  issuer,
  audience,
  claims: further,
  token,
  now,
}: JwtSource): JwtMint | undefined {
  const seconds = () => Math.floor(now() / 1000)
  const given =
    token === undefined
      ? undefined
      : { header: decodePart(token.split('.')[0]), claims: decodePart(token.split('.')[1]) }
  if (secret === undefined && (given?.header === undefined || given.claims === undefined))
    return undefined
  const header = secret === undefined ? given!.header! : { alg: 'HS256', typ: 'JWT' }
  let kept: { issued: number; claims: Json } | undefined
  const claims = (): Json => {
    if (secret === undefined) return given!.claims!
    const issued = seconds() - issuedAgo
    if (kept === undefined || issued - kept.issued > reusedFor)
      kept = { issued, claims: claimsAt(issued) }
    return kept.claims
  }
  const claimsAt = (issued: number): Json => ({
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
    sub: 'touchstone',
    iat: issued,
    exp: issued + lifetime,
    ...further,
  })
  const signWithSecret: ForgeryInput['signWithSecret'] = (head, payload, hash = 'sha256') =>
    secret === undefined ? undefined : encodeToken(head, payload, { secret, hash })
  const validToken = () => signWithSecret(header, claims()) ?? token!
  const inputFor = (keysUrl?: string): ForgeryInput => ({
    validToken: validToken(),
    header,
    claims: claims(),
    issuer,
    audience,
    now: seconds(),
    keysUrl,
    signWithSecret,
    secret,
  })
  const isGood = (one: string) =>
    secret === undefined
      ? one === token
      : findTokenFlaw(one, { secret, issuer, audience, now: seconds() }) === undefined
  return {
    validToken,
    variants: () => (secret === undefined ? [] : variantsOf(inputFor())),
    forged(keysUrl) {
      const input = inputFor(keysUrl)
      const all = [
        forgeSignatures,
        forgeUnsigned,
        forgeAlgorithms,
        forgeTokensWithKeys,
        forgeCritical,
        forgeClaims,
        forgeFormats,
        forgeOversized,
      ].flatMap((forge) => forge(input))
      const wrong = all.find((one) => isGood(one.token))
      if (wrong !== undefined)
        throw new Error(`a token ${wrong.name} would be valid, so it is not a forgery`)
      return all
    },
    open: () => openTokens(inputFor()),
    expiringIn(duration) {
      if (secret === undefined) return undefined
      // `exp` is rounded to whole seconds, so that a server that wrongly refuses fractions fails
      // only the check of fractions.
      const exp = Math.ceil(now() / 1000 + duration)
      return {
        expireAt: exp * 1000,
        newToken: () => signWithSecret(header, { ...claims(), exp, jti: randomUUID() })!,
      }
    },
  }
}

function variantsOf({ header, claims, audience, signWithSecret }: ForgeryInput): NamedToken[] {
  const candidates: [string, string | undefined][] = [
    ...(audience === undefined
      ? []
      : ([
          ['with its audience in an array', signWithSecret(header, { ...claims, aud: [audience] })],
          [
            'with several audiences',
            signWithSecret(header, { ...claims, aud: ['https://somebody-else.example', audience] }),
          ],
        ] as [string, string | undefined][])),
    ['without typ', signWithSecret({ alg: header['alg'] }, claims)],
    ['with a kid', signWithSecret({ ...header, kid: 'key-1' }, claims)],
    [
      'with an unknown header parameter',
      signWithSecret({ ...header, touchstone: { further: true } }, claims),
    ],
    [
      'with fractions of a second in exp',
      signWithSecret(header, { ...claims, exp: Number(claims['exp']) + 0.5 }),
    ],
    [
      'with further claims',
      signWithSecret(header, { ...claims, touchstone: { further: ['claims', 1, true, null] } }),
    ],
    ['with a jti', signWithSecret(header, { ...claims, jti: randomUUID() })],
    // Tokens that list the groups of a user are often as long. Servers accept headers of 8 KB.
    [
      'of more than 2,000 characters',
      signWithSecret(header, { ...claims, touchstone: 'ts'.repeat(1000) }),
    ],
  ]
  return candidates.flatMap(([name, token]) => (token === undefined ? [] : [{ name, token }]))
}

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
import { forgeKeys } from './keys.ts'
import type { Forged, ForgeryInput, NamedToken } from './forgery.ts'
import { forgeSignatures, forgeUnsigned } from './signatures.ts'
import { findTokenFlaw } from './verify.ts'

/** What a mint makes tokens from: the server's secret with what it verifies, or a token that is good already. */
export interface JwtSource {
  secret?: string | undefined
  issuer?: string | undefined
  audience?: string | undefined
  /** Further claims of every token; they replace those of their names. */
  claims?: Json | undefined
  /** A token that the server takes: where the secret is not told, forgeries are made of it. */
  token?: string | undefined
  /** Milliseconds since the epoch. */
  now(): number
}

/** Makes JSON Web Tokens by hand, good ones and forged ones. */
export interface JwtMint {
  /** A token that verifies: the one that was told, or one that is good for half an hour; the same for a while, and the one of which forgeries are made. */
  good(): string
  /** Good tokens of other forms; none where the secret was not told. */
  variants(): readonly NamedToken[]
  /**
   * Tokens that no server may trust. Each differs from the good one in one factor where that is
   * possible. Some of their headers say that keys are at `lure`, where one is given.
   */
  forged(lure?: string): readonly Forged[]
  /** Tokens of which a server may think as it likes. */
  open(): readonly (NamedToken & { open: OpenPoint })[]
}

/** Clocks differ: what was issued a moment ago was not issued in the future. In seconds. */
const issuedAgo = 30
const lifetime = 30 * 60
/** For how long the same one is used again. */
const reusedFor = 10 * 60

/** Where neither secret nor token is told there is nothing to make tokens from: undefined. */
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
  const own: ForgeryInput['signWithSecret'] = (head, payload, hash = 'sha256') =>
    secret === undefined ? undefined : encodeToken(head, payload, { secret, hash })
  const good = () => own(header, claims()) ?? token!
  const making = (lure?: string): ForgeryInput => ({
    good: good(),
    header,
    claims: claims(),
    issuer,
    audience,
    now: seconds(),
    keysUrl: lure,
    signWithSecret: own,
    secret,
  })
  const isGood = (one: string) =>
    secret === undefined
      ? one === token
      : findTokenFlaw(one, { secret, issuer, audience, now: seconds() }) === undefined
  return {
    good,
    variants: () => (secret === undefined ? [] : variantsOf(making())),
    forged(lure) {
      const made = making(lure)
      const all = [
        forgeSignatures,
        forgeUnsigned,
        forgeAlgorithms,
        forgeKeys,
        forgeCritical,
        forgeClaims,
        forgeFormats,
        forgeOversized,
      ].flatMap((of) => of(made))
      const wrong = all.find((one) => isGood(one.token))
      if (wrong !== undefined)
        throw new Error(`a token ${wrong.name} would be good, and is no forgery`)
      return all
    },
    open: () => openTokens(making()),
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
      'with further claims',
      signWithSecret(header, { ...claims, touchstone: { further: ['claims', 1, true, null] } }),
    ],
  ]
  return candidates.flatMap(([name, token]) => (token === undefined ? [] : [{ name, token }]))
}

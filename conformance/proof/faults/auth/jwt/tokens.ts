import { createHmac } from 'node:crypto'
import { isObject, jsonOf } from '../../../../../mocks/stateful/http/body.ts'
import {
  defaultJwtRules,
  type JwtPart,
  type JwtRules,
  type VerifiedToken,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { type MakeAuthDeviation, replaceRules } from '../building.ts'

/** A token, decoded without verification. */
export interface ParsedToken {
  header: JwtPart
  claims: JwtPart
  /** The signed part. */
  input: string
  signature: string
  /** The number of parts. */
  count: number
}

const objectOf = (part: string): JwtPart | undefined => {
  const value = jsonOf(Buffer.from(part, 'base64url'))?.value
  return isObject(value) ? value : undefined
}

/** Decodes a token of any number of parts without verifying it. */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split('.')
  const [head = '', body = '', signature = ''] = parts
  const [header, claims] = [objectOf(head), objectOf(body)]
  return header === undefined || claims === undefined
    ? undefined
    : { header, claims, input: `${head}.${body}`, signature, count: parts.length }
}

type Hash = 'sha256' | 'sha384' | 'sha512'
export const macOf = (
  { input }: Pick<ParsedToken, 'input'>,
  key: string | Uint8Array,
  hash: Hash = 'sha256',
): string => createHmac(hash, key).update(input).digest('base64url')
/** Whether the signature is the MAC of the token, even if its alg is different. */
export const isMac = (token: ParsedToken, key: string | Uint8Array, hash?: Hash): boolean =>
  token.signature === macOf(token, key, hash)

/**
 * Accepts valid tokens, and also the tokens that `others` accepts. With `all`, `others` is called
 * for valid tokens as well.
 */
export function acceptAlso(
  others: (token: ParsedToken, secret: Uint8Array) => boolean | Promise<boolean>,
  calledFor: 'all' | 'invalid' = 'invalid',
): MakeAuthDeviation {
  return replaceRules({
    jwt: {
      async verifySignature(token, secret, choices) {
        const verified = await defaultJwtRules.verifySignature(token, secret, choices)
        const one = verified === undefined || calledFor === 'all' ? parseToken(token) : undefined
        const isAccepted = one !== undefined && (await others(one, secret))
        return verified ?? (isAccepted ? { header: one.header, claims: one.claims } : undefined)
      },
    },
  })
}

const unverified: VerifiedToken = { header: {}, claims: {} }

type Claimed = 'isIssuer' | 'isAudience' | 'isUnexpired' | 'isAlreadyValid'
const unlessUnverified = <Name extends Claimed>(name: Name): JwtRules[Name] =>
  ((claims: JwtPart, ...rest: never[]) =>
    claims === unverified.claims ||
    (defaultJwtRules[name] as (claims: JwtPart, ...rest: never[]) => boolean)(
      claims,
      ...rest,
    )) as JwtRules[Name]

/** Accepts the tokens that `which` selects. Neither decodes them nor validates their claims. */
export function acceptUnread(
  which: (token: string, secret: Uint8Array) => boolean,
): MakeAuthDeviation {
  return replaceRules({
    jwt: {
      verifySignature: async (token, secret, choices) =>
        which(token, secret) ? unverified : defaultJwtRules.verifySignature(token, secret, choices),
      isIssuer: unlessUnverified('isIssuer'),
      isAudience: unlessUnverified('isAudience'),
      isUnexpired: unlessUnverified('isUnexpired'),
      isAlreadyValid: unlessUnverified('isAlreadyValid'),
    },
  })
}

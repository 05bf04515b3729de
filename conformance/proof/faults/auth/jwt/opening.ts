import { createHmac } from 'node:crypto'
import { isObject, jsonOf } from '../../../../../mocks/stateful/http/body.ts'
import {
  defaultJwtRules,
  type JwtPart,
  type JwtRules,
  type VerifiedToken,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { type MakeAuthDeviation, replaceRules } from '../building.ts'

/** The parts of a token, as whoever looks no closer reads them. */
export interface Parsed {
  header: JwtPart
  claims: JwtPart
  /** What is signed, and the signature. */
  input: string
  mark: string
  /** How many parts it has. */
  count: number
}

const objectOf = (part: string): JwtPart | undefined => {
  const value = jsonOf(Buffer.from(part, 'base64url'))?.value
  return isObject(value) ? value : undefined
}

/** Reads a token of any number of parts, and believes it. */
export function parsed(token: string): Parsed | undefined {
  const parts = token.split('.')
  const [head = '', body = '', mark = ''] = parts
  const [header, claims] = [objectOf(head), objectOf(body)]
  return header === undefined || claims === undefined
    ? undefined
    : { header, claims, input: `${head}.${body}`, mark, count: parts.length }
}

type Hash = 'sha256' | 'sha384' | 'sha512'
export const macOf = (
  { input }: Pick<Parsed, 'input'>,
  key: string | Uint8Array,
  hash: Hash = 'sha256',
): string => createHmac(hash, key).update(input).digest('base64url')
/** Whether a signature is the MAC of a token, whatever its header says. */
export const holds = (token: Parsed, key: string | Uint8Array, hash?: Hash): boolean =>
  token.mark === macOf(token, key, hash)

/** Takes tokens whose signatures are right, and others as well; `asked` is of which that is asked. */
export function takes(
  others: (token: Parsed, secret: Uint8Array) => boolean | Promise<boolean>,
  asked: 'all' | 'the others' = 'the others',
): MakeAuthDeviation {
  return replaceRules({
    jwt: {
      async opened(token, secret, choices) {
        const right = await defaultJwtRules.opened(token, secret, choices)
        const one = right === undefined || asked === 'all' ? parsed(token) : undefined
        const isTaken = one !== undefined && (await others(one, secret))
        return right ?? (isTaken ? { header: one.header, claims: one.claims } : undefined)
      },
    },
  })
}

const free: VerifiedToken = { header: {}, claims: {} }

type Claimed = 'issuer' | 'audience' | 'lasts' | 'hasBegun'
const passing = <Name extends Claimed>(name: Name): JwtRules[Name] =>
  ((claims: JwtPart, ...rest: never[]) =>
    claims === free.claims ||
    (defaultJwtRules[name] as (claims: JwtPart, ...rest: never[]) => boolean)(
      claims,
      ...rest,
    )) as JwtRules[Name]

/** Lets in what it cannot read the claims of. */
export function letsIn(which: (token: string, secret: Uint8Array) => boolean): MakeAuthDeviation {
  return replaceRules({
    jwt: {
      opened: async (token, secret, choices) =>
        which(token, secret) ? free : defaultJwtRules.opened(token, secret, choices),
      issuer: passing('issuer'),
      audience: passing('audience'),
      lasts: passing('lasts'),
      hasBegun: passing('hasBegun'),
    },
  })
}

import { isObject, jsonOf } from '../../../../../mocks/stateful/http/body.ts'
import {
  defaultJwtRules,
  type JwtRules,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { isMac, acceptUnread, macOf, parseToken, acceptAlso, type ParsedToken } from './tokens.ts'

/** Ignores crit in the tokens that `which` selects. */
const ignoreCrit = (which: (token: ParsedToken) => boolean): MakeAuthDeviation =>
  replaceRules({
    jwt: {
      supportsHeader: (header) => !('crit' in header) || which({ header } as ParsedToken),
      async verifySignature(token, secret, choices) {
        const one = parseToken(token)
        return one !== undefined &&
          which(one) &&
          one.header['alg'] === 'HS256' &&
          isMac(one, secret)
          ? { header: one.header, claims: one.claims }
          : defaultJwtRules.verifySignature(token, secret, choices)
      },
    },
  })

const critOf = ({ header }: ParsedToken): unknown[] =>
  Array.isArray(header['crit']) ? (header['crit'] as unknown[]) : []
const isSigned = (token: string, secret: Uint8Array): boolean => {
  const [head = '', body = '', signature] = token.split('.')
  return signature === macOf({ input: `${head}.${body}` }, secret)
}
const payloadOf = (token: string): unknown =>
  jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url'))?.value

/** Uses the first element of a payload that is an array. */
const useFirstPayload: JwtRules['verifySignature'] = async (token, secret, choices) => {
  const payload = payloadOf(token)
  const first: unknown = Array.isArray(payload) ? payload[0] : undefined
  return isObject(first) && isSigned(token, secret)
    ? { header: {}, claims: first }
    : defaultJwtRules.verifySignature(token, secret, choices)
}

/** Faults in which tokens with critical extensions, or malformed tokens, are accepted. */
export const forms = [
  fault(
    'crit-ignored',
    'Ignores extensions that a token marks as critical.',
    ['AUTH-JWT-12'],
    ignoreCrit(() => true),
  ),
  fault(
    'b64-ignored',
    'Ignores the extension b64 if it is critical.',
    ['AUTH-JWT-12'],
    ignoreCrit((token) => critOf(token).includes('b64')),
  ),

  fault(
    'two-parts-accepted',
    'Accepts tokens of two parts.',
    ['AUTH-JWT-15'],
    acceptAlso(({ count }) => count === 2),
  ),
  fault(
    'four-parts-accepted',
    'Ignores characters after the signature of a token.',
    ['AUTH-JWT-15'],
    acceptAlso(
      (token, secret) => token.count > 3 && token.header['alg'] === 'HS256' && isMac(token, secret),
    ),
  ),
  fault(
    'encrypted-accepted',
    'Accepts encrypted tokens without decrypting them.',
    ['AUTH-JWT-15'],
    acceptUnread((token) => token.split('.').length === 5 && token.split('.')[1] === ''),
  ),
  fault(
    'array-of-claims',
    'Accepts an array as the payload and uses its first element as the claims.',
    ['AUTH-JWT-15'],
    replaceRules({ jwt: { verifySignature: useFirstPayload } }),
  ),
  fault(
    'string-payload-accepted',
    'Accepts a signed token whose payload is a string.',
    ['AUTH-JWT-15'],
    acceptUnread(
      (token, secret) =>
        token.split('.').length === 3 &&
        isSigned(token, secret) &&
        typeof payloadOf(token) === 'string',
    ),
  ),
  fault(
    'invalid-json-accepted',
    'Accepts a signed token whose header or payload is not JSON.',
    ['AUTH-JWT-15'],
    acceptUnread(
      (token, secret) =>
        token.split('.').length === 3 &&
        isSigned(token, secret) &&
        (payloadOf(token) === undefined ||
          jsonOf(Buffer.from(token.split('.')[0]!, 'base64url')) === undefined),
    ),
  ),
  fault(
    'word-accepted',
    'Accepts any word as a token.',
    ['AUTH-JWT-15'],
    acceptUnread((token) => /^\w+$/.test(token)),
  ),
  ...['null', 'undefined'].map((word) =>
    fault(
      `${word}-accepted`,
      `Accepts the word ${word} as a token.`,
      ['AUTH-JWT-15'],
      acceptUnread((token) => token === word),
    ),
  ),
  fault(
    'other-characters-accepted',
    'Accepts three parts with characters that base64url does not have.',
    ['AUTH-JWT-15'],
    acceptUnread((token) => /^[^\w.]+\.[^\w.]+\.[^\w.]+$/.test(token)),
  ),
  fault(
    'dots-accepted',
    'Accepts two dots as a token.',
    ['AUTH-JWT-15'],
    acceptUnread((token) => token === '..'),
  ),
]

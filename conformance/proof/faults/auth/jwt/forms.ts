import { isObject, jsonOf } from '../../../../../mocks/stateful/http/body.ts'
import {
  defaultJwtRules,
  type JwtRules,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { holds, letsIn, macOf, parsed, takes, type Parsed } from './opening.ts'

/** Passes over extensions that it does not know, where `which` says so. */
const uncritical = (which: (token: Parsed) => boolean): MakeAuthDeviation =>
  replaceRules({
    jwt: {
      understands: (header) => !('crit' in header) || which({ header } as Parsed),
      async opened(token, secret, choices) {
        const one = parsed(token)
        return one !== undefined &&
          which(one) &&
          one.header['alg'] === 'HS256' &&
          holds(one, secret)
          ? { header: one.header, claims: one.claims }
          : defaultJwtRules.opened(token, secret, choices)
      },
    },
  })

const critOf = ({ header }: Parsed): unknown[] =>
  Array.isArray(header['crit']) ? (header['crit'] as unknown[]) : []
const isSigned = (token: string, secret: Uint8Array): boolean => {
  const [head = '', body = '', mark] = token.split('.')
  return mark === macOf({ input: `${head}.${body}` }, secret)
}
const payloadOf = (token: string): unknown =>
  jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url'))?.value

/** Takes the first of several payloads. */
const firstOf: JwtRules['opened'] = async (token, secret, choices) => {
  const payload = payloadOf(token)
  const first: unknown = Array.isArray(payload) ? payload[0] : undefined
  return isObject(first) && isSigned(token, secret)
    ? { header: {}, claims: first }
    : defaultJwtRules.opened(token, secret, choices)
}

/** Extensions that are passed over, and what is no signed JSON Web Token. */
export const forms = [
  fault(
    'crit-unread',
    'Passes over extensions that a token marks as critical.',
    ['AUTH-JWT-12'],
    uncritical(() => true),
  ),
  fault(
    'crit-empty',
    'Takes tokens that mark nothing as critical.',
    ['AUTH-JWT-12'],
    uncritical((token) => 'crit' in token.header && critOf(token).length === 0),
  ),
  fault(
    'b64-passed-over',
    'Passes over b64, and reads the payload as ever.',
    ['AUTH-JWT-12'],
    uncritical((token) => critOf(token).includes('b64')),
  ),

  fault(
    'two-parts-taken',
    'Takes tokens of two parts.',
    ['AUTH-JWT-15'],
    takes(({ count }) => count === 2),
  ),
  fault(
    'four-parts-taken',
    'Passes over what follows on the signature of a token.',
    ['AUTH-JWT-15'],
    takes(
      (token, secret) => token.count > 3 && token.header['alg'] === 'HS256' && holds(token, secret),
    ),
  ),
  fault(
    'encrypted-taken',
    'Takes every token that is encrypted.',
    ['AUTH-JWT-15'],
    letsIn((token) => token.split('.').length === 5 && token.split('.')[1] === ''),
  ),
  fault(
    'array-of-claims',
    'Takes the first of several payloads.',
    ['AUTH-JWT-15'],
    replaceRules({ jwt: { opened: firstOf } }),
  ),
  fault(
    'no-claims-taken',
    'Takes a token without claims where its signature is right.',
    ['AUTH-JWT-15'],
    letsIn(
      (token, secret) =>
        token.split('.').length === 3 &&
        isSigned(token, secret) &&
        typeof payloadOf(token) === 'string',
    ),
  ),
  fault(
    'no-json-taken',
    'Takes a token that is no JSON where its signature is right.',
    ['AUTH-JWT-15'],
    letsIn(
      (token, secret) =>
        token.split('.').length === 3 &&
        isSigned(token, secret) &&
        (payloadOf(token) === undefined ||
          jsonOf(Buffer.from(token.split('.')[0]!, 'base64url')) === undefined),
    ),
  ),
  fault(
    'word-taken',
    'Takes any word for a token.',
    ['AUTH-JWT-15'],
    letsIn((token) => /^\w+$/.test(token)),
  ),
  fault(
    'dots-taken',
    'Takes dots for a token.',
    ['AUTH-JWT-15'],
    letsIn((token) => token === '..'),
  ),
]

import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, withChoices, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { parseToken } from './tokens.ts'

/** Refuses valid tokens for which `isRefused` returns true. */
const refuseSome = (
  isRefused: (header: Record<string, unknown>, claims: Record<string, unknown>) => boolean,
): MakeAuthDeviation =>
  replaceRules({
    jwt: {
      async verifySignature(token, secret, choices) {
        const one = parseToken(token)
        return one !== undefined && isRefused(one.header, one.claims)
          ? undefined
          : defaultJwtRules.verifySignature(token, secret, choices)
      },
    },
  })

/** Faults in which valid tokens are refused, or a secret is accepted although it is too short. */
export const serving = [
  fault(
    'good-token-refused',
    'Refuses every token.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { verifySignature: async () => undefined } }),
  ),
  fault(
    'good-token-refused-for-events',
    'Refuses every token over HTTP+SSE, its only transport.',
    ['AUTH-JWT-01'],
    withChoices(
      { hosting: { transports: ['sse'] } },
      replaceRules({ jwt: { verifySignature: async () => undefined } }),
    ),
  ),
  fault(
    'seconds-for-milliseconds',
    'Compares the expiry in seconds with a time in milliseconds, so that every token has expired.',
    ['AUTH-JWT-01'],
    replaceRules({
      jwt: { isUnexpired: ({ exp }, now) => typeof exp === 'number' && now * 1000 < exp },
    }),
  ),
  fault(
    'expired-an-hour-early',
    'Treats tokens as expired an hour early.',
    ['AUTH-JWT-01'],
    replaceRules({
      jwt: { isUnexpired: ({ exp }, now) => typeof exp === 'number' && now < exp - 60 * 60 },
    }),
  ),
  fault(
    'single-audience-only',
    'Refuses tokens whose audience is an array.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { isAudience: ({ aud }, audience) => aud === audience } }),
  ),
  fault(
    'first-audience-only',
    'Compares only the first of several audiences.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { isAudience: ({ aud }, audience) => [aud].flat()[0] === audience } }),
  ),
  fault(
    'typ-required',
    'Refuses tokens without typ.',
    ['AUTH-JWT-01'],
    refuseSome((header) => header['typ'] !== 'JWT'),
  ),
  fault(
    'kid-refused',
    'Refuses tokens with a kid.',
    ['AUTH-JWT-01'],
    refuseSome((header) => 'kid' in header),
  ),
  fault(
    'unknown-header-parameters-refused',
    'Refuses tokens with an unknown parameter in their header.',
    ['AUTH-JWT-01'],
    refuseSome((header) =>
      Object.keys(header).some((name) => !['alg', 'typ', 'kid', 'crit', 'b64'].includes(name)),
    ),
  ),
  fault(
    'fraction-refused',
    'Refuses tokens whose expiry is not a whole number of seconds.',
    ['AUTH-JWT-01'],
    refuseSome((_, { exp }) => typeof exp === 'number' && !Number.isInteger(exp)),
  ),
  fault('token-ids-used-once', 'Accepts a jti only once.', ['AUTH-JWT-01'], (hit) => {
    const known = new Set<unknown>()
    return refuseSome((_, { jti }) => {
      const isKnown = known.has(jti)
      if (jti !== undefined) known.add(jti)
      return isKnown
    })(hit)
  }),
  fault(
    'long-tokens-refused',
    'Refuses tokens of more than 1,000 characters.',
    ['AUTH-JWT-01'],
    replaceRules({
      jwt: {
        verifySignature: async (token, ...rest) =>
          token.length > 1000 ? undefined : defaultJwtRules.verifySignature(token, ...rest),
      },
    }),
  ),
  fault(
    'further-claims-refused',
    'Refuses tokens with unknown claims.',
    ['AUTH-JWT-01'],
    refuseSome((_, claims) =>
      Object.keys(claims).some(
        (name) => !['iss', 'aud', 'sub', 'email', 'iat', 'exp', 'nbf'].includes(name),
      ),
    ),
  ),
  fault(
    'short-secret',
    'Accepts a secret of 248 bits.',
    ['AUTH-JWT-19'],
    withChoices({ hosting: { secret: 'a-secret-of-thirty-one-bytes-ab' } }, (hit) => ({
      rules: {
        jwt: {
          minSecretBits: 0,
          async verifySignature(token, secret, choices) {
            hit()
            return defaultJwtRules.verifySignature(token, secret, choices)
          },
        },
      },
    })),
  ),
]

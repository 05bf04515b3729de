import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, hosted, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { parsed } from './opening.ts'

const right = defaultJwtRules

/** Refuses good tokens of some form. */
const picky = (
  dislikes: (header: Record<string, unknown>, claims: Record<string, unknown>) => boolean,
): MakeAuthDeviation =>
  replaceRules({
    jwt: {
      async opened(token, secret, choices) {
        const one = parsed(token)
        return one !== undefined && dislikes(one.header, one.claims)
          ? undefined
          : right.opened(token, secret, choices)
      },
    },
  })

/** Good tokens that are not served, and secrets that are no good. */
export const serving = [
  fault(
    'good-token-refused',
    'Refuses every token.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { opened: async () => undefined } }),
  ),
  fault(
    'good-token-refused-for-events',
    'Refuses every token where events stream.',
    ['AUTH-JWT-01'],
    hosted(
      { hosting: { transports: ['sse'] } },
      replaceRules({ jwt: { opened: async () => undefined } }),
    ),
  ),
  fault(
    'seconds-for-milliseconds',
    'Takes the seconds of an expiry for milliseconds, so that every token has expired.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { lasts: ({ exp }, now) => typeof exp === 'number' && now * 1000 < exp } }),
  ),
  fault(
    'expired-an-hour-early',
    'Takes a token for expired an hour before it is.',
    ['AUTH-JWT-01'],
    replaceRules({
      jwt: { lasts: ({ exp }, now) => typeof exp === 'number' && now < exp - 60 * 60 },
    }),
  ),
  fault(
    'single-audience-only',
    'Refuses tokens whose audience is an array.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { audience: ({ aud }, audience) => aud === audience } }),
  ),
  fault(
    'first-audience-only',
    'Looks at the first of several audiences only.',
    ['AUTH-JWT-01'],
    replaceRules({ jwt: { audience: ({ aud }, audience) => [aud].flat()[0] === audience } }),
  ),
  fault(
    'typ-demanded',
    'Refuses tokens without typ.',
    ['AUTH-JWT-01'],
    picky((header) => header['typ'] !== 'JWT'),
  ),
  fault(
    'kid-refused',
    'Refuses tokens with a kid.',
    ['AUTH-JWT-01'],
    picky((header) => 'kid' in header),
  ),
  fault(
    'further-claims-refused',
    'Refuses tokens with claims that it does not know.',
    ['AUTH-JWT-01'],
    picky((_, claims) =>
      Object.keys(claims).some(
        (name) => !['iss', 'aud', 'sub', 'email', 'iat', 'exp', 'nbf'].includes(name),
      ),
    ),
  ),
  fault(
    'short-secret',
    'Signs and verifies with a secret of 248 bits.',
    ['AUTH-JWT-19'],
    hosted({ hosting: { secret: 'a-secret-of-thirty-one-bytes-ab' } }, (hit) => ({
      rules: {
        jwt: {
          secretBits: 0,
          async opened(token, secret, choices) {
            hit()
            return right.opened(token, secret, choices)
          },
        },
      },
    })),
  ),
]

import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, replaceRules } from '../building.ts'
import { acceptUnread } from './tokens.ts'

/** Headers without a bearer token. */
export const schemes = [
  fault(
    'any-scheme',
    'Accepts a token with any scheme.',
    ['AUTH-JWT-27'],
    replaceRules({ jwt: { bearerTokenIn: (header) => / +(\S+) *$/.exec(header)?.[1] } }),
  ),
  fault(
    'other-scheme-400',
    'Returns 400 for a header with another scheme.',
    ['AUTH-JWT-27'],
    replaceRules((_rules, hit) => {
      let isOther = false
      return {
        jwt: {
          bearerTokenIn(header, choices) {
            isOther = defaultJwtRules.bearerTokenIn(header, choices) === undefined
            return defaultJwtRules.bearerTokenIn(header, choices)
          },
          missingTokenRefusal: {
            get status() {
              if (isOther) hit()
              const status = isOther ? 400 : 401
              isOther = false
              return status
            },
            text: defaultJwtRules.missingTokenRefusal.text,
          },
        },
      }
    }),
  ),
  fault(
    'empty-bearer-served',
    'Serves a header that consists of Bearer alone.',
    ['AUTH-JWT-27'],
    (hit) => {
      const lenient = acceptUnread((token) => token === 'empty')(() => {})
      return {
        rules: {
          jwt: {
            ...lenient.rules?.jwt,
            bearerTokenIn(header, choices) {
              if (!/^bearer *$/i.test(header)) return defaultJwtRules.bearerTokenIn(header, choices)
              hit()
              return 'empty'
            },
          },
        },
      }
    },
  ),
  fault(
    'other-scheme-500',
    'Fails on a header with another scheme.',
    ['AUTH-JWT-27'],
    replaceRules((_rules, hit) => ({
      jwt: {
        bearerTokenIn(header, choices) {
          const token = defaultJwtRules.bearerTokenIn(header, choices)
          if (token !== undefined) return token
          hit()
          throw new Error('no token')
        },
      },
    })),
  ),
]

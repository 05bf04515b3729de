import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, replaceRules } from '../building.ts'
import { acceptUnread } from './tokens.ts'

const tokenHeader = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : `Bearer ${token}`

/**
 * Faults in which Authorization headers without a bearer token are accepted, or refused wrongly.
 */
export const schemes = [
  fault(
    'any-scheme',
    'Accepts a token with any scheme.',
    ['AUTH-JWT-27'],
    replaceRules({ jwt: { bearerTokenIn: (header) => / +(\S+) *$/.exec(header)?.[1] } }),
  ),
  fault(
    'scheme-token-accepted',
    'Accepts a token with the scheme Token.',
    ['AUTH-JWT-27'],
    replaceRules({
      jwt: { bearerTokenIn: (header) => /^(?:Bearer|Token) +(\S+) *$/i.exec(header)?.[1] },
    }),
  ),
  fault(
    'basic-password-accepted',
    'Accepts a token as the password of Basic credentials.',
    ['AUTH-JWT-27'],
    replaceRules({
      jwt: {
        bearerTokenIn(header, choices) {
          const basic = /^Basic +(\S+) *$/i.exec(header)?.[1] ?? ''
          const [, password] = Buffer.from(basic, 'base64').toString().split(':')
          return password ?? defaultJwtRules.bearerTokenIn(header, choices)
        },
      },
    }),
  ),
  fault(
    'token-in-a-cookie-accepted',
    'Accepts a token in the cookie access_token.',
    ['AUTH-JWT-02'],
    replaceRules({
      jwt: {
        authorizationOf: ({ headers: { authorization, cookie = '' } }) =>
          authorization ?? tokenHeader(/\baccess_token=([^;]+)/.exec(cookie)?.[1]),
      },
    }),
  ),
  fault(
    'token-in-another-header-accepted',
    'Accepts a token in the header X-Api-Key.',
    ['AUTH-JWT-02'],
    replaceRules({
      jwt: {
        authorizationOf: ({ headers: { authorization, 'x-api-key': key } }) =>
          authorization ?? tokenHeader([key].flat()[0]),
      },
    }),
  ),
  fault(
    'no-scheme',
    'Accepts a token without a scheme.',
    ['AUTH-JWT-27'],
    replaceRules({
      jwt: {
        bearerTokenIn: (header, choices) =>
          defaultJwtRules.bearerTokenIn(header, choices) ?? /^\S+\.\S+$/.exec(header)?.[0],
      },
    }),
  ),
  fault(
    'other-scheme-400',
    'Returns 400 for an Authorization header without a bearer token, such as Basic credentials.',
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
    'Serves a request whose Authorization header is only the word Bearer.',
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
    'Returns 500 for an Authorization header without a bearer token, such as Basic credentials.',
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

import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, replaceRules } from '../building.ts'
import { letsIn } from './opening.ts'

const right = defaultJwtRules

/** Headers that bring no bearer token. */
export const schemes = [
  fault(
    'any-scheme',
    'Takes the token of a header whatever its scheme is.',
    ['AUTH-JWT-27'],
    replaceRules({ jwt: { tokenIn: (header) => / +(\S+) *$/.exec(header)?.[1] } }),
  ),
  fault(
    'other-scheme-400',
    'Answers 400 to a header of another scheme.',
    ['AUTH-JWT-27'],
    replaceRules((_rules, hit) => {
      let isOther = false
      return {
        jwt: {
          tokenIn(header, choices) {
            isOther = right.tokenIn(header, choices) === undefined
            return right.tokenIn(header, choices)
          },
          absent: {
            get status() {
              if (isOther) hit()
              const status = isOther ? 400 : 401
              isOther = false
              return status
            },
            text: right.absent.text,
          },
        },
      }
    }),
  ),
  fault(
    'empty-bearer-served',
    'Serves a header that says Bearer and nothing else.',
    ['AUTH-JWT-27'],
    (hit) => {
      const free = letsIn((token) => token === 'empty')(() => {})
      return {
        rules: {
          jwt: {
            ...free.rules?.jwt,
            tokenIn(header, choices) {
              if (!/^bearer *$/i.test(header)) return right.tokenIn(header, choices)
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
    'Breaks down on a header of another scheme.',
    ['AUTH-JWT-27'],
    replaceRules((_rules, hit) => ({
      jwt: {
        tokenIn(header, choices) {
          const token = right.tokenIn(header, choices)
          if (token !== undefined) return token
          hit()
          throw new Error('no token')
        },
      },
    })),
  ),
]

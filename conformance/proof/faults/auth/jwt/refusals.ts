import {
  defaultJwtRules,
  type JwtRules,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import {
  changeHead,
  onHttpRequest,
  fault,
  type MakeAuthDeviation,
  replaceRules,
} from '../building.ts'
import { parseToken } from './tokens.ts'
import type { Hit } from '../../../../../mocks/kit/kit.ts'

type Which = 'missingTokenRefusal' | 'invalidTokenRefusal'

/** Changes the response to a request without an Authorization header, or with an invalid token. */
const changeRefusal = (
  which: Which,
  { status, text }: { status?: number; text?: string | (() => string) },
): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({ jwt: { [which]: countedRefusal(which, hit, status, text) } }))

/** A refusal that counts a hit whenever it is used. */
function countedRefusal(
  which: Which,
  hit: Hit,
  status = defaultJwtRules[which].status,
  text: string | (() => string) = defaultJwtRules[which].text,
): JwtRules[Which] {
  return {
    get status() {
      hit()
      return status
    },
    get text() {
      return typeof text === 'string' ? text : text()
    },
  }
}

/** Computes the text of the refusal of an invalid token from the token and the server's secret. */
const refusalTextFrom = (text: (token: string, secret: string) => string): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    let last = ''
    return {
      jwt: {
        async verifySignature(token, secret, choices) {
          last = text(token, Buffer.from(secret).toString())
          return defaultJwtRules.verifySignature(token, secret, choices)
        },
        invalidTokenRefusal: countedRefusal('invalidTokenRefusal', hit, undefined, () => last),
      },
    }
  })

const claimsOf = (token: string): Record<string, unknown> => parseToken(token)?.claims ?? {}

/** A fault that returns the subject of an invalid token in the WWW-Authenticate header. */
const claimsInChallenge: MakeAuthDeviation = onHttpRequest((request, response, hit) => {
  const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
  const sub = token === undefined ? undefined : claimsOf(token)['sub']
  if (typeof sub === 'string')
    changeHead(response, (status, headers) => {
      if (status !== 403) return undefined
      hit()
      return {
        status,
        headers: {
          ...headers,
          'www-authenticate': `Bearer error="invalid_token", error_description="not for ${sub}"`,
        },
      }
    })
})

const stack =
  'JsonWebTokenError: invalid signature\n    at verify (/srv/shelf/node_modules/jsonwebtoken/verify.js:171:19)\n    at guard (/srv/shelf/auth.js:20:11)'

/** Changes the challenge of 401 responses; undefined removes it. */
export const withChallenge = (challenge: string | undefined): MakeAuthDeviation =>
  onHttpRequest((_request, response, hit) =>
    changeHead(response, (status, { 'www-authenticate': _, ...headers }) => {
      if (status !== 401) return undefined
      hit()
      return {
        status,
        headers: {
          ...headers,
          ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
        },
      }
    }),
  )

/** Faults in the status and the text of refusals. */
export const refusals = [
  fault(
    'challenge-missing',
    'Sends no challenge with 401.',
    ['AUTH-JWT-31'],
    withChallenge(undefined),
  ),
  fault(
    'challenge-empty',
    'Sends an empty challenge with 401.',
    ['AUTH-JWT-31'],
    withChallenge(''),
  ),
  fault(
    'absent-403',
    'Returns 403 for a request without an Authorization header.',
    ['AUTH-JWT-02'],
    changeRefusal('missingTokenRefusal', { status: 403 }),
  ),
  fault(
    'absent-400',
    'Returns 400 for a request without an Authorization header.',
    ['AUTH-JWT-02'],
    changeRefusal('missingTokenRefusal', { status: 400 }),
  ),
  fault(
    'absent-200',
    'Returns 200 when it refuses a request without an Authorization header.',
    ['AUTH-JWT-02'],
    changeRefusal('missingTokenRefusal', { status: 200 }),
  ),
  fault(
    'absent-served',
    'Serves requests without an Authorization header.',
    ['AUTH-JWT-02'],
    (hit) => {
      // The request continues with a token that passes every validation.
      let isAbsent = false
      return {
        rules: {
          jwt: {
            authorizationOf: (request) =>
              defaultJwtRules.authorizationOf(request) ?? 'Bearer absent',
            async verifySignature(token, secret, choices) {
              isAbsent = token === 'absent'
              if (!isAbsent) return defaultJwtRules.verifySignature(token, secret, choices)
              hit()
              return { header: {}, claims: { isAbsent: true } }
            },
            isIssuer: (claims, issuer) =>
              claims['isAbsent'] === true || defaultJwtRules.isIssuer(claims, issuer),
            isAudience: (claims, audience) =>
              claims['isAbsent'] === true || defaultJwtRules.isAudience(claims, audience),
            isUnexpired: (claims, now, choices) =>
              claims['isAbsent'] === true || defaultJwtRules.isUnexpired(claims, now, choices),
          },
        },
      }
    },
  ),
  fault(
    'token-in-the-query',
    'Accepts a token in the query if there is no Authorization header.',
    ['AUTH-JWT-02'],
    replaceRules({
      jwt: {
        authorizationOf(request) {
          const query = new URLSearchParams((request.url ?? '').split('?')[1])
          const token = query.get('access_token') ?? query.get('token')
          return (
            defaultJwtRules.authorizationOf(request) ??
            (token === null ? undefined : `Bearer ${token}`)
          )
        },
      },
    }),
  ),
  fault(
    'absent-without-text',
    'Returns an empty body when it refuses a request without an Authorization header.',
    ['AUTH-JWT-03'],
    changeRefusal('missingTokenRefusal', { text: '' }),
  ),
  fault(
    'absent-long',
    'Returns a long body when it refuses a request without an Authorization header.',
    ['AUTH-JWT-03'],
    changeRefusal('missingTokenRefusal', { text: 'You are not authorized. '.repeat(20) }),
  ),
  fault(
    'absent-off-topic',
    'When it refuses a request without a token, returns a body that does not state the reason.',
    ['AUTH-JWT-03'],
    changeRefusal('missingTokenRefusal', { text: 'Nothing to see' }),
  ),
  fault(
    'invalid-401',
    'Returns 401 for invalid tokens.',
    ['AUTH-JWT-04'],
    changeRefusal('invalidTokenRefusal', { status: 401 }),
  ),
  fault(
    'invalid-400',
    'Returns 400 for invalid tokens.',
    ['AUTH-JWT-04'],
    changeRefusal('invalidTokenRefusal', { status: 400 }),
  ),
  fault(
    'invalid-200',
    'Returns 200 when it refuses an invalid token.',
    ['AUTH-JWT-04', 'AUTH-JWT-06'],
    changeRefusal('invalidTokenRefusal', { status: 200 }),
  ),
  fault(
    'garbage-500',
    'Returns 500 for a value that is not a JSON Web Token.',
    ['AUTH-JWT-04'],
    replaceRules((_rules, hit) => ({
      jwt: {
        async verifySignature(token, secret, choices) {
          if (parseToken(token) === undefined) {
            hit()
            throw new Error('cannot read properties of undefined')
          }
          return defaultJwtRules.verifySignature(token, secret, choices)
        },
      },
    })),
  ),
  fault(
    'expired-401',
    'Returns 401 for an expired token and 403 for other invalid tokens.',
    ['AUTH-JWT-04'],
    (hit) => {
      let isExpired = false
      return {
        rules: {
          jwt: {
            isUnexpired(claims, now, choices) {
              isExpired = !defaultJwtRules.isUnexpired(claims, now, choices)
              return !isExpired
            },
            invalidTokenRefusal: {
              get status() {
                const status = isExpired ? 401 : 403
                if (isExpired) hit()
                isExpired = false
                return status
              },
              text: defaultJwtRules.invalidTokenRefusal.text,
            },
          },
        },
      }
    },
  ),
  fault(
    'invalid-without-text',
    'Returns an empty body when it refuses an invalid token.',
    ['AUTH-JWT-05'],
    changeRefusal('invalidTokenRefusal', { text: '' }),
  ),
  fault(
    'invalid-long',
    'Returns a long body when it refuses an invalid token.',
    ['AUTH-JWT-05'],
    changeRefusal('invalidTokenRefusal', { text: 'The token is not valid. '.repeat(20) }),
  ),
  fault(
    'invalid-off-topic',
    'When it refuses an invalid token, returns a body that does not state the reason.',
    ['AUTH-JWT-05'],
    changeRefusal('invalidTokenRefusal', { text: 'Nothing to see' }),
  ),

  fault(
    'refusal-contains-the-secret',
    'Returns its secret when it refuses a token.',
    ['AUTH-JWT-17'],
    refusalTextFrom((_, secret) => `Invalid token: not signed with ${secret}`),
  ),
  fault(
    'refusal-contains-claims',
    'Returns the subject of an invalid token.',
    ['AUTH-JWT-17'],
    refusalTextFrom(
      (token) => `Invalid token of ${String(claimsOf(token)['sub'] ?? 'an unknown user')}`,
    ),
  ),
  fault(
    'refusal-with-a-stack',
    'Returns a stack trace for an invalid token.',
    ['AUTH-JWT-17'],
    changeRefusal('invalidTokenRefusal', { text: stack }),
  ),
  fault(
    'absence-with-a-stack',
    'Returns a stack trace for a request without an Authorization header.',
    ['AUTH-JWT-17'],
    changeRefusal('missingTokenRefusal', {
      text: 'TypeError: Unauthorized, no header\n    at guard (file:///srv/shelf/auth.js:12:9)',
    }),
  ),
  fault(
    'challenge-contains-claims',
    'Returns the subject of an invalid token in the header WWW-Authenticate.',
    ['AUTH-JWT-17'],
    claimsInChallenge,
  ),
]

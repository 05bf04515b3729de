import {
  defaultJwtRules,
  type JwtRules,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { changesHead, door, fault, type MakeAuthDeviation, replaceRules } from '../building.ts'
import { parsed } from './opening.ts'
import type { Hit } from '../../../../../mocks/kit/kit.ts'

const right = defaultJwtRules
type Which = 'absent' | 'invalid'

/** Answers otherwise where there is no header, or where a token is not good. */
const tells = (
  which: Which,
  { status, text }: { status?: number; text?: string | (() => string) },
): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({ jwt: { [which]: said(which, hit, status, text) } }))

/** An answer of which every use is a hit. */
function said(
  which: Which,
  hit: Hit,
  status = right[which].status,
  text: string | (() => string) = right[which].text,
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

/** Tells of the token that came last in what it says of invalid ones. */
const tellsOf = (text: (token: string, secret: string) => string): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    let last = ''
    return {
      jwt: {
        async opened(token, secret, choices) {
          last = text(token, Buffer.from(secret).toString())
          return right.opened(token, secret, choices)
        },
        invalid: said('invalid', hit, undefined, () => last),
      },
    }
  })

const claimsOf = (token: string): Record<string, unknown> => parsed(token)?.claims ?? {}

/** Shows the claims of a bad token in a header. */
const challengesWithClaims: MakeAuthDeviation = door((request, response, hit) => {
  const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
  const sub = token === undefined ? undefined : claimsOf(token)['sub']
  if (typeof sub === 'string')
    changesHead(response, (status, headers) => {
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

/** What a refusal says, and by which status. */
export const refusing = [
  fault(
    'absent-403',
    'Answers 403 where there is no header.',
    ['AUTH-JWT-02'],
    tells('absent', { status: 403 }),
  ),
  fault(
    'absent-400',
    'Answers 400 where there is no header.',
    ['AUTH-JWT-02'],
    tells('absent', { status: 400 }),
  ),
  fault(
    'absent-200',
    'Says with status 200 that one is not authorized.',
    ['AUTH-JWT-02'],
    tells('absent', { status: 200 }),
  ),
  fault('absent-served', 'Serves whoever comes without a header.', ['AUTH-JWT-02'], (hit) => {
    // The request goes on as if nobody guarded it.
    let isAbsent = false
    return {
      rules: {
        jwt: {
          headerOf: (request) => right.headerOf(request) ?? 'Bearer nobody',
          async opened(token, secret, choices) {
            isAbsent = token === 'nobody'
            if (!isAbsent) return right.opened(token, secret, choices)
            hit()
            return { header: {}, claims: { nobody: true } }
          },
          issuer: (claims, issuer) => claims['nobody'] === true || right.issuer(claims, issuer),
          audience: (claims, audience) =>
            claims['nobody'] === true || right.audience(claims, audience),
          lasts: (claims, now, choices) =>
            claims['nobody'] === true || right.lasts(claims, now, choices),
        },
      },
    }
  }),
  fault(
    'token-in-the-address',
    'Takes a token from the address where there is no header.',
    ['AUTH-JWT-02'],
    replaceRules({
      jwt: {
        headerOf(request) {
          const asked = new URLSearchParams((request.url ?? '').split('?')[1])
          const token = asked.get('access_token') ?? asked.get('token')
          return right.headerOf(request) ?? (token === null ? undefined : `Bearer ${token}`)
        },
      },
    }),
  ),
  fault(
    'absent-without-text',
    'Says nothing where there is no header.',
    ['AUTH-JWT-03'],
    tells('absent', { text: '' }),
  ),
  fault(
    'absent-long',
    'Gives a lecture where there is no header.',
    ['AUTH-JWT-03'],
    tells('absent', { text: 'You are not authorized. '.repeat(20) }),
  ),
  fault(
    'absent-off-topic',
    'Says where there is no header that there is nothing here.',
    ['AUTH-JWT-03'],
    tells('absent', { text: 'Nothing to see' }),
  ),
  fault(
    'invalid-401',
    'Answers 401 to tokens that are not good.',
    ['AUTH-JWT-04'],
    tells('invalid', { status: 401 }),
  ),
  fault(
    'invalid-400',
    'Answers 400 to tokens that are not good.',
    ['AUTH-JWT-04'],
    tells('invalid', { status: 400 }),
  ),
  fault(
    'invalid-200',
    'Says with status 200 that a token is not good.',
    ['AUTH-JWT-04', 'AUTH-JWT-06'],
    tells('invalid', { status: 200 }),
  ),
  fault(
    'garbage-500',
    'Breaks down on what is no token.',
    ['AUTH-JWT-04'],
    replaceRules((_rules, hit) => ({
      jwt: {
        async opened(token, secret, choices) {
          if (parsed(token) === undefined) {
            hit()
            throw new Error('cannot read properties of undefined')
          }
          return right.opened(token, secret, choices)
        },
      },
    })),
  ),
  fault(
    'expired-401',
    'Answers 401 to a token that has expired, and 403 to others.',
    ['AUTH-JWT-04'],
    (hit) => {
      let isExpired = false
      return {
        rules: {
          jwt: {
            lasts(claims, now, choices) {
              isExpired = !right.lasts(claims, now, choices)
              return !isExpired
            },
            invalid: {
              get status() {
                const status = isExpired ? 401 : 403
                if (isExpired) hit()
                isExpired = false
                return status
              },
              text: right.invalid.text,
            },
          },
        },
      }
    },
  ),
  fault(
    'invalid-without-text',
    'Says nothing of tokens that are not good.',
    ['AUTH-JWT-05'],
    tells('invalid', { text: '' }),
  ),
  fault(
    'invalid-long',
    'Gives a lecture on tokens that are not good.',
    ['AUTH-JWT-05'],
    tells('invalid', { text: 'The token is not valid. '.repeat(20) }),
  ),
  fault(
    'invalid-off-topic',
    'Says of tokens that are not good that there is nothing here.',
    ['AUTH-JWT-05'],
    tells('invalid', { text: 'Nothing to see' }),
  ),

  fault(
    'refusal-tells-the-secret',
    'Tells by which secret a token is not good.',
    ['AUTH-JWT-17'],
    tellsOf((_, secret) => `Invalid token: not signed with ${secret}`),
  ),
  fault(
    'refusal-tells-claims',
    'Tells for whom a token is that is not good.',
    ['AUTH-JWT-17'],
    tellsOf((token) => `Invalid token of ${String(claimsOf(token)['sub'] ?? 'nobody')}`),
  ),
  fault(
    'refusal-with-a-stack',
    'Tells where in its program a token was found not to be good.',
    ['AUTH-JWT-17'],
    tells('invalid', { text: stack }),
  ),
  fault(
    'absence-with-a-stack',
    'Tells where in its program a header was missed.',
    ['AUTH-JWT-17'],
    tells('absent', {
      text: 'TypeError: Unauthorized, no header\n    at guard (file:///srv/shelf/auth.js:12:9)',
    }),
  ),
  fault(
    'challenge-tells-claims',
    'Tells in a header for whom a token is that is not good.',
    ['AUTH-JWT-17'],
    challengesWithClaims,
  ),
]

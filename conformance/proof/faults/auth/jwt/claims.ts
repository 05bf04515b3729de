import {
  defaultJwtRules,
  type JwtPart,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, replaceRules, type MakeAuthDeviation } from '../building.ts'

const day = 24 * 60 * 60
const stringsOf = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

const trim = (text: string): string => text.replace(/\/+$/, '')

/**
 * Uses the first value of a claim that occurs twice. The second occurrence must be the last claim
 * of the payload.
 */
const useFirstClaim = (name: string): MakeAuthDeviation =>
  replaceRules({
    jwt: {
      async verifySignature(token, secret, choices) {
        const verified = await defaultJwtRules.verifySignature(token, secret, choices)
        if (verified === undefined) return undefined
        const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
        const last = payload.lastIndexOf(`,"${name}":`)
        const isRepeated = payload.indexOf(`"${name}":`) < last
        return isRepeated
          ? { ...verified, claims: JSON.parse(`${payload.slice(0, last)}}`) as JwtPart }
          : verified
      },
    },
  })

/**
 * Ignores the expiry of a token if an earlier accepted token had the same key. `keyOf` returns the
 * key of a token.
 */
const ignoreExpiryOfKnown = (keyOf: (claims: JwtPart) => string | undefined): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    const known = new Set<string>()
    return {
      jwt: {
        isUnexpired(all, now, choices) {
          const key = keyOf(all)
          if (defaultJwtRules.isUnexpired(all, now, choices)) {
            if (key !== undefined) known.add(key)
            return true
          }
          if (key === undefined || !known.has(key)) return false
          hit()
          return true
        },
      },
    }
  })

/** Ignores the expiry of the token in a request that belongs to a session. */
const ignoreExpiryInSessions: MakeAuthDeviation = replaceRules((_rules, hit) => {
  let isInSession = false
  return {
    jwt: {
      requiresToken({ session }) {
        isInSession = session !== undefined
        return true
      },
      isUnexpired(all, now, choices) {
        if (defaultJwtRules.isUnexpired(all, now, choices)) return true
        if (isInSession) hit()
        return isInSession
      },
    },
  }
})

/** Faults in which claims are not validated strictly. */
export const claims = [
  fault(
    'issuer-ignored',
    'Accepts every issuer.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { isIssuer: () => true } }),
  ),
  fault(
    'issuer-by-its-beginning',
    'Accepts issuers that start with the right one.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { isIssuer: ({ iss }, issuer) => typeof iss === 'string' && iss.startsWith(issuer) },
    }),
  ),
  fault(
    'issuer-by-its-end',
    'Accepts issuers that end with the right one.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { isIssuer: ({ iss }, issuer) => typeof iss === 'string' && iss.endsWith(issuer) },
    }),
  ),
  fault(
    'issuer-missing-in-token',
    'Accepts tokens without an issuer.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { isIssuer: ({ iss }, issuer) => iss === undefined || iss === issuer } }),
  ),
  fault(
    'issuer-in-an-array',
    'Accepts an array as the issuer.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { isIssuer: ({ iss }, issuer) => String(iss) === issuer } }),
  ),

  fault(
    'issuer-in-any-case',
    'Ignores case in the issuer.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { isIssuer: ({ iss }, issuer) => String(iss).toLowerCase() === issuer.toLowerCase() },
    }),
  ),
  fault(
    'issuer-with-any-slash',
    'Ignores slashes at the end of the issuer.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { isIssuer: ({ iss }, issuer) => typeof iss === 'string' && trim(iss) === trim(issuer) },
    }),
  ),
  fault(
    'issuer-in-part',
    'Accepts an issuer that is a prefix of the right one.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: {
        isIssuer: ({ iss }, issuer) =>
          typeof iss === 'string' && iss !== '' && issuer.startsWith(iss),
      },
    }),
  ),
  fault(
    'first-issuer-used',
    'Uses the first iss of a token that contains two.',
    ['AUTH-JWT-07'],
    useFirstClaim('iss'),
  ),

  fault(
    'audience-with-any-slash',
    'Ignores slashes at the end of the audience.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: ({ aud }, audience) =>
          stringsOf(aud).some((one) => trim(one) === trim(audience)),
      },
    }),
  ),
  fault(
    'first-aud-used',
    'Uses the first aud of a token that contains two.',
    ['AUTH-JWT-08'],
    useFirstClaim('aud'),
  ),
  fault(
    'audience-ignored',
    'Accepts every audience.',
    ['AUTH-JWT-08'],
    replaceRules({ jwt: { isAudience: () => true } }),
  ),
  fault(
    'audience-by-its-beginning',
    'Accepts audiences that start with the right one.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: ({ aud }, audience) => stringsOf(aud).some((one) => one.startsWith(audience)),
      },
    }),
  ),
  fault(
    'audience-in-part',
    'Accepts audiences that are substrings of the right one.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: ({ aud }, audience) =>
          stringsOf(aud).some((one) => one !== '' && audience.includes(one)),
      },
    }),
  ),
  fault(
    'audience-in-any-case',
    'Ignores case in the audience.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: ({ aud }, audience) =>
          stringsOf(aud).some((one) => one.toLowerCase() === audience.toLowerCase()),
      },
    }),
  ),
  fault(
    'audience-missing-in-token',
    'Accepts tokens without an audience.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: (all, audience) =>
          all['aud'] === undefined || defaultJwtRules.isAudience(all, audience),
      },
    }),
  ),
  fault(
    'empty-audience-accepted',
    'Accepts tokens with an empty list of audiences.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: (all, audience) =>
          defaultJwtRules.isAudience(all, audience) ||
          (Array.isArray(all['aud']) && all['aud'].length === 0),
      },
    }),
  ),
  fault(
    'audiences-separated-by-spaces',
    'Reads the audience as a list that is separated by spaces.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: ({ aud }, audience) =>
          stringsOf(aud).some((one) => one.split(' ').includes(audience)),
      },
    }),
  ),
  fault(
    'several-audiences-ignored',
    'Accepts every token with several audiences.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        isAudience: (all, audience) =>
          defaultJwtRules.isAudience(all, audience) ||
          (Array.isArray(all['aud']) && all['aud'].length > 1),
      },
    }),
  ),

  fault(
    'expiry-ignored',
    'Accepts expired tokens.',
    ['AUTH-JWT-13'],
    replaceRules({ jwt: { isUnexpired: () => true } }),
  ),
  fault(
    'expiry-with-a-day-of-leeway',
    'Accepts tokens for a day after their expiry.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: { isUnexpired: ({ exp }, now) => typeof exp === 'number' && now < exp + day },
    }),
  ),
  fault(
    'expiry-with-an-hour-of-leeway',
    'Accepts tokens for an hour after their expiry.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: { isUnexpired: ({ exp }, now) => typeof exp === 'number' && now < exp + 3600 },
    }),
  ),
  fault(
    'expiry-ignored-in-sessions',
    'Accepts an expired token in a request that belongs to a session.',
    ['AUTH-JWT-13', 'AUTH-JWT-16'],
    ignoreExpiryInSessions,
  ),
  fault(
    'accepted-tokens-never-expire',
    'Accepts a token after its expiry if it was accepted before.',
    ['AUTH-JWT-13'],
    ignoreExpiryOfKnown((all) => JSON.stringify(all)),
  ),
  fault(
    'expiry-of-known-ids-ignored',
    'Accepts expired tokens if their jti was accepted before.',
    ['AUTH-JWT-13'],
    ignoreExpiryOfKnown(({ jti }) => (typeof jti === 'string' ? jti : undefined)),
  ),
  fault(
    'expiry-of-zero',
    'Treats an expiry of 0 as no expiry.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: {
        isUnexpired: (all, now, choices) =>
          all['exp'] === 0 || defaultJwtRules.isUnexpired(all, now, choices),
      },
    }),
  ),
  fault(
    'expiry-in-a-string-ignored',
    'Ignores an expiry that is a string.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: {
        isUnexpired: (all, now, choices) =>
          typeof all['exp'] === 'string' || defaultJwtRules.isUnexpired(all, now, choices),
      },
    }),
  ),
  fault(
    'first-expiry-used',
    'Uses the first exp of a token that contains two.',
    ['AUTH-JWT-13'],
    useFirstClaim('exp'),
  ),
  fault(
    'expiry-of-seconds-as-milliseconds',
    'Compares the expiry in milliseconds with a time in seconds, so that no token expires.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: {
        isUnexpired: ({ exp }, now) => typeof exp === 'number' && exp !== 0 && now < exp * 1000,
      },
    }),
  ),

  fault(
    'not-before-ignored',
    'Accepts tokens before nbf.',
    ['AUTH-JWT-14'],
    replaceRules({ jwt: { isAlreadyValid: () => true } }),
  ),
  fault(
    'not-before-in-a-string-ignored',
    'Ignores an nbf that is a string.',
    ['AUTH-JWT-14'],
    replaceRules({
      jwt: {
        isAlreadyValid: (all, now, choices) =>
          typeof all['nbf'] === 'string' || defaultJwtRules.isAlreadyValid(all, now, choices),
      },
    }),
  ),
  fault(
    'not-before-with-a-day-of-leeway',
    'Accepts tokens up to a day before nbf.',
    ['AUTH-JWT-14'],
    replaceRules({
      jwt: {
        isAlreadyValid: (all, now, choices) =>
          defaultJwtRules.isAlreadyValid(all, now + day, choices),
      },
    }),
  ),
]

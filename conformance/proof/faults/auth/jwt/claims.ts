import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { fault, replaceRules } from '../building.ts'

const right = defaultJwtRules
const day = 24 * 60 * 60
const texts = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

/** Claims that are not looked at closely. */
export const claims = [
  fault(
    'issuer-unread',
    'Takes tokens of every issuer.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { issuer: () => true } }),
  ),
  fault(
    'issuer-by-its-beginning',
    'Takes issuers that begin like the right one.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { issuer: ({ iss }, issuer) => typeof iss === 'string' && iss.startsWith(issuer) },
    }),
  ),
  fault(
    'issuer-by-its-end',
    'Takes issuers in which the right one stands.',
    ['AUTH-JWT-07'],
    replaceRules({
      jwt: { issuer: ({ iss }, issuer) => typeof iss === 'string' && iss.endsWith(issuer) },
    }),
  ),
  fault(
    'issuer-left-out',
    'Takes tokens that name no issuer.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { issuer: ({ iss }, issuer) => iss === undefined || iss === issuer } }),
  ),
  fault(
    'issuer-in-an-array',
    'Takes an array of issuers for the one that is in it.',
    ['AUTH-JWT-07'],
    replaceRules({ jwt: { issuer: ({ iss }, issuer) => String(iss) === issuer } }),
  ),

  fault(
    'audience-unread',
    'Takes tokens for every audience.',
    ['AUTH-JWT-08'],
    replaceRules({ jwt: { audience: () => true } }),
  ),
  fault(
    'audience-by-its-beginning',
    'Takes audiences that begin like the right one.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: { audience: ({ aud }, audience) => texts(aud).some((one) => one.startsWith(audience)) },
    }),
  ),
  fault(
    'audience-in-part',
    'Takes a part of the audience for the whole.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        audience: ({ aud }, audience) =>
          texts(aud).some((one) => one !== '' && audience.includes(one)),
      },
    }),
  ),
  fault(
    'audience-in-any-case',
    'Takes the audience in any case.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        audience: ({ aud }, audience) =>
          texts(aud).some((one) => one.toLowerCase() === audience.toLowerCase()),
      },
    }),
  ),
  fault(
    'audience-left-out',
    'Takes tokens that name no audience.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        audience: (all, audience) => all['aud'] === undefined || right.audience(all, audience),
      },
    }),
  ),
  fault(
    'no-audience-is-every',
    'Takes tokens whose list of audiences is empty.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        audience: (all, audience) =>
          right.audience(all, audience) || (Array.isArray(all['aud']) && all['aud'].length === 0),
      },
    }),
  ),
  fault(
    'several-audiences-unread',
    'Takes tokens for several audiences, whichever they are.',
    ['AUTH-JWT-08'],
    replaceRules({
      jwt: {
        audience: (all, audience) =>
          right.audience(all, audience) || (Array.isArray(all['aud']) && all['aud'].length > 1),
      },
    }),
  ),

  fault(
    'expiry-unread',
    'Takes tokens that have expired.',
    ['AUTH-JWT-13'],
    replaceRules({ jwt: { lasts: () => true } }),
  ),
  fault(
    'expiry-with-a-day-of-leeway',
    'Takes tokens for another day after they have expired.',
    ['AUTH-JWT-13'],
    replaceRules({ jwt: { lasts: ({ exp }, now) => typeof exp === 'number' && now < exp + day } }),
  ),
  fault(
    'expiry-of-zero',
    'Takes an expiry of 0 for none.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: { lasts: (all, now, choices) => all['exp'] === 0 || right.lasts(all, now, choices) },
    }),
  ),
  fault(
    'expiry-as-a-text',
    'Takes a text for the number that it tells.',
    ['AUTH-JWT-13'],
    replaceRules({ jwt: { lasts: ({ exp }, now) => now < Number(exp) } }),
  ),
  fault(
    'expiry-of-seconds-as-milliseconds',
    'Takes an expiry for a thousand times as late.',
    ['AUTH-JWT-13'],
    replaceRules({
      jwt: { lasts: ({ exp }, now) => typeof exp === 'number' && exp !== 0 && now < exp * 1000 },
    }),
  ),

  fault(
    'beginning-unread',
    'Takes tokens whose time has not yet come.',
    ['AUTH-JWT-14'],
    replaceRules({ jwt: { hasBegun: () => true } }),
  ),
  fault(
    'beginning-with-a-day-of-leeway',
    'Takes tokens a day before their time.',
    ['AUTH-JWT-14'],
    replaceRules({
      jwt: { hasBegun: (all, now, choices) => right.hasBegun(all, now + day, choices) },
    }),
  ),
]

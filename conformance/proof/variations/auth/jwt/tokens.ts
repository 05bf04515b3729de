import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { isMac, parseToken } from '../../../faults/auth/jwt/tokens.ts'
import type { AuthFactor } from '../variation.ts'

/** Choices that the document leaves for tokens. */
export const tokens: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-JWT-22',
    name: 'the claim exp',
    values: [
      { name: 'required', description: 'Requires an expiry in tokens.' },
      {
        name: 'optional',
        description: 'Accepts tokens without an expiry.',
        choices: { jwt: { expiry: 'optional' } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-23',
    name: 'accepted algorithms',
    values: [
      { name: 'only HS256', description: 'Accepts only HS256.' },
      {
        name: 'all HMAC algorithms',
        description: 'Accepts HS256, HS384 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS384', 'HS512'] } },
      },
      {
        name: 'HS256 and HS512',
        notCombined: true,
        description: 'Accepts HS256 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS512'] } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-24',
    name: 'base64 padding',
    values: [
      { name: 'refused', description: 'Refuses tokens with padding.' },
      {
        name: 'ignored',
        description: 'Ignores the padding of tokens.',
        deviation: {
          rules: {
            jwt: {
              verifySignature: (token, secret, choices) =>
                defaultJwtRules.verifySignature(token.replaceAll('=', ''), secret, choices),
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-25',
    name: 'future times in iat',
    values: [
      { name: 'accepted', description: 'Ignores the time of issue.' },
      {
        name: 'refused',
        description: 'Refuses tokens with a time of issue in the future.',
        choices: { jwt: { futureIssue: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-26',
    name: 'tolerated difference',
    values: [
      { name: 'none', description: 'Allows no difference between clocks.' },
      {
        name: 'two seconds',
        description: 'Allows clocks to differ by two seconds.',
        choices: { jwt: { leewaySeconds: 2 } },
      },
      {
        name: 'five minutes',
        description: 'Allows clocks to differ by five minutes.',
        choices: { jwt: { leewaySeconds: 300 } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'comparison of the times of tokens',
    values: [
      { name: 'exact', description: 'Compares times exactly.' },
      {
        name: 'in whole seconds',
        description: 'Accepts a token until the end of its last second.',
        deviation: {
          rules: {
            jwt: {
              isUnexpired: (claims, now, choices) =>
                defaultJwtRules.isUnexpired(claims, Math.floor(now) - 0.001, choices),
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-29',
    name: 'an empty crit',
    values: [
      { name: 'refused', description: 'Refuses tokens with an empty crit.' },
      {
        name: 'ignored',
        notCombined: true,
        description: 'Ignores an empty crit.',
        deviation: {
          rules: {
            jwt: {
              supportsHeader: ({ crit }) =>
                crit === undefined || (Array.isArray(crit) && crit.length === 0),
              async verifySignature(token, secret, choices) {
                const verified = await defaultJwtRules.verifySignature(token, secret, choices)
                const one = verified === undefined ? parseToken(token) : undefined
                return one !== undefined &&
                  JSON.stringify(one.header['crit']) === '[]' &&
                  one.header['alg'] === 'HS256' &&
                  one.count === 3 &&
                  isMac(one, secret)
                  ? { header: one.header, claims: one.claims }
                  : verified
              },
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-30',
    name: 'a string in exp',
    values: [
      { name: 'refused', description: 'Refuses a string as the expiry.' },
      {
        name: 'read as a number',
        notCombined: true,
        description: 'Reads a string as the expiry, like a number.',
        deviation: {
          rules: {
            jwt: {
              isUnexpired: (claims, now, choices) =>
                defaultJwtRules.isUnexpired(
                  typeof claims['exp'] === 'string'
                    ? { ...claims, exp: Number(claims['exp']) }
                    : claims,
                  now,
                  choices,
                ),
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'capitalization of the scheme',
    values: [
      { name: 'ignored', description: 'Ignores case in the scheme.' },
      {
        name: 'only Bearer is accepted',
        description: 'Accepts the scheme only if it is written Bearer.',
        choices: { jwt: { scheme: 'Bearer' } },
        unmet: ['AUTH-JWT-28'],
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-27',
    name: 'other schemes',
    values: [
      { name: '401', description: 'Returns 401 for an Authorization header with another scheme.' },
      {
        name: '403',
        description: 'Returns 403 for an Authorization header with another scheme.',
        choices: { jwt: { otherScheme: 403 } },
      },
    ],
  },
]

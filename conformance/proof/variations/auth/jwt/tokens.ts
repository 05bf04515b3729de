import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import type { AuthFactor } from '../variation.ts'

const right = defaultJwtRules

/** What pattern 2 leaves open of tokens. */
export const tokens: readonly AuthFactor[] = [
  {
    row: 'AUTH-JWT-22',
    factor: 'expiry',
    levels: [
      { name: 'required', says: 'Wants tokens to say when they end.' },
      {
        name: 'optional',
        says: 'Takes tokens that never end.',
        choices: { jwt: { expiry: 'optional' } },
      },
    ],
  },
  {
    row: 'AUTH-JWT-23',
    factor: 'algorithms',
    levels: [
      { name: 'one', says: 'Takes HS256 only.' },
      {
        name: 'all MACs',
        says: 'Takes HS256, HS384 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS384', 'HS512'] } },
      },
      {
        name: 'two',
        alone: true,
        says: 'Takes HS256 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS512'] } },
      },
    ],
  },
  {
    row: 'AUTH-JWT-24',
    factor: 'padding',
    levels: [
      { name: 'refused', says: 'Takes no padding.' },
      {
        name: 'passed over',
        says: 'Passes over padding.',
        deviation: {
          rules: {
            jwt: {
              opened: (token, secret, choices) =>
                right.opened(token.replaceAll('=', ''), secret, choices),
            },
          },
        },
      },
    ],
  },
  {
    row: 'AUTH-JWT-25',
    factor: 'issue in the future',
    levels: [
      { name: 'taken', says: 'Takes tokens whenever they were issued.' },
      {
        name: 'refused',
        says: 'Refuses tokens that were issued later than now.',
        choices: { jwt: { futureIssue: 'refused' } },
      },
    ],
  },
  {
    row: 'AUTH-JWT-26',
    factor: 'leeway',
    levels: [
      { name: 'none', says: 'Takes clocks at their word.' },
      {
        name: 'two seconds',
        says: 'Lets clocks be two seconds apart.',
        choices: { jwt: { leewaySeconds: 2 } },
      },
      {
        name: 'five minutes',
        says: 'Lets clocks be five minutes apart.',
        choices: { jwt: { leewaySeconds: 300 } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'times of tokens',
    levels: [
      { name: 'as they are', says: 'Takes times as they stand in tokens.' },
      {
        name: 'in whole seconds',
        says: 'Lets a token last to the end of its last second.',
        deviation: {
          rules: {
            jwt: {
              lasts: (claims, now, choices) =>
                right.lasts(claims, Math.floor(now) - 0.001, choices),
            },
          },
        },
      },
    ],
  },
  {
    row: 'AUTH-JWT-28',
    factor: 'cases of the scheme',
    levels: [
      { name: 'any', says: 'Knows the scheme in every case.' },
      {
        name: 'one',
        says: 'Knows the scheme as Bearer only.',
        choices: { jwt: { scheme: 'Bearer' } },
      },
    ],
  },
  {
    row: 'AUTH-JWT-27',
    factor: 'other schemes',
    levels: [
      { name: '401', says: 'Answers 401 to a header of another scheme.' },
      {
        name: '403',
        says: 'Answers 403 to a header of another scheme.',
        choices: { jwt: { otherScheme: 403 } },
      },
    ],
  },
]

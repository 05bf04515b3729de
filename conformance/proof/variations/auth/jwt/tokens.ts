import { defaultJwtRules } from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import type { AuthFactor } from '../variation.ts'

const right = defaultJwtRules

/** What pattern 2 leaves open of tokens. */
export const tokens: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-JWT-22',
    name: 'expiry',
    levels: [
      { name: 'required', description: 'Wants tokens to say when they end.' },
      {
        name: 'optional',
        description: 'Takes tokens that never end.',
        choices: { jwt: { expiry: 'optional' } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-23',
    name: 'algorithms',
    levels: [
      { name: 'one', description: 'Takes HS256 only.' },
      {
        name: 'all MACs',
        description: 'Takes HS256, HS384 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS384', 'HS512'] } },
      },
      {
        name: 'two',
        notCombined: true,
        description: 'Takes HS256 and HS512.',
        choices: { jwt: { algorithms: ['HS256', 'HS512'] } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-24',
    name: 'padding',
    levels: [
      { name: 'refused', description: 'Takes no padding.' },
      {
        name: 'passed over',
        description: 'Passes over padding.',
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
    requirement: 'AUTH-JWT-25',
    name: 'issue in the future',
    levels: [
      { name: 'taken', description: 'Takes tokens whenever they were issued.' },
      {
        name: 'refused',
        description: 'Refuses tokens that were issued later than now.',
        choices: { jwt: { futureIssue: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-26',
    name: 'leeway',
    levels: [
      { name: 'none', description: 'Takes clocks at their word.' },
      {
        name: 'two seconds',
        description: 'Lets clocks be two seconds apart.',
        choices: { jwt: { leewaySeconds: 2 } },
      },
      {
        name: 'five minutes',
        description: 'Lets clocks be five minutes apart.',
        choices: { jwt: { leewaySeconds: 300 } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'times of tokens',
    levels: [
      { name: 'as they are', description: 'Takes times as they stand in tokens.' },
      {
        name: 'in whole seconds',
        description: 'Lets a token last to the end of its last second.',
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
    requirement: 'AUTH-JWT-28',
    name: 'cases of the scheme',
    levels: [
      { name: 'any', description: 'Knows the scheme in every case.' },
      {
        name: 'one',
        description: 'Knows the scheme as Bearer only.',
        choices: { jwt: { scheme: 'Bearer' } },
      },
    ],
  },
  {
    requirement: 'AUTH-JWT-27',
    name: 'other schemes',
    levels: [
      { name: '401', description: 'Answers 401 to a header of another scheme.' },
      {
        name: '403',
        description: 'Answers 403 to a header of another scheme.',
        choices: { jwt: { otherScheme: 403 } },
      },
    ],
  },
]

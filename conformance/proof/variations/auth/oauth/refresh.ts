import type { AuthFactor } from '../variation.ts'

/** Freedoms of refresh tokens. */
export const refresh: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-REFRESH-05',
    name: 'old refresh tokens',
    levels: [
      {
        name: 'end the grant',
        description: 'Ends all that a user allowed when an old refresh token comes again.',
      },
      {
        name: 'are refused',
        description: 'Refuses old refresh tokens, and no more.',
        choices: { oauth: { oldRefreshTokens: 'are refused' } },
      },
      {
        name: 'work on',
        description: 'Takes old refresh tokens as well as new ones.',
        choices: { oauth: { oldRefreshTokens: 'work on' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REFRESH-05',
    name: 'rotation of refresh tokens',
    levels: [
      { name: 'each time', description: 'Gives another refresh token for each.' },
      {
        name: 'never',
        description: 'Gives each grant a single refresh token.',
        choices: { oauth: { rotation: 'never' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REFRESH-04',
    name: 'wider scopes for refresh tokens',
    levels: [
      {
        name: 'refused',
        description: 'Refuses a refresh token with a scope that the user did not allow.',
      },
      {
        name: 'dropped',
        description: 'Passes over a scope that the user did not allow.',
        choices: { oauth: { widerScopes: 'dropped' } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'refresh tokens',
    levels: [
      { name: 'given', description: 'Gives refresh tokens.' },
      // A provider has to: this is the proxy that the family is by default.
      {
        name: 'not given',
        notCombined: true,
        description: 'Gives no refresh tokens, as proxies may.',
        choices: { oauth: { refreshTokens: false }, hosting: { pattern: 'oauth-proxy' } },
      },
    ],
  },
]

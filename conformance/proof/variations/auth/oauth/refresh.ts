import type { AuthFactor } from '../variation.ts'

/** Freedoms of refresh tokens. */
export const refresh: readonly AuthFactor[] = [
  {
    row: 'AUTH-REFRESH-05',
    factor: 'old refresh tokens',
    levels: [
      {
        name: 'end the grant',
        says: 'Ends all that a user allowed when an old refresh token comes again.',
      },
      {
        name: 'are refused',
        says: 'Refuses old refresh tokens, and no more.',
        choices: { oauth: { oldRefreshTokens: 'are refused' } },
      },
      {
        name: 'work on',
        says: 'Takes old refresh tokens as well as new ones.',
        choices: { oauth: { oldRefreshTokens: 'work on' } },
      },
    ],
  },
  {
    row: 'AUTH-REFRESH-05',
    factor: 'rotation of refresh tokens',
    levels: [
      { name: 'each time', says: 'Gives another refresh token for each.' },
      {
        name: 'never',
        says: 'Gives each grant a single refresh token.',
        choices: { oauth: { rotation: 'never' } },
      },
    ],
  },
  {
    row: 'AUTH-REFRESH-04',
    factor: 'wider scopes for refresh tokens',
    levels: [
      {
        name: 'refused',
        says: 'Refuses a refresh token with a scope that the user did not allow.',
      },
      {
        name: 'dropped',
        says: 'Passes over a scope that the user did not allow.',
        choices: { oauth: { widerScopes: 'dropped' } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'refresh tokens',
    levels: [
      { name: 'given', says: 'Gives refresh tokens.' },
      // A provider has to: this is the proxy that the family is by default.
      {
        name: 'not given',
        alone: true,
        says: 'Gives no refresh tokens, as proxies may.',
        choices: { oauth: { refreshTokens: false }, hosting: { pattern: 'oauth-proxy' } },
      },
    ],
  },
]

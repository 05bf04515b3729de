import type { AuthFactor } from '../variation.ts'

/** Freedoms of users, introspection and revocation. */
export const provider: readonly AuthFactor[] = [
  {
    row: 'AUTH-PATTERN-01',
    factor: 'pattern',
    levels: [
      { name: 'provider', says: 'The server knows its users itself.' },
      {
        name: 'proxy',
        says: 'An identity provider knows the users.',
        choices: { hosting: { pattern: 'oauth-proxy' } },
      },
    ],
  },
  {
    row: 'AUTH-PROVIDER-07',
    factor: 'more endpoints',
    levels: [
      { name: 'both', says: 'Tokens can be looked into and revoked.' },
      {
        name: 'introspection',
        alone: true,
        says: 'Tokens can be looked into, and not revoked.',
        choices: { oauth: { revocable: false } },
      },
      {
        name: 'revocation',
        alone: true,
        says: 'Tokens can be revoked, and not looked into.',
        choices: { oauth: { introspection: false } },
        warns: ['AUTH-PROVIDER-03'],
      },
      {
        name: 'neither',
        says: 'Tokens can neither be looked into nor revoked.',
        choices: { oauth: { introspection: false, revocable: false } },
        warns: ['AUTH-PROVIDER-03'],
      },
    ],
  },
  {
    row: 'AUTH-PROVIDER-05',
    factor: 'revoked access tokens',
    levels: [
      { name: 'end alone', says: 'Whoever revokes an access token ends that one.' },
      {
        name: 'end their grant',
        says: 'Whoever revokes an access token ends all that was given beside it.',
        choices: { oauth: { revocation: 'of the grant' } },
      },
    ],
  },
]

import type { AuthFactor } from '../variation.ts'

/** Freedoms of users, introspection and revocation. */
export const provider: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PATTERN-01',
    name: 'pattern',
    levels: [
      { name: 'provider', description: 'The server knows its users itself.' },
      {
        name: 'proxy',
        description: 'An identity provider knows the users.',
        choices: { hosting: { pattern: 'oauth-proxy' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROVIDER-07',
    name: 'more endpoints',
    levels: [
      { name: 'both', description: 'Tokens can be looked into and revoked.' },
      {
        name: 'introspection',
        notCombined: true,
        description: 'Tokens can be looked into, and not revoked.',
        choices: { oauth: { revocable: false } },
      },
      {
        name: 'revocation',
        notCombined: true,
        description: 'Tokens can be revoked, and not looked into.',
        choices: { oauth: { introspection: false } },
        unmet: ['AUTH-PROVIDER-03'],
      },
      {
        name: 'neither',
        description: 'Tokens can neither be looked into nor revoked.',
        choices: { oauth: { introspection: false, revocable: false } },
        unmet: ['AUTH-PROVIDER-03'],
      },
    ],
  },
  {
    requirement: 'AUTH-PROVIDER-05',
    name: 'revoked access tokens',
    levels: [
      { name: 'end alone', description: 'Whoever revokes an access token ends that one.' },
      {
        name: 'end their grant',
        description: 'Whoever revokes an access token ends all that was given beside it.',
        choices: { oauth: { revocation: 'of the grant' } },
      },
    ],
  },
]

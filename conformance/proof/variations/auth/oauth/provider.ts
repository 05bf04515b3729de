import type { AuthFactor } from '../variation.ts'

/** Choices about users, introspection and revocation. */
export const provider: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PATTERN-01',
    name: 'pattern',
    values: [
      { name: 'provider', description: 'Has its own users.' },
      {
        name: 'proxy',
        description: 'Signs users in at an identity provider.',
        choices: { hosting: { pattern: 'oauth-proxy' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROVIDER-07',
    name: 'introspection and revocation',
    values: [
      { name: 'both', description: 'Has introspection and revocation.' },
      {
        name: 'only introspection',
        notCombined: true,
        description: 'Has introspection but no revocation.',
        choices: { oauth: { revocable: false } },
      },
      {
        name: 'introspection by resource servers',
        description: 'Lets only resource servers introspect tokens.',
        choices: {
          oauth: { introspection: 'by resource servers' },
          hosting: { namesResourceServer: true },
        },
      },
      {
        name: 'only revocation',
        notCombined: true,
        description: 'Has revocation but no introspection.',
        choices: { oauth: { introspection: false } },
        unmet: ['AUTH-PROVIDER-03'],
      },
      {
        name: 'neither',
        description: 'Has neither introspection nor revocation.',
        choices: { oauth: { introspection: false, revocable: false } },
        unmet: ['AUTH-PROVIDER-03'],
      },
    ],
  },
  {
    requirement: 'AUTH-PROVIDER-05',
    name: 'revocation of an access token',
    values: [
      { name: 'revokes only the token', description: 'Revokes a single access token.' },
      {
        name: 'revokes the whole grant',
        description: 'Revokes the whole grant of an access token.',
        choices: { oauth: { revocation: 'of the grant' } },
      },
    ],
  },
]

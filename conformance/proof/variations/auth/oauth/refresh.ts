import type { AuthFactor } from '../variation.ts'

/** Choices about refresh tokens. */
export const refresh: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-REFRESH-05',
    name: 'old refresh tokens',
    values: [
      {
        name: 'refused and the grant revoked',
        description: 'Revokes the whole grant if an old refresh token is used.',
      },
      {
        name: 'refused',
        description: 'Refuses old refresh tokens and revokes nothing.',
        choices: { oauth: { oldRefreshTokens: 'are refused' } },
        unmet: ['AUTH-REFRESH-08'],
      },
      {
        name: 'accepted until the new one is used',
        description: 'Accepts an old refresh token until the new one is used.',
        choices: { oauth: { oldRefreshTokens: 'stay valid for retries' } },
      },
      {
        name: 'accepted',
        description: 'Accepts old refresh tokens as well as new ones.',
        choices: { oauth: { oldRefreshTokens: 'stay valid' } },
        unmet: ['AUTH-REFRESH-05'],
      },
    ],
  },
  {
    requirement: 'AUTH-REFRESH-05',
    name: 'rotation of refresh tokens',
    values: [
      { name: 'at every refresh', description: 'Issues a new refresh token at every refresh.' },
      {
        name: 'never',
        description: 'Issues one refresh token per grant.',
        choices: { oauth: { rotation: 'never' } },
        unmet: ['AUTH-REFRESH-05'],
      },
    ],
  },
  {
    requirement: 'AUTH-REFRESH-04',
    name: 'wider scopes for refresh tokens',
    values: [
      {
        name: 'refused',
        description: 'Refuses to refresh with a wider scope.',
      },
      {
        name: 'dropped',
        description: 'Ignores scopes that the user did not allow.',
        choices: { oauth: { widerScopes: 'dropped' } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'refresh tokens',
    values: [
      { name: 'issued', description: 'Issues refresh tokens.' },
      // Authorization servers with their own users must issue refresh tokens. Proxies need not
      // issue them.
      {
        name: 'not issued',
        notCombined: true,
        description: 'Issues no refresh tokens, which is allowed for proxies.',
        choices: { oauth: { refreshTokens: false }, hosting: { pattern: 'oauth-proxy' } },
      },
      {
        name: 'issued to clients with a secret',
        description: 'Issues refresh tokens only to clients with a secret.',
        deviation: {
          changeReply(endpoint, reply, { parameters, incoming }) {
            const hasSecret =
              incoming.headers.authorization !== undefined ||
              parameters?.get('client_secret') !== undefined
            if (endpoint !== 'token' || reply.status !== 200 || hasSecret) return reply
            const { refresh_token: _, ...body } = Object(reply.body) as Record<string, unknown>
            return { ...reply, body }
          },
        },
      },
    ],
  },
]

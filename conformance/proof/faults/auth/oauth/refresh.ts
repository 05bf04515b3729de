import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, withChoices, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import {
  tokenReply,
  membersOf,
  withErrorCode,
  onTokenRefusal,
  onTokenReply,
  omit,
} from './token-replies.ts'

/** Accepts another credential as a refresh token. */
const acceptAsRefreshToken =
  (what: 'code' | 'access_token'): MakeAuthDeviation =>
  (hit) => {
    const known = new Set<string>()
    return onReply((reply, { parameters }, endpoint) => {
      if (endpoint !== 'token') return undefined
      const issued = what === 'code' ? parameters?.get('code') : membersOf(reply)['access_token']
      if (typeof issued === 'string') known.add(issued)
      return reply.status === 400 && known.has(parameters?.get('refresh_token') ?? '')
        ? tokenReply(reply)
        : undefined
    })(hit)
  }

/** Faults of refresh tokens and of the lifetime of access tokens. */
export const refresh: readonly AuthFault[] = [
  fault(
    'refresh-token-is-missing',
    'Issues no refresh tokens, although it has its own users.',
    ['AUTH-REFRESH-01'],
    withChoices(
      { hosting: { pattern: 'oauth-provider' } },
      onTokenReply((reply, members) => ({ ...reply, body: omit(members, 'refresh_token') })),
    ),
  ),
  fault(
    'refresh-is-refused',
    'Refuses every refresh token.',
    ['AUTH-REFRESH-01'],
    onTokenReply(
      (reply) => ({ ...reply, status: 400, body: { error: 'invalid_grant' } }),
      'refresh_token',
    ),
  ),
  fault(
    'refresh-without-an-access-token',
    'Responds to a refresh token with another refresh token and without an access token.',
    ['AUTH-REFRESH-01'],
    onTokenReply(
      (reply, members) => ({ ...reply, body: omit(members, 'access_token') }),
      'refresh_token',
    ),
  ),
  fault(
    'refreshed-token-does-not-work',
    'Issues access tokens for refresh tokens that do not work.',
    ['AUTH-REFRESH-01'],
    onTokenReply(
      (reply, members) => ({
        ...reply,
        body: { ...members, access_token: `${String(members['access_token'])}x` },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'refresh-tokens-are-for-all-clients',
    'Accepts a refresh token from any client.',
    ['AUTH-REFRESH-02'],
    replaceRules({ oauth: { isRefreshTokenOfClient: () => true } }),
  ),
  fault(
    'refresh-tokens-are-for-all-public-clients',
    'Accepts a refresh token from any public client.',
    ['AUTH-REFRESH-02'],
    replaceRules({
      oauth: {
        isRefreshTokenOfClient: (token, client) =>
          client.secret === undefined || defaultRules.isRefreshTokenOfClient(token, client),
      },
    }),
  ),
  fault(
    'refresh-tokens-are-for-all-confidential-clients',
    'Accepts a refresh token from any confidential client.',
    ['AUTH-REFRESH-02'],
    replaceRules({
      oauth: {
        isRefreshTokenOfClient: (token, client) =>
          client.secret !== undefined || defaultRules.isRefreshTokenOfClient(token, client),
      },
    }),
  ),
  fault(
    'any-refresh-token-works',
    'Issues tokens for unknown refresh tokens.',
    ['AUTH-REFRESH-03'],
    onTokenRefusal(['refresh-token-unknown'], tokenReply),
  ),
  fault(
    'unknown-refresh-token-as-invalid-token',
    'Refuses an unknown refresh token with invalid_token.',
    ['AUTH-REFRESH-02', 'AUTH-REFRESH-03'],
    onTokenRefusal(['refresh-token-unknown'], withErrorCode('invalid_token')),
  ),
  fault(
    'unknown-refresh-token-is-401',
    'Refuses an unknown refresh token with status 401.',
    ['AUTH-REFRESH-02', 'AUTH-REFRESH-03', 'AUTH-TOKEN-17'],
    onTokenRefusal(['refresh-token-unknown'], withErrorCode('invalid_grant', 401)),
  ),
  fault(
    'access-tokens-as-refresh-tokens',
    'Accepts access tokens as refresh tokens.',
    ['AUTH-REFRESH-03'],
    acceptAsRefreshToken('access_token'),
  ),
  fault(
    'codes-as-refresh-tokens',
    'Accepts codes as refresh tokens.',
    ['AUTH-REFRESH-03'],
    acceptAsRefreshToken('code'),
  ),
  fault(
    'refresh-grants-any-scope',
    'Grants any requested scope for a refresh token.',
    ['AUTH-REFRESH-04'],
    replaceRules({ oauth: { mayRequestScopes: () => true } }),
  ),
  fault(
    'refresh-grants-any-known-scope',
    'Grants any known scope for a refresh token.',
    ['AUTH-REFRESH-04'],
    replaceRules({
      oauth: {
        mayRequestScopes: (requested, granted) =>
          requested.every((scope) => /^shelf:(read|write)$/.test(scope)) ||
          defaultRules.mayRequestScopes(requested, granted),
      },
    }),
  ),
  fault(
    'wider-scope-is-500',
    'Returns 500 if a wider scope is requested.',
    ['AUTH-REFRESH-04', 'AUTH-TOKEN-17'],
    onTokenRefusal(['scope-too-wide'], withErrorCode('server_error', 500)),
  ),
  fault(
    'access-tokens-never-expire',
    'Accepts access tokens of any age.',
    ['AUTH-REFRESH-06'],
    withChoices(
      { hosting: { pattern: 'oauth-provider' } },
      replaceRules({ oauth: { isTokenValid: () => true } }),
    ),
  ),
  fault(
    'access-tokens-live-for-a-day',
    'Declares a lifetime of an hour for tokens and accepts them for a day.',
    ['AUTH-REFRESH-06'],
    withChoices(
      { hosting: { pattern: 'oauth-provider' } },
      replaceRules({
        oauth: {
          isTokenValid: (token, now) => defaultRules.isTokenValid(token, now - 24 * 3600_000),
        },
      }),
    ),
  ),
]

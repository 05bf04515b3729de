import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { asProvider, fault, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import {
  kindOfClient,
  tokenReply,
  membersOf,
  withErrorCode,
  onTokenRefusal,
  onTokenReply,
  omit,
} from './token-replies.ts'

/** Accepts codes or access tokens as refresh tokens. */
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

/** Grants all scopes for refresh tokens that were themselves issued for refresh tokens. */
const grantAllAtSecondRefresh: MakeAuthDeviation = (hit) => {
  const rotated = new Set<unknown>()
  const all = 'shelf:read shelf:write'
  return onReply((reply, { parameters }, endpoint) => {
    const sent = parameters?.get('refresh_token')
    const { refresh_token: issued, scope } = membersOf(reply)
    if (endpoint !== 'token' || sent === undefined || reply.status !== 200) return undefined
    rotated.add(issued)
    return rotated.has(sent) && parameters?.get('scope') === undefined && scope !== all
      ? { ...reply, body: { ...membersOf(reply), scope: all } }
      : undefined
  })(hit)
}

/** Faults of refresh tokens and of the lifetime of access tokens. */
export const refresh: readonly AuthFault[] = [
  fault(
    'refresh-token-is-missing',
    'Issues no refresh tokens, although it has its own users.',
    ['AUTH-REFRESH-01'],
    asProvider(
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
    'Responds to a refresh token with an access token that does not work.',
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
  ...(['public', 'confidential'] as const).map((kind) =>
    fault(
      `refresh-tokens-are-for-all-${kind}-clients`,
      `Accepts a refresh token from any ${kind} client.`,
      ['AUTH-REFRESH-02'],
      replaceRules({
        oauth: {
          isRefreshTokenOfClient: (token, client) =>
            kindOfClient(client) === kind || defaultRules.isRefreshTokenOfClient(token, client),
        },
      }),
    ),
  ),
  fault(
    'any-refresh-token-works',
    'Issues tokens for unknown refresh tokens.',
    ['AUTH-REFRESH-03'],
    onTokenRefusal(['refresh-token-unknown'], tokenReply),
  ),
  fault(
    'unknown-refresh-token-as-invalid-token',
    'Reports an unknown refresh token as invalid_token.',
    ['AUTH-REFRESH-02', 'AUTH-REFRESH-03'],
    onTokenRefusal(['refresh-token-unknown'], withErrorCode('invalid_token')),
  ),
  fault(
    'unknown-refresh-token-is-401',
    'Returns 401 for an unknown refresh token.',
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
    'second-refresh-grants-all-scopes',
    'Grants all scopes for a refresh token that was issued for a refresh token.',
    ['AUTH-REFRESH-04'],
    grantAllAtSecondRefresh,
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
    asProvider(replaceRules({ oauth: { isTokenValid: () => true } })),
  ),
  fault(
    'access-tokens-live-for-a-day',
    'Accepts access tokens for a day after the expiry that it declares.',
    ['AUTH-REFRESH-06'],
    asProvider(
      replaceRules({
        oauth: {
          isTokenValid: (token, now) => defaultRules.isTokenValid(token, now - 24 * 3600_000),
        },
      }),
    ),
  ),
]

import { defaultRules as right } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, hosted, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { granted, membersOf, named, refusalsAs, tokensAs, without } from './answers.ts'

/** Takes for a refresh token what was given as something else. */
const takes =
  (what: 'code' | 'access_token'): MakeAuthDeviation =>
  (hit) => {
    const known = new Set<string>()
    return onReply((reply, { parameters }, endpoint) => {
      if (endpoint !== 'token') return undefined
      const given = what === 'code' ? parameters?.get('code') : membersOf(reply)['access_token']
      if (typeof given === 'string') known.add(given)
      return reply.status === 400 && known.has(parameters?.get('refresh_token') ?? '')
        ? granted(reply)
        : undefined
    })(hit)
  }

/** Faults of refresh tokens, and of the end of access tokens. */
export const refresh: readonly AuthFault[] = [
  fault(
    'refresh-token-not-given',
    'Gives no refresh tokens, though it knows its users itself.',
    ['AUTH-REFRESH-01'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      tokensAs((reply, members) => ({ ...reply, body: without(members, 'refresh_token') })),
    ),
  ),
  fault(
    'refresh-is-refused',
    'Refuses every refresh token.',
    ['AUTH-REFRESH-01'],
    tokensAs(
      (reply) => ({ ...reply, status: 400, body: { error: 'invalid_grant' } }),
      'refresh_token',
    ),
  ),
  fault(
    'refresh-gives-no-access-token',
    'Gives another refresh token for a refresh token, and no access token.',
    ['AUTH-REFRESH-01'],
    tokensAs(
      (reply, members) => ({ ...reply, body: without(members, 'access_token') }),
      'refresh_token',
    ),
  ),
  fault(
    'refreshed-token-does-not-work',
    'Gives access tokens for refresh tokens that do not work.',
    ['AUTH-REFRESH-01'],
    tokensAs(
      (reply, members) => ({
        ...reply,
        body: { ...members, access_token: `${String(members['access_token'])}x` },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'refresh-tokens-are-for-all-clients',
    'Takes a refresh token from any client.',
    ['AUTH-REFRESH-02'],
    replaceRules({ oauth: { refreshIsFor: () => true } }),
  ),
  fault(
    'refresh-tokens-are-for-all-public-clients',
    'Takes a refresh token from any client that keeps no secret.',
    ['AUTH-REFRESH-02'],
    replaceRules({
      oauth: {
        refreshIsFor: (token, client) =>
          client.secret === undefined || right.refreshIsFor(token, client),
      },
    }),
  ),
  fault(
    'refresh-tokens-are-for-all-confidential-clients',
    'Takes a refresh token from any client that shows its secret.',
    ['AUTH-REFRESH-02'],
    replaceRules({
      oauth: {
        refreshIsFor: (token, client) =>
          client.secret !== undefined || right.refreshIsFor(token, client),
      },
    }),
  ),
  fault(
    'any-refresh-token-works',
    'Gives tokens for refresh tokens that were never given.',
    ['AUTH-REFRESH-03'],
    refusalsAs(['refresh-token-unknown'], granted),
  ),
  fault(
    'unknown-refresh-token-as-invalid-token',
    'Calls a refresh token that is not known an invalid token.',
    ['AUTH-REFRESH-02', 'AUTH-REFRESH-03'],
    refusalsAs(['refresh-token-unknown'], named('invalid_token')),
  ),
  fault(
    'unknown-refresh-token-is-401',
    'Refuses a refresh token that is not known with status 401.',
    ['AUTH-REFRESH-02', 'AUTH-REFRESH-03', 'AUTH-TOKEN-17'],
    refusalsAs(['refresh-token-unknown'], named('invalid_grant', 401)),
  ),
  fault(
    'access-tokens-refresh',
    'Takes access tokens for refresh tokens.',
    ['AUTH-REFRESH-03'],
    takes('access_token'),
  ),
  fault('codes-refresh', 'Takes codes for refresh tokens.', ['AUTH-REFRESH-03'], takes('code')),
  fault(
    'refresh-gives-any-scope',
    'Gives whatever scope is asked for in exchange for a refresh token.',
    ['AUTH-REFRESH-04'],
    replaceRules({ oauth: { mayNarrow: () => true } }),
  ),
  fault(
    'refresh-gives-any-known-scope',
    'Gives whatever scope it knows in exchange for a refresh token.',
    ['AUTH-REFRESH-04'],
    replaceRules({
      oauth: {
        mayNarrow: (asked, granted) =>
          asked.every((scope) => /^shelf:(read|write)$/.test(scope)) ||
          right.mayNarrow(asked, granted),
      },
    }),
  ),
  fault(
    'wider-scope-is-500',
    'Answers 500 where a wider scope is asked for.',
    ['AUTH-REFRESH-04', 'AUTH-TOKEN-17'],
    refusalsAs(['scope-too-wide'], named('server_error', 500)),
  ),
  fault(
    'access-tokens-never-end',
    'Serves whoever has a token, however old it is.',
    ['AUTH-REFRESH-06'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      replaceRules({ oauth: { isTokenValid: () => true } }),
    ),
  ),
  fault(
    'access-tokens-live-for-a-day',
    'Says that tokens live for an hour, and serves them for a day.',
    ['AUTH-REFRESH-06'],
    hosted(
      { hosting: { pattern: 'oauth-provider' } },
      replaceRules({
        oauth: { isTokenValid: (token, now) => right.isTokenValid(token, now - 24 * 3600_000) },
      }),
    ),
  ),
]

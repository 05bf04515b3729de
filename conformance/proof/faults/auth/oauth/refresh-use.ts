import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { asProvider, fault, onReply, replaceRules, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf, onTokenRefusal, onTokenReply, tokenReply } from './token-replies.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

/** Refuses refresh tokens that were issued by a refresh. */
const refuseSecondRefresh: MakeAuthDeviation = (hit) => {
  const issuedByRefresh = new Set<unknown>()
  return onReply((reply, { parameters }, endpoint) => {
    if (endpoint !== 'token' || parameters?.get('grant_type') !== 'refresh_token') return undefined
    if (issuedByRefresh.has(parameters.get('refresh_token'))) return { ...reply, ...invalidGrant }
    issuedByRefresh.add(membersOf(reply)['refresh_token'])
    return undefined
  })(hit)
}

/** Decides about the validity of access tokens that a refresh returned. */
const judgeRefreshed = (isValid: typeof defaultRules.isTokenValid): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    const refreshed = new Set<string>()
    let isRefresh = false
    let bearer = ''
    return {
      oauth: {
        grantTypeOf(type) {
          isRefresh = type === 'refresh_token'
          return type
        },
        newSecret(kind) {
          const secret = defaultRules.newSecret(kind)
          if (kind === 'access' && isRefresh) refreshed.add(secret)
          return secret
        },
        bearerTokenOf(request) {
          const token = defaultRules.bearerTokenOf(request)
          bearer = token ?? ''
          return token
        },
        isTokenValid(token, now) {
          const usual = defaultRules.isTokenValid(token, now)
          if (!refreshed.has(bearer)) return usual
          const changed = isValid(token, now)
          if (changed !== usual) hit()
          return changed
        },
      },
    }
  })

/** Remembers the scopes of a refresh with fewer scopes, and applies `limit` to later refreshes. */
const limitLater =
  (limit: (reply: Parameters<typeof membersOf>[0], scope: string) => object): MakeAuthDeviation =>
  (hit) => {
    const scopes = new Map<unknown, string>()
    return onReply((reply, { parameters }, endpoint) => {
      if (endpoint !== 'token' || parameters?.get('grant_type') !== 'refresh_token')
        return undefined
      const kept = scopes.get(parameters.get('refresh_token'))
      const requested = parameters.get('scope')
      const next = membersOf(reply)['refresh_token']
      if (next !== undefined && requested !== undefined && !requested.includes(' '))
        scopes.set(next, requested)
      return kept === undefined || requested === kept
        ? undefined
        : { ...reply, ...limit(reply, kept) }
    })(hit)
  }

/** Faults in the use of refresh tokens after the first time. */
export const refreshUse: readonly AuthFault[] = [
  fault(
    'second-refresh-refused',
    'Refuses refresh tokens that a refresh returned.',
    ['AUTH-REFRESH-01'],
    refuseSecondRefresh,
  ),
  fault(
    'refresh-tokens-stay',
    'Returns the same refresh token at every refresh.',
    ['AUTH-REFRESH-05'],
    onTokenReply(
      (reply, members, form) => ({
        ...reply,
        body: { ...members, refresh_token: form?.get('refresh_token') },
      }),
      'refresh_token',
    ),
  ),
  fault(
    'old-refresh-tokens-work',
    'Accepts a refresh token that has been replaced.',
    ['AUTH-REFRESH-05'],
    onTokenRefusal(['refresh-token-used'], tokenReply),
  ),
  fault(
    'refreshed-tokens-never-expire',
    'Accepts access tokens that a refresh returned, at any age.',
    ['AUTH-REFRESH-06'],
    asProvider(judgeRefreshed(() => true)),
  ),
  fault(
    'refreshed-tokens-end-early',
    'Refuses access tokens that a refresh returned after half of their lifetime.',
    ['AUTH-TOKEN-25'],
    judgeRefreshed(({ issuedAt, expiresAt }, now) => now < (issuedAt + expiresAt) / 2),
  ),
  fault(
    'fewer-scopes-stay',
    'After a refresh with fewer scopes, refuses to grant all scopes again.',
    ['AUTH-REFRESH-07'],
    limitLater(() => ({ status: 400, body: { error: 'invalid_scope' } })),
  ),
  fault(
    'fewer-scopes-are-granted-again',
    'After a refresh with fewer scopes, grants only these scopes, even if more are requested.',
    ['AUTH-REFRESH-07'],
    limitLater((reply, scope) => ({ body: { ...membersOf(reply), scope } })),
  ),
]

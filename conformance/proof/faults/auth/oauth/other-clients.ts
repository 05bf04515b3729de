import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { asProvider, fault, rememberOpeners, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf } from './token-replies.ts'

/**
 * With a token, also ends tokens of other clients with a secret. `kind` is the kind of tokens that
 * end.
 */
const endTokensOfOthers =
  (kind: 'access_token' | 'refresh_token'): MakeAuthDeviation =>
  (hit) => {
    const owners = new Map<string, string>()
    const ended = new Set<string>()
    return {
      rules: {
        oauth: {
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            return token !== undefined && ended.has(token) ? `${token}-ended` : token
          },
        },
      },
      changeReply(endpoint, reply, { parameters }) {
        const client = parameters?.get('client_id') ?? ''
        const hasSecret = parameters?.get('client_secret') !== undefined
        const issued = membersOf(reply)[kind]
        if (endpoint === 'token' && hasSecret && typeof issued === 'string')
          owners.set(issued, client)
        if (endpoint === 'revoke' && reply.status === 200 && hasSecret)
          for (const [token, owner] of owners)
            if (owner !== client) {
              hit()
              ended.add(token)
            }
        return endpoint === 'token' && ended.has(parameters?.get('refresh_token') ?? '')
          ? { status: 400, body: { error: 'invalid_grant' } }
          : reply
      },
    }
  }

/** Accepts a revoked or expired token in the session that it opened. */
const trustOpenedSessions =
  (reason: 'revoked' | 'expired'): MakeAuthDeviation =>
  (hit) => {
    const revoked = new Set<string>()
    const openerOf = rememberOpeners()
    let valid: string | undefined
    let isTrusted = false
    return {
      changeReply(endpoint, reply, { parameters }) {
        const issued = membersOf(reply)['access_token']
        if (endpoint === 'token' && typeof issued === 'string') valid ??= issued
        const token = parameters?.get('token')
        if (endpoint === 'revoke' && reply.status === 200 && token !== undefined) revoked.add(token)
        return reply
      },
      rules: {
        oauth: {
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            isTrusted = token !== undefined && openerOf(request, token) === token
            if (token === undefined || !isTrusted) return token
            if (reason === 'expired' || !revoked.has(token)) return token
            hit()
            return valid
          },
          isTokenValid(token, now) {
            const usual = defaultRules.isTokenValid(token, now)
            if (reason !== 'expired' || usual || !isTrusted) return usual
            hit()
            return true
          },
        },
      },
    }
  }

/** Faults in which a token ends for too many clients, or not in all sessions. */
export const otherClients: readonly AuthFault[] = [
  fault(
    'revocation-ends-access-tokens-of-others',
    'Ends the access tokens of other clients with a revocation.',
    ['AUTH-PROVIDER-17'],
    asProvider(endTokensOfOthers('access_token')),
  ),
  fault(
    'revocation-ends-refresh-tokens-of-others',
    'Ends the refresh tokens of other clients with a revocation.',
    ['AUTH-PROVIDER-17'],
    asProvider(endTokensOfOthers('refresh_token')),
  ),
  fault(
    'revoked-tokens-work-in-their-session',
    'Accepts a revoked token in the session that it opened.',
    ['AUTH-PROVIDER-05'],
    asProvider(trustOpenedSessions('revoked')),
  ),
  fault(
    'expired-tokens-work-in-their-session',
    'Accepts an expired token in the session that it opened.',
    ['AUTH-REFRESH-06'],
    asProvider(trustOpenedSessions('expired')),
  ),
]

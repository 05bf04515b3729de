import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { asProvider, fault, pathOf, withChoices, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { peek } from '../open-messages.ts'
import { membersOf } from './token-replies.ts'

/** The tokens of one grant, in the order in which they were issued. */
interface IssuedTokens {
  readonly access: readonly string[]
  readonly refresh: readonly string[]
}

/** The tokens that end when `used`, a code or refresh token, is used again or revoked. */
type Ends = (tokens: IssuedTokens, used: string) => readonly (string | undefined)[]

/**
 * Ends only some tokens of a grant when a code or a replaced refresh token is used again, or when a
 * refresh token is revoked.
 */
const endOnly =
  (reason: 'code-used' | 'refresh-token-used' | 'revocation', ends: Ends): MakeAuthDeviation =>
  (hit) => {
    /** The tokens of the grant of each code and refresh token. */
    const grants = new Map<string, { access: string[]; refresh: string[] }>()
    /** The secret of the client that received a refresh token. */
    const owners = new Map<string, string | undefined>()
    const ended = new Set<string | undefined>()
    const end = (used: string) => {
      const tokens = grants.get(used)
      if (tokens === undefined) return
      hit()
      for (const one of ends(tokens, used)) ended.add(one)
    }
    return {
      intercept(request, response, next) {
        if (reason !== 'revocation' || pathOf(request) !== '/revoke') return next()
        peek(request, (body) => {
          const form = new URLSearchParams(body)
          const token = form.get('token') ?? ''
          const secret = form.get('client_secret')
          if (secret === null || secret !== owners.get(token)) return next()
          end(token)
          request.resume()
          response.writeHead(200).end()
        })
      },
      changeReply(endpoint, reply, { parameters }) {
        if (endpoint === 'introspect' && ended.has(parameters?.get('token')))
          return { ...reply, body: { active: false } }
        if (endpoint !== 'token') return reply
        const used = parameters?.get('code') ?? parameters?.get('refresh_token') ?? ''
        if (ended.has(used)) return { status: 400, body: { error: 'invalid_grant' } }
        if (reply.reason === reason) end(used)
        const { access_token: access, refresh_token: refresh } = membersOf(reply)
        if (typeof access !== 'string') return reply
        const tokens = grants.get(used) ?? { access: [], refresh: [] }
        tokens.access.push(access)
        grants.set(used, tokens)
        if (typeof refresh !== 'string') return reply
        tokens.refresh.push(refresh)
        grants.set(refresh, tokens)
        owners.set(refresh, parameters?.get('client_secret'))
        return reply
      },
      rules: {
        oauth: {
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            return ended.has(token) ? `${token!}-ended` : token
          },
        },
      },
    }
  }

const onCodeReplay = (ends: Ends): MakeAuthDeviation =>
  withChoices({ oauth: { usedCodes: 'are refused' } }, endOnly('code-used', ends))
const onRefreshReplay = (ends: Ends): MakeAuthDeviation =>
  withChoices({ oauth: { oldRefreshTokens: 'are refused' } }, endOnly('refresh-token-used', ends))
const onRevocation = (ends: Ends): MakeAuthDeviation => asProvider(endOnly('revocation', ends))

/** Faults in which only some tokens of a grant end. */
export const grantTokens: readonly AuthFault[] = [
  fault(
    'used-code-leaves-refreshed-tokens',
    'Revokes only the first tokens of a repeated code, but not those from a refresh.',
    ['AUTH-TOKEN-11'],
    onCodeReplay(({ access, refresh }) => [access[0], refresh[0]]),
  ),
  fault(
    'used-code-leaves-the-newest-refresh-token',
    'Revokes the tokens of a repeated code, except for the newest refresh token.',
    ['AUTH-TOKEN-11'],
    onCodeReplay(({ access, refresh }) => [
      ...access,
      ...(refresh.length > 1 ? refresh.slice(0, -1) : refresh),
    ]),
  ),
  fault(
    'replaced-refresh-tokens-end-nothing',
    'Refuses a replaced refresh token, and revokes no token.',
    ['AUTH-REFRESH-08'],
    onRefreshReplay(() => []),
  ),
  fault(
    'only-the-last-replaced-refresh-token-is-noticed',
    'Revokes a grant only if the refresh token that was replaced last is used again.',
    ['AUTH-REFRESH-08'],
    onRefreshReplay(({ access, refresh }, used) =>
      refresh.at(-2) === used ? [...access, ...refresh] : [],
    ),
  ),
  fault(
    'revocation-leaves-access-tokens',
    'Revokes only a refresh token, and not the access tokens of its grant.',
    ['AUTH-PROVIDER-13'],
    onRevocation(({ refresh }) => refresh),
  ),
  fault(
    'revocation-leaves-refreshed-access-tokens',
    'With a refresh token, revokes only the first access token of its grant.',
    ['AUTH-PROVIDER-13'],
    onRevocation(({ access, refresh }) => [access[0], ...refresh]),
  ),
]

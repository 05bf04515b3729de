import { createHash } from 'node:crypto'
import type { ResourceOwner } from '../../../../../mocks/stateful/oauth/records.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, type MakeAuthDeviation, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** Changes what the server knows about a user. */
const changeUser = (change: (user: ResourceOwner) => ResourceOwner): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({
    oauth: {
      fetchUpstreamUser: async (_code, ask) => {
        const user = await ask()
        hit()
        return change(user)
      },
    },
  }))

/**
 * Sends the client the identity provider's access token instead of the server's own, and accepts it
 * as that one.
 */
const passUpstreamToken =
  (member: 'access_token' | 'refresh_token'): MakeAuthDeviation =>
  (hit) => {
    const upstream = new Map<string, string>()
    const own = new Map<string, string>()
    return {
      rules: {
        oauth: {
          isVerifierCorrect(code, verifier) {
            const { accessToken } = code.subject
            if (verifier !== undefined && accessToken !== undefined)
              upstream.set(verifier, accessToken)
            return defaultRules.isVerifierCorrect(code, verifier)
          },
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            return token === undefined ? undefined : (own.get(token) ?? token)
          },
        },
      },
      changeReply(endpoint, reply, { parameters }) {
        const token = upstream.get(parameters?.get('code_verifier') ?? '')
        const body = reply.body as Record<string, unknown> | undefined
        if (endpoint !== 'token' || token === undefined || typeof body?.[member] !== 'string')
          return reply
        hit()
        own.set(token, body[member])
        return { ...reply, body: { ...body, [member]: token } }
      },
    }
  }

/** Faults of a proxy in its knowledge of users and in their tokens. */
export const proxyUser: readonly AuthFault[] = [
  fault(
    'tools-know-no-email',
    "Passes only the user's login to tools.",
    ['AUTH-PROXY-05'],
    changeUser(({ email: _, ...user }) => user),
  ),
  fault(
    'tools-know-a-digest-of-the-login',
    'Passes a digest of the login to tools.',
    ['AUTH-PROXY-05'],
    changeUser((user) => ({
      ...user,
      login: createHash('sha256').update(user.login).digest('hex').slice(0, 12),
    })),
  ),
  fault(
    'tools-know-the-first-user',
    'Passes the first user to tools, regardless of the caller.',
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => {
      let first: Promise<ResourceOwner> | undefined
      return {
        oauth: {
          fetchUpstreamUser: async (_code, ask) => {
            const user = await ask()
            if (first === undefined) first = Promise.resolve(user)
            else hit()
            const { login, email } = await first
            return { ...user, login, ...(email === undefined ? {} : { email }) }
          },
        },
      }
    }),
  ),
  fault(
    'client-gets-the-upstream-token',
    'Sends the client the access token of the identity provider.',
    ['AUTH-PROXY-13'],
    passUpstreamToken('access_token'),
  ),
  fault(
    'client-gets-the-upstream-token-to-refresh',
    'Sends the client the access token of the identity provider as its refresh token.',
    ['AUTH-PROXY-13'],
    passUpstreamToken('refresh_token'),
  ),
]

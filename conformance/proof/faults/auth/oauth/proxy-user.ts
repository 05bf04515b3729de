import { createHash } from 'node:crypto'
import type { ResourceOwner } from '../../../../../mocks/stateful/oauth/records.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, type MakeAuthDeviation, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'

/** Changes what is known of a user. */
const knowing = (change: (user: ResourceOwner) => ResourceOwner): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({
    oauth: {
      upstreamUser: async (_code, ask) => {
        const user = await ask()
        hit()
        return change(user)
      },
    },
  }))

/** Gives the client the identity provider's token, in place of one of the server's own. Its own one stands behind it. */
const passingOn =
  (member: 'access_token' | 'refresh_token'): MakeAuthDeviation =>
  (hit) => {
    const upstream = new Map<string, string>()
    const own = new Map<string, string>()
    return {
      rules: {
        oauth: {
          verifies(code, verifier) {
            const { accessToken } = code.subject
            if (verifier !== undefined && accessToken !== undefined)
              upstream.set(verifier, accessToken)
            return defaultRules.verifies(code, verifier)
          },
          bearerOf(request) {
            const given = defaultRules.bearerOf(request)
            return given === undefined ? undefined : (own.get(given) ?? given)
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

/** Faults of what is known of users of a proxy, and of what is given for them. */
export const proxyUser: readonly AuthFault[] = [
  fault(
    'tools-know-no-email',
    'Tools are told the login of the user alone.',
    ['AUTH-PROXY-05'],
    knowing(({ email: _, ...user }) => user),
  ),
  fault(
    'tools-know-a-digest-of-the-login',
    'Tools are told a digest in place of the login.',
    ['AUTH-PROXY-05'],
    knowing((user) => ({
      ...user,
      login: createHash('sha256').update(user.login).digest('hex').slice(0, 12),
    })),
  ),
  fault(
    'tools-know-the-first-user',
    'Tools are told the user who came first, whoever asks.',
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => {
      let first: Promise<ResourceOwner> | undefined
      return {
        oauth: {
          upstreamUser: async (_code, ask) => {
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
    'The client gets the access token of the identity provider.',
    ['AUTH-PROXY-13'],
    passingOn('access_token'),
  ),
  fault(
    'client-gets-the-upstream-token-to-refresh',
    'The client gets the access token of the identity provider as its refresh token.',
    ['AUTH-PROXY-13'],
    passingOn('refresh_token'),
  ),
]

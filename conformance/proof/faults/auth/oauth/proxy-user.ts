import { createHash } from 'node:crypto'
import type { ResourceOwner } from '../../../../../mocks/stateful/oauth/records.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  fault,
  type MakeAuthDeviation,
  replaceRules,
  rememberOpeners,
  waitForNext,
  withChoices,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf } from './token-replies.ts'

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
 * Makes a deviation: in `member`, the server returns the identity provider's access token to the
 * client instead of its own token. The server accepts both tokens.
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
            const { accessToken } = code.owner
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

/** Adds the access token of the identity provider to token responses. */
const discloseToken: MakeAuthDeviation = (hit) => {
  let last: string | undefined
  return {
    rules: {
      oauth: {
        isVerifierCorrect(code, verifier) {
          last = code.owner.accessToken
          return defaultRules.isVerifierCorrect(code, verifier)
        },
      },
    },
    changeReply(endpoint, reply) {
      if (endpoint !== 'token' || reply.status !== 200 || last === undefined) return reply
      hit()
      return { ...reply, body: { ...(reply.body as object), upstream_token: last } }
    },
  }
}

/** Treats a request in a session as if it contained the token with which the session began. */
const passOpener: MakeAuthDeviation = (hit) => {
  const issued = new Set<unknown>()
  const openerOf = rememberOpeners()
  return {
    changeReply(_endpoint, reply) {
      issued.add(membersOf(reply)['access_token'])
      return reply
    },
    rules: {
      oauth: {
        bearerTokenOf(request) {
          const token = defaultRules.bearerTokenOf(request)
          if (token === undefined || !issued.has(token)) return token
          const opener = openerOf(request, token) ?? token
          if (opener !== token) hit()
          return opener
        },
      },
    },
  }
}

/** Lets each user use every session. */
const shareSessions: MakeAuthDeviation = withChoices(
  { server: { sessionsFor: 'everyone' } },
  replaceRules((_rules, hit) => {
    const openerOf = rememberOpeners()
    return {
      oauth: {
        bearerTokenOf(request) {
          const token = defaultRules.bearerTokenOf(request)
          if (token !== undefined && (openerOf(request, token) ?? token) !== token) hit()
          return token
        },
      },
    }
  }),
)

/** Treats each call as if it contained the token of the call that arrived last. */
const passLatest: MakeAuthDeviation = (hit) => {
  const issued = new Set<unknown>()
  let latest: string | undefined
  const untilNext = waitForNext()
  return {
    changeReply(_endpoint, reply) {
      issued.add(membersOf(reply)['access_token'])
      return reply
    },
    choices: { server: { sessionsFor: 'everyone' } },
    intercept(request, _response, next) {
      const token = defaultRules.bearerTokenOf(request)
      if (token === undefined || !issued.has(token)) return next()
      latest = token
      void untilNext().then(next)
    },
    rules: {
      oauth: {
        bearerTokenOf(request) {
          const token = defaultRules.bearerTokenOf(request)
          if (token === undefined || latest === undefined || !issued.has(token)) return token
          if (token !== latest) hit()
          return latest
        },
      },
    },
  }
}

/** Faults of a proxy in what it knows about users, and in the tokens that it issues to them. */
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
    'tools-know-the-user-who-began-the-session',
    'Passes the user who began the session to tools, regardless of the token.',
    ['AUTH-PROXY-05'],
    passOpener,
  ),
  fault(
    'tools-know-the-user-of-the-latest-request',
    'Passes the user of the request that arrived last to tools.',
    ['AUTH-PROXY-05'],
    passLatest,
  ),
  fault(
    'tools-serve-sessions-of-others',
    'Lets each user use the sessions of all users.',
    ['AUTH-PROXY-23'],
    shareSessions,
  ),
  fault(
    'tools-know-the-first-user-of-a-browser',
    'Passes the user who signed in first in a browser, even if another user signs in there later.',
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => {
      const users = new Map<string | undefined, ResourceOwner>()
      return {
        oauth: {
          fetchUpstreamUser: async (_code, ask, browser) => {
            const user = await ask()
            const known = users.get(browser) ?? user
            users.set(browser, known)
            if (known !== user) hit()
            return known
          },
        },
      }
    }),
  ),
  fault(
    'user-read-as-latin-1',
    "Reads the identity provider's response as ISO 8859-1.",
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => ({
      oauth: {
        fetchUpstreamUser: async (_code, ask) => {
          const user = await ask()
          const login = Buffer.from(user.login, 'utf8').toString('latin1')
          if (login !== user.login) hit()
          return { ...user, login }
        },
      },
    })),
  ),
  fault(
    'tools-know-the-first-email',
    'Passes the email that a user had at the first login.',
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => {
      const emails = new Map<string, string | undefined>()
      return {
        oauth: {
          fetchUpstreamUser: async (_code, ask) => {
            const user = await ask()
            const email = emails.get(user.login) ?? user.email
            emails.set(user.login, email)
            if (email !== user.email) hit()
            return { ...user, ...(email === undefined ? {} : { email }) }
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

  fault(
    'refresh-takes-the-last-user',
    'Issues refreshed tokens for the user who signed in last.',
    ['AUTH-PROXY-05'],
    replaceRules((_rules, hit) => {
      let last: ResourceOwner | undefined
      return {
        oauth: {
          fetchUpstreamUser: async (_code, ask) => (last = await ask()),
          isRefreshTokenOfClient(token, client) {
            if (last !== undefined && last.login !== token.owner.login) {
              hit()
              Object.assign(token, { owner: last })
            }
            return defaultRules.isRefreshTokenOfClient(token, client)
          },
        },
      }
    }),
  ),
  fault(
    'tokens-of-the-upstream-accepted',
    'Accepts access tokens of the identity provider.',
    ['AUTH-RESOURCE-03'],
    replaceRules((_rules, hit) => {
      const upstream = new Set<string>()
      let own = ''
      return {
        oauth: {
          async fetchUpstreamUser(_code, ask) {
            const user = await ask()
            if (user.accessToken !== undefined) upstream.add(user.accessToken)
            return user
          },
          newSecret(kind) {
            const secret = defaultRules.newSecret(kind)
            if (kind === 'access') own = secret
            return secret
          },
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            if (token === undefined || !upstream.has(token)) return token
            hit()
            return own
          },
        },
      }
    }),
  ),
  fault(
    'token-response-contains-the-upstream-token',
    'Returns the access token of the identity provider in another field of token responses.',
    ['AUTH-PROXY-20'],
    discloseToken,
  ),
  fault(
    'upstream-redirect-contains-the-secret',
    'Sends its client secret in the redirect to the identity provider.',
    ['AUTH-PROXY-20'],
    replaceRules({
      oauth: {
        upstreamParameters: (parameters) => ({
          ...parameters,
          client_secret: 'shelf-upstream-secret',
        }),
      },
    }),
  ),
  fault(
    'email-is-the-upstream-token',
    'Passes the access token of the identity provider to tools as part of the email.',
    ['AUTH-PROXY-20', 'AUTH-PROXY-05'],
    changeUser((user) => ({ ...user, email: `${user.email} ${user.accessToken}` })),
  ),
  fault(
    'code-of-the-upstream-forwarded',
    'Issues the code of the identity provider to the client.',
    ['AUTH-PROXY-20'],
    replaceRules((_rules, hit) => {
      const codes: string[] = []
      return {
        oauth: {
          fetchUpstreamUser(code, ask) {
            codes.push(code)
            return ask()
          },
          newSecret(kind) {
            const code = kind === 'code' ? codes.shift() : undefined
            if (code === undefined) return defaultRules.newSecret(kind)
            hit()
            return code
          },
        },
      }
    }),
  ),
]

import { randomBytes } from 'node:crypto'
import type { OAuthRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  asProvider,
  onHttpRequest,
  fault,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { changeRedirect } from './redirects.ts'
import { swapCase } from './swap-case.ts'

/** If signing in fails, signs in the user that `other` returns, if any. */
const signInAlso = (other: OAuthRules['authenticateUser']): MakeAuthDeviation =>
  asProvider(
    replaceRules((_rules, hit) => ({
      oauth: {
        async authenticateUser(login, password, users) {
          const user = await users.authenticate(login, password)
          const wrongUser = user === undefined ? await other(login, password, users) : undefined
          if (wrongUser !== undefined) hit()
          return user ?? wrongUser
        },
      },
    })),
  )

const hasSignedIn = (cookie = ''): boolean => cookie.includes('shelf_login=')

type Change = Parameters<typeof onReply>[0]

/** Changes replies of one endpoint, depending on the token of the request. */
const onTokenOf = (
  endpoint: 'revoke' | 'token',
  change: (
    reply: Parameters<Change>[0],
    token: { isRefresh: boolean; wasRevoked: boolean },
  ) => ReturnType<Change>,
): MakeAuthDeviation =>
  asProvider((hit) => {
    const [refresh, revoked] = [new Set<unknown>(), new Set<string>()]
    return onReply((reply, { parameters }, at) => {
      if (at === 'token')
        refresh.add((reply.body as Record<string, unknown> | undefined)?.['refresh_token'])
      const token = parameters?.get(at === 'revoke' ? 'token' : 'refresh_token') ?? ''
      const changed =
        at === endpoint
          ? change(reply, { isRefresh: refresh.has(token), wasRevoked: revoked.has(token) })
          : undefined
      if (at === 'revoke') revoked.add(token)
      return changed
    })(hit)
  })

const serverError = { status: 500, body: { error: 'server_error' } }

/** Faults of a server with its own users, of introspection and of revocation. */
export const provider: readonly AuthFault[] = [
  fault(
    'known-user-gets-an-error',
    'Returns 500 to users who have signed in before.',
    ['AUTH-PROVIDER-01'],
    asProvider(
      onHttpRequest((request, response, hit) => {
        if (pathOf(request) !== '/authorize' || !hasSignedIn(request.headers.cookie)) return
        hit()
        response
          .writeHead(500, { 'Content-Type': 'text/html' })
          .end('<h1>Something went wrong</h1>')
        return true
      }),
    ),
  ),
  fault(
    'code-of-a-known-user-does-not-work',
    'Issues invalid codes for users who have signed in before.',
    ['AUTH-PROVIDER-01'],
    asProvider(
      onReply((reply, { incoming }, endpoint) =>
        endpoint === 'consent' && hasSignedIn(incoming.headers.cookie)
          ? changeRedirect(reply, (url) => {
              if (!url.searchParams.has('code')) return false
              url.searchParams.set('code', randomBytes(32).toString('base64url'))
              return true
            })
          : undefined,
      ),
    ),
  ),

  fault(
    'every-password-is-right',
    'Accepts any password for a known login.',
    ['AUTH-PROVIDER-02'],
    signInAlso(async (login, _password, users) => users.findByLogin(login)),
  ),
  fault(
    'passwords-cut-short',
    'Ignores all characters of an entered password after the twelfth.',
    ['AUTH-PROVIDER-02'],
    signInAlso((login, password, users) => users.authenticate(login, password.slice(0, 12))),
  ),
  fault(
    'passwords-in-any-case',
    'Accepts a password with upper and lower case swapped.',
    ['AUTH-PROVIDER-02'],
    signInAlso((login, password, users) => users.authenticate(login, swapCase(password))),
  ),
  fault(
    'empty-password-is-right',
    'Accepts an empty password for a known login.',
    ['AUTH-PROVIDER-02'],
    signInAlso(async (login, password, users) =>
      password === '' ? users.findByLogin(login) : undefined,
    ),
  ),
  fault(
    'unknown-users-are-created',
    'Creates a user if an unknown login signs in.',
    ['AUTH-PROVIDER-02'],
    signInAlso(async (login, _password, users) =>
      users.findByLogin(login) === undefined
        ? { login, email: `${login}@shelf.example` }
        : undefined,
    ),
  ),

  fault(
    'introspection-missing-in-metadata',
    'Omits introspection_endpoint from its metadata.',
    ['AUTH-PROVIDER-03'],
    asProvider(
      onReply((reply, _request, endpoint) => {
        if (endpoint !== 'server metadata') return undefined
        const { introspection_endpoint: _, ...body } = reply.body as Record<string, unknown>
        return { ...reply, body }
      }),
    ),
  ),
  fault(
    'every-token-is-active',
    'Reports every token as active.',
    ['AUTH-PROVIDER-04'],
    asProvider(
      onReply((reply, _request, endpoint) =>
        endpoint === 'introspect' &&
        reply.status === 200 &&
        (reply.body as Record<string, unknown>)['active'] === false
          ? { ...reply, body: { active: true } }
          : undefined,
      ),
    ),
  ),
  fault(
    'no-token-is-active',
    'Reports every token as inactive.',
    ['AUTH-PROVIDER-04'],
    asProvider(
      onReply((reply, _request, endpoint) =>
        endpoint === 'introspect' &&
        reply.status === 200 &&
        (reply.body as Record<string, unknown>)['active'] === true
          ? { ...reply, body: { active: false } }
          : undefined,
      ),
    ),
  ),
  fault(
    'introspection-of-an-unknown-token-is-an-error',
    'Returns 404 for the introspection of an unknown token.',
    ['AUTH-PROVIDER-04'],
    asProvider(
      onReply((reply, _request, endpoint) =>
        endpoint === 'introspect' &&
        reply.status === 200 &&
        (reply.body as Record<string, unknown>)['active'] === false
          ? { status: 404, body: { error: 'not_found' } }
          : undefined,
      ),
    ),
  ),

  fault(
    'revoking-does-nothing',
    'Returns 200 for a revocation and does not revoke the token.',
    ['AUTH-PROVIDER-05'],
    asProvider(
      onHttpRequest((request, response, hit) => {
        if (pathOf(request) !== '/revoke') return
        hit()
        request.resume()
        response.writeHead(200).end()
        return true
      }),
    ),
  ),
  fault(
    'revoked-refresh-token-still-works',
    'Issues tokens for a revoked refresh token.',
    ['AUTH-PROVIDER-05'],
    onTokenOf('token', (_reply, { wasRevoked }) =>
      wasRevoked
        ? {
            status: 200,
            body: {
              access_token: randomBytes(32).toString('base64url'),
              token_type: 'Bearer',
              expires_in: 3600,
            },
            headers: { 'Cache-Control': 'no-store' },
          }
        : undefined,
    ),
  ),
  fault(
    'revoking-an-access-token-fails',
    'Returns 500 for the revocation of an access token.',
    ['AUTH-PROVIDER-05'],
    onTokenOf('revoke', (_reply, { isRefresh }) => (isRefresh ? undefined : serverError)),
  ),
  fault(
    'revoking-a-refresh-token-fails',
    'Returns 500 for the revocation of a refresh token.',
    ['AUTH-PROVIDER-05'],
    onTokenOf('revoke', (_reply, { isRefresh }) => (isRefresh ? serverError : undefined)),
  ),
]

import { randomBytes } from 'node:crypto'
import type { OAuthRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  door,
  fault,
  hosted,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { redirected } from './redirected.ts'

/** A server of pattern 4. */
const provides = (make: MakeAuthDeviation): MakeAuthDeviation =>
  hosted({ hosting: { pattern: 'oauth-provider' } }, make)

/** Lets somebody in whom it should not: undefined for all others. */
const letsIn = (who: OAuthRules['signsIn']): MakeAuthDeviation =>
  provides(
    replaceRules((_rules, hit) => ({
      oauth: {
        async signsIn(login, password, users) {
          const right = await users.find(login, password)
          const wrong = right === undefined ? await who(login, password, users) : undefined
          if (wrong !== undefined) hit()
          return right ?? wrong
        },
      },
    })),
  )

const hasSignedIn = (cookie = ''): boolean => cookie.includes('shelf_login=')

type Change = Parameters<typeof onReply>[0]

/** Changes answers of one endpoint, knowing which refresh tokens there are. */
const knowingRefresh = (
  endpoint: 'revoke' | 'token',
  change: (
    reply: Parameters<Change>[0],
    given: { isRefresh: boolean; wasRevoked: boolean },
  ) => ReturnType<Change>,
): MakeAuthDeviation =>
  provides((hit) => {
    const [refresh, revoked] = [new Set<unknown>(), new Set<string>()]
    return onReply((reply, { parameters }, at) => {
      if (at === 'token')
        refresh.add((reply.body as Record<string, unknown> | undefined)?.['refresh_token'])
      const given = parameters?.get(at === 'revoke' ? 'token' : 'refresh_token') ?? ''
      const changed =
        at === endpoint
          ? change(reply, { isRefresh: refresh.has(given), wasRevoked: revoked.has(given) })
          : undefined
      if (at === 'revoke') revoked.add(given)
      return changed
    })(hit)
  })

const broken = { status: 500, body: { error: 'server_error' } }

/** Faults of users that a server knows itself, of looking into tokens, and of revoking them. */
export const provider: readonly AuthFault[] = [
  fault(
    'known-user-meets-an-error',
    'Whoever has signed in before, and is asked again, meets an error.',
    ['AUTH-PROVIDER-01'],
    provides(
      door((request, response, hit) => {
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
    'code-of-a-known-user-is-worth-nothing',
    'Whoever has signed in before gets a code that gives no tokens.',
    ['AUTH-PROVIDER-01'],
    provides(
      onReply((reply, { incoming }, endpoint) =>
        endpoint === 'consent' && hasSignedIn(incoming.headers.cookie)
          ? redirected(reply, (url) => {
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
    'Whoever gives a login that is known is let in, whatever the password.',
    ['AUTH-PROVIDER-02'],
    letsIn(async (login, _password, users) => users.known(login)),
  ),
  fault(
    'passwords-cut-short',
    'Of passwords the first 12 characters are compared.',
    ['AUTH-PROVIDER-02'],
    letsIn((login, password, users) => users.find(login, password.slice(0, 12))),
  ),
  fault(
    'empty-password-is-right',
    'Whoever gives no password is not asked for it.',
    ['AUTH-PROVIDER-02'],
    letsIn(async (login, password, users) => (password === '' ? users.known(login) : undefined)),
  ),
  fault(
    'unknown-users-are-made',
    'Whoever is not known becomes a user by signing in.',
    ['AUTH-PROVIDER-02'],
    letsIn(async (login, _password, users) =>
      users.known(login) === undefined ? { login, email: `${login}@shelf.example` } : undefined,
    ),
  ),

  fault(
    'introspection-untold',
    'Metadata do not tell that tokens can be looked into.',
    ['AUTH-PROVIDER-03'],
    provides(
      onReply((reply, _request, endpoint) => {
        if (endpoint !== 'server metadata') return undefined
        const { introspection_endpoint: _, ...body } = reply.body as Record<string, unknown>
        return { ...reply, body }
      }),
    ),
  ),
  fault(
    'every-token-is-active',
    'Whoever looks into a token hears that it is active.',
    ['AUTH-PROVIDER-04'],
    provides(
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
    'Whoever looks into a token hears that it is not active.',
    ['AUTH-PROVIDER-04'],
    provides(
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
    'invented-token-is-an-error',
    'Whoever looks into a token that nobody was given gets 404.',
    ['AUTH-PROVIDER-04'],
    provides(
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
    'Revoking is answered with 200, and nothing happens.',
    ['AUTH-PROVIDER-05'],
    provides(
      door((request, response, hit) => {
        if (pathOf(request) !== '/revoke') return
        hit()
        request.resume()
        response.writeHead(200).end()
        return true
      }),
    ),
  ),
  fault(
    'revoked-refresh-token-works-on',
    'A refresh token that was revoked still gives tokens.',
    ['AUTH-PROVIDER-05'],
    knowingRefresh('token', (_reply, { wasRevoked }) =>
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
    'Whoever revokes an access token gets 500.',
    ['AUTH-PROVIDER-05'],
    knowingRefresh('revoke', (_reply, { isRefresh }) => (isRefresh ? undefined : broken)),
  ),
  fault(
    'revoking-a-refresh-token-fails',
    'Whoever revokes a refresh token gets 500.',
    ['AUTH-PROVIDER-05'],
    knowingRefresh('revoke', (_reply, { isRefresh }) => (isRefresh ? broken : undefined)),
  ),
]

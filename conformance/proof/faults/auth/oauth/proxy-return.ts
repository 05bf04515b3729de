import { createHash, randomBytes } from 'node:crypto'
import type { ResourceOwner } from '../../../../../mocks/stateful/oauth/records.ts'
import {
  UpstreamLoginFailure,
  type UpstreamReason,
} from '../../../../../mocks/stateful/oauth/upstream.ts'
import { fault, withChoices, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { locationOf, changeRedirect } from './redirects.ts'

/** Accepts a callback whose state is not the one that was sent, if `accepts` returns true. */
const acceptOtherState =
  (accepts: (received: string | undefined, sent: string) => boolean): MakeAuthDeviation =>
  (hit) => {
    const sentStates = new Map<string, string>()
    const browserOf = ({
      headers: { cookie = '' },
    }: {
      headers: { cookie?: string | undefined }
    }) => /shelf_browser=([\w-]+)/.exec(cookie)?.[1] ?? ''
    return {
      changeReply(endpoint, reply, { incoming }) {
        const state =
          endpoint === 'consent' ? locationOf(reply)?.searchParams.get('state') : undefined
        if (typeof state === 'string') sentStates.set(browserOf(incoming), state)
        return reply
      },
      intercept(request, _response, next) {
        const url = new URL(request.url ?? '/', 'http://127.0.0.1')
        const [received, sent] = [
          url.searchParams.get('state') ?? undefined,
          sentStates.get(browserOf(request)),
        ]
        if (
          url.pathname === '/callback' &&
          sent !== undefined &&
          received !== sent &&
          accepts(received, sent)
        ) {
          hit()
          url.searchParams.set('state', sent)
          request.url = url.pathname + url.search
        }
        next()
      },
    }
  }

/** Signs the user in as a guest if the identity provider failed for this reason. */
export const signInAsGuest = (reason: UpstreamReason): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({
    oauth: {
      fetchUpstreamUser: (_code, ask) =>
        ask().catch((error: unknown) => {
          if (!(error instanceof UpstreamLoginFailure) || error.reason !== reason) throw error
          hit()
          return { login: 'guest', email: 'guest@shelf.example' }
        }),
    },
  }))

/** Changes redirects that report an error of the identity provider to the client. */
const changeErrorRedirect = (error: string, change: (url: URL) => boolean): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint !== 'callback'
      ? undefined
      : changeRedirect(reply, (url) => url.searchParams.get('error') === error && change(url)),
  )

/** Shows a page instead of reporting the error to the client. */
const showErrorPage = (error: string, status: number): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint === 'callback' && locationOf(reply)?.searchParams.get('error') === error
      ? {
          status,
          headers: { 'Content-Type': 'text/html' },
          body: Buffer.from('<p>Signing in did not work.</p>'),
        }
      : undefined,
  )

const replaceErrorByCode = (url: URL): boolean => {
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  url.searchParams.set('code', randomBytes(32).toString('base64url'))
  return true
}

const removeError = (url: URL): boolean => {
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  return true
}

/** Faults of a proxy after the redirect back from the identity provider. */
export const proxyReturn: readonly AuthFault[] = [
  fault(
    'upstream-state-is-a-counter',
    'Uses a counter as the state for the identity provider.',
    ['AUTH-PROXY-09'],
    replaceRules((_rules, hit) => {
      let count = 1040
      return {
        oauth: {
          newUpstreamState: () => {
            hit()
            return `state-${(count += 1)}`
          },
        },
      }
    }),
  ),
  fault(
    'upstream-state-of-the-client',
    "Passes the client's state to the identity provider.",
    ['AUTH-PROXY-09'],
    replaceRules({ oauth: { newUpstreamState: ({ state }, fresh) => state ?? fresh } }),
  ),
  fault(
    'upstream-state-is-a-digest-of-the-request',
    "Uses a digest of the client's request as the state for the identity provider.",
    ['AUTH-PROXY-09'],
    replaceRules({
      oauth: {
        newUpstreamState: (request) =>
          createHash('sha256').update(JSON.stringify(request)).digest('hex'),
      },
    }),
  ),
  fault(
    'upstream-without-state-and-pkce',
    'Uses neither a state nor PKCE with the identity provider.',
    ['AUTH-PROXY-09', 'AUTH-PROXY-11', 'AUTH-PROXY-15'],
    withChoices(
      { oauth: { upstreamState: 'none', upstreamPkce: false } },
      replaceRules({
        oauth: { upstreamParameters: (parameters) => ({ ...parameters, prompt: 'consent' }) },
      }),
    ),
  ),

  fault(
    'upstream-state-ignored',
    "Identifies a callback by the browser's cookie alone and ignores its state.",
    ['AUTH-PROXY-10'],
    acceptOtherState(() => true),
  ),
  fault(
    'upstream-state-may-be-absent',
    'Compares the state of a callback only if there is one.',
    ['AUTH-PROXY-10'],
    acceptOtherState((received) => received === undefined),
  ),
  fault(
    'upstream-state-compared-by-its-beginning',
    'Compares only the first 16 characters of the state of a callback.',
    ['AUTH-PROXY-10'],
    acceptOtherState((received = '', sent) => received.slice(0, 16) === sent.slice(0, 16)),
  ),

  fault(
    'upstream-return-in-any-browser',
    'Accepts a callback in any browser.',
    ['AUTH-PROXY-11'],
    replaceRules({ oauth: { isSameBrowser: () => true } }),
  ),
  fault(
    'upstream-return-in-any-known-browser',
    'Accepts a callback in any browser that has a cookie of the server.',
    ['AUTH-PROXY-11'],
    replaceRules({ oauth: { isSameBrowser: (_pending, browser) => browser !== undefined } }),
  ),

  fault(
    'denied-upstream-is-a-server-error',
    'Reports a denial at the identity provider as server_error.',
    ['AUTH-PROXY-24'],
    changeErrorRedirect('access_denied', (url) => {
      url.searchParams.set('error', 'server_error')
      return true
    }),
  ),
  fault(
    'upstream-token-type-ignored',
    'Uses tokens of any type from the identity provider.',
    ['AUTH-PROXY-25'],
    replaceRules({ oauth: { isUpstreamTokenType: () => true } }),
  ),
  fault(
    'denied-upstream-gets-a-code',
    'Redirects to the client with a code after the identity provider reported a denial.',
    ['AUTH-PROXY-12'],
    changeErrorRedirect('access_denied', replaceErrorByCode),
  ),
  fault(
    'denied-upstream-is-not-reported',
    'Shows a page after a denial at the identity provider and never redirects to the client.',
    ['AUTH-PROXY-12'],
    showErrorPage('access_denied', 403),
  ),

  fault(
    'no-upstream-token-is-a-guest',
    'Signs the user in as a guest if the identity provider reports an error with status 200.',
    ['AUTH-PROXY-16'],
    signInAsGuest('no-token'),
  ),
  fault(
    'refused-upstream-user-is-a-guest',
    'Signs the user in as a guest if the identity provider returns 401 for the user.',
    ['AUTH-PROXY-21'],
    signInAsGuest(401),
  ),
  fault(
    'unreadable-upstream-user-is-a-guest',
    "Signs the user in as a guest if the identity provider's response about the user is not JSON.",
    ['AUTH-PROXY-21'],
    signInAsGuest('not-an-object'),
  ),
  fault(
    'failed-upstream-without-an-error',
    'Redirects to the client without a code and without an error if the identity provider fails.',
    ['AUTH-PROXY-16'],
    changeErrorRedirect('server_error', removeError),
  ),
  fault(
    'failed-upstream-gets-a-code',
    'Redirects to the client with a code if the identity provider fails.',
    ['AUTH-PROXY-16', 'AUTH-PROXY-18'],
    changeErrorRedirect('server_error', replaceErrorByCode),
  ),

  fault(
    'upstream-state-works-again',
    "Accepts a state any number of times if the identity provider's code is new.",
    ['AUTH-PROXY-17'],
    (hit) => ({
      rules: {
        oauth: {
          get statesAreSingleUse() {
            hit()
            return false
          },
        },
      },
    }),
  ),
  fault(
    'upstream-return-works-again',
    'Issues another code for a repeated callback, because it remembers the user.',
    ['AUTH-PROXY-17'],
    replaceRules((_rules, hit) => {
      const known = new Map<string, Promise<ResourceOwner>>()
      return {
        oauth: {
          statesAreSingleUse: false,
          fetchUpstreamUser(code, ask) {
            const user = known.get(code) ?? ask()
            if (known.has(code)) hit()
            known.set(code, user)
            return user
          },
        },
      }
    }),
  ),
]

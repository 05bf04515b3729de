import { createHash, randomBytes } from 'node:crypto'
import type { ResourceOwner } from '../../../../../mocks/stateful/oauth/records.ts'
import {
  UpstreamLoginFailure,
  type UpstreamReason,
} from '../../../../../mocks/stateful/oauth/upstream.ts'
import { fault, hosted, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { locationOf, redirected } from './redirected.ts'

/** The state of a return that this server's users bring, whatever state was sent to them: for those that `when` names. */
const forgiving =
  (when: (given: string | undefined, sent: string) => boolean): MakeAuthDeviation =>
  (hit) => {
    const left = new Map<string, string>()
    const browserOf = ({
      headers: { cookie = '' },
    }: {
      headers: { cookie?: string | undefined }
    }) => /shelf_browser=([\w-]+)/.exec(cookie)?.[1] ?? ''
    return {
      changeReply(endpoint, reply, { incoming }) {
        const state =
          endpoint === 'consent' ? locationOf(reply)?.searchParams.get('state') : undefined
        if (typeof state === 'string') left.set(browserOf(incoming), state)
        return reply
      },
      intercept(request, _response, next) {
        const url = new URL(request.url ?? '/', 'http://127.0.0.1')
        const [given, sent] = [
          url.searchParams.get('state') ?? undefined,
          left.get(browserOf(request)),
        ]
        if (
          url.pathname === '/callback' &&
          sent !== undefined &&
          given !== sent &&
          when(given, sent)
        ) {
          hit()
          url.searchParams.set('state', sent)
          request.url = url.pathname + url.search
        }
        next()
      },
    }
  }

/** Lets whoever the identity provider has not named in as a guest, where it failed for this reason. */
export const guest = (reason: UpstreamReason): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({
    oauth: {
      upstreamUser: (_code, ask) =>
        ask().catch((error: unknown) => {
          if (!(error instanceof UpstreamLoginFailure) || error.reason !== reason) throw error
          hit()
          return { login: 'guest', email: 'guest@shelf.example' }
        }),
    },
  }))

/** Changes how the client is told an error from the identity provider. */
const told = (error: string, change: (url: URL) => boolean): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint !== 'callback'
      ? undefined
      : redirected(reply, (url) => url.searchParams.get('error') === error && change(url)),
  )

/** A page in place of an error for the client. */
const paged = (error: string, status: number): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint === 'callback' && locationOf(reply)?.searchParams.get('error') === error
      ? {
          status,
          headers: { 'Content-Type': 'text/html' },
          body: Buffer.from('<p>Signing in did not work.</p>'),
        }
      : undefined,
  )

const coded = (url: URL): boolean => {
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  url.searchParams.set('code', randomBytes(32).toString('base64url'))
  return true
}

const silent = (url: URL): boolean => {
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  return true
}

/** Faults of how users come back from the identity provider behind a proxy. */
export const proxyReturn: readonly AuthFault[] = [
  fault(
    'upstream-state-counts',
    'States for the identity provider are counted up.',
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
    'The state of the client goes on to the identity provider.',
    ['AUTH-PROXY-09'],
    replaceRules({ oauth: { newUpstreamState: ({ state }, fresh) => state ?? fresh } }),
  ),
  fault(
    'upstream-state-made-of-the-question',
    'The state for the identity provider is a digest of what the client asked.',
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
    'Neither a state nor PKCE binds a return to the question.',
    ['AUTH-PROXY-09', 'AUTH-PROXY-11', 'AUTH-PROXY-15'],
    hosted(
      { oauth: { upstreamState: 'none', upstreamPkce: false } },
      replaceRules({
        oauth: { upstreamParameters: (parameters) => ({ ...parameters, prompt: 'consent' }) },
      }),
    ),
  ),

  fault(
    'upstream-state-ignored',
    'A return is known by the cookie of its browser alone, whatever its state.',
    ['AUTH-PROXY-10'],
    forgiving(() => true),
  ),
  fault(
    'upstream-state-may-be-absent',
    'The state of a return is looked at where there is one.',
    ['AUTH-PROXY-10'],
    forgiving((given) => given === undefined),
  ),
  fault(
    'upstream-state-compared-by-its-beginning',
    'Of the state of a return the first 16 characters count.',
    ['AUTH-PROXY-10'],
    forgiving((given = '', sent) => given.slice(0, 16) === sent.slice(0, 16)),
  ),

  fault(
    'upstream-return-in-any-browser',
    'A return counts in whatever browser it comes.',
    ['AUTH-PROXY-11'],
    replaceRules({ oauth: { isSameBrowser: () => true } }),
  ),
  fault(
    'upstream-return-in-any-known-browser',
    'A return counts in every browser that has been here.',
    ['AUTH-PROXY-11'],
    replaceRules({ oauth: { isSameBrowser: (_pending, browser) => browser !== undefined } }),
  ),

  fault(
    'denied-upstream-gets-a-code',
    'Whoever was denied by the identity provider comes back with a code.',
    ['AUTH-PROXY-12'],
    told('access_denied', coded),
  ),
  fault(
    'denied-upstream-hears-nothing',
    'Whoever was denied by the identity provider is shown a page, and the client waits.',
    ['AUTH-PROXY-12'],
    paged('access_denied', 403),
  ),

  fault(
    'no-upstream-token-is-a-guest',
    'Whoever comes with a code for which the identity provider gives an error, told with 200, is let in as a guest.',
    ['AUTH-PROXY-16'],
    guest('no-token'),
  ),
  fault(
    'refused-upstream-user-is-a-guest',
    'Whoever the identity provider does not name, with 401, is let in as a guest.',
    ['AUTH-PROXY-16'],
    guest(401),
  ),
  fault(
    'unreadable-upstream-user-is-a-guest',
    'Whoever the identity provider names in no JSON is let in as a guest.',
    ['AUTH-PROXY-16'],
    guest('not-an-object'),
  ),
  fault(
    'failed-upstream-comes-back-empty',
    'Where the identity provider fails, the user comes back with nothing to say.',
    ['AUTH-PROXY-16'],
    told('server_error', silent),
  ),
  fault(
    'failed-upstream-gets-a-code',
    'Where the identity provider fails, the user comes back with a code.',
    ['AUTH-PROXY-16', 'AUTH-PROXY-18'],
    told('server_error', coded),
  ),

  fault(
    'upstream-state-works-again',
    'A state may come back as often as there is a new code of the identity provider.',
    ['AUTH-PROXY-17'],
    (hit) => ({
      rules: {
        oauth: {
          get statesWorkOnce() {
            hit()
            return false
          },
        },
      },
    }),
  ),
  fault(
    'upstream-return-works-again',
    'A return that comes again gives another code, since the user behind it is remembered.',
    ['AUTH-PROXY-17'],
    replaceRules((_rules, hit) => {
      const known = new Map<string, Promise<ResourceOwner>>()
      return {
        oauth: {
          statesWorkOnce: false,
          upstreamUser(code, ask) {
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

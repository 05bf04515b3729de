import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import {
  asProxy,
  onHttpRequest,
  fault,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import type { Request } from './building.ts'

/**
 * Redirects to the requested redirect URI in place of a refusal, for the requests that `test`
 * accepts.
 */
const redirectAnyway = (
  test: (request: Request) => boolean,
  parameters: Record<string, string>,
): MakeAuthDeviation =>
  onReply((reply, request, endpoint) => {
    const uri = request.parameters?.get('redirect_uri')
    if (endpoint !== 'authorize' || reply.status !== 400 || uri === undefined || !test(request))
      return undefined
    return {
      status: 302,
      headers: {
        Location: `${uri}?${new URLSearchParams({ ...parameters, state: request.parameters?.get('state') ?? '' })}`,
      },
    }
  })

const isUnknown = ({ parameters }: Request): boolean =>
  parameters?.get('client_id')?.includes('touchstone00') === true
const isMissing = ({ parameters }: Request): boolean => parameters?.get('client_id') === undefined

/** Changes the status of refusals that are shown to the user. */
const withStatus = (status: number, test: (request: Request) => boolean): MakeAuthDeviation =>
  onReply((reply, request, endpoint) =>
    endpoint === 'authorize' && reply.status === 400 && test(request)
      ? { ...reply, status }
      : undefined,
  )

/** Also accepts a redirect URI if `test` returns true for it and one of the registered URIs. */
const acceptSimilar = (test: (requested: URL, known: URL) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isRegisteredRedirectUri: (requested, registered) =>
        defaultRules.isRegisteredRedirectUri(requested, registered) ||
        registered.some(
          (known) => URL.canParse(requested) && test(new URL(requested), new URL(known)),
        ),
    },
  })
const acceptSimilarString = (
  test: (requested: string, known: string) => boolean,
): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isRegisteredRedirectUri: (requested, registered) =>
        registered.some(
          (known) =>
            defaultRules.isRegisteredRedirectUri(requested, registered) || test(requested, known),
        ),
    },
  })

const withoutQuery = (uri: string): string => uri.replace(/\?.*/, '')

/**
 * Faults in which servers redirect for an unknown client or to an unregistered redirect URI, or
 * refuse these with a wrong status.
 */
export const unsafeRedirects: readonly AuthFault[] = [
  fault(
    'unknown-clients-get-errors',
    'Redirects with an error for an unknown client.',
    ['AUTH-AUTHORIZE-04'],
    redirectAnyway(isUnknown, { error: 'unauthorized_client' }),
  ),
  fault(
    'unknown-clients-get-codes',
    'Redirects with a code for an unknown client.',
    ['AUTH-AUTHORIZE-04'],
    redirectAnyway(isUnknown, { code: 'for-an-unknown-client' }),
  ),
  fault(
    'upstream-client-gets-codes',
    'Redirects with a code if client_id is the id of the server itself at the identity provider.',
    ['AUTH-AUTHORIZE-04'],
    asProxy(
      redirectAnyway(({ parameters }) => parameters?.get('client_id') === 'shelf', {
        code: 'for-the-upstream-client',
      }),
    ),
  ),
  fault(
    'missing-clients-get-errors',
    'Redirects with an error if client_id is missing.',
    ['AUTH-AUTHORIZE-04'],
    redirectAnyway(isMissing, { error: 'invalid_request' }),
  ),
  fault(
    'missing-clients-get-codes',
    'Redirects with a code if client_id is missing.',
    ['AUTH-AUTHORIZE-04'],
    redirectAnyway(isMissing, { code: 'for-a-missing-client' }),
  ),

  fault(
    'paths-in-any-case',
    'Ignores case in redirect URIs.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString((requested, known) => requested.toLowerCase() === known.toLowerCase()),
  ),
  fault(
    'slashes-at-the-end-are-ignored',
    'Ignores a slash at the end of redirect URIs.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString(
      (requested, known) => requested.replace(/\/$/, '') === known.replace(/\/$/, ''),
    ),
  ),
  fault(
    'ports-are-ignored',
    'Ignores the port of redirect URIs on every host.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar(
      (requested, known) =>
        requested.protocol === known.protocol &&
        requested.hostname === known.hostname &&
        requested.pathname + requested.search === known.pathname + known.search,
    ),
  ),
  fault(
    'addresses-of-all-clients',
    'Accepts redirect URIs that another client registered.',
    ['AUTH-AUTHORIZE-05'],
    replaceRules((_rules, hit) => {
      const known = new Set<string>()
      return {
        oauth: {
          mayRegisterRedirectUri(uri, choices) {
            const isAllowed = defaultRules.mayRegisterRedirectUri(uri, choices)
            if (isAllowed) known.add(uri)
            return isAllowed
          },
          isRegisteredRedirectUri(requested, registered) {
            if (defaultRules.isRegisteredRedirectUri(requested, registered)) return true
            const isAccepted = known.has(requested)
            if (isAccepted) hit()
            return isAccepted
          },
        },
      }
    }),
  ),
  fault(
    'several-addresses-are-not-compared',
    'Accepts every redirect URI of a client that registered several.',
    ['AUTH-AUTHORIZE-05'],
    replaceRules({
      oauth: {
        isRegisteredRedirectUri: (requested, registered) =>
          registered.length > 1 || defaultRules.isRegisteredRedirectUri(requested, registered),
      },
    }),
  ),
  fault(
    'any-address-is-accepted',
    'Redirects to any redirect URI.',
    ['AUTH-AUTHORIZE-05'],
    replaceRules({ oauth: { isRegisteredRedirectUri: () => true } }),
  ),
  fault(
    'unregistered-addresses-get-errors',
    'Redirects with an error to redirect URIs that are not registered.',
    ['AUTH-AUTHORIZE-05'],
    redirectAnyway(({ parameters }) => /attacker/.test(parameters?.get('redirect_uri') ?? ''), {
      error: 'invalid_request',
    }),
  ),
  fault(
    'unregistered-addresses-are-ignored',
    'Redirects to the registered URI if an unregistered URI is requested.',
    ['AUTH-AUTHORIZE-05'],
    onHttpRequest((request, _, hit) => {
      const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
      if (pathOf(request) !== '/authorize' || !/attacker/.test(query.get('redirect_uri') ?? ''))
        return
      hit()
      query.delete('redirect_uri')
      request.url = `/authorize?${query}`
    }),
  ),
  fault(
    'addresses-match-by-prefix',
    'Accepts redirect URIs that start with a registered one.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString((requested, known) => requested.startsWith(known)),
  ),
  fault(
    'paths-match-by-prefix',
    'Accepts any path below a registered one.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString((requested, known) =>
      withoutQuery(requested).startsWith(`${withoutQuery(known)}/`),
    ),
  ),
  fault(
    'queries-are-not-compared',
    'Compares redirect URIs without their queries.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString((requested, known) => withoutQuery(requested) === withoutQuery(known)),
  ),
  fault(
    'origins-are-compared',
    'Compares only the origins of redirect URIs.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar((requested, known) => requested.origin === known.origin),
  ),
  fault(
    'apps-are-compared-by-host',
    'Compares only the hosts of loopback redirect URIs.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar(
      (requested, known) =>
        known.hostname === '127.0.0.1' &&
        requested.hostname === known.hostname &&
        requested.protocol === 'http:',
    ),
  ),
  fault(
    'paths-are-compared',
    'Compares only the paths of redirect URIs.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar((requested, known) => requested.pathname === known.pathname),
  ),
  fault(
    'schemes-are-not-compared',
    'Compares redirect URIs without their schemes.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar(
      (requested, known) =>
        requested.host === known.host &&
        requested.pathname === known.pathname &&
        requested.search === known.search,
    ),
  ),
  fault(
    'hosts-match-subdomains',
    'Accepts subdomains of a registered host.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar(
      (requested, known) =>
        requested.host.endsWith(`.${known.host}`) && requested.pathname === known.pathname,
    ),
  ),
  fault(
    'hosts-match-by-prefix',
    'Accepts hosts that start with a registered one.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilar(
      (requested, known) =>
        requested.host.startsWith(`${known.hostname}.`) && requested.pathname === known.pathname,
    ),
  ),
  fault(
    'user-information-is-the-host',
    'Treats the user information of a URI as its host.',
    ['AUTH-AUTHORIZE-05'],
    acceptSimilarString(
      (requested, known) => requested.includes('@') && requested.startsWith(new URL(known).origin),
    ),
  ),

  fault(
    'unknown-clients-are-200',
    'Returns 200 for an unknown client.',
    ['AUTH-AUTHORIZE-06'],
    withStatus(200, isUnknown),
  ),
  fault(
    'unregistered-addresses-are-500',
    'Returns 500 for redirect URIs that are not registered.',
    ['AUTH-AUTHORIZE-06'],
    withStatus(500, (request) => !isUnknown(request) && !isMissing(request)),
  ),

  fault(
    'first-of-several-addresses-is-used',
    'Redirects to the first of several registered URIs if redirect_uri is missing.',
    ['AUTH-AUTHORIZE-07'],
    replaceRules({ oauth: { mayOmitRedirectUri: () => true } }),
  ),
  fault(
    'first-of-several-addresses-gets-an-error',
    'Redirects with an error to the first of several registered URIs if redirect_uri is missing.',
    ['AUTH-AUTHORIZE-07'],
    (hit) => {
      const addresses = new Map<string, string>()
      return onReply((reply, { parameters }, endpoint) => {
        const { client_id: id, redirect_uris: [first, ...others] = [] } = (
          endpoint === 'register' ? reply.body : {}
        ) as { client_id?: string; redirect_uris?: string[] }
        if (id !== undefined && first !== undefined && others.length > 0) addresses.set(id, first)
        const known = addresses.get(parameters?.get('client_id') ?? '')
        return endpoint === 'authorize' && reply.status === 400 && known !== undefined
          ? { status: 302, headers: { Location: `${known}?error=invalid_request` } }
          : undefined
      })(hit)
    },
  ),
]

import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import {
  asProvider,
  onHttpRequest,
  fault,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import {
  combine,
  withParameter,
  type Request,
  onClientRedirect,
  onCodeRedirect,
  onDenialRedirect,
  onAuthorizeRedirect,
} from './building.ts'
import { unsafeRedirects } from './unsafe-redirects.ts'

/** The port of the redirect URIs of all clients in the proof. */
const registeredPort = '8123'
const isOtherLoopbackPort = ({ hostname, port }: URL): boolean =>
  ['127.0.0.1', '[::1]'].includes(hostname) && port !== registeredPort

const parameterOf = ({ parameters }: Request, name: string): string | undefined =>
  parameters?.get(name)
const withoutChallenge = (request: Request): boolean =>
  parameterOf(request, 'code_challenge') === undefined
const wantsToken = (request: Request): boolean => parameterOf(request, 'response_type') === 'token'
const lacksType = (request: Request): boolean => parameterOf(request, 'response_type') === undefined

/**
 * Accepts requests without a challenge if `test` accepts their method; the default method is plain.
 */
const acceptWithoutChallenge = (test: (method: string) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      pkceProblem: (challenge, method, client, choices) =>
        challenge === undefined && test(method)
          ? undefined
          : defaultRules.pkceProblem(challenge, method, client, choices),
    },
  })

/**
 * Changes the query of authorization requests before the server reads it, unless `change` returns
 * undefined.
 */
const changeQuery = (
  change: (query: URLSearchParams) => URLSearchParams | undefined,
): MakeAuthDeviation =>
  onHttpRequest((request, _, hit) => {
    if (pathOf(request) !== '/authorize') return
    const [path, query = ''] = (request.url ?? '').split('?')
    const changed = change(new URLSearchParams(query))
    if (changed === undefined) return
    hit()
    request.url = `${path}?${changed}`
  })

const withQueryParameter = (
  query: URLSearchParams,
  name: string,
  value: string,
): URLSearchParams => {
  const changed = new URLSearchParams(query)
  changed.set(name, value)
  return changed
}

/** Replaces an error with an access token in the fragment. */
const asAccessToken = (url: URL): string =>
  `${url.origin}${url.pathname}#${new URLSearchParams({ access_token: 'unknown-to-the-server', token_type: 'Bearer', state: url.searchParams.get('state') ?? '' })}`

const inFragment = (url: URL): string => `${url.origin}${url.pathname}#${url.searchParams}`

const keepParameters = (url: URL, isKept: (name: string) => boolean): URL => {
  const changed = new URL(url)
  for (const name of url.searchParams.keys()) if (!isKept(name)) changed.searchParams.delete(name)
  return changed
}
const responseParameters = new Set(['code', 'state', 'iss', 'error', 'error_description'])

/** Redirects with 307 after the consent form, if `test` accepts the URL of the redirect. */
const redirectWith307 = (test: (url: URL) => boolean): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    const { Location = '' } = reply.headers ?? {}
    return endpoint === 'consent' && URL.canParse(Location) && test(new URL(Location))
      ? { ...reply, status: 307 }
      : undefined
  })

const redirects: readonly AuthFault[] = [
  fault(
    'codes-are-missing',
    'Redirects back without a code.',
    ['AUTH-AUTHORIZE-01'],
    onCodeRedirect((url) => withParameter(url, 'code', undefined)),
  ),
  fault(
    'codes-are-in-fragments',
    'Returns codes in the fragment.',
    ['AUTH-AUTHORIZE-01'],
    onCodeRedirect(inFragment),
  ),
  fault(
    'users-are-not-redirected',
    'Shows a page instead of redirecting back with a code.',
    ['AUTH-AUTHORIZE-01'],
    onReply((reply) => {
      const { Location = '' } = reply.headers ?? {}
      return /[?&]code=/.test(Location)
        ? {
            status: 200,
            headers: { 'Content-Type': 'text/html' },
            body: Buffer.from('<!doctype html><title>Done</title><p>You can close this page.'),
          }
        : undefined
    }),
  ),

  fault(
    'states-are-lost',
    'Returns codes without the state.',
    ['AUTH-AUTHORIZE-02'],
    onCodeRedirect((url) => withParameter(url, 'state', undefined)),
  ),
  fault(
    'states-are-cut',
    'Truncates states to 100 characters.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({ oauth: { stateOf: ({ state }) => state?.slice(0, 100) } }),
  ),
  fault(
    'states-are-decoded-twice',
    'Decodes states twice.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({
      oauth: { stateOf: ({ state }) => state?.replaceAll('+', ' ').replaceAll('%20', ' ') },
    }),
  ),
  fault(
    'states-lose-odd-characters',
    'Removes quotes and angle brackets from states.',
    ['AUTH-AUTHORIZE-02'],
    replaceRules({ oauth: { stateOf: ({ state }) => state?.replace(/["'<>]/g, '') } }),
  ),

  fault(
    'queries-of-addresses-are-lost',
    'Redirects back without the query of the redirect URI.',
    ['AUTH-AUTHORIZE-03'],
    onCodeRedirect((url) =>
      [...url.searchParams.keys()].every((name) => responseParameters.has(name))
        ? undefined
        : keepParameters(url, (name) => responseParameters.has(name)),
    ),
  ),
  fault(
    'queries-of-addresses-are-cut',
    'Drops a query parameter of the redirect URI.',
    ['AUTH-AUTHORIZE-03'],
    onCodeRedirect((url) =>
      url.searchParams.has('from') ? withParameter(url, 'from', undefined) : undefined,
    ),
  ),

  fault(
    'missing-state-is-undefined',
    'Returns the word undefined as the state if there is none.',
    ['AUTH-AUTHORIZE-02'],
    onCodeRedirect((url) =>
      url.searchParams.has('state') ? undefined : withParameter(url, 'state', 'undefined'),
    ),
  ),
  fault(
    'codes-work-only-with-the-registered-port',
    'Refuses to exchange a code if the redirect URI has another port than the registered one.',
    ['AUTH-AUTHORIZE-08'],
    replaceRules({
      oauth: {
        isRedirectUriOfCode: (code, redirectUri) =>
          defaultRules.isRedirectUriOfCode(code, redirectUri) &&
          !(redirectUri !== undefined && isOtherLoopbackPort(new URL(redirectUri))),
      },
    }),
  ),
  fault(
    'ports-of-apps-are-compared',
    'Compares ports even in loopback redirect URIs.',
    ['AUTH-AUTHORIZE-08'],
    replaceRules({
      oauth: { isRegisteredRedirectUri: (given, registered) => registered.includes(given) },
    }),
  ),
  fault(
    'ports-of-ipv6-apps-are-compared',
    'Compares ports in redirect URIs on the loopback address of IPv6.',
    ['AUTH-AUTHORIZE-08'],
    replaceRules({
      oauth: {
        isRegisteredRedirectUri: (given, registered) =>
          given.startsWith('http://[::1]')
            ? registered.includes(given)
            : defaultRules.isRegisteredRedirectUri(given, registered),
      },
    }),
  ),
  fault(
    'other-ports-are-ignored',
    'Redirects to the registered port, even if another port was requested.',
    ['AUTH-AUTHORIZE-08'],
    onCodeRedirect((url) => {
      if (!isOtherLoopbackPort(url)) return undefined
      const changed = new URL(url)
      changed.port = registeredPort
      return changed
    }),
  ),
  fault(
    'other-ports-get-no-code',
    'Redirects with an error to a loopback redirect URI whose port is not registered.',
    ['AUTH-AUTHORIZE-08'],
    onCodeRedirect((url) =>
      isOtherLoopbackPort(url)
        ? withParameter(withParameter(url, 'code', undefined), 'error', 'access_denied')
        : undefined,
    ),
  ),

  fault(
    'codes-without-an-issuer',
    'Announces iss in its metadata and returns codes without it.',
    ['AUTH-AUTHORIZE-13'],
    onCodeRedirect((url) => withParameter(url, 'iss', undefined)),
  ),
  fault(
    'issuers-with-a-slash',
    'Appends a slash to iss.',
    ['AUTH-AUTHORIZE-13'],
    onClientRedirect((url) => withParameter(url, 'iss', `${url.searchParams.get('iss')}/`)),
  ),
  fault(
    'errors-without-an-issuer',
    'Announces iss in its metadata and returns errors without it.',
    ['AUTH-AUTHORIZE-13'],
    onAuthorizeRedirect(
      () => true,
      (url) => withParameter(url, 'iss', undefined),
    ),
  ),
  fault(
    'denials-without-an-issuer',
    'Announces iss in its metadata and returns denials without it.',
    ['AUTH-AUTHORIZE-13'],
    onDenialRedirect((url) => withParameter(url, 'iss', undefined)),
  ),

  fault(
    'approvals-redirect-with-307',
    'Redirects with 307 after an approval on a form that contains a password.',
    ['AUTH-AUTHORIZE-14'],
    asProvider(redirectWith307((url) => url.searchParams.has('code'))),
  ),
  fault(
    'denials-redirect-with-307',
    'Redirects with 307 after a denial.',
    ['AUTH-AUTHORIZE-14'],
    redirectWith307((url) => url.searchParams.has('error')),
  ),
]

const errors: readonly AuthFault[] = [
  fault(
    'pkce-is-optional',
    'Requires no PKCE, even from public clients.',
    ['AUTH-AUTHORIZE-09'],
    acceptWithoutChallenge(() => true),
  ),
  fault(
    'pkce-is-optional-without-a-method',
    'Requires a challenge only if a method other than plain is given.',
    ['AUTH-AUTHORIZE-09'],
    acceptWithoutChallenge((method) => method === 'plain'),
  ),
  fault(
    'pkce-may-be-empty',
    'Accepts an empty challenge.',
    ['AUTH-AUTHORIZE-09'],
    combine(
      changeQuery((query) =>
        query.get('code_challenge') === ''
          ? withQueryParameter(query, 'code_challenge_method', 'none')
          : undefined,
      ),
      acceptWithoutChallenge((method) => method === 'none'),
    ),
  ),
  fault(
    'method-without-a-challenge-is-accepted',
    'Accepts the method S256 without a challenge.',
    ['AUTH-AUTHORIZE-09'],
    acceptWithoutChallenge((method) => method === 'S256'),
  ),

  fault(
    'implicit-grant-works',
    'Returns an access token for response_type=token.',
    ['AUTH-AUTHORIZE-10'],
    onAuthorizeRedirect(wantsToken, asAccessToken),
  ),
  fault(
    'implicit-grant-returns-a-code',
    'Returns a code for any response_type.',
    ['AUTH-AUTHORIZE-10'],
    replaceRules({ oauth: { isResponseType: () => true } }),
  ),
  fault(
    'missing-type-returns-a-token',
    'Returns an access token if response_type is missing.',
    ['AUTH-AUTHORIZE-10'],
    onAuthorizeRedirect(lacksType, asAccessToken),
  ),
  fault(
    'missing-type-returns-a-code',
    'Returns a code if response_type is missing.',
    ['AUTH-AUTHORIZE-10'],
    changeQuery((query) =>
      query.has('response_type') ? undefined : withQueryParameter(query, 'response_type', 'code'),
    ),
  ),

  fault(
    'errors-of-pkce-lose-the-state',
    'Reports a missing challenge without the state.',
    ['AUTH-AUTHORIZE-11'],
    onAuthorizeRedirect(withoutChallenge, (url) => withParameter(url, 'state', undefined)),
  ),
  fault(
    'errors-of-tokens-lose-the-state',
    'Reports response_type=token as an error without the state.',
    ['AUTH-AUTHORIZE-11'],
    onAuthorizeRedirect(wantsToken, (url) => withParameter(url, 'state', undefined)),
  ),
  fault(
    'errors-of-types-change-the-state',
    'Reports a missing response_type with a changed state.',
    ['AUTH-AUTHORIZE-11'],
    onAuthorizeRedirect(lacksType, (url) => withParameter(url, 'state', 'lost')),
  ),

  fault(
    'missing-pkce-with-an-unregistered-error',
    'Reports a missing challenge as pkce_required.',
    ['AUTH-AUTHORIZE-12'],
    onAuthorizeRedirect(withoutChallenge, (url) => withParameter(url, 'error', 'pkce_required')),
  ),
  fault(
    'implicit-grant-with-an-unregistered-error',
    'Reports response_type=token as implicit_disabled.',
    ['AUTH-AUTHORIZE-12'],
    onAuthorizeRedirect(wantsToken, (url) => withParameter(url, 'error', 'implicit_disabled')),
  ),
  fault(
    'missing-type-is-a-server-error',
    'Reports a missing response_type as server_error.',
    ['AUTH-AUTHORIZE-12'],
    onAuthorizeRedirect(lacksType, (url) => withParameter(url, 'error', 'server_error')),
  ),
]

/** Faults of the authorization endpoint. */
export const authorization: readonly AuthFault[] = [...redirects, ...unsafeRedirects, ...errors]

import { emptyAnswer, withHeaders } from './http.ts'
import type { Answer } from './http.ts'
import type { Client, OAuthEnv } from './oauth-env.ts'
import { escapeHtml, htmlPage } from './oauth-pages.ts'

/** The redirect URI to use, or undefined when the requested one is not acceptable. */
export function chooseRedirect(
  env: OAuthEnv,
  client: Client,
  requested: string | undefined,
): string | undefined {
  const { on } = env
  if (requested === undefined) {
    const only = client.redirectUris.length === 1 || on('redirect-missing-takes-first')
    return only ? client.redirectUris[0] : undefined
  }
  if (client.anyRedirect) return requested
  if (on('redirect-two-uris-unchecked') && client.redirectUris.length > 1) return requested
  const candidates = on('redirect-of-other-client')
    ? [...env.OAUTH_KV.clients.values()].flatMap((other) => other.redirectUris)
    : client.redirectUris
  return candidates.some((registered) => matches(env, registered, requested))
    ? requested
    : undefined
}

function matches(env: OAuthEnv, registered: string, requested: string): boolean {
  const { on } = env
  if (registered === requested) return true
  if (sameExceptPort(env, registered, requested)) return true
  if (on('redirect-start-accepted') && requested.startsWith(registered)) return true
  if (on('redirect-path-ignored') && originOf(registered) === originOf(requested)) return true
  if (on('redirect-query-ignored') && requested.startsWith(`${registered}?`)) return true
  if (on('redirect-case-ignored') && registered.toLowerCase() === requested.toLowerCase())
    return true
  return (
    on('loopback-path-ignored') &&
    isLoopback(requested) &&
    isLoopback(registered) &&
    new URL(requested).hostname === new URL(registered).hostname
  )
}

/** Native clients listen on a free port, so the port of a loopback URI may differ. */
function sameExceptPort(env: OAuthEnv, registered: string, requested: string): boolean {
  if (env.on('loopback-port-fixed')) return false
  const hosts = env.on('localhost-any-port')
    ? /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?((?:[/?].*)?)$/
    : /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d+)?((?:[/?].*)?)$/
  const [first, second] = [hosts.exec(registered), hosts.exec(requested)]
  return first !== null && second !== null && first[1] === second[1] && first[2] === second[2]
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined
}

export function isLoopback(uri: string): boolean {
  return URL.canParse(uri) && ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(uri).hostname)
}

export interface ResponseTarget {
  readonly redirectUri: string
  readonly state: string | undefined
}

/** The redirect that carries an authorization response to the client. */
export function redirectToClient(
  env: OAuthEnv,
  target: ResponseTarget,
  fields: Readonly<Record<string, string>>,
  inFragment = false,
): Answer {
  const { on } = env
  const all = new URLSearchParams(fields)
  const state = responseState(env, target.state, 'error' in fields)
  if (state !== undefined) all.set('state', state)
  if (!on('no-iss-parameter') && !on('iss-promised-not-sent')) {
    all.set('iss', on('iss-wrong') ? `${env.origin}/as` : env.origin)
  }
  const encoded = on('percent-encoded-redirects')
    ? all.toString().replaceAll('+', '%20')
    : all.toString()
  let base = target.redirectUri
  if (on('redirect-query-dropped')) base = base.replace(/\?.*$/, '')
  const joint = inFragment || on('code-in-fragment') ? '#' : base.includes('?') ? '&' : '?'
  const location = `${base}${joint}${encoded}`
  return on('redirect-by-page') ? redirectingPage(env, location) : redirectTo(env, location)
}

/** A redirect without a redirect status (RFC 6749 section 1.7 leaves the method open). */
function redirectingPage(env: OAuthEnv, location: string): Answer {
  const target = escapeHtml(location)
  const page = htmlPage(env, 200, 'Going on', `<p><a href="${target}">Go on to the client</a></p>`)
  return {
    ...page,
    body: page.body.replace(
      '</head>',
      `<meta http-equiv="refresh" content="0;url=${target}"></head>`,
    ),
  }
}

export function redirectTo(env: OAuthEnv, location: string): Answer {
  return withHeaders(emptyAnswer(env.on('redirect-303') ? 303 : 302), {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  })
}

function responseState(
  env: OAuthEnv,
  state: string | undefined,
  isError: boolean,
): string | undefined {
  const { on } = env
  if (state === undefined || on('state-lost') || (isError && on('state-lost-on-error'))) {
    return undefined
  }
  if (on('state-cut')) return state.slice(0, 64)
  if (on('state-decoded-again')) {
    try {
      return decodeURIComponent(state)
    } catch {
      return state
    }
  }
  return state
}

import type { IncomingMessage } from 'node:http'
import { Refusal, type Reply } from '../http/reply.ts'
import { authorize } from './authorize.ts'
import { decide, deny, signIn } from './decide.ts'
import { OAuthFailure, PageFailure } from './failure.ts'
import { newLimits } from './limits.ts'
import { metadataAt, resourceMetadata, serverMetadata } from './metadata.ts'
import { problemPage } from './page.ts'
import { readParametersOf } from './parameters.ts'
import type { Endpoint, Realm } from './realm.ts'
import { register } from './register.ts'
import { signsInFirst } from './sign-in.ts'
import { introspect, revoke } from './token-status.ts'
import { token } from './token.ts'
import { callback } from './upstream-login.ts'

interface EndpointRoute {
  endpoint: Endpoint
  method: 'GET' | 'POST'
  /** Whether users open this endpoint in a browser; otherwise clients call it. */
  isForBrowsers: boolean
  handle(realm: Realm, request: IncomingMessage): Promise<Reply>
}

/**
 * Returns a function that handles requests to the endpoints. For all other paths, that function
 * returns undefined.
 */
export function newEndpoints(
  realm: Realm,
): (request: IncomingMessage) => Promise<Reply> | undefined {
  const { rules, choices, now } = realm
  const limits = newLimits(rules.requestsPerMinute, 60_000, now)
  const registrationLimits = newLimits(rules.registrationsPerHour, 3_600_000, now)
  const respond = async (request: IncomingMessage, route: EndpointRoute): Promise<Reply> => {
    const { endpoint, method, isForBrowsers } = route
    if (request.method === 'OPTIONS' && !isForBrowsers) return { status: 204, headers: corsHeaders }
    if (
      request.method !== method &&
      !(endpoint === 'consent' && request.method === 'GET' && realm.rules.decidesByLink)
    )
      return { status: 405, headers: { Allow: method } }
    const seconds = limits.secondsToWait(endpoint, request.socket?.remoteAddress ?? '')
    if (seconds > 0) {
      realm.audit.record({ event: 'rate limit', outcome: 'refused', reason: endpoint })
      throw new Refusal(429, 'Too many requests, try again later', seconds)
    }
    if (endpoint === 'register')
      requireFewRegistrations(
        choices.registrationLimitStatus,
        registrationLimits.secondsToWait(endpoint, request.socket?.remoteAddress ?? ''),
      )
    return route.handle(realm, request)
  }
  return (request) => {
    const route = routeOf(realm, (request.url ?? '/').split('?', 1)[0]!)
    if (route === undefined) return undefined
    return respond(request, route)
      .catch((error: unknown) => failureReply(realm, route, error))
      .then((reply) =>
        route.isForBrowsers ? reply : { ...reply, headers: { ...corsHeaders, ...reply.headers } },
      )
      .then(
        (reply) =>
          realm.changeReply?.(route.endpoint, reply, {
            incoming: request,
            parameters: readParametersOf(request),
          }) ?? reply,
      )
  }
}

/** Throws if an address must wait before it registers another client. */
function requireFewRegistrations(status: 429 | 403, seconds: number): void {
  if (seconds === 0) return
  const text = 'Too many registrations, try again later'
  if (status === 429) throw new Refusal(status, text, seconds)
  throw new OAuthFailure('registration-limited', 'access_denied', text, status)
}

/**
 * Allows clients that run in web pages. This is safe because these endpoints do not use cookies.
 */
const corsHeaders: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
}

const fixedRoutes: Readonly<Record<string, EndpointRoute>> = {
  '/authorize': { endpoint: 'authorize', method: 'GET', isForBrowsers: true, handle: authorize },
  '/consent': { endpoint: 'consent', method: 'POST', isForBrowsers: true, handle: decide },
  '/token': { endpoint: 'token', method: 'POST', isForBrowsers: false, handle: token },
  '/register': { endpoint: 'register', method: 'POST', isForBrowsers: false, handle: register },
}

function routeOf(realm: Realm, path: string): EndpointRoute | undefined {
  const { choices, identity } = realm
  const always = fixedRoutes[path]
  if (always !== undefined) return always
  if (path === '/deny' && choices.denial === 'by a link')
    return { endpoint: 'consent', method: 'GET', isForBrowsers: true, handle: deny }
  if (path === '/login' && signsInFirst(realm))
    return { endpoint: 'consent', method: 'POST', isForBrowsers: true, handle: signIn }
  if (path === choices.callbackPath && identity.kind === 'upstream')
    return { endpoint: 'callback', method: 'GET', isForBrowsers: true, handle: callback }
  if (path === '/introspect' && choices.introspection)
    return { endpoint: 'introspect', method: 'POST', isForBrowsers: false, handle: introspect }
  if (path === '/revoke' && choices.revocable)
    return { endpoint: 'revoke', method: 'POST', isForBrowsers: false, handle: revoke }
  const metadata = metadataAt(realm, path)
  if (metadata === undefined) return undefined
  return metadata === 'server'
    ? {
        endpoint: 'server metadata',
        method: 'GET',
        isForBrowsers: false,
        handle: async () => serverMetadata(realm),
      }
    : {
        endpoint: 'resource metadata',
        method: 'GET',
        isForBrowsers: false,
        handle: async () => resourceMetadata(realm, metadata.resource),
      }
}

/**
 * Turns an error into a page or a JSON response. The message of an unexpected error is not
 * revealed.
 */
function failureReply(
  { origin, audit }: Realm,
  { isForBrowsers, endpoint }: EndpointRoute,
  error: unknown,
): Reply {
  const isKnown =
    error instanceof OAuthFailure || error instanceof PageFailure || error instanceof Refusal
  const status = isKnown ? error.status : 500
  const text = isKnown ? error.message : 'Internal server error'
  const retryAfter: Record<string, string> =
    status === 429 && error instanceof Refusal ? { 'Retry-After': String(error.code ?? 60) } : {}
  if (endpoint === 'register')
    audit.record({ event: 'register', outcome: 'refused', reason: codeOf(error) })
  if (isForBrowsers) return withHeaders(problemPage(status, text), retryAfter)
  return {
    status,
    ...(isKnown && !(error instanceof PageFailure) ? { reason: error.reason } : {}),
    headers: {
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...(status === 401 ? { 'WWW-Authenticate': `Basic realm="${origin}"` } : {}),
      ...retryAfter,
    },
    body: { error: codeOf(error), error_description: text },
  }
}

function codeOf(error: unknown): string {
  if (error instanceof OAuthFailure) return error.code
  return error instanceof Refusal
    ? error.status === 429
      ? 'temporarily_unavailable'
      : 'invalid_request'
    : 'server_error'
}

const withHeaders = (reply: Reply, more: Record<string, string>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...more },
})

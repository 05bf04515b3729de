import type { IncomingMessage } from 'node:http'
import { Refusal, type Reply } from '../http/reply.ts'
import { authorize } from './authorize.ts'
import { decide, deny, signIn } from './decide.ts'
import { OAuthFailure, PageFailure } from './failure.ts'
import { newLimits } from './limits.ts'
import { metadataAt, resourceMetadata, serverMetadata } from './metadata.ts'
import { problemPage } from './page.ts'
import { seenOf } from './parameters.ts'
import type { Endpoint, Realm } from './realm.ts'
import { register } from './register.ts'
import { signsInFirst } from './sign-in.ts'
import { introspect, revoke } from './status.ts'
import { token } from './token.ts'
import { callback } from './upstream-login.ts'

interface Way {
  endpoint: Endpoint
  method: 'GET' | 'POST'
  /** Whether people come here by browsers, and not programs. */
  forPeople: boolean
  open(realm: Realm, request: IncomingMessage): Promise<Reply>
}

/** Gives the answer to whatever is at one of the endpoints; undefined for all other paths. */
export function newEndpoints(
  realm: Realm,
): (request: IncomingMessage) => Promise<Reply> | undefined {
  const limits = newLimits(realm.rules.requestsPerMinute, realm.now)
  const answer = async (request: IncomingMessage, way: Way): Promise<Reply> => {
    const { endpoint, method, forPeople } = way
    if (request.method === 'OPTIONS' && !forPeople) return { status: 204, headers: shared }
    if (
      request.method !== method &&
      !(endpoint === 'consent' && request.method === 'GET' && realm.rules.decidesByLink)
    )
      return { status: 405, headers: { Allow: method } }
    const seconds = limits.wait(endpoint, request.socket?.remoteAddress ?? '')
    if (seconds > 0) {
      realm.audit.note({ event: 'rate limit', outcome: 'refused', reason: endpoint })
      throw new Refusal(429, 'Too many requests: wait, and try again', seconds)
    }
    return way.open(realm, request)
  }
  return (request) => {
    const way = wayOf(realm, (request.url ?? '/').split('?', 1)[0]!)
    if (way === undefined) return undefined
    return answer(request, way)
      .catch((error: unknown) => failed(realm, way, error))
      .then((reply) =>
        way.forPeople ? reply : { ...reply, headers: { ...shared, ...reply.headers } },
      )
      .then(
        (reply) =>
          realm.answered?.(way.endpoint, reply, {
            incoming: request,
            parameters: seenOf(request),
          }) ?? reply,
      )
  }
}

/** Clients in web pages may use what programs use: nothing there is done for whoever has a cookie. */
const shared: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
}

const ways: Readonly<Record<string, Way>> = {
  '/authorize': { endpoint: 'authorize', method: 'GET', forPeople: true, open: authorize },
  '/consent': { endpoint: 'consent', method: 'POST', forPeople: true, open: decide },
  '/token': { endpoint: 'token', method: 'POST', forPeople: false, open: token },
  '/register': { endpoint: 'register', method: 'POST', forPeople: false, open: register },
}

function wayOf(realm: Realm, path: string): Way | undefined {
  const { choices, identity } = realm
  const always = ways[path]
  if (always !== undefined) return always
  if (path === '/deny' && choices.denial === 'by a link')
    return { endpoint: 'consent', method: 'GET', forPeople: true, open: deny }
  if (path === '/login' && signsInFirst(realm))
    return { endpoint: 'consent', method: 'POST', forPeople: true, open: signIn }
  if (path === choices.callbackPath && identity.kind === 'upstream')
    return { endpoint: 'callback', method: 'GET', forPeople: true, open: callback }
  if (path === '/introspect' && choices.introspection)
    return { endpoint: 'introspect', method: 'POST', forPeople: false, open: introspect }
  if (path === '/revoke' && choices.revocable)
    return { endpoint: 'revoke', method: 'POST', forPeople: false, open: revoke }
  const metadata = metadataAt(realm, path)
  if (metadata === undefined) return undefined
  return metadata === 'server'
    ? {
        endpoint: 'server metadata',
        method: 'GET',
        forPeople: false,
        open: async () => serverMetadata(realm),
      }
    : {
        endpoint: 'resource metadata',
        method: 'GET',
        forPeople: false,
        open: async () => resourceMetadata(realm, metadata.resource),
      }
}

/** A refusal, as people or as programs read it. Of what nobody foresaw nothing is told. */
function failed({ origin, audit }: Realm, { forPeople, endpoint }: Way, error: unknown): Reply {
  const isKnown =
    error instanceof OAuthFailure || error instanceof PageFailure || error instanceof Refusal
  const status = isKnown ? error.status : 500
  const text = isKnown ? error.message : 'Something went wrong here'
  const wait: Record<string, string> =
    status === 429 && error instanceof Refusal ? { 'Retry-After': String(error.code ?? 60) } : {}
  if (endpoint === 'register')
    audit.note({ event: 'register', outcome: 'refused', reason: codeOf(error) })
  if (forPeople) return withHeaders(problemPage(status, text), wait)
  return {
    status,
    ...(isKnown && !(error instanceof PageFailure) ? { reason: error.reason } : {}),
    headers: {
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...(status === 401 ? { 'WWW-Authenticate': `Basic realm="${origin}"` } : {}),
      ...wait,
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

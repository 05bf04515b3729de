import { emptyAnswer, jsonAnswer, textAnswer, withHeaders, withoutHeader } from './http.ts'
import type { Answer, Exchange, Handler } from './http.ts'
import { isObject, parseJson, textOf } from './json.ts'
import type { JsonObject } from './json.ts'
import { decodePart, JwtVerifier } from './jwt-verify.ts'
import type { JwtFault } from './jwt-verify.ts'
import { anonymous, mcpHandler, rpcFault } from './mcp.ts'
import type { Verdict } from './mcp.ts'
import type { IsOn } from './switches.ts'
import type { User } from './types.ts'

export interface JwtSettings {
  readonly on: IsOn
  readonly origin: string
  readonly secret: string
  readonly issuer: string
  readonly audience: string
}

/** All paths of a server that checks bearer JWTs. */
export function jwtHandler(settings: JwtSettings): Handler {
  const { on, origin } = settings
  const guard = new JwtGuard(settings)
  const mcp = mcpHandler(on, (exchange) => guard.check(exchange))
  const open = mcpHandler(on, () => ({ user: anonymous }))

  return async (exchange) => {
    const answer = await route(exchange)
    return on('lower-case-header-names') ? lowerCaseNames(answer) : answer
  }

  function route(exchange: Exchange): Answer | Promise<Answer> {
    if (exchange.path === '/mcp') return mcp(exchange)
    if (exchange.path === '/mcp/' && on('slash-path-open')) return open(exchange)
    if (
      on('resource-document') &&
      exchange.path.startsWith('/.well-known/oauth-protected-resource')
    ) {
      return jsonAnswer(200, {
        resource: `${origin}/mcp`,
        authorization_servers: [settings.issuer],
        bearer_methods_supported: ['header'],
      })
    }
    if (on('unknown-path-asks-token')) {
      const verdict = guard.check(exchange)
      if ('refusal' in verdict) return verdict.refusal
    }
    return textAnswer(404, 'Not found')
  }
}

function lowerCaseNames(answer: Answer): Answer {
  const entries = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...answer, headers: { 'content-type': 'text/plain', ...Object.fromEntries(entries) } }
}

class JwtGuard {
  readonly #settings: JwtSettings
  readonly #verifier: JwtVerifier
  readonly #trustedConnections = new WeakSet<object>()
  readonly #usedIds = new Set<string>()
  #tokensSeen = 0
  #accepted = false
  #firstUser: User | undefined

  constructor(settings: JwtSettings) {
    this.#settings = settings
    this.#verifier = new JwtVerifier(settings)
  }

  check(exchange: Exchange): Verdict {
    const { on } = this.#settings
    if (this.#openWithoutToken(exchange)) {
      return { user: anonymous }
    }
    const header = exchange.headers.authorization
    if (header === undefined || header === '') {
      const queryToken = exchange.query.get('access_token')
      return on('token-in-query-accepted') && queryToken !== null
        ? this.#checkToken(queryToken, exchange)
        : { refusal: this.#absent() }
    }
    const [scheme = '', token, ...rest] = header.split(/ +/)
    if (on('bare-token-accepted') && token === undefined && scheme.split('.').length === 3) {
      return this.#checkToken(scheme, exchange)
    }
    if (scheme.toLowerCase() !== 'bearer') {
      const isJwt = token?.split('.').length === 3
      if (on('any-scheme-accepted') && isJwt) return this.#checkToken(token, exchange)
      return { refusal: on('other-scheme-403') ? this.#invalid('malformed') : this.#absent() }
    }
    if (token === undefined || token === '') {
      return { refusal: on('empty-bearer-403') ? this.#invalid('malformed') : this.#absent() }
    }
    return rest.length > 0
      ? { refusal: this.#invalid('malformed') }
      : this.#checkToken(token, exchange)
  }

  #openWithoutToken(exchange: Exchange): boolean {
    const { on } = this.#settings
    if (on('connection-remembered') && this.#trustedConnections.has(exchange.connection))
      return true
    if (exchange.headers.authorization !== undefined || exchange.method !== 'POST') return false
    const message = parseJson(exchange.body)
    if (Array.isArray(message)) return on('array-body-open')
    if (!isObject(message)) return false
    const method = message['method']
    return (
      (method === 'initialize' && on('initialize-open')) ||
      (method === 'ping' && on('ping-open')) ||
      (method === 'tools/list' && on('tools-list-open')) ||
      (method === 'tools/list' && on('tools-list-open-after-use') && this.#accepted) ||
      (textOf(method)?.startsWith('notifications/') === true && on('notification-open'))
    )
  }

  #checkToken(token: string, exchange: Exchange): Verdict {
    const { on } = this.#settings
    if (on('null-token-accepted') && (token === 'null' || token === 'undefined')) {
      return { user: anonymous }
    }
    this.#tokensSeen += 1
    if (on('every-fifth-request-unchecked') && this.#tokensSeen % 5 === 0) {
      const claims = parseJson(decodePart(token.split('.')[1] ?? '', 'utf8'))
      return { user: isObject(claims) ? userFrom(claims) : anonymous }
    }
    const outcome = this.#verifier.verify(token)
    if ('fault' in outcome) {
      return { refusal: this.#invalid(outcome.fault) }
    }
    const id = textOf(outcome.claims['jti'])
    if (on('jti-once') && id !== undefined) {
      if (this.#usedIds.has(id)) return { refusal: this.#invalid('claims') }
      this.#usedIds.add(id)
    }
    this.#accepted = true
    this.#trustedConnections.add(exchange.connection)
    const user = userFrom(outcome.claims)
    this.#firstUser ??= user
    return { user: on('first-identity-kept') ? this.#firstUser : user }
  }

  #absent(): Answer {
    const { on, origin } = this.#settings
    if (on('missing-token-redirect')) {
      return withHeaders(emptyAnswer(302), { Location: `${origin}/login` })
    }
    const words = on('refusal-text-other-words')
      ? 'Authentication required (unauthorized)'
      : 'Unauthorized'
    const status = on('no-header-403') ? 403 : 401
    const answer = this.#refusal(status, on('empty-401-text') ? '' : words, 'unauthorized')
    if (on('no-challenge-on-401')) return answer
    const details = on('challenge-with-details') ? ' realm="desk"' : ''
    const document = on('resource-document')
      ? ` resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
      : ''
    return withHeaders(answer, { 'WWW-Authenticate': `Bearer${details}${document}` })
  }

  #invalid(fault: JwtFault): Answer {
    const { on } = this.#settings
    const words = on('refusal-text-other-words') ? 'Not a valid token' : 'Invalid token'
    const text = on('reason-in-text') ? `${words}: ${fault}` : words
    const answer = this.#refusal(
      this.#invalidStatus(fault),
      on('empty-403-text') ? '' : text,
      'invalid_token',
    )
    if (on('no-challenge-on-403')) return withoutHeader(answer, 'WWW-Authenticate')
    const challenge = on('challenge-with-details')
      ? 'Bearer realm="desk", error="invalid_token", error_description="The token failed verification"'
      : 'Bearer error="invalid_token"'
    return withHeaders(answer, { 'WWW-Authenticate': challenge })
  }

  #invalidStatus(fault: JwtFault): number {
    const { on } = this.#settings
    if (on('bad-token-401') || (fault === 'expired' && on('expired-401'))) return 401
    if (fault === 'malformed' && on('malformed-token-400')) return 400
    if (fault === 'not JSON' && on('broken-json-500')) return 500
    return 403
  }

  #refusal(status: number, text: string, code: string): Answer {
    const { on } = this.#settings
    let answer = textAnswer(status, text)
    if (on('refusal-text-json')) answer = jsonAnswer(status, { error: code, message: text })
    if (on('refusal-text-rpc')) answer = rpcFault(status, null, -32001, text)
    if (on('refusal-in-200')) answer = rpcFault(200, null, -32001, text)
    return on('close-after-refusal') ? withHeaders(answer, { Connection: 'close' }) : answer
  }
}

function userFrom(claims: JsonObject): User {
  const login =
    textOf(claims['login']) ?? textOf(claims['preferred_username']) ?? textOf(claims['sub']) ?? ''
  return { login, email: textOf(claims['email']) ?? '' }
}

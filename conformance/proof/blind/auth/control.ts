import { emptyAnswer, jsonAnswer, mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange, Handler } from './http.ts'
import { isObject, parseJson } from './json.ts'
import type { UpstreamClient, User } from './types.ts'
import { randomValue } from './oauth-values.ts'

/** What the caller of a server can set while it runs. */
export class Settings {
  offsetSeconds = 0
  identityUrl: string | null = null

  now(): number {
    return Date.now() + this.offsetSeconds * 1000
  }
}

/** The control paths and the built-in identity provider, on a port of their own. */
export function controlHandler(settings: Settings, identity: BuiltInIdentity): Handler {
  return (exchange) => {
    if (exchange.path.startsWith('/idp/')) return identity.handle(exchange)
    if (exchange.method !== 'POST') return textAnswer(405, 'Method not allowed')
    const body = parseJson(exchange.body)
    if (!isObject(body)) return textAnswer(400, 'The body must be a JSON object')
    if (exchange.path === '/clock' && typeof body['offsetSeconds'] === 'number') {
      settings.offsetSeconds = body['offsetSeconds']
      return emptyAnswer(204)
    }
    if (
      exchange.path === '/identity' &&
      (typeof body['url'] === 'string' || body['url'] === null)
    ) {
      settings.identityUrl = body['url']?.replace(/\/+$/, '') ?? null
      return emptyAnswer(204)
    }
    return textAnswer(400, 'Unknown setting')
  }
}

export interface IdentityUser {
  readonly username: string
  readonly password: string
  readonly user: User
}

/** A small identity provider with one sign-in form. */
export class BuiltInIdentity {
  readonly #client: UpstreamClient
  readonly #account: IdentityUser
  readonly #codes = new Map<string, string>()
  readonly #tokens = new Set<string>()

  constructor(client: UpstreamClient, account: IdentityUser) {
    this.#client = client
    this.#account = account
  }

  handle(exchange: Exchange): Answer {
    switch (`${exchange.method} ${exchange.path}`) {
      case 'GET /idp/authorize':
        return this.#signInPage(exchange.query, '')
      case 'POST /idp/authorize':
        return this.#signIn(exchange)
      case 'POST /idp/token':
        return this.#token(exchange)
      case 'GET /idp/user':
        return this.#user(exchange)
      default:
        return textAnswer(404, 'Not found')
    }
  }

  #signInPage(query: URLSearchParams, problem: string): Answer {
    if (
      query.get('client_id') !== this.#client.clientId ||
      !URL.canParse(query.get('redirect_uri') ?? '')
    ) {
      return textAnswer(400, 'Unknown client')
    }
    const html = [
      '<!doctype html><html lang="en"><head><title>Identity provider</title></head><body>',
      `<h1>Sign in</h1><p>${problem}</p>`,
      // Without an action the form is posted to this URL, so its query is kept.
      '<form method="post">',
      '<label>User <input name="username"></label>',
      '<label>Password <input type="password" name="password"></label>',
      '<button type="submit">Sign in</button></form></body></html>',
    ].join('\n')
    return withHeaders(textAnswer(200, html), {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
    })
  }

  #signIn(exchange: Exchange): Answer {
    const form = new URLSearchParams(exchange.body)
    const { username, password } = this.#account
    if (form.get('username') !== username || form.get('password') !== password) {
      return this.#signInPage(exchange.query, 'The user name or the password is wrong.')
    }
    const code = randomValue()
    const redirectUri = exchange.query.get('redirect_uri') ?? ''
    this.#codes.set(code, redirectUri)
    const target = new URL(redirectUri)
    target.searchParams.set('code', code)
    const state = exchange.query.get('state')
    if (state !== null) target.searchParams.set('state', state)
    return withHeaders(emptyAnswer(302), { Location: target.href })
  }

  #token(exchange: Exchange): Answer {
    if (mediaType(exchange) !== 'application/x-www-form-urlencoded') {
      return jsonAnswer(400, { error: 'invalid_request' })
    }
    const form = new URLSearchParams(exchange.body)
    const basic = /^Basic (.+)$/.exec(exchange.headers.authorization ?? '')?.[1]
    const pair = Buffer.from(basic ?? '', 'base64')
      .toString('utf8')
      .split(':')
    const id = basic === undefined ? form.get('client_id') : decodeURIComponent(pair[0] ?? '')
    const secret =
      basic === undefined ? form.get('client_secret') : decodeURIComponent(pair[1] ?? '')
    if (id !== this.#client.clientId || secret !== this.#client.clientSecret) {
      return jsonAnswer(401, { error: 'invalid_client' })
    }
    const code = form.get('code') ?? ''
    if (this.#codes.get(code) !== form.get('redirect_uri')) {
      return jsonAnswer(400, { error: 'invalid_grant' })
    }
    this.#codes.delete(code)
    const token = randomValue()
    this.#tokens.add(token)
    return jsonAnswer(200, {
      access_token: token,
      token_type: 'Bearer',
      scope: this.#client.scopes.join(' '),
    })
  }

  #user(exchange: Exchange): Answer {
    const token = /^Bearer (\S+)$/.exec(exchange.headers.authorization ?? '')?.[1] ?? ''
    return this.#tokens.has(token)
      ? jsonAnswer(200, { ...this.#account.user, name: 'Ada L.' })
      : jsonAnswer(401, { message: 'Bad credentials' })
  }
}

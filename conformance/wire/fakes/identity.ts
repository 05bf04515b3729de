import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { processClock, type Clock } from '../../engine/index.ts'
import { readRequestBody } from '../receiver/request-body.ts'
import { Listener } from '../receiver/listener.ts'
import { fieldsIn, pathOf, valueOf, withQuery, type Pairs } from './identity/fields.ts'
import {
  newUser,
  type IdentityAuthorization,
  type IdentityTokenRequest,
  type IdentityMode,
  type IdentityUser,
  type IdentityUserRequest,
} from './identity/records.ts'
import { credentialsOf, tokenProblem } from './identity/token.ts'

export interface FakeIdentityProviderOptions {
  /** host:port to listen on; port 0 is any free port. 127.0.0.1:0 by default. */
  listen?: string | undefined
  /**
   * The URL at which the target and the browser reach the provider, if it differs from the address
   * in `listen`.
   */
  publicUrl?: string | undefined
  clock?: Clock | undefined
}

/** How the provider behaves for some authorizations. */
export interface IdentityBehavior {
  /** `approve` by default. */
  mode?: IdentityMode | undefined
  /** The user who signs in; by default, a new user each time. */
  user?: IdentityUser | undefined
}

/** A behavior for the requests of one browser, which sends `headers`. */
export interface IdentityOverride {
  /** Headers that identify the browser at the authorization endpoint. */
  readonly headers: Readonly<Record<string, string>>
  /** The authorization requests with these headers, in order. */
  readonly authorizations: readonly IdentityAuthorization[]
  /** Ends the override: later requests get the default behavior. */
  stop(): void
}

/**
 * How many are kept: `records` of each kind, `links` from one record to records of another kind,
 * `overrides`, and bytes of the `body` of a request.
 */
const limits = { records: 2000, links: 100, overrides: 2000, body: 64 * 1024 }
const overrideHeader = 'x-touchstone-override'
const jsonHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

/**
 * A fake identity provider, at which the users of a target sign in. It returns metadata at paths
 * with `/.well-known/`. It recognizes all other requests by their parameters, at any path:
 *
 * - A GET with a response_type or client_id in the query is an authorization request. It is
 *   redirected at once.
 * - A POST with a grant_type or code is a token request.
 * - A GET with an Authorization header is a request for the user.
 *
 * A token request is linked to its authorization, and a request for the user to its token request.
 * Returns tokens as JSON (RFC 6749, section 5.1), except to clients that ask only for a form.
 */
export class FakeIdentityProvider {
  /** The behavior for authorizations without an override. */
  defaultBehavior: IdentityBehavior = {}
  /** The latest 2000 requests to the authorization endpoint. */
  readonly authorizations: IdentityAuthorization[] = []
  /** Token requests, including those with an unknown code. */
  readonly tokenRequests: IdentityTokenRequest[] = []
  /** Requests for a user, including those with an unknown token. */
  readonly userRequests: IdentityUserRequest[] = []
  /** All other requests, except those for metadata: method and path. */
  readonly otherRequests: string[] = []
  private readonly listener: Listener
  private readonly clock: Clock
  private readonly overrides = new Map<
    string,
    { behavior: IdentityBehavior; authorizations: IdentityAuthorization[] }
  >()
  private readonly codes = new Map<string, IdentityAuthorization>()
  private readonly tokens = new Map<string, IdentityTokenRequest>()
  private count = 0

  private constructor(listener: Listener, clock: Clock) {
    this.listener = listener
    this.clock = clock
    listener.onRequest((request, response) =>
      readRequestBody(request, limits.body, ({ body, isFinished }) => {
        if (isFinished) this.handleRequest(request, body.toString('utf8'), response)
      }),
    )
  }

  /**
   * Starts the server. Throws a readable error for an invalid address or URL, and for a port that
   * is not available.
   */
  static async start({
    listen = '127.0.0.1:0',
    publicUrl,
    clock = processClock,
  }: FakeIdentityProviderOptions = {}): Promise<FakeIdentityProvider> {
    return new FakeIdentityProvider(await Listener.start({ listen, publicUrl, tls: false }), clock)
  }

  /** The URL at which the target and the browser reach the provider, without a trailing slash. */
  get url(): string {
    return this.listener.baseUrl
  }

  /** Whether a URL belongs to this provider. */
  owns(url: URL): boolean {
    return (
      url.href === this.url ||
      url.href.startsWith(`${this.url}/`) ||
      url.href.startsWith(`${this.url}?`)
    )
  }

  /** Returns a new user. */
  newUser(): IdentityUser {
    return newUser((this.count += 1))
  }

  /** Overrides the behavior for one browser. */
  override(behavior: IdentityBehavior): IdentityOverride {
    const key = randomBytes(12).toString('hex')
    const authorizations: IdentityAuthorization[] = []
    this.overrides.set(key, { behavior, authorizations })
    evictOldest(this.overrides, limits.overrides)
    return {
      headers: { [overrideHeader]: key },
      authorizations,
      stop: () => void this.overrides.delete(key),
    }
  }

  /** The latest authorization request with this state; undefined if there was none. */
  findAuthorization(state: string): IdentityAuthorization | undefined {
    return this.authorizations.findLast((one) => one.state === state)
  }

  /** Closes the server and all connections. */
  close(): Promise<void> {
    return this.listener.close()
  }

  private handleRequest(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url = '/', headers } = request
    const { path, query } = pathOf(url)
    const has = (name: string) => valueOf(query, name) !== undefined
    if (method === 'GET' && path.includes('/.well-known/')) return this.sendMetadata(response)
    if (method === 'GET' && (has('response_type') || has('client_id')))
      return this.authorize(query, headers[overrideHeader], response)
    const fields = method === 'POST' ? fieldsIn(body, headers['content-type']) : []
    if (valueOf(fields, 'grant_type') !== undefined || valueOf(fields, 'code') !== undefined)
      return this.sendToken(fields, headers, response)
    if (method === 'GET' && headers.authorization !== undefined)
      return this.sendUser(path, headers.authorization, response)
    append(this.otherRequests, `${method} ${path}`)
    const status = method === 'GET' && /\/(user\w*|emails)$/.test(path) ? 401 : 404
    response
      .writeHead(status, {
        ...jsonHeaders,
        ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      })
      .end(JSON.stringify({ message: status === 401 ? 'Requires authentication' : 'Not Found' }))
  }

  private authorize(
    query: Pairs,
    key: string | string[] | undefined,
    response: ServerResponse,
  ): void {
    const override = typeof key === 'string' ? this.overrides.get(key) : undefined
    const { mode = 'approve', user = this.newUser() } = override?.behavior ?? this.defaultBehavior
    const [state, redirectUri] = [valueOf(query, 'state'), valueOf(query, 'redirect_uri')]
    const code = mode === 'deny' ? undefined : randomBytes(20).toString('hex')
    const one: IdentityAuthorization = {
      query,
      state,
      redirectUri,
      clientId: valueOf(query, 'client_id'),
      mode,
      user,
      code,
      tokenRequests: [],
      at: this.clock.now(),
      headers: { ...response.req.headers },
    }
    append(this.authorizations, one)
    override?.authorizations.push(one)
    const back = withQuery(redirectUri, [
      ...(code === undefined
        ? ([
            ['error', 'access_denied'],
            ['error_description', 'The user has denied access'],
          ] as const)
        : ([['code', code]] as const)),
      ...(state === undefined ? [] : ([['state', state]] as const)),
    ])
    if (back === undefined)
      return void response.writeHead(400, jsonHeaders).end(
        JSON.stringify({
          error: 'invalid_request',
          error_description: 'redirect_uri is missing, or is not a URL',
        }),
      )
    if (code !== undefined) this.codes.set(code, one)
    evictOldest(this.codes, limits.records)
    response.writeHead(302, { Location: back, 'Cache-Control': 'no-store' }).end()
  }

  private sendToken(
    fields: Pairs,
    headers: IncomingMessage['headers'],
    response: ServerResponse,
  ): void {
    const code = valueOf(fields, 'code')
    const authorization = code === undefined ? undefined : this.codes.get(code)
    const { problem, status } = tokenProblem(fields, authorization)
    const token = problem === undefined ? randomBytes(24).toString('hex') : undefined
    const one: IdentityTokenRequest = {
      fields,
      code,
      ...credentialsOf(fields, headers.authorization),
      redirectUri: valueOf(fields, 'redirect_uri'),
      verifier: valueOf(fields, 'code_verifier'),
      authorization,
      token,
      problem,
      userRequests: [],
      at: this.clock.now(),
    }
    append(this.tokenRequests, one)
    if (authorization !== undefined && authorization.tokenRequests.length < limits.links)
      authorization.tokenRequests.push(one)
    if (token !== undefined) this.tokens.set(token, one)
    evictOldest(this.tokens, limits.records)
    const scope = authorization === undefined ? undefined : valueOf(authorization.query, 'scope')
    const answer =
      problem === undefined
        ? {
            access_token: token!,
            token_type: authorization?.mode === 'unknown token type' ? 'touchstone' : 'bearer',
            scope: scope ?? '',
          }
        : { error: problem, error_description: 'No token is issued for this request' }
    if (!/^application\/x-www-form-urlencoded$/i.test(headers.accept ?? ''))
      response.writeHead(status, jsonHeaders).end(JSON.stringify(answer))
    else
      response
        .writeHead(status, {
          'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
          'Cache-Control': 'no-store',
        })
        .end(new URLSearchParams(answer).toString())
  }

  private sendUser(path: string, authorization: string, response: ServerResponse): void {
    const token = /^(?:bearer|token) +(\S+)\s*$/i.exec(authorization)?.[1]
    const exchange = token === undefined ? undefined : this.tokens.get(token)
    const one: IdentityUserRequest = {
      path,
      authorization,
      token,
      tokenRequest: exchange,
      at: this.clock.now(),
    }
    append(this.userRequests, one)
    if (exchange !== undefined && exchange.userRequests.length < limits.links)
      exchange.userRequests.push(one)
    const { mode, user } = exchange?.authorization ?? {}
    if (user === undefined || mode === 'no user')
      return void response
        .writeHead(401, { ...jsonHeaders, 'WWW-Authenticate': 'Bearer' })
        .end(JSON.stringify({ message: 'Bad credentials' }))
    if (mode === 'malformed user')
      return void response.writeHead(200, jsonHeaders).end('<<{"garbage":\u0001')
    const { login, email, name, id } = user
    const body = /\/emails$/.test(path)
      ? [{ email, primary: true, verified: true, visibility: null }]
      : { login, id, email, name, sub: String(id), preferred_username: login, email_verified: true }
    response.writeHead(200, jsonHeaders).end(JSON.stringify(body))
  }

  private sendMetadata(response: ServerResponse): void {
    response.writeHead(200, jsonHeaders).end(
      JSON.stringify({
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        userinfo_endpoint: `${this.url}/user`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        code_challenge_methods_supported: ['S256', 'plain'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      }),
    )
  }
}

/** Appends a record, and drops the oldest if there are too many. */
function append<T>(records: T[], one: T): void {
  records.push(one)
  if (records.length > limits.records) records.shift()
}

/** Drops the oldest entries of a map until `maxEntries` remain. */
function evictOldest(map: Map<string, unknown>, maxEntries: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxEntries) return
    map.delete(key)
  }
}

export type {
  IdentityAuthorization,
  IdentityTokenRequest,
  IdentityMode,
  IdentityUser,
  IdentityUserRequest,
} from './identity/records.ts'

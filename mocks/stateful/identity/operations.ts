import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal, type Reply } from '../http/reply.ts'
import { isSecret } from '../http/secret.ts'
import { OAuthFailure } from '../oauth/failure.ts'
import { cookieOf, formOf, queryOf, type Parameters } from '../oauth/parameters.ts'
import { newSecret } from '../oauth/seal.ts'
import type { ResourceOwner } from '../oauth/records.ts'
import type { NewUser, UserStore } from '../oauth/users.ts'
import { signInPage } from './page.ts'

export interface ResolvedIdentityOptions {
  clientId: string
  clientSecret: string
  redirectUris: readonly string[] | undefined
  consent: 'auto' | 'form'
  users: readonly NewUser[]
  now: () => number
}

/** An authorization request: a server redirected its user here to sign in. */
interface LoginRequest {
  redirectUri: string
  state: string | undefined
  scope: string
  challenge: string | undefined
}

/** The lifetime of codes and pages in milliseconds. */
const lifetimeMs = 600_000
const browserCookieName = 'identity_browser'
/** A header can contain only these characters of a redirect URI (RFC 3986 §2). */
const isUri = /^[!-~]+$/
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?\//

/** Items that expire. Each can be found only by its key, a generated secret. */
class SecretMap<T> {
  private readonly items = new Map<string, { item: T; until: number }>()
  private readonly now: () => number
  constructor(now: () => number) {
    this.now = now
  }

  add(item: T, milliseconds: number): string {
    for (const [secret, { until }] of this.items) if (until <= this.now()) this.items.delete(secret)
    const secret = newSecret()
    this.items.set(secret, { item, until: this.now() + milliseconds })
    return secret
  }

  get(secret: string): T | undefined {
    const found = this.items.get(secret)
    return found === undefined || found.until <= this.now() ? undefined : found.item
  }

  take(secret: string): T | undefined {
    const found = this.get(secret)
    this.items.delete(secret)
    return found
  }
}

/** Handles requests to the identity provider. A thrown `Refusal` is shown on a page. */
export function newOperations(
  options: ResolvedIdentityOptions,
  users: UserStore,
): (request: IncomingMessage) => Promise<Reply> {
  const { clientId, clientSecret, redirectUris, consent, now } = options
  const pages = new SecretMap<LoginRequest & { browser: string }>(now)
  const codes = new SecretMap<LoginRequest & { owner: ResourceOwner }>(now)
  const tokens = new SecretMap<ResourceOwner>(now)

  const validateRequest = (query: Parameters): LoginRequest => {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== clientId)
      throw new Refusal(400, 'No server is registered with this client_id')
    if (
      !isUri.test(redirectUri) ||
      (redirectUris === undefined
        ? !loopback.test(redirectUri)
        : !redirectUris.includes(redirectUri))
    )
      throw new Refusal(400, 'This redirect URI is not allowed')
    return {
      redirectUri,
      state: query.get('state'),
      scope: query.get('scope') ?? '',
      challenge: query.get('code_challenge'),
    }
  }
  const authorize = async (request: IncomingMessage): Promise<Reply> => {
    const query = queryOf(request)
    const loginRequest = validateRequest(query)
    if (query.get('response_type') !== 'code')
      return redirectToServer(loginRequest, { error: 'unsupported_response_type' })
    const [first] = options.users
    if (consent === 'auto' && first !== undefined)
      return redirectToServer(loginRequest, {
        code: codes.add(
          { ...loginRequest, owner: { login: first.login, email: first.email } },
          lifetimeMs,
        ),
      })
    const browser = newSecret()
    return signInPage(pages.add({ ...loginRequest, browser }, lifetimeMs), loginRequest, {
      headers: { 'Set-Cookie': `${browserCookieName}=${browser}; Path=/; HttpOnly; SameSite=Lax` },
    })
  }
  const decide = async (request: IncomingMessage): Promise<Reply> => {
    const form = await formOf(request, { jsonForms: 'refused' })
    const id = form.get('request') ?? ''
    const loginRequest = pages.get(id)
    if (
      loginRequest === undefined ||
      !isSecret(cookieOf(request, browserCookieName), loginRequest.browser)
    )
      throw new Refusal(403, 'This page has expired or was opened in another browser')
    if (form.get('decision') !== 'approve') {
      pages.take(id)
      return redirectToServer(loginRequest, { error: 'access_denied' })
    }
    const owner = await users.authenticate(form.get('login') ?? '', form.get('password') ?? '')
    if (owner === undefined)
      return signInPage(id, loginRequest, {
        problem: 'Login or password is wrong.',
        login: form.get('login'),
      })
    if (pages.take(id) === undefined) throw new Refusal(403, 'This page has already been used')
    return redirectToServer(loginRequest, {
      code: codes.add({ ...loginRequest, owner }, lifetimeMs),
    })
  }
  const token = async (request: IncomingMessage): Promise<Reply> => {
    const form = await formOf(request, { jsonForms: 'refused' })
    if (form.get('client_id') !== clientId || !isSecret(form.get('client_secret'), clientSecret))
      throw new OAuthFailure(
        'client-not-authenticated',
        'invalid_client',
        'client_id or client_secret is wrong',
        401,
      )
    if (form.get('grant_type') !== 'authorization_code')
      throw new OAuthFailure(
        'grant-type-unsupported',
        'unsupported_grant_type',
        'grant_type must be authorization_code',
      )
    const code = codes.take(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (
      code === undefined ||
      form.get('redirect_uri') !== code.redirectUri ||
      (code.challenge !== undefined && proof !== code.challenge)
    )
      throw new OAuthFailure('code-unknown', 'invalid_grant', 'The code is invalid')
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: {
        access_token: tokens.add(code.owner, 8 * 3600_000),
        token_type: 'bearer',
        scope: code.scope,
      },
    }
  }
  const user = async ({ headers: { authorization = '' } }: IncomingMessage): Promise<Reply> => {
    const found = tokens.get(/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
    return found === undefined
      ? {
          status: 401,
          headers: { 'WWW-Authenticate': 'Bearer' },
          body: { message: 'A token is required' },
        }
      : { status: 200, body: found }
  }
  const routes: Readonly<Record<string, (request: IncomingMessage) => Promise<Reply>>> = {
    'GET /authorize': authorize,
    'POST /consent': decide,
    'POST /token': token,
    'GET /user': user,
  }
  return async (request) => {
    const handler = routes[`${request.method ?? ''} ${(request.url ?? '/').split('?', 1)[0]}`]
    if (handler === undefined) throw new Refusal(404, 'Not found')
    return handler(request).catch((error: unknown) => {
      if (error instanceof OAuthFailure)
        return {
          status: error.status,
          body: { error: error.code, error_description: error.message },
        }
      throw error
    })
  }
}

function redirectToServer(
  { redirectUri, state }: LoginRequest,
  parameters: Record<string, string>,
): Reply {
  const query = new URLSearchParams({ ...parameters, ...(state === undefined ? {} : { state }) })
  return {
    status: 302,
    headers: {
      Location: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`,
      'Cache-Control': 'no-store',
    },
  }
}

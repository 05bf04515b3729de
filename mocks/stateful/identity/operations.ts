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

/** What a server asked for whose user signs in here. */
interface Asked {
  redirectUri: string
  state: string | undefined
  scope: string
  challenge: string | undefined
}

/** For how long a code and a page are good, in milliseconds. */
const shortMs = 600_000
const cookie = 'identity_browser'
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?\//

/** What is kept under secrets, each until it has ended. */
class Kept<T> {
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

/** Answers every request to the identity provider. A `Refusal` that it throws is told on a page. */
export function newOperations(
  options: ResolvedIdentityOptions,
  users: UserStore,
): (request: IncomingMessage) => Promise<Reply> {
  const { clientId, clientSecret, redirectUris, consent, now } = options
  const pages = new Kept<Asked & { browser: string }>(now)
  const codes = new Kept<Asked & { subject: ResourceOwner }>(now)
  const tokens = new Kept<ResourceOwner>(now)

  const asked = (query: Parameters): Asked => {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== clientId) throw new Refusal(400, 'This server is not known here')
    if (
      redirectUris === undefined ? !loopback.test(redirectUri) : !redirectUris.includes(redirectUri)
    )
      throw new Refusal(400, 'Nobody may be sent to that address')
    return {
      redirectUri,
      state: query.get('state'),
      scope: query.get('scope') ?? '',
      challenge: query.get('code_challenge'),
    }
  }
  const authorize = async (request: IncomingMessage): Promise<Reply> => {
    const query = queryOf(request)
    const wanted = asked(query)
    if (query.get('response_type') !== 'code')
      return back(wanted, { error: 'unsupported_response_type' })
    const [first] = options.users
    if (consent === 'auto' && first !== undefined)
      return back(wanted, {
        code: codes.add(
          { ...wanted, subject: { login: first.login, email: first.email } },
          shortMs,
        ),
      })
    const browser = newSecret()
    return signInPage(pages.add({ ...wanted, browser }, shortMs), wanted, {
      headers: { 'Set-Cookie': `${cookie}=${browser}; Path=/; HttpOnly; SameSite=Lax` },
    })
  }
  const decide = async (request: IncomingMessage): Promise<Reply> => {
    const form = await formOf(request, { jsonForms: 'refused' })
    const id = form.get('request') ?? ''
    const wanted = pages.get(id)
    if (wanted === undefined || !isSecret(cookieOf(request, cookie), wanted.browser))
      throw new Refusal(403, 'This page has ended, or was shown in another browser')
    if (form.get('decision') !== 'approve') {
      pages.take(id)
      return back(wanted, { error: 'access_denied' })
    }
    const subject = await users.find(form.get('login') ?? '', form.get('password') ?? '')
    if (subject === undefined)
      return signInPage(id, wanted, {
        problem: 'Login or password is wrong.',
        login: form.get('login'),
      })
    if (pages.take(id) === undefined) throw new Refusal(403, 'This page was used')
    return back(wanted, { code: codes.add({ ...wanted, subject }, shortMs) })
  }
  const token = async (request: IncomingMessage): Promise<Reply> => {
    const form = await formOf(request, { jsonForms: 'refused' })
    if (form.get('client_id') !== clientId || !isSecret(form.get('client_secret'), clientSecret))
      throw new OAuthFailure(
        'client-not-authenticated',
        'invalid_client',
        'The server is not known',
        401,
      )
    if (form.get('grant_type') !== 'authorization_code')
      throw new OAuthFailure(
        'grant-type-unsupported',
        'unsupported_grant_type',
        'grant_type has to be authorization_code',
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
      throw new OAuthFailure('code-unknown', 'invalid_grant', 'The code does not fit')
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: {
        access_token: tokens.add(code.subject, 8 * 3600_000),
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
          body: { message: 'A token is needed' },
        }
      : { status: 200, body: found }
  }
  const ways: Readonly<Record<string, (request: IncomingMessage) => Promise<Reply>>> = {
    'GET /authorize': authorize,
    'POST /consent': decide,
    'POST /token': token,
    'GET /user': user,
  }
  return async (request) => {
    const way = ways[`${request.method ?? ''} ${(request.url ?? '/').split('?', 1)[0]}`]
    if (way === undefined) throw new Refusal(404, 'There is nothing here')
    return way(request).catch((error: unknown) => {
      if (error instanceof OAuthFailure)
        return {
          status: error.status,
          body: { error: error.code, error_description: error.message },
        }
      throw error
    })
  }
}

function back({ redirectUri, state }: Asked, told: Record<string, string>): Reply {
  const query = new URLSearchParams({ ...told, ...(state === undefined ? {} : { state }) })
  return {
    status: 302,
    headers: {
      Location: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`,
      'Cache-Control': 'no-store',
    },
  }
}

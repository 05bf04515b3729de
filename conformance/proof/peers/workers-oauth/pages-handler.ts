import type { AuthRequest, OAuthHelpers } from '@cloudflare/workers-oauth-provider'
import { problemPage } from '../oidc-provider/pages.ts'
import { signIn } from '../oidc-provider/users.ts'
import { consentPage } from './consent-page.ts'
import type { IdentityClient, SignedIn } from './identity.ts'
import { loadLibrary } from './library.ts'

interface Environment {
  OAUTH_PROVIDER: OAuthHelpers
}

/**
 * Serves the pages around the authorization endpoint, as the package documents them. Without an
 * identity provider, users sign in on the page itself.
 */
export class PagesHandler {
  private readonly identity: IdentityClient | undefined

  constructor(identity: IdentityClient | undefined) {
    this.identity = identity
  }

  async fetch(request: Request, { OAUTH_PROVIDER: oauth }: Environment): Promise<Response> {
    const { AuthorizationError } = await loadLibrary()
    try {
      return await this.handle(request, oauth)
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error
      return error.redirectTo === undefined
        ? htmlResponse(400, problemPage(error.description))
        : new Response(null, { status: 302, headers: { location: error.redirectTo } })
    }
  }

  private async handle(request: Request, oauth: OAuthHelpers): Promise<Response> {
    const { pathname } = new URL(request.url)
    const { method } = request
    if (this.identity !== undefined && pathname === '/callback' && method === 'GET')
      return await this.finishUpstream(request, oauth, this.identity)
    if (this.identity !== undefined && pathname === '/identity' && method === 'POST') {
      this.identity.url = ((await request.json()) as { url: string | null }).url ?? ''
      return new Response(null, { status: 204 })
    }
    if (pathname !== '/authorize') return new Response(null, { status: 404 })
    if (method === 'POST') return await this.decide(request, oauth)
    if (method === 'GET')
      return await this.showConsent(await oauth.parseAuthRequest(request), oauth)
    return new Response(null, { status: 405, headers: { allow: 'GET, POST' } })
  }

  private async showConsent(
    authorization: AuthRequest,
    oauth: OAuthHelpers,
    problem?: string,
  ): Promise<Response> {
    const description = await oauth.describeConsent(authorization)
    const { handle, headers } = await oauth.beginConsent(authorization)
    const html = consentPage(description, {
      handle,
      signsIn: this.identity === undefined,
      ...(problem === undefined ? {} : { problem }),
    })
    return htmlResponse(problem === undefined ? 200 : 403, html, headers)
  }

  private async decide(request: Request, oauth: OAuthHelpers): Promise<Response> {
    const form = await request.formData()
    const handle = String(form.get('handle'))
    if (form.get('decision') !== 'approve') {
      const { headers } = await oauth.denyConsent(request, handle)
      return new Response(null, { status: 302, headers })
    }
    const approved = await oauth.approveConsent(request, handle)
    if (this.identity !== undefined) {
      const verifier = this.identity.newVerifier()
      const options = { data: { verifier }, headers: approved.headers }
      const { state, headers } = await oauth.beginUpstream(approved.request, options)
      headers.set('location', this.identity.authorizationUrl(state, verifier))
      return new Response(null, { status: 302, headers })
    }
    const user = signIn(String(form.get('login')), String(form.get('password')))
    if (user === undefined)
      return await this.showConsent(approved.request, oauth, 'Login or password is wrong.')
    return await complete(oauth, approved.request, { ...user, accessToken: '' }, approved.headers)
  }

  private async finishUpstream(
    request: Request,
    oauth: OAuthHelpers,
    identity: IdentityClient,
  ): Promise<Response> {
    const { authorizationErrorRedirect } = await loadLibrary()
    const result = await oauth.finishUpstream<{ verifier: string }>(request)
    const fail = (error: 'access_denied' | 'server_error'): Response => {
      result.headers.set('location', authorizationErrorRedirect(result.request, error))
      return new Response(null, { status: 302, headers: result.headers })
    }
    const query = new URL(request.url).searchParams
    if (query.has('error')) return fail('access_denied')
    const user = await identity
      .signIn(query.get('code') ?? '', result.data.verifier)
      .catch(() => undefined)
    return user === undefined
      ? fail('server_error')
      : await complete(oauth, result.request, user, result.headers)
  }
}

/** Issues a code for the user, and redirects to the client. */
async function complete(
  oauth: OAuthHelpers,
  request: AuthRequest,
  { id, login, email, accessToken }: SignedIn,
  headers: Headers,
): Promise<Response> {
  const { redirectTo } = await oauth.completeAuthorization({
    request,
    userId: id,
    metadata: {},
    scope: request.scope,
    props: { id, login, email, accessToken },
  })
  headers.set('location', redirectTo)
  return new Response(null, { status: 302, headers })
}

function htmlResponse(status: number, html: string, headers = new Headers()): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(html, { status, headers })
}

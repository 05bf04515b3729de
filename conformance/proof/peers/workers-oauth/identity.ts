import { createHash, randomBytes } from 'node:crypto'
import type { Profile } from '../oidc-provider/users.ts'

/** The registration of this server at the upstream identity provider. */
export const identityClient = {
  clientId: 'shelf',
  clientSecret: randomBytes(24).toString('base64url'),
  scopes: ['read:user', 'user:email'],
}

export interface SignedIn extends Profile {
  id: string
  accessToken: string
}

/** The upstream identity provider. The suite replaces it. */
export class IdentityClient {
  /** The base URL of /authorize, /token and /user. */
  url = ''
  private readonly redirectUri: string

  constructor(origin: string) {
    this.redirectUri = `${origin}/callback`
  }

  newVerifier(): string {
    return randomBytes(32).toString('base64url')
  }

  authorizationUrl(state: string, verifier: string): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: identityClient.clientId,
      redirect_uri: this.redirectUri,
      scope: identityClient.scopes.join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return `${this.url}/authorize?${query}`
  }

  /** Exchanges a code for a token, and reads the user. Throws if the provider refuses. */
  async signIn(code: string, verifier: string): Promise<SignedIn> {
    const token = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: this.redirectUri,
        client_id: identityClient.clientId,
        client_secret: identityClient.clientSecret,
        code_verifier: verifier,
      }),
    })
    const { access_token: accessToken } = (await readJson(token)) as { access_token?: unknown }
    if (typeof accessToken !== 'string') throw new Error('the response contains no token')
    const user = await fetch(`${this.url}/user`, {
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    })
    const { id, login, email } = (await readJson(user)) as Record<string, unknown>
    return { id: String(id), login: String(login), email: String(email), accessToken }
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the identity provider returned status ${response.status}`)
  return await response.json()
}

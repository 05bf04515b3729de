import { isObject, jsonOf } from '../http/body.ts'
import type { Subject } from './records.ts'

/** Where an upstream identity provider is, and who this server is there. */
export interface UpstreamOptions {
  /** Where users sign in. */
  authorizeUrl: string
  /** Where their codes become access tokens. */
  tokenUrl: string
  /** What tells who they are, to whoever has such a token: JSON with `login` and `email`. */
  userUrl: string
  clientId: string
  clientSecret: string
  /** What is asked for there: the least that is needed. */
  scopes: readonly string[]
  /** Turns an access token into what tools are told of its user, in place of a request to `userUrl`. */
  context?: (accessToken: string) => Promise<Omit<Subject, 'accessToken'>>
}

export interface Upstream {
  readonly authorizeUrl: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The user for whom a code was given. What the provider refuses, or answers wrongly, rejects without telling any secret. */
  userOf(code: string, verifier: string, redirectUri: string): Promise<Subject>
}

/** For how long the provider may be silent, in milliseconds. */
const patienceMs = 30_000

export function newUpstream({ authorizeUrl, tokenUrl, userUrl, clientId, clientSecret, scopes, context }: UpstreamOptions): Upstream {
  const ask = async (url: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patienceMs), headers: { accept: 'application/json', ...init.headers } })
    const value = jsonOf(new Uint8Array(await response.arrayBuffer()))?.value
    if (!response.ok || !isObject(value)) throw new Error(`the identity provider answered ${response.status}`)
    return value
  }
  const asked = async (accessToken: string): Promise<Omit<Subject, 'accessToken'>> => {
    const { login, email } = await ask(userUrl, { headers: { authorization: `Bearer ${accessToken}` } })
    if (typeof login !== 'string' || login === '') throw new Error('the identity provider told no login')
    return { login, ...(typeof email === 'string' ? { email } : {}) }
  }
  return {
    authorizeUrl, clientId, scopes,
    async userOf(code, verifier, redirectUri) {
      const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, client_id: clientId, client_secret: clientSecret })
      // Some providers tell what went wrong with 200.
      const { access_token: accessToken } = await ask(tokenUrl, { method: 'POST', body })
      if (typeof accessToken !== 'string' || accessToken === '') throw new Error('the identity provider gave no token')
      return { ...await (context ?? asked)(accessToken), accessToken }
    },
  }
}

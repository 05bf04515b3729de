import { isObject, jsonOf } from '../http/body.ts'
import type { OAuthChoices } from './choices.ts'
import type { ResourceOwner } from './records.ts'
import type { OAuthRules } from './rules.ts'

/**
 * The endpoints of an upstream identity provider, and the credentials of this server at that
 * provider.
 */
export interface UpstreamProviderOptions {
  /** The endpoint where users sign in. */
  authorizeUrl: string
  /** The endpoint that exchanges codes for access tokens. */
  tokenUrl: string
  /** The endpoint that returns the user of an access token: JSON with `login` and `email`. */
  userUrl: string
  clientId: string
  clientSecret: string
  /** The requested scopes. They should contain only what the server needs. */
  scopes: readonly string[]
  /** Returns the user of an access token. If set, no request is sent to `userUrl`. */
  context?: (accessToken: string) => Promise<Omit<ResourceOwner, 'accessToken'>>
}

/** What is needed to exchange a code for an access token. */
export interface CodeExchange {
  code: string
  /** Undefined without PKCE. */
  verifier: string | undefined
  redirectUri: string
  choices: Pick<OAuthChoices, 'upstreamSecret' | 'upstreamResponses' | 'upstreamEmail'>
  rules: Pick<OAuthRules, 'upstreamTokenFields' | 'upstreamTokenHeaders' | 'isUpstreamTokenType'>
}

export interface UpstreamProvider {
  readonly authorizeUrl: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /**
   * Returns the user of a code. Rejects if the provider refuses or responds incorrectly; the error
   * contains no secret.
   */
  userOf(exchange: CodeExchange): Promise<ResourceOwner>
}

/**
 * Why the identity provider returned no user: the status of its response, or what is wrong with its
 * response.
 */
export type UpstreamReason =
  number | 'no-token' | 'unknown-token-type' | 'no-login' | 'not-an-object'

/** Thrown if the identity provider returns no user. */
export class UpstreamLoginFailure extends Error {
  readonly reason: UpstreamReason
  constructor(reason: UpstreamReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The timeout of requests to the provider in milliseconds. */
const timeoutMs = 30_000

export function newUpstream({
  authorizeUrl,
  tokenUrl,
  userUrl,
  clientId,
  clientSecret,
  scopes,
  context,
}: UpstreamProviderOptions): UpstreamProvider {
  const fetchBytes = async (url: string, init: RequestInit): Promise<Buffer> => {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok)
      throw new UpstreamLoginFailure(
        response.status,
        `the identity provider returned status ${response.status}`,
      )
    return bytes
  }
  const tokenOf = async ({
    code,
    verifier,
    redirectUri,
    choices,
    rules,
  }: CodeExchange): Promise<string> => {
    const fields = rules.upstreamTokenFields({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
      client_id: clientId,
      client_secret: clientSecret,
    })
    const { client_id: id = '', client_secret: secret = '', ...others } = fields
    const inHeader = choices.upstreamSecret === 'in the header'
    const isJson = choices.upstreamResponses === 'json'
    const bytes = await fetchBytes(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams(inHeader ? others : fields),
      headers: rules.upstreamTokenHeaders(
        {
          accept: isJson ? 'application/json' : 'application/x-www-form-urlencoded',
          ...(inHeader ? { authorization: basicOf(id, secret) } : {}),
        },
        fields,
      ),
    })
    const { access_token: token, token_type: type } = isJson
      ? objectIn(bytes)
      : (Object.fromEntries(new URLSearchParams(bytes.toString('utf8'))) as Record<string, unknown>)
    // Some providers report errors with status 200.
    if (typeof token !== 'string' || token === '')
      throw new UpstreamLoginFailure('no-token', 'the identity provider returned no token')
    if (!rules.isUpstreamTokenType(type))
      throw new UpstreamLoginFailure(
        'unknown-token-type',
        'the identity provider returned a token of an unknown type',
      )
    return token
  }
  const fetchUser = async (
    accessToken: string,
    { choices }: CodeExchange,
  ): Promise<Omit<ResourceOwner, 'accessToken'>> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
    const { login, email } = objectIn(await fetchBytes(userUrl, { headers }))
    if (typeof login !== 'string' || login === '')
      throw new UpstreamLoginFailure('no-login', 'the identity provider returned no login')
    const receivedEmail =
      choices.upstreamEmail === 'separately'
        ? primaryIn(await fetchBytes(`${userUrl}/emails`, { headers }))
        : email
    return { login, ...(typeof receivedEmail === 'string' ? { email: receivedEmail } : {}) }
  }
  return {
    authorizeUrl,
    clientId,
    scopes,
    async userOf(exchange) {
      const accessToken = await tokenOf(exchange)
      return {
        ...(await (context === undefined
          ? fetchUser(accessToken, exchange)
          : context(accessToken))),
        accessToken,
      }
    },
  }
}

/** The Authorization header of a client: its id and its secret, form-encoded (RFC 6749 §2.3.1). */
export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

function objectIn(bytes: Buffer): Record<string, unknown> {
  const value = jsonOf(bytes)?.value
  if (!isObject(value))
    throw new UpstreamLoginFailure(
      'not-an-object',
      'the identity provider did not return a JSON object',
    )
  return value
}

/** The primary email address of a list, or else the first one. */
function primaryIn(bytes: Buffer): unknown {
  const list = jsonOf(bytes)?.value
  const all = Array.isArray(list) ? list.filter(isObject) : []
  return (all.find(({ primary }) => primary === true) ?? all[0])?.['email']
}

import { isObject, jsonOf } from '../http/body.ts'
import type { OAuthChoices } from './choices.ts'
import type { ResourceOwner } from './records.ts'
import type { OAuthRules } from './rules.ts'

/** Where an upstream identity provider is, and who this server is there. */
export interface UpstreamProviderOptions {
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
  context?: (accessToken: string) => Promise<Omit<ResourceOwner, 'accessToken'>>
}

/** What a code is exchanged with, and how. */
export interface Exchange {
  code: string
  /** Undefined where the code was asked for without PKCE. */
  verifier: string | undefined
  redirectUri: string
  choices: Pick<OAuthChoices, 'upstreamSecret' | 'upstreamAnswers' | 'upstreamEmail'>
  rules: Pick<OAuthRules, 'broughtUpstream'>
}

export interface UpstreamProvider {
  readonly authorizeUrl: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The user for whom a code was given. What the provider refuses, or answers wrongly, rejects without telling any secret. */
  userOf(exchange: Exchange): Promise<ResourceOwner>
}

/** Why the identity provider named no user: it refused with a status, or its answer lacks what it should have. */
export type UpstreamReason = number | 'no-token' | 'no-login' | 'not-an-object'

/** Thrown where an answer of the identity provider names no user. */
export class UpstreamLoginFailure extends Error {
  readonly reason: UpstreamReason
  constructor(reason: UpstreamReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** For how long the provider may be silent, in milliseconds. */
const patienceMs = 30_000

export function newUpstream({
  authorizeUrl,
  tokenUrl,
  userUrl,
  clientId,
  clientSecret,
  scopes,
  context,
}: UpstreamProviderOptions): UpstreamProvider {
  const answerTo = async (url: string, init: RequestInit): Promise<Buffer> => {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok)
      throw new UpstreamLoginFailure(
        response.status,
        `the identity provider answered ${response.status}`,
      )
    return bytes
  }
  const tokenOf = async ({
    code,
    verifier,
    redirectUri,
    choices,
    rules,
  }: Exchange): Promise<string> => {
    const fields = rules.broughtUpstream({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
      client_id: clientId,
      client_secret: clientSecret,
    })
    const { client_id: id = '', client_secret: secret = '', ...others } = fields
    const inHeader = choices.upstreamSecret === 'in the header'
    const isJson = choices.upstreamAnswers === 'json'
    const bytes = await answerTo(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams(inHeader ? others : fields),
      headers: {
        ...(isJson ? { accept: 'application/json' } : {}),
        ...(inHeader
          ? {
              authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
            }
          : {}),
      },
    })
    const token = isJson
      ? objectIn(bytes)['access_token']
      : new URLSearchParams(bytes.toString('utf8')).get('access_token')
    // Some providers tell what went wrong with 200.
    if (typeof token !== 'string' || token === '')
      throw new UpstreamLoginFailure('no-token', 'the identity provider gave no token')
    return token
  }
  const asked = async (
    accessToken: string,
    { choices }: Exchange,
  ): Promise<Omit<ResourceOwner, 'accessToken'>> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
    const { login, email } = objectIn(await answerTo(userUrl, { headers }))
    if (typeof login !== 'string' || login === '')
      throw new UpstreamLoginFailure('no-login', 'the identity provider told no login')
    const told =
      choices.upstreamEmail === 'apart'
        ? primaryIn(await answerTo(`${userUrl}/emails`, { headers }))
        : email
    return { login, ...(typeof told === 'string' ? { email: told } : {}) }
  }
  return {
    authorizeUrl,
    clientId,
    scopes,
    async userOf(exchange) {
      const accessToken = await tokenOf(exchange)
      return {
        ...(await (context === undefined ? asked(accessToken, exchange) : context(accessToken))),
        accessToken,
      }
    },
  }
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  const value = jsonOf(bytes)?.value
  if (!isObject(value))
    throw new UpstreamLoginFailure('not-an-object', 'the identity provider answered no JSON object')
  return value
}

/** The address that a list of them names as the first. */
function primaryIn(bytes: Buffer): unknown {
  const list = jsonOf(bytes)?.value
  const all = Array.isArray(list) ? list.filter(isObject) : []
  return (all.find(({ primary }) => primary === true) ?? all[0])?.['email']
}

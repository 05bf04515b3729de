/** What the pattern jwt leaves open. The first value is the default. */
export interface JwtChoices {
  /** The accepted algorithms, all symmetric. */
  algorithms: readonly ('HS256' | 'HS384' | 'HS512')[]
  /** The tolerated difference between the clocks of issuer and server, in seconds. */
  leewaySeconds: number
  /** Whether a token must contain `exp`. */
  expiry: 'required' | 'optional'
  /** Whether a token with `iat` in the future is accepted. */
  futureIssue: 'accepted' | 'refused'
  /** Whether the scheme is case-insensitive, as in HTTP, or must be `Bearer`. */
  scheme: 'any case' | 'Bearer'
  /** The status for an Authorization header with another scheme or without a token. */
  otherScheme: 401 | 403
  /** The body of refusals: plain text or JSON. */
  refusals: 'text' | 'json'
  /** Whether a 401 contains WWW-Authenticate. */
  challenges: true | false
}

export const defaultJwtChoices: Readonly<JwtChoices> = Object.freeze<JwtChoices>({
  algorithms: ['HS256'],
  leewaySeconds: 0,
  expiry: 'required',
  futureIssue: 'accepted',
  scheme: 'any case',
  otherScheme: 401,
  refusals: 'text',
  challenges: true,
})

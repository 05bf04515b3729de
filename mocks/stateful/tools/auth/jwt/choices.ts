/** What pattern 2 leaves open. The value named first is the default. */
export interface JwtChoices {
  /** The algorithms that are taken; none of them has a public key. */
  algorithms: readonly ('HS256' | 'HS384' | 'HS512')[]
  /** How far the clocks of whoever signs and of this server may be apart, in seconds. */
  leewaySeconds: number
  /** Whether a token has to say when it ends. */
  expiry: 'required' | 'optional'
  /** What becomes of a token that was issued later than now. */
  futureIssue: 'taken' | 'refused'
  /** Whether the scheme of the header is known in every case, as HTTP has it, or only as `Bearer`. */
  scheme: 'any case' | 'Bearer'
  /** The status for a header of another scheme, and for one without a token. */
  otherScheme: 401 | 403
  /** How refusals are written: a text, or a text in JSON. */
  refusals: 'text' | 'json'
  /** Whether 401 comes with WWW-Authenticate. */
  challenges: true | false
}

export const defaultJwtChoices: Readonly<JwtChoices> = Object.freeze<JwtChoices>({
  algorithms: ['HS256'],
  leewaySeconds: 0,
  expiry: 'required',
  futureIssue: 'taken',
  scheme: 'any case',
  otherScheme: 401,
  refusals: 'text',
  challenges: true,
})

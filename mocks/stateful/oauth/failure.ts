/** Every reason for which the authorization endpoints refuse a request of a client. */
export type OAuthReason =
  | 'auth-method-unsupported'
  | 'body-not-form'
  | 'body-not-object'
  | 'client-authenticates-twice'
  | 'client-not-authenticated'
  | 'client-public'
  | 'code-expired'
  | 'code-missing'
  | 'code-unknown'
  | 'code-used'
  | 'grant-ended'
  | 'grant-type-missing'
  | 'grant-type-unregistered'
  | 'grant-type-unsupported'
  | 'grant-types-unsupported'
  | 'metadata-not-a-string'
  | 'parameter-repeated'
  | 'pkce-missing-or-weak'
  | 'redirect-uri-mismatch'
  | 'redirect-uri-missing'
  | 'redirect-uri-unacceptable'
  | 'redirect-uris-missing'
  | 'refresh-token-expired'
  | 'refresh-token-missing'
  | 'refresh-token-unknown'
  | 'refresh-token-used'
  | 'registration-closed'
  | 'registration-limited'
  | 'resource-not-granted'
  | 'resource-unknown'
  | 'response-type-missing'
  | 'response-type-unsupported'
  | 'response-types-unsupported'
  | 'scope-missing'
  | 'scope-too-wide'
  | 'scope-unknown'
  | 'token-missing'
  | 'token-of-another-client'
  | 'two-clients'
  | 'verifier-mismatch'

/**
 * Thrown to refuse an OAuth request. The code is a standard OAuth error; the description is for
 * developers and contains no secret.
 */
export class OAuthFailure extends Error {
  readonly reason: OAuthReason
  readonly code: string
  readonly status: number
  constructor(reason: OAuthReason, code: string, description: string, status = 400) {
    super(description)
    this.reason = reason
    this.code = code
    this.status = status
  }
}

/** Thrown if the user cannot be redirected to the client. A page then shows the problem. */
export class PageFailure extends Error {
  readonly status: number
  constructor(description: string, status = 400) {
    super(description)
    this.status = status
  }
}

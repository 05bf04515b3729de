/** What OAuth 2.1 and the RFCs beside it leave open. The value named first is the default. */
export interface Choices {
  // Registration
  /** Whether a client that asks for none gets a secret: as RFC 7591 has it, or never. */
  secrets: 'unless declined' | 'on request'

  // Authorization
  /** Whether a request may go without redirect_uri where the client has registered a single one. */
  omittedRedirect: 'taken' | 'refused'
  /** What becomes of scopes that nobody knows. */
  unknownScopes: 'dropped' | 'refused'
  plainPkce: 'refused' | 'taken'
  /** Whether clients that can prove who they are need PKCE as well. */
  confidentialPkce: 'required' | 'optional'
  /** Whether answers tell the issuer, as RFC 9207 has it. */
  tellsIssuer: true | false
  redirectStatus: 303 | 302
  /** The status of the page for a client or an address that is not known. */
  strangerStatus: 400 | 401 | 403 | 404 | 422
  /** Whether an allowed client has to ask again. */
  remembersConsent: false | true

  // Tokens
  refreshTokens: true | false
  /** What an old refresh token brings about: the end of all tokens of its grant, a refusal, or a new token. */
  oldRefreshTokens: 'end the grant' | 'are refused' | 'work on'
  tokenType: 'Bearer' | 'bearer'
  tellsExpiry: true | false
  /** Whether the scope is told always, or only where it is not the one that was asked for. */
  tellsScope: 'always' | 'where it differs'
  /** The status for a client that is not known, where it did not use Basic. */
  strangerClientStatus: 401 | 400
  jsonForms: 'refused' | 'taken'
  /** Whether revoking an access token ends its grant too. */
  revocation: 'of one token' | 'of the grant'

  // Metadata
  serverMetadata: true | false
  resourceMetadata: true | false
  introspection: true | false
  revocable: true | false

  // The identity provider behind pattern 3
  /** Where the server shows its secret there. */
  upstreamSecret: 'in the body' | 'in the header'
  upstreamPkce: true | false
  /** What a return from there is known by: a state, or the browser alone, for which PKCE has to be used. */
  upstreamState: 'sent' | 'none'
  /** What parts scopes there. */
  upstreamScopes: 'spaces' | 'commas'
  /** How the token is answered there: as JSON that is asked for, or as a form. */
  upstreamAnswers: 'json' | 'form'
  /** Whether the email is asked for apart from the user. */
  upstreamEmail: 'with the user' | 'apart'
  /** Where users come back to from there. */
  callbackPath: `/${string}`
}

export const defaultChoices: Readonly<Choices> = Object.freeze<Choices>({
  secrets: 'unless declined',
  omittedRedirect: 'taken', unknownScopes: 'dropped', plainPkce: 'refused', confidentialPkce: 'required', tellsIssuer: true, redirectStatus: 303, strangerStatus: 400,
  remembersConsent: false,
  refreshTokens: true, oldRefreshTokens: 'end the grant', tokenType: 'Bearer', tellsExpiry: true, tellsScope: 'always', strangerClientStatus: 401, jsonForms: 'refused',
  revocation: 'of one token',
  serverMetadata: true, resourceMetadata: true, introspection: true, revocable: true,
  upstreamSecret: 'in the body', upstreamPkce: true, upstreamState: 'sent', upstreamScopes: 'spaces', upstreamAnswers: 'json', upstreamEmail: 'with the user', callbackPath: '/callback',
})

/** What OAuth 2.1 and the RFCs beside it leave open. The value named first is the default. */
export interface OAuthChoices {
  // Registration
  /** Whether a client that asks for none gets a secret: as RFC 7591 has it, or never. */
  secrets: 'unless declined' | 'on request'
  /** Whether addresses with http may be registered that are not on the loopback interface. */
  plainRedirects: 'refused' | 'taken'
  /** Whether addresses with a fragment may be registered. */
  fragments: 'refused' | 'taken'
  /** What becomes of a bad address beside good ones. */
  badRedirects: 'refused' | 'left out'
  /** What a registration without addresses is refused as. */
  missingRedirects: 'invalid_redirect_uri' | 'invalid_client_metadata'
  /**
   * What a client may do that does not say what it wants to: all there is, or what RFC 7591 has.
   */
  unnamedGrants: 'all' | 'code alone'

  // Authorization
  /** Whether a request may go without redirect_uri where the client has registered a single one. */
  omittedRedirect: 'taken' | 'refused'
  /** What becomes of scopes that nobody knows. */
  unknownScopes: 'dropped' | 'refused'
  /** What becomes of a request that names no scope. */
  unnamedScopes: 'all' | 'refused'
  plainPkce: 'refused' | 'taken'
  /** Whether clients that can prove who they are need PKCE as well. */
  confidentialPkce: 'required' | 'optional'
  /** Whether answers tell the issuer, as RFC 9207 has it. */
  tellsIssuer: true | false
  redirectStatus: 303 | 302
  /** How users are sent back: by a redirect, or by a page that leads on. */
  returns: 'by a redirect' | 'by a page'
  /** Whether an address is written anew when somebody is sent there. */
  writtenAnew: false | true
  /** Who is told that a request is wrong, where its client and its address are known. */
  requestErrors: 'the client' | 'the user'
  /** Where a client is told that it may not ask for a token. */
  implicitErrors: 'in the query' | 'in the fragment'
  /**
   * What becomes of parameters that come twice at /authorize, but for the client and the address.
   */
  doubled: 'refused' | 'taken'
  /** The status of the page for a client or an address that is not known. */
  strangerStatus: 400 | 401 | 403 | 404 | 422 | 200
  /** Whether an allowed client has to ask again. */
  remembersConsent: false | true
  /**
   * Where users of a server's own sign in: on the page that asks them, or before anything else is
   * looked at.
   */
  signIn: 'where they decide' | 'before all else'
  /**
   * Whether browsers are told apart. Where not, users of a server's own sign in each time, which
   * nobody else can do for them.
   */
  browserCookies: true | false
  /** How one denies. */
  denial: 'by a button' | 'by a link'
  /** Whether the page that asks tells scopes by their names too, or in words alone. */
  namesScopes: true | false
  /** By what the page tells the client. */
  namesClients: 'by name and id' | 'by name' | 'by id'
  /** How the page tells the address. */
  namesRedirects: 'in full' | 'by host'

  // Tokens
  refreshTokens: true | false
  /**
   * What an old refresh token brings about: the end of all tokens of its grant, a refusal, or a new
   * token.
   */
  oldRefreshTokens: 'end the grant' | 'are refused' | 'work on'
  tokenType: 'Bearer' | 'bearer'
  tellsExpiry: true | false
  /** Whether the scope is told always, or only where it is not the one that was asked for. */
  tellsScope: 'always' | 'where it differs'
  /** The status for a client that is not known, where it did not use Basic. */
  strangerClientStatus: 401 | 400
  /** What a request is called that names no grant. */
  missingGrant: 'invalid_request' | 'unsupported_grant_type'
  jsonForms: 'refused' | 'taken'
  /**
   * Whether clients with a secret may show it in the Authorization header; they may in the body
   * always.
   */
  basic: 'taken' | 'refused'
  /** What becomes of a code that came with a wrong verifier. */
  wrongVerifier: 'leaves the code' | 'ends the code'
  /** What becomes of the tokens of a code that comes again. */
  usedCodes: 'end the grant' | 'are refused'
  /**
   * Whether a redirect URI at the token endpoint has to be that of the code where it is given, has
   * to be given besides, or is passed over as OAuth 2.1 has it.
   */
  tokenRedirect: 'compared' | 'required' | 'ignored'
  /** What becomes of what a user allowed a client formerly when the user allows it again. */
  formerGrants: 'stay' | 'end'
  /** Whether each use of a refresh token replaces it. */
  rotation: 'each time' | 'never'
  /** What becomes of scopes beyond those that were allowed, when a token is refreshed. */
  widerScopes: 'refused' | 'dropped'
  /** How access tokens look. */
  tokenForm: 'opaque' | 'like a JWT'
  /** Whether revoking an access token ends its grant too. */
  revocation: 'of one token' | 'of the grant'

  // Metadata
  serverMetadata: true | false
  /** Where the server's metadata are: at the place of RFC 8414, of OpenID Connect, or at both. */
  serverMetadataAt: 'oauth' | 'openid' | 'both'
  /** Whether the issuer ends with a slash. */
  issuerSlash: false | true
  resourceMetadata: true | false
  /**
   * Of which addresses there are metadata of a resource: of all, of the transports' own, or of the
   * origin.
   */
  resourceMetadataAt: 'all' | 'paths' | 'origin'
  introspection: true | false
  revocable: true | false

  // The identity provider behind pattern 3
  /** Where the server shows its secret there. */
  upstreamSecret: 'in the body' | 'in the header'
  upstreamPkce: true | false
  /**
   * What a return from there is known by: a state, or the browser alone, for which PKCE has to be
   * used.
   */
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

export const defaultChoices: Readonly<OAuthChoices> = Object.freeze<OAuthChoices>({
  secrets: 'unless declined',
  plainRedirects: 'refused',
  fragments: 'refused',
  badRedirects: 'refused',
  missingRedirects: 'invalid_redirect_uri',
  unnamedGrants: 'all',
  omittedRedirect: 'taken',
  unknownScopes: 'dropped',
  plainPkce: 'refused',
  confidentialPkce: 'required',
  tellsIssuer: true,
  redirectStatus: 303,
  strangerStatus: 400,
  unnamedScopes: 'all',
  returns: 'by a redirect',
  writtenAnew: false,
  requestErrors: 'the client',
  implicitErrors: 'in the query',
  doubled: 'refused',
  remembersConsent: false,
  signIn: 'where they decide',
  browserCookies: true,
  denial: 'by a button',
  namesScopes: true,
  namesClients: 'by name and id',
  namesRedirects: 'in full',
  refreshTokens: true,
  oldRefreshTokens: 'end the grant',
  tokenType: 'Bearer',
  tellsExpiry: true,
  tellsScope: 'always',
  strangerClientStatus: 401,
  jsonForms: 'refused',
  missingGrant: 'invalid_request',
  basic: 'taken',
  wrongVerifier: 'leaves the code',
  usedCodes: 'end the grant',
  tokenRedirect: 'compared',
  formerGrants: 'stay',
  rotation: 'each time',
  widerScopes: 'refused',
  tokenForm: 'opaque',
  revocation: 'of one token',
  serverMetadata: true,
  serverMetadataAt: 'oauth',
  issuerSlash: false,
  resourceMetadata: true,
  resourceMetadataAt: 'all',
  introspection: true,
  revocable: true,
  upstreamSecret: 'in the body',
  upstreamPkce: true,
  upstreamState: 'sent',
  upstreamScopes: 'spaces',
  upstreamAnswers: 'json',
  upstreamEmail: 'with the user',
  callbackPath: '/callback',
})

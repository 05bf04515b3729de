/** What OAuth 2.1 and its related RFCs leave open. The first value is the default. */
export interface OAuthChoices {
  // Registration
  /**
   * Whether a client that does not request a token_endpoint_auth_method gets a secret, as in RFC
   * 7591, or no secret.
   */
  secrets: 'unless declined' | 'on request'
  /** Whether http redirect URIs outside the loopback interface may be registered. */
  plainRedirects: 'refused' | 'accepted'
  /** Whether redirect URIs with a fragment may be registered. */
  fragments: 'refused' | 'accepted'
  /** Whether a registration with one invalid redirect URI is refused, or the URI is omitted. */
  invalidRedirects: 'refused' | 'omitted'
  /** Whether public clients that register the same metadata are one client. */
  sameMetadata: 'new clients' | 'one client'
  /** The error code for a registration without redirect URIs. */
  missingRedirects: 'invalid_redirect_uri' | 'invalid_client_metadata'
  /** The default grant types of a client: all, or only authorization_code, as in RFC 7591. */
  defaultGrants: 'all' | 'code only'

  /** The status for registrations beyond the limit. */
  registrationLimitStatus: 429 | 403

  // Authorization
  /** Whether redirect_uri may be omitted if the client has registered only one. */
  omittedRedirect: 'accepted' | 'refused'
  /** The treatment of unknown scopes. */
  unknownScopes: 'dropped' | 'refused'
  /** The treatment of a request without a scope. */
  missingScope: 'all' | 'refused'
  plainPkce: 'refused' | 'accepted'
  /** Whether confidential clients also need PKCE. */
  confidentialPkce: 'required' | 'optional'
  /** Whether authorization responses contain the issuer (RFC 9207). */
  includesIssuer: true | false
  redirectStatus: 303 | 302
  /** How users return to the client: by a redirect, or by a page that redirects. */
  redirectMethod: 'by a redirect' | 'by a page'
  /** Whether redirect URIs are normalised in redirects. */
  normalisesRedirect: false | true
  /** Who sees errors of a request with a valid client and redirect URI. */
  requestErrors: 'the client' | 'the user'
  /** Where errors of implicit requests are returned. */
  implicitErrors: 'in the query' | 'in the fragment'
  /** The treatment of repeated parameters at /authorize, except client_id and redirect_uri. */
  repeatedParameters: 'refused' | 'accepted'
  /** The status of the page for an unknown client or redirect URI. */
  unknownClientStatus: 400 | 401 | 403 | 404 | 422 | 200
  /** Whether consent is remembered. */
  remembersConsent: false | true
  /**
   * Where users sign in if the server has its own users: on the consent page, or before the request
   * is validated.
   */
  signIn: 'on the consent page' | 'before the request'
  /**
   * Whether browsers are identified by a cookie. Without a cookie, users of the server sign in each
   * time.
   */
  browserCookies: true | false
  /** How users deny consent. */
  denial: 'by a button' | 'by a link'
  /** Whether the consent page shows the names of scopes too, or only their descriptions. */
  showsScopeNames: true | false
  /** How the consent page names the client. */
  clientLabel: 'by name and id' | 'by name' | 'by id'
  /** How the consent page shows the redirect URI. */
  redirectLabel: 'in full' | 'by host'

  // Tokens
  refreshTokens: true | false
  /**
   * The response to an old refresh token: it ends its grant, is refused, is refused once a newer
   * one was used, or still works.
   */
  oldRefreshTokens: 'end the grant' | 'are refused' | 'stay valid for retries' | 'stay valid'
  tokenType: 'Bearer' | 'bearer'
  includesExpiry: true | false
  /** Whether responses always contain the scope, or only if it differs from the requested scope. */
  includesScope: 'always' | 'if different'
  /** The status for an unauthenticated client that did not use Basic. */
  clientFailureStatus: 401 | 400
  /** The error code for a request without grant_type. */
  missingGrantError: 'invalid_request' | 'unsupported_grant_type'
  jsonForms: 'refused' | 'accepted'
  /**
   * Whether clients may send their secret in the Authorization header; they may always send it in
   * the body.
   */
  basic: 'accepted' | 'refused'
  /** What a wrong verifier does to the code. */
  wrongVerifier: 'keeps the code' | 'ends the code'
  /** What a repeated code does to the tokens of its grant. */
  usedCodes: 'end the grant' | 'are refused'
  /**
   * Whether redirect_uri at the token endpoint is compared if it was sent, is required, or is
   * ignored as in OAuth 2.1.
   */
  tokenRedirect: 'compared' | 'required' | 'ignored'
  /** What a new consent does to the user's previous grants of the same client. */
  previousGrants: 'stay' | 'end'
  /** Whether each use of a refresh token replaces the token. */
  rotation: 'each time' | 'never'
  /** The treatment of additional scopes in a refresh request. */
  widerScopes: 'refused' | 'dropped'
  /** The format of access tokens. */
  tokenForm: 'opaque' | 'like a JWT'
  /** Whether revoking an access token also ends its grant. */
  revocation: 'of one token' | 'of the grant'

  // Metadata
  serverMetadata: true | false
  /** The path of the server metadata: the path of RFC 8414, the path of OpenID Connect, or both. */
  serverMetadataAt: 'oauth' | 'openid' | 'both'
  /** Whether the issuer ends with a slash. */
  issuerSlash: false | true
  resourceMetadata: true | false
  /**
   * The resources that have metadata: all, only the paths of the transports, or only the origin.
   */
  resourceMetadataAt: 'all' | 'paths' | 'origin'
  /** Who may introspect tokens: clients and resource servers, or only resource servers. */
  introspection: true | false | 'by resource servers'
  revocable: true | false

  // The upstream identity provider of the pattern oauth-proxy
  /** Where a request to the identity provider contains this server's secret. */
  upstreamSecret: 'in the body' | 'in the header'
  upstreamPkce: true | false
  /**
   * How the server finds the authorization request when a user returns from the identity provider:
   * by a state parameter, or only by the cookie of the browser, which requires PKCE.
   */
  upstreamState: 'sent' | 'none'
  /** The separator of scopes in requests to the identity provider. */
  upstreamScopes: 'spaces' | 'commas'
  /** The expected format of token responses: JSON, which the server requests, or a form. */
  upstreamResponses: 'json' | 'form'
  /** Whether the email is fetched separately. */
  upstreamEmail: 'with the user' | 'separately'
  /** The path to which users return from the identity provider. */
  callbackPath: `/${string}`
}

export const defaultChoices: Readonly<OAuthChoices> = Object.freeze<OAuthChoices>({
  secrets: 'unless declined',
  plainRedirects: 'refused',
  fragments: 'refused',
  invalidRedirects: 'refused',
  sameMetadata: 'new clients',
  missingRedirects: 'invalid_redirect_uri',
  defaultGrants: 'all',
  registrationLimitStatus: 429,
  omittedRedirect: 'accepted',
  unknownScopes: 'dropped',
  plainPkce: 'refused',
  confidentialPkce: 'required',
  includesIssuer: true,
  redirectStatus: 303,
  unknownClientStatus: 400,
  missingScope: 'all',
  redirectMethod: 'by a redirect',
  normalisesRedirect: false,
  requestErrors: 'the client',
  implicitErrors: 'in the query',
  repeatedParameters: 'refused',
  remembersConsent: false,
  signIn: 'on the consent page',
  browserCookies: true,
  denial: 'by a button',
  showsScopeNames: true,
  clientLabel: 'by name and id',
  redirectLabel: 'in full',
  refreshTokens: true,
  oldRefreshTokens: 'end the grant',
  tokenType: 'Bearer',
  includesExpiry: true,
  includesScope: 'always',
  clientFailureStatus: 401,
  jsonForms: 'refused',
  missingGrantError: 'invalid_request',
  basic: 'accepted',
  wrongVerifier: 'keeps the code',
  usedCodes: 'end the grant',
  tokenRedirect: 'compared',
  previousGrants: 'stay',
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
  upstreamResponses: 'json',
  upstreamEmail: 'with the user',
  callbackPath: '/callback',
})

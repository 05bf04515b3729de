import { providerViolation as violation } from './switch-builder.ts'

const exactMatch = 'OAuth 2.1 section 2.3.1 (exact match)'
const mustNotRedirect = 'RFC 6749 section 4.1.2.1'
const pattern4 = 'Pattern 4'

/** What breaks at the authorization endpoint, its pages, registration and metadata. */
export const providerFrontViolations = [
  // redirect URIs
  violation(
    'redirect-start-accepted',
    exactMatch,
    'A redirect URI is accepted when it begins with a registered one.',
  ),
  violation(
    'redirect-path-ignored',
    exactMatch,
    'Only scheme, host and port of the redirect URI are compared.',
  ),
  violation(
    'redirect-query-ignored',
    exactMatch,
    'A registered redirect URI with an added query is accepted.',
  ),
  violation(
    'redirect-case-ignored',
    exactMatch,
    'Redirect URIs are compared without regard to case.',
  ),
  violation(
    'redirect-two-uris-unchecked',
    exactMatch,
    'For a client with two or more redirect URIs every redirect URI is accepted.',
  ),
  violation(
    'redirect-of-other-client',
    exactMatch,
    'A redirect URI that another client registered is accepted.',
  ),
  violation(
    'loopback-path-ignored',
    exactMatch,
    'For loopback redirect URIs the path is not compared.',
  ),
  violation(
    'loopback-port-fixed',
    'RFC 8252 section 7.3',
    'A loopback redirect URI with another port than the registered one is refused.',
  ),
  violation(
    'redirect-missing-takes-first',
    'RFC 6749 section 3.1.2.3',
    'A client with two redirect URIs may leave redirect_uri out; the first one is used.',
  ),
  violation(
    'redirect-query-dropped',
    'RFC 6749 section 3.1.2',
    'The query of the redirect URI is lost in the redirect.',
  ),
  violation(
    'unregistered-gets-errors',
    mustNotRedirect,
    'An unregistered redirect URI gets a redirect with error=invalid_request.',
  ),
  violation(
    'unknown-client-redirected',
    mustNotRedirect,
    'For an unknown client the error is redirected to the given URI.',
  ),

  // authorization requests and responses
  violation('state-lost', 'RFC 6749 section 4.1.2', 'The response has no state.'),
  violation('state-lost-on-error', mustNotRedirect, 'Error responses have no state.'),
  violation(
    'state-decoded-again',
    'RFC 6749 section 4.1.2',
    'A state with %XX sequences in its value comes back decoded once more.',
  ),
  violation('state-cut', 'RFC 6749 section 4.1.2', 'A state is cut to 64 characters.'),
  violation(
    'code-in-fragment',
    'RFC 6749 section 4.1.2',
    'The response parameters are in the fragment of the redirect URI.',
  ),
  violation(
    'iss-wrong',
    'RFC 9207 section 2',
    'The iss of the response is not the issuer of the metadata.',
  ),
  violation(
    'iss-promised-not-sent',
    'RFC 9207 section 2.3',
    'The metadata promises iss but the responses do not have it.',
  ),
  violation(
    'redirect-307',
    'RFC 9700 section 4.12',
    'The answer to the sign-in form is a redirect with status 307.',
  ),
  violation(
    'response-type-unchecked',
    'RFC 6749 section 3.1.1',
    'A missing or unknown response_type is treated as code.',
  ),
  violation(
    'implicit-served',
    'OAuth 2.1 section 10.1',
    'response_type=token returns an access token in the fragment.',
  ),
  violation(
    'response-type-error-wrong',
    mustNotRedirect,
    'An unknown response_type gets the error unsupported_grant_type.',
  ),
  violation(
    'repeated-authorize-parameters',
    'RFC 6749 section 3.1',
    'Repeated parameters are accepted in authorization requests; the last one counts.',
  ),
  violation(
    'empty-parameters-kept',
    'RFC 6749 section 3.1',
    'Parameters without a value are not treated as omitted, so scope= gets invalid_scope and resource= gets invalid_target.',
  ),
  violation(
    'unknown-parameters-refused',
    'RFC 6749 section 3.1',
    'An authorization request with an unknown parameter is refused.',
  ),
  violation(
    'challenge-not-required',
    'OAuth 2.1 section 4.1.1',
    'Authorization requests without code_challenge are accepted.',
  ),
  violation(
    'unknown-challenge-method-accepted',
    'RFC 7636 section 4.4.1',
    'An unknown code_challenge_method is treated as S256.',
  ),
  violation(
    'missing-method-means-s256',
    'RFC 7636 section 4.3',
    'A challenge without method is treated as S256 instead of plain.',
  ),
  violation(
    'registered-scopes-ignored',
    'RFC 7591 section 2 (scope)',
    'A client may ask for scopes that it did not register.',
  ),
  violation(
    'unknown-scope-dropped-in-silence',
    'RFC 6749 section 3.3',
    'Unknown scopes are left out and the token response does not name the scope.',
  ),
  violation(
    'scope-widened-in-silence',
    'RFC 6749 section 3.3',
    'Every grant has all scopes and the token response does not name them (introspection does).',
  ),
  violation(
    'audience-recorded-not-checked',
    'MCP authorization, audience validation',
    'Any resource is accepted, introspection shows it as aud, and the token works at /mcp all the same.',
  ),

  // sign-in and consent
  violation(
    'consent-absent',
    `${pattern4} (consent screen)`,
    'Signing in issues the code: the page shows no scopes and has no way to deny.',
  ),
  violation(
    'consent-skipped-for-second-client',
    `${pattern4} (consent screen)`,
    'After one approval in a browser every other client gets a code without a page.',
  ),
  violation(
    'consent-remembered-for-more-scopes',
    `${pattern4} (consent screen)`,
    'After an approval in a browser the same client gets any scopes without a page.',
  ),
  violation(
    'denial-issues-code',
    mustNotRedirect,
    'After a denial with the right password the client gets a code.',
  ),
  violation(
    'denial-error-wrong',
    mustNotRedirect,
    'After a denial the error is invalid_request instead of access_denied.',
  ),
  violation(
    'denial-page',
    mustNotRedirect,
    'After a denial the browser gets a page and the client is not told.',
  ),
  violation(
    'client-name-unescaped',
    'RFC 6749 section 10.14',
    'The client name is written into the page without escaping.',
  ),
  violation(
    'state-unescaped',
    'RFC 6749 section 10.14',
    'The state is written into the page without escaping.',
  ),
  violation(
    'framing-allowed',
    'RFC 9700 section 4.16',
    'The pages have neither X-Frame-Options nor Content-Security-Policy.',
  ),
  violation(
    'any-password',
    `${pattern4} (user store)`,
    'Every password that is not empty is accepted.',
  ),
  violation(
    'password-case-ignored',
    `${pattern4} (user store)`,
    'The password is compared without regard to case.',
  ),
  violation(
    'third-attempt-passes',
    `${pattern4} (user store)`,
    'The third wrong password on one page is accepted.',
  ),

  // registration
  violation(
    'register-without-redirects',
    'RFC 7591 section 2',
    'A client without redirect_uris is registered and may use any redirect URI.',
  ),
  violation(
    'register-script-uris',
    'OAuth 2.1 section 2.3',
    'javascript: and data: redirect URIs are registered.',
  ),
  violation(
    'register-plain-http',
    'MCP authorization, communication security',
    'http redirect URIs on hosts that are not loopback are registered.',
  ),
  violation(
    'register-fragment',
    'RFC 6749 section 3.1.2',
    'Redirect URIs with a fragment are registered.',
  ),
  violation(
    'register-200',
    'RFC 7591 section 3.2.1',
    'A registration is answered 200 instead of 201.',
  ),
  violation(
    'register-answer-bare',
    'RFC 7591 section 3.2.1',
    'The registration response has only client_id and the secret, not the registered metadata.',
  ),
  violation(
    'secret-expiry-missing',
    'RFC 7591 section 3.2.1',
    'The response has client_secret without client_secret_expires_at.',
  ),
  violation('register-error-200', 'RFC 7591 section 3.2.2', 'Registration errors have status 200.'),
  violation('register-error-text', 'RFC 7591 section 3.2.2', 'Registration errors are plain text.'),
  violation(
    'unknown-metadata-refused',
    'RFC 7591 section 2',
    'A registration with unknown metadata is refused.',
  ),

  // metadata
  violation(
    'metadata-issuer-other',
    'RFC 8414 section 3.3',
    'The issuer in the metadata is http://localhost with the same port.',
  ),
  violation('metadata-as-text', 'RFC 8414 section 3.2', 'The metadata is sent as text/plain.'),
  violation(
    'metadata-response-types-missing',
    'RFC 8414 section 2',
    'The metadata has no response_types_supported.',
  ),
  violation(
    'metadata-challenge-methods-missing',
    'MCP authorization, PKCE',
    'The metadata has no code_challenge_methods_supported.',
  ),
  violation(
    'resource-document-other',
    'RFC 9728 section 3.3',
    'The resource in the protected resource metadata is not the URL of the server.',
  ),
] as const

const grantErrors = 'RFC 6749 section 5.2'
const rotation = 'OAuth 2.1 section 4.3.1'

/** What breaks at the token endpoint and behind it. */
export const providerBackViolations = [
  // PKCE and codes
  violation('verifier-not-checked', 'RFC 7636 section 4.6', 'Every code_verifier is accepted.'),
  violation(
    'verifier-optional',
    'RFC 7636 section 4.6',
    'An exchange without code_verifier succeeds.',
  ),
  violation(
    'verifier-case-ignored',
    'RFC 7636 section 4.6',
    'The S256 hash is compared without regard to case, and the verifier is put into lower case as a second attempt.',
  ),
  violation(
    'verifier-start-compared',
    'RFC 7636 section 4.6',
    'Only the first 43 characters of the code_verifier are hashed when the whole does not match.',
  ),
  violation(
    'challenge-as-verifier',
    'RFC 7636 section 4.6',
    'With S256 the challenge itself is accepted as the verifier.',
  ),
  violation(
    'confidential-verifier-unchecked',
    'RFC 7636 section 4.6',
    'For a client with a secret the code_verifier is not checked.',
  ),
  violation(
    'second-exchange-verifier-unchecked',
    'RFC 7636 section 4.6',
    'The code_verifier is checked only until a client has made its first successful exchange.',
  ),
  violation(
    'code-of-other-client',
    'RFC 6749 section 4.1.3',
    'A code is accepted from another client than the one it was issued to.',
  ),
  violation(
    'code-reusable',
    'RFC 6749 section 4.1.2',
    'A code may be used any number of times while it lives.',
  ),
  violation(
    'code-reusable-within-second',
    'RFC 6749 section 4.1.2',
    'A code may be used again within one second after its first use.',
  ),
  violation('code-never-expires', 'RFC 6749 section 4.1.2', 'Codes do not expire.'),
  violation('codes-counted', 'RFC 6749 section 10.10', 'Codes are consecutive numbers.'),
  violation(
    'token-redirect-uri-unchecked',
    'RFC 6749 section 4.1.3',
    'A redirect_uri in the exchange that differs from that of the authorization request is accepted.',
  ),

  // client authentication
  violation('secret-unchecked', 'RFC 6749 section 3.2.1', 'Every client secret is accepted.'),
  violation(
    'secret-optional',
    'RFC 6749 section 3.2.1',
    'A client that has a secret may leave it out.',
  ),
  violation(
    'secret-start-compared',
    'RFC 6749 section 3.2.1',
    'Only the first 8 characters of the secret are compared.',
  ),
  violation(
    'secret-of-any-client',
    'RFC 6749 section 3.2.1',
    'The secret of any other client is accepted.',
  ),
  violation(
    'basic-refused',
    'RFC 6749 section 2.3.1',
    'Client credentials in a Basic header are refused.',
  ),
  violation(
    'basic-not-form-decoded',
    'RFC 6749 section 2.3.1',
    'Id and secret in a Basic header are not form-decoded, so percent-encoded characters fail.',
  ),
  violation(
    'invalid-client-without-challenge',
    grantErrors,
    'A refused Basic header gets 401 without WWW-Authenticate.',
  ),
  violation('invalid-client-basic-400', grantErrors, 'A refused Basic header gets 400.'),
  violation(
    'public-client-needs-secret',
    'RFC 7591 section 2',
    'A client registered with the method none is refused when it sends no secret.',
  ),

  // token requests and answers
  violation(
    'token-by-get',
    'RFC 6749 section 3.2',
    'The token endpoint accepts GET with the parameters in the query.',
  ),
  violation(
    'token-json-only',
    'RFC 6749 section 4.1.3',
    'The token endpoint wants JSON and refuses form bodies.',
  ),
  violation(
    'token-answer-cacheable',
    'RFC 6749 section 5.1',
    'Token responses have no Cache-Control.',
  ),
  violation(
    'refresh-answer-cacheable',
    'RFC 6749 section 5.1',
    'Responses to refresh requests have no Cache-Control; responses to codes have it.',
  ),
  violation(
    'token-answer-as-text',
    'RFC 6749 section 5.1',
    'Token responses are sent as text/html.',
  ),
  violation('token-type-missing', 'RFC 6749 section 5.1', 'Token responses have no token_type.'),
  violation('expires-in-text', 'RFC 6749 appendix A.14', 'expires_in is a string.'),
  violation(
    'expires-in-wrong',
    'RFC 6749 section 5.1',
    'expires_in says 86400 but the token lives 3600 seconds.',
  ),
  violation('token-errors-200', grantErrors, 'Errors of the token endpoint have status 200.'),
  violation(
    'token-errors-unnamed',
    grantErrors,
    'Errors of the token endpoint have message instead of error.',
  ),
  violation(
    'bad-code-error-wrong',
    grantErrors,
    'A bad code gets invalid_request instead of invalid_grant.',
  ),
  violation(
    'grant-type-error-wrong',
    grantErrors,
    'An unknown grant_type gets invalid_grant instead of unsupported_grant_type.',
  ),
  violation(
    'grant-type-optional',
    'RFC 6749 section 4.1.3',
    'A token request without grant_type but with a code is accepted.',
  ),
  violation(
    'repeated-token-parameters',
    'RFC 6749 section 3.2',
    'Repeated parameters are accepted in token requests; the last one counts.',
  ),
  violation(
    'unknown-token-parameters-refused',
    'RFC 6749 section 3.2',
    'A token request with an unknown parameter is refused.',
  ),
  violation('password-grant-served', 'OAuth 2.1 section 10', 'grant_type=password returns tokens.'),
  violation(
    'client-credentials-for-public',
    'RFC 6749 section 4.4',
    'A client without a secret gets an access token by client_credentials.',
  ),

  // refresh
  violation(
    'refresh-of-other-client',
    'RFC 6749 section 6',
    'A refresh token is accepted from another client.',
  ),
  violation(
    'public-refresh-kept',
    rotation,
    'The refresh tokens of clients without a secret are not rotated.',
  ),
  violation(
    'rotated-refresh-usable-once',
    rotation,
    'A rotated refresh token may be used one more time.',
  ),
  violation(
    'refresh-without-secret',
    'RFC 6749 section 6',
    'A client that has a secret may refresh without it.',
  ),
  violation(
    'refresh-scope-widened',
    'RFC 6749 section 6',
    'A refresh may ask for scopes that were not granted.',
  ),
  violation(
    'narrowing-sticks',
    'RFC 6749 section 6',
    'After a refresh with fewer scopes the next refresh cannot have the granted scopes any more.',
  ),
  violation(
    'access-token-refreshes',
    'RFC 6749 section 6',
    'An access token is accepted as a refresh token.',
  ),
  violation(
    'no-refresh-tokens',
    `${pattern4} (token refresh)`,
    'No refresh tokens are issued, to no client.',
  ),
  violation(
    'refreshed-token-dead',
    'RFC 6749 section 6',
    'Access tokens from a refresh are not accepted at /mcp.',
  ),
  violation(
    'second-refresh-refused',
    'RFC 6749 section 6',
    'The second refresh of a grant fails, although it uses the newest token.',
  ),
  violation(
    'refreshed-token-never-expires',
    `${pattern4} (expiry)`,
    'Access tokens from a refresh never expire; those from a code do.',
  ),
  violation(
    'refresh-tokens-short',
    'RFC 6749 section 10.10',
    'Refresh tokens have 6 hexadecimal digits.',
  ),

  // at the protected resource
  violation(
    'refresh-token-as-bearer',
    'RFC 6749 section 1.5',
    'A refresh token is accepted at /mcp.',
  ),
  violation(
    'code-as-bearer',
    'RFC 6749 section 1.3.1',
    'An authorization code is accepted at /mcp.',
  ),
  violation(
    'old-tokens-accepted',
    'MCP authorization, access token usage',
    'Expired access tokens are accepted at /mcp.',
  ),
  violation(
    'old-token-403',
    'MCP authorization, error handling',
    'An expired access token gets 403.',
  ),
  violation(
    'unknown-token-403',
    'MCP authorization, error handling',
    'An unknown access token gets 403.',
  ),
  violation(
    'missing-token-403',
    'MCP authorization, error handling',
    'A request without a token gets 403.',
  ),
  violation(
    'missing-token-400',
    'MCP authorization, error handling',
    'A request without a token gets 400.',
  ),
  violation(
    'bearer-challenge-missing',
    'RFC 6750 section 3',
    'The 401 answers of /mcp have no WWW-Authenticate.',
  ),
  violation(
    'resource-metadata-dead',
    'RFC 9728 section 5.1',
    'The challenge names a resource metadata URL that answers 404.',
  ),
  violation(
    'tool-list-without-token',
    'MCP authorization, access token usage',
    'tools/list is served without a token.',
  ),
  violation(
    'token-case-ignored',
    'MCP authorization, access token usage',
    'Access tokens are compared without regard to case.',
  ),
  violation(
    'token-start-compared',
    'MCP authorization, access token usage',
    'Only the first 16 characters of an access token are compared.',
  ),
  violation(
    'query-token-accepted',
    'OAuth 2.1 section 5.2.1',
    'An access token in the query is accepted.',
  ),
  violation(
    'access-tokens-counted',
    'RFC 6749 section 10.10',
    'Access tokens are consecutive numbers.',
  ),

  // revocation and introspection
  violation(
    'revocation-does-nothing',
    'RFC 7009 section 2.2',
    'Revocation answers 200 but revokes nothing.',
  ),
  violation(
    'revocation-unknown-400',
    'RFC 7009 section 2.2',
    'Revoking an unknown token gets 400.',
  ),
  violation(
    'revocation-of-others',
    'RFC 7009 section 2.1',
    'A client can revoke the tokens of another client.',
  ),
  violation(
    'revocation-trusts-hint',
    'RFC 7009 section 2.1',
    'With a wrong token_type_hint the token is not found and stays valid.',
  ),
  violation(
    'revoked-refresh-works',
    'RFC 7009 section 2',
    'Revoking a refresh token ends its access tokens but not the refresh token.',
  ),
  violation('introspection-open', 'RFC 7662 section 2.1', 'Introspection needs no authentication.'),
  violation(
    'introspection-expired-active',
    'RFC 7662 section 2.2',
    'Expired access tokens are shown as active.',
  ),
  violation(
    'introspection-unknown-404',
    'RFC 7662 section 2.2',
    'An unknown token gets 404 instead of active false.',
  ),
] as const

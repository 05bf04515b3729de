import { providerChoice as choice } from './switch-builder.ts'

const html = 'RFC 6749 section 3.1 (how the user is authenticated is not specified)'

export const providerChoices = [
  // tokens and codes
  choice(
    'jwt-access-tokens',
    'RFC 9068',
    'Access tokens are signed JWTs of type at+jwt instead of opaque strings.',
  ),
  choice(
    'odd-token-alphabet',
    'RFC 6750 section 2.1 (b64token)',
    'Access tokens contain the characters - . _ ~ + / and end with "==".',
  ),
  choice(
    'odd-code-alphabet',
    'RFC 6749 appendix A.11',
    'Authorization codes contain + / = & % ? # and other visible characters.',
  ),
  choice(
    'odd-refresh-alphabet',
    'RFC 6749 appendix A.17',
    'Refresh tokens contain spaces, + / = & % and other visible characters.',
  ),
  choice(
    'odd-client-ids',
    'RFC 6749 appendices A.1 and A.2',
    'Client ids and secrets contain : / + % & and so need form encoding, also in Basic credentials.',
  ),
  choice('long-access-tokens', 'RFC 6749 section 1.4', 'Access tokens have 1500 characters.'),
  choice('expires-in-left-out', 'RFC 6749 section 5.1', 'The token response has no expires_in.'),
  choice(
    'extra-token-fields',
    'RFC 6749 section 5.1',
    'The token response has the extra fields created_at and user.',
  ),
  choice(
    'scope-left-out-when-same',
    'RFC 6749 section 5.1',
    'The token response has no scope when the scope is the one that the client asked for.',
  ),
  choice(
    'scope-order-changed',
    'RFC 6749 section 3.3',
    'The scope of the token response lists the scopes in reverse order.',
  ),
  choice('token-type-lower-case', 'RFC 6749 section 5.1', 'token_type is "bearer".'),
  choice(
    'json-charset',
    'RFC 9110 section 8.3',
    'JSON answers are sent as "application/json; charset=utf-8".',
  ),
  choice(
    'codes-live-30-seconds',
    'RFC 6749 section 4.1.2',
    'Authorization codes live 30 seconds instead of 60.',
  ),
  choice(
    'access-tokens-live-5-minutes',
    'RFC 6749 section 5.1',
    'Access tokens live 300 seconds (expires_in says so) instead of 3600.',
  ),
  choice(
    'failed-attempt-burns-code',
    'RFC 6749 section 4.1.2',
    'A code becomes useless when an exchange with a wrong verifier fails.',
  ),
  choice(
    'replayed-code-keeps-tokens',
    'RFC 6749 section 4.1.2 (SHOULD)',
    'The second use of a code is refused but the tokens of the first use stay valid.',
  ),
  choice(
    'missing-verifier-invalid-grant',
    'RFC 7636 section 4.6',
    'An exchange without code_verifier gets invalid_grant instead of invalid_request.',
  ),
  choice(
    'invalid-client-400',
    'RFC 6749 section 5.2',
    'invalid_client is sent with 400 when the client did not use the Authorization header.',
  ),
  choice(
    'form-type-415',
    'RFC 9110 section 15.5.16',
    'A token request that is not form-encoded gets 415 instead of 400.',
  ),
  choice('plain-errors', 'RFC 6749 section 5.2', 'Errors have no error_description.'),
  choice('error-uri-sent', 'RFC 6749 section 5.2', 'Errors of the token endpoint carry error_uri.'),

  // refresh, revocation, introspection
  choice(
    'confidential-refresh-kept',
    'OAuth 2.1 section 4.3.1',
    'The refresh tokens of clients with a secret are not rotated and not sent again.',
  ),
  choice(
    'offline-access-scope',
    'MCP authorization, refresh tokens',
    'Refresh tokens are issued only with the scope offline_access, which the metadata lists.',
  ),
  choice(
    'code-grant-only-by-default',
    'RFC 7591 section 2',
    'A client that registers without grant_types gets authorization_code only, hence no refresh tokens.',
  ),
  choice(
    'refresh-revokes-old-access',
    'OAuth 2.1 section 4.3',
    'A refresh also ends the access tokens issued before.',
  ),
  choice(
    'no-introspection',
    'Pattern 4 (introspection is recommended)',
    'There is no introspection endpoint.',
  ),
  choice('no-revocation-endpoint', 'RFC 7009', 'There is no revocation endpoint.'),
  choice(
    'revoking-refresh-keeps-access',
    'RFC 7009 section 2.1 (SHOULD)',
    'Revoking a refresh token leaves its access tokens valid.',
  ),
  choice(
    'access-tokens-not-revocable',
    'RFC 7009 section 2',
    'Revoking an access token is refused with unsupported_token_type.',
  ),

  // authorization requests
  choice(
    'plain-challenge-allowed',
    'RFC 7636 section 4.2',
    'The challenge method plain is accepted (also when no method is given), and the metadata lists it.',
  ),
  choice(
    'unknown-scopes-dropped',
    'RFC 6749 section 3.3',
    'Unknown scopes are left out instead of refused; the token response names the granted ones.',
  ),
  choice(
    'scope-required',
    'RFC 6749 section 3.3',
    'An authorization request without scope is refused with invalid_scope.',
  ),
  choice(
    'resource-required',
    'RFC 8707 section 2.1',
    'An authorization request without resource is refused with invalid_target.',
  ),
  choice(
    'no-iss-parameter',
    'RFC 9207',
    'Authorization responses have no iss and the metadata does not promise it.',
  ),
  choice(
    'no-discovery-documents',
    'Authorization endpoints (OAuth patterns)',
    'There are no metadata documents; the endpoints are at their documented paths.',
  ),
  choice('redirect-303', 'RFC 9700 section 4.12', 'Redirects have status 303 instead of 302.'),
  choice(
    'percent-encoded-redirects',
    'RFC 6749 appendix B',
    'Spaces in the redirect query are sent as %20 instead of +.',
  ),
  choice(
    'authorize-by-post',
    'RFC 6749 section 3.1 (MAY)',
    'The authorization endpoint also accepts POST with a form body.',
  ),
  choice(
    'json-error-page',
    'RFC 6749 section 4.1.2.1',
    'Errors that cannot be redirected are told as JSON instead of an HTML page.',
  ),
  choice(
    'localhost-any-port',
    'OAuth 2.1 section 8.4.2',
    'Redirect URIs on "localhost" may differ in the port, like those on loopback addresses.',
  ),

  // pages
  choice('sign-in-first', html, 'Sign-in and consent are two pages, one after the other.'),
  choice(
    'sign-in-remembered',
    html,
    'The browser stays signed in (cookie): later requests show the consent page only.',
  ),
  choice(
    'consent-remembered',
    html,
    'In the same browser, a client and scopes that were approved once get a code without a page.',
  ),
  choice(
    'welcome-page-first',
    html,
    'A page with a Continue button comes before the sign-in page.',
  ),
  choice(
    'pages-on-own-urls',
    html,
    'The authorization endpoint redirects to /consent (relative Location), where the page is.',
  ),
  choice(
    'redirect-by-page',
    'RFC 6749 section 1.7',
    'The redirect to the client is a page (200) with a meta refresh and a link instead of a redirect status.',
  ),
  choice(
    'locked-after-three',
    'RFC 6749 section 4.1.2.1',
    'After three wrong passwords the client gets access_denied.',
  ),
  choice('input-buttons', html, 'The buttons are <input type="submit"> elements.'),
  choice('separate-forms', html, 'Allow and Deny are in two forms.'),
  choice('deny-link', html, 'Deny is a link instead of a button.'),
  choice('deny-first', html, 'The Deny button comes before the Allow button.'),
  choice(
    'other-field-names',
    html,
    'The sign-in fields are named email and passphrase, and email takes the address.',
  ),
  choice('other-labels', html, 'The buttons are labelled "Yes, grant access" and "No, cancel".'),
  choice(
    'form-posts-to-itself',
    html,
    'The form has no action and so posts to the authorization URL itself.',
  ),
  choice(
    'scope-checkboxes',
    'RFC 6749 section 3.3',
    'Each scope has a ticked checkbox; unticked scopes are not granted.',
  ),
  choice(
    'old-style-html',
    html,
    'The page is written with upper-case tags and unquoted attributes.',
  ),
  choice(
    'no-cookies',
    html,
    'The pages set no cookie; the hidden field alone ties the form to its request.',
  ),
  choice(
    'wrong-password-403',
    html,
    'A wrong password shows the page again with 403 instead of 200.',
  ),
  choice(
    'frame-header-only',
    'RFC 9700 section 4.16',
    'Framing is forbidden by X-Frame-Options only, without Content-Security-Policy.',
  ),

  // registration and clients
  choice(
    'clients-always-confidential',
    'RFC 7591 section 3.2.1',
    'Every client gets a secret: the method none is replaced by client_secret_post.',
  ),
  choice(
    'clients-always-public',
    'RFC 7591 section 3.2.1',
    'No client gets a secret: every authentication method is replaced by none.',
  ),
  choice(
    'client-secrets-expire',
    'RFC 7591 section 3.2.1',
    'Client secrets expire after 30 days and client_secret_expires_at says so.',
  ),
  choice(
    'same-metadata-same-client',
    'RFC 7591 section 3.2.1',
    'Public clients that register with the same metadata get the same client_id.',
  ),
  choice(
    'management-fields',
    'RFC 7592 section 3',
    'The registration response has registration_access_token and registration_client_uri.',
  ),
  choice(
    'registered-method-enforced',
    'RFC 7591 section 2',
    'A client must send its secret by the method that it registered.',
  ),

  // protected resource
  choice(
    'refusal-as-json',
    'RFC 6750 section 3',
    'The 401 answers of /mcp have a JSON body with error and error_description.',
  ),
  choice('challenge-names-scope', 'RFC 6750 section 3', 'The challenge has realm and scope.'),
  choice(
    'two-challenges',
    'RFC 9110 section 11.6.1',
    'Two WWW-Authenticate headers are sent, DPoP first, then Bearer.',
  ),
  choice(
    'no-resource-metadata-in-challenge',
    'RFC 9728 section 3 (well-known URI)',
    'The challenge does not name the resource metadata document, which is still served.',
  ),
  choice(
    'cors-headers',
    'Fetch standard, CORS',
    'All answers carry Access-Control-Allow-Origin and OPTIONS requests are answered 204.',
  ),
] as const

// Violations of the authorization server. Columns: name | patterns | where | does.
export const SERVER_VIOLATIONS = `
redirect-uri-prefix-match | po | OAuth 2.1, 2.3.1 | A redirect_uri that only begins with a registered one is accepted.
redirect-uri-query-ignored | po | OAuth 2.1, 2.3.1 | The query is left out when redirect_uri is compared.
redirect-uri-case-ignored | po | OAuth 2.1, 2.3.1 | Upper and lower case are not told apart when redirect_uri is compared.
redirect-uri-trailing-slash-ignored | po | OAuth 2.1, 2.3.1 | A trailing slash makes no difference when redirect_uri is compared.
redirect-uri-of-any-client | po | OAuth 2.1, 2.3.1 | A redirect_uri that another client has registered is accepted.
redirect-uri-first-when-omitted | po | OAuth 2.1, 4.1.1 | Without redirect_uri the first of several registered ones is used.
bad-redirect-uri-redirected | po | OAuth 2.1, 4.1.2.1 | A wrong redirect_uri gets the error by redirect, to just that address.
loopback-port-must-match | po | OAuth 2.1, 8.4.2 | Loopback redirection URIs must match with their port.
loopback-ipv6-port-must-match | po | OAuth 2.1, 8.4.2 | Redirection URIs on [::1] must match with their port, those on 127.0.0.1 need not.
any-host-port-may-vary | po | OAuth 2.1, 2.3.1 | The port may vary for redirection URIs on any https host.
redirect-uri-query-lost | po | OAuth 2.1, 2.3 | The query that a redirection URI has of its own is lost in the answer.
redirect-second-question-mark | po | OAuth 2.1, 4.1.2 | The answer is added with a question mark to a redirection URI that already has a query.
answer-in-fragment | po | OAuth 2.1, 4.1.2 | The answer is in the fragment of the redirection URI instead of the query.
redirect-307-after-form | po | OAuth 2.1, 7.5.3 | After a form the browser is sent on with 307, which sends the form on.
state-truncated | po | OAuth 2.1, 4.1.2 | A state of more than 128 characters comes back cut.
state-plus-becomes-space | po | OAuth 2.1, 4.1.2 | A plus sign in state comes back as a space.
state-decoded-twice | po | OAuth 2.1, 4.1.2 | Percent signs in state are decoded once too often.
state-cut-at-ampersand | po | OAuth 2.1, 4.1.2 | State comes back only up to its first ampersand.
state-missing-on-errors | po | OAuth 2.1, 4.1.2.1 | Error answers do not bring the state back.
state-undefined-text | po | OAuth 2.1, 4.1.2 | Answers to requests without state have state=undefined.
state-lost-after-wrong-password | o | OAuth 2.1, 4.1.2 | The state is lost when the user types a wrong password first.
pkce-lost-after-wrong-password | o | RFC 7636, 4.6 | The code_verifier is not checked when the user typed a wrong password first.
iss-missing-on-errors | po | RFC 9207, 2 | Error answers have no iss.
iss-with-trailing-slash | po | RFC 9207, 2 | iss has a trailing slash that the issuer in the metadata has not.
denial-not-redirected | po | OAuth 2.1, 4.1.2.1 | When the user denies, the client is not told.
denial-says-invalid-request | po | OAuth 2.1, 4.1.2.1 | When the user denies, the error is invalid_request.
cors-at-authorization-endpoint | po | OAuth 2.1, 3.1 | The authorization endpoint allows requests from scripts of any web origin.
response-type-optional | po | OAuth 2.1, 4.1.1 | A request without response_type is served.
response-type-unchecked | po | OAuth 2.1, 4.1.2.1 | Any response_type is treated like code.
pkce-optional | po | OAuth 2.1, 4.1.1 | A request without code_challenge is served.
pkce-optional-for-confidential | po | OAuth 2.1, 4.1.1 | Confidential clients get a code without code_challenge.
pkce-absent-method-is-s256 | po | RFC 7636, 4.3 | A challenge without code_challenge_method is treated as S256.
repeated-authorize-parameter-accepted | po | OAuth 2.1, 3.1 | Of a repeated parameter in an authorization request the last one counts.
unknown-authorize-parameter-refused | po | OAuth 2.1, 3.1 | An authorization request with an unknown parameter is refused.
empty-parameter-not-omitted | po | OAuth 2.1, 3.1 | A parameter without a value in an authorization request is not treated as omitted.
scope-beyond-registration-granted | po | RFC 7591, 2 | A client can get scopes that it has not registered.
scope-order-matters | po | RFC 6749, 3.3 | A scope whose values stand in another order than the server's own is refused.
scope-always-full | po | OAuth 2.1, 1.4.1 | Whatever scope is asked for, all scopes of the client are granted.
scope-stored-per-client | po | OAuth 2.1, 1.4.1 | The exchange grants the scope of the client's latest authorization request, not that of its code.
resource-unchecked-at-authorize | po | RFC 8707, 2 | Any resource is accepted in an authorization request.
resource-unchecked-at-token | po | RFC 8707, 2.2 | Any resource is accepted when a code is exchanged.
resource-unchecked-at-refresh | po | RFC 8707, 2.2 | Any resource is accepted at a refresh.
resource-only-first-checked | po | RFC 8707, 2 | Of several resources only the first is checked.
resource-prefix-accepted | po | RFC 8707, 2 | A resource that only begins with the address of this server is accepted.
resource-query-ignored | po | RFC 8707, 2 | The query is left out when a resource is compared.
resource-case-sensitive | po | MCP 2025-11-25, Canonical Server URI | A resource with upper-case scheme or host is refused.
consent-skipped | po | Pattern 3 configuration | There is no consent screen.
consent-remembered-for-public-clients | po | OAuth 2.1, 7.3.1 | A public client that got consent once is not asked about again.
consent-remembered-across-clients | po | Pattern 3 configuration | After one consent no other client is asked about.
consent-remembered-without-scopes | po | Pattern 3 configuration | A confidential client that got consent once gets further scopes without consent.
consent-without-permissions | po | Pattern 3 configuration | The consent screen does not name the permissions.
consent-lists-all-scopes | po | Pattern 3 configuration | The consent screen names all permissions instead of those asked for.
consent-name-unescaped | po | OAuth 2.1, 7.12 | The client's name gets into the consent screen as HTML.
consent-names-latest-client | po | Pattern 3 configuration | The consent screen names the client that registered last.
consent-from-any-browser | po | OAuth 2.1, 7.11 | The consent form is accepted from a browser that did not begin the request.
consent-for-latest-request | po | Pattern 3 configuration | The consent form counts for the browser's latest request instead of the one it shows.
consent-without-decision-allows | po | Pattern 4 | A consent form without a decision counts as consent.
pages-framable | po | OAuth 2.1, 7.13 | Sign-in and consent pages may be shown in a frame.
password-first-eight-characters | o | OAuth 2.1, 3.1 | Only the first eight characters of the password count.
sign-in-unlimited | o | Pattern 3 configuration | Passwords can be tried without any limit.
code-works-twice | po | OAuth 2.1, 4.1.2 | A code can be exchanged again and again.
parallel-exchanges-both-served | po | OAuth 2.1, 4.1.2 | Two exchanges of one code at the same time both succeed.
code-replay-keeps-tokens | po | OAuth 2.1, 4.1.3 | A replayed code is refused but its tokens go on.
code-replay-keeps-access | po | OAuth 2.1, 4.1.3 | A replayed code ends the refresh token but not the access token.
code-replay-keeps-refresh | po | OAuth 2.1, 4.1.3 | A replayed code ends the access token but not the refresh token.
code-replay-misses-rotated | po | OAuth 2.1, 4.1.3 | A replayed code ends the first tokens only, not those from a later refresh.
late-code-replay-without-effect | po | OAuth 2.1, 4.1.3 | A used code that comes again after its expiry is refused but its tokens go on.
token-redirect-uri-compared-with-registration | po | RFC 6749, 4.1.3 | The exchange wants the registered redirect_uri, so one with another loopback port is refused.
code-expiry-unchecked | po | Pattern 4 | Codes do not expire.
code-lives-an-hour | po | OAuth 2.1, 4.1.2 | Codes live one hour instead of at most ten minutes.
expired-code-own-error | po | RFC 6749, 5.2 | An expired code is answered with an error code of its own instead of invalid_grant.
code-of-any-client-accepted | po | OAuth 2.1, 4.1.3 | A code can be exchanged by another client.
challenge-stored-per-client | po | RFC 7636, 4.4 | The challenge of the client's latest request counts, so parallel requests break each other.
verifier-unchecked | po | RFC 7636, 4.6 | The code_verifier is not checked.
verifier-unchecked-for-confidential | po | RFC 7636, 4.6 | The code_verifier of confidential clients is not checked.
verifier-absent-accepted | po | RFC 7636, 4.6 | An exchange without code_verifier is served; a wrong one is refused.
verifier-plain-accepted | po | RFC 7636, 4.6 | The challenge itself is accepted as code_verifier.
verifier-of-128-refused | po | RFC 7636, 4.1 | A code_verifier of 128 characters is refused.
challenge-compared-by-prefix | po | RFC 7636, 4.6 | Only the first 16 characters of the challenge are compared.
challenge-compared-without-case | po | RFC 7636, 4.6 | Upper and lower case of the challenge are not told apart.
token-response-cacheable | po | OAuth 2.1, 3.2.3 | Token answers have no Cache-Control: no-store.
refresh-response-cacheable | po | OAuth 2.1, 3.2.3 | Answers to a refresh have no Cache-Control: no-store; those to a code have it.
expires-in-as-text | po | RFC 6749, 5.1 | expires_in is text instead of a number.
expires-in-of-refresh-token | po | RFC 6749, 5.1 | expires_in tells the lifetime of the refresh token.
changed-scope-not-told | po | RFC 6749, 5.1 | The token answer has no scope when the granted scope is not what was asked for.
token-by-get | po | OAuth 2.1, 3.2 | The token endpoint serves GET requests.
token-query-parameters-accepted | po | OAuth 2.1, 2.4.1 | The token endpoint takes parameters from the request URI as well.
repeated-token-parameter-accepted | po | OAuth 2.1, 3.2 | Of a repeated parameter in a token request the last one counts.
invalid-grant-as-401 | po | RFC 6749, 5.2 | invalid_grant has status 401.
unsupported-grant-says-invalid-request | po | RFC 6749, 5.2 | An unknown grant_type is answered invalid_request.
unknown-client-says-invalid-grant | po | RFC 6749, 5.2 | An unknown client is answered invalid_grant.
basic-challenge-missing | po | RFC 6749, 5.2 | A refused Basic authentication has no WWW-Authenticate header.
basic-credentials-not-decoded | po | OAuth 2.1, 2.4.1 | Basic credentials are not form-decoded.
two-authentication-methods-accepted | po | OAuth 2.1, 2.4 | A request with two kinds of client authentication is served.
client-secret-compared-by-prefix | po | OAuth 2.1, 2.4 | Only the first 16 characters of a client secret are compared.
client-secret-optional | po | OAuth 2.1, 3.2.1 | Confidential clients are served without their secret.
client-secret-optional-at-refresh | po | OAuth 2.1, 4.3.1 | Confidential clients can refresh without their secret.
public-refresh-not-rotated | po | OAuth 2.1, 4.3.1 | Public clients keep the same refresh token.
rotated-refresh-still-works | po | OAuth 2.1, 4.3.1 | A rotated refresh token still works.
parallel-refreshes-both-served | po | OAuth 2.1, 4.3.1 | Two refreshes with one token at the same time both succeed.
refresh-replay-without-effect | po | OAuth 2.1, 4.3.1 | Reuse of a rotated refresh token is refused, but the newer tokens go on.
older-refresh-replay-without-effect | po | OAuth 2.1, 4.3.1 | Reuse is noticed only for the last rotated refresh token; an older one is refused without effect.
refresh-replay-keeps-refresh | po | OAuth 2.1, 4.3.1 | Reuse of a rotated refresh token ends the access tokens but not the newest refresh token.
revoked-refresh-still-works | po | RFC 7009, 2.1 | A revoked refresh token still works at the token endpoint.
refresh-of-any-client-accepted | po | OAuth 2.1, 4.3.1 | A refresh token works for another client.
refresh-widens-scope | po | OAuth 2.1, 4.3.1 | A refresh can widen the scope beyond the grant.
second-refresh-widens-scope | po | OAuth 2.1, 4.3.2 | The rotated refresh token has all scopes, so the second refresh gives more than was granted.
refreshed-access-dies-early | po | RFC 6749, 5.1 | Access tokens from a refresh live half the time that expires_in says; the first ones are right.
narrowing-sticks-to-refresh | po | OAuth 2.1, 4.3.2 | After a refresh with a narrower scope the new refresh token is narrower too.
narrowed-token-keeps-full-scope | po | OAuth 2.1, 4.3.1 | A refresh with a narrower scope says so, but the access token has the full scope.
refresh-never-expires | po | OAuth 2.1, 4.3.1 | Unused refresh tokens never expire.
register-answers-200 | po | RFC 7591, 3.2.1 | A registration is answered 200 instead of 201.
register-secret-expiry-missing | po | RFC 7591, 3.2.1 | A client secret comes without client_secret_expires_at.
register-secret-expiry-in-milliseconds | po | RFC 7591, 3.2.1 | client_secret_expires_at is in milliseconds.
register-issued-at-in-milliseconds | po | RFC 7591, 3.2.1 | client_id_issued_at is in milliseconds.
register-secret-for-public-client | po | RFC 7591, 2 | A client that registers the method none gets a secret.
register-default-method-none | po | RFC 7591, 2 | Without token_endpoint_auth_method a client is registered as public.
register-fragment-accepted | po | OAuth 2.1, 2.3 | Redirection URIs with a fragment are registered.
register-remote-http-accepted | po | MCP 2025-11-25, Communication Security | Redirection URIs with http on a remote host are registered.
register-javascript-uri-accepted | po | MCP 2025-11-25, Communication Security | Redirection URIs with the scheme javascript are registered.
register-checks-first-uri-only | po | RFC 7591, 5 | Only the first redirection URI of a registration is checked.
register-one-error-code | po | RFC 7591, 3.2.2 | A bad redirection URI is answered invalid_client_metadata.
register-unknown-member-refused | po | RFC 7591, 2 | A registration with an unknown member is refused.
register-jwks-twice-accepted | po | RFC 7591, 2 | A registration with both jwks and jwks_uri is accepted.
register-inconsistent-types-accepted | po | RFC 7591, 2.1 | Response types that do not fit the grant types are registered.
register-answer-lacks-metadata | po | RFC 7591, 3.2.1 | The registration answer leaves out links, contacts and software_id.
register-answer-lacks-translations | po | RFC 7591, 3.2.1 | The registration answer leaves out names in further languages.
register-answer-lacks-defaults | po | RFC 7591, 3.2.1 | The registration answer leaves out metadata that the server has filled in.
register-read-as-latin1 | po | RFC 7591, 3.1 | Registrations are read as Latin-1, so non-ASCII names come out wrong.
register-same-name-shares-id | po | RFC 7591, 3.2.1 | A second client of the same name gets the client_id of the first.
register-keeps-redirect-uris-normalised | po | OAuth 2.1, 2.3.1 | Redirection URIs are stored rewritten, so the registered string itself may not match.
revocation-of-unknown-token-is-400 | po | RFC 7009, 2.2 | Revoking an unknown token is an error.
second-revocation-is-400 | po | RFC 7009, 2.2 | Revoking a token a second time is an error.
revocation-trusts-hint | po | RFC 7009, 2.1 | With a wrong token_type_hint the token is not found.
revocation-unknown-hint-refused | po | RFC 7009, 2.2 | An unknown token_type_hint is refused.
revocation-without-token-is-200 | po | RFC 7009, 2.1 | A revocation request without a token is answered 200.
revocation-without-client-authentication | po | RFC 7009, 2.1 | Confidential clients can revoke without their secret.
revocation-of-foreign-token-works | po | RFC 7009, 2.1 | A client can revoke tokens of another client.
revocation-of-foreign-token-says-200 | po | RFC 7009, 2.1 | The attempt to revoke another client's token has no effect but is answered 200.
revocation-of-access-without-effect | po | RFC 7009, 2.1 | Revoking an access token has no effect.
revocation-of-refresh-without-effect | po | RFC 7009, 2.1 | Revoking a refresh token has no effect.
revocation-of-refresh-keeps-access | po | RFC 7009, 2.1 | Revoking a refresh token leaves the access tokens of its grant alive.
revocation-of-refresh-ends-newest-access-only | po | RFC 7009, 2.1 | Revoking a refresh token ends the newest access token only, not the earlier ones of its grant.
revocation-reaches-other-clients | po | RFC 7009, 2.1 | Revoking a refresh token ends the user's grants to all other clients too.
introspection-open-to-all | o | RFC 7662, 2.1 | Introspection needs no credentials.
introspection-inactive-with-details | o | RFC 7662, 2.2 | Introspection of a dead token shows its details.
introspection-of-unknown-token-is-error | o | RFC 7662, 2.2 | Introspection of an unknown token is an error.
introspection-ignores-expiry | o | RFC 7662, 2.2 | Expired access tokens are shown as active.
introspection-ignores-revocation | o | RFC 7662, 2.2 | Revoked access tokens are shown as active.
introspection-revoked-refresh-active | o | RFC 7662, 2.2 | Revoked refresh tokens are shown as active.
introspection-rotated-refresh-active | o | RFC 7662, 2.2 | Rotated refresh tokens are shown as active.
introspection-shows-grant-scope | o | RFC 7662, 2.2 | Introspection shows the scope of the grant, also for a token with a narrower scope.
introspection-scope-as-list | o | RFC 7662, 2.2 | Introspection shows scope as a list instead of text.
introspection-times-in-milliseconds | o | RFC 7662, 2.2 | Introspection shows exp and iat in milliseconds.
introspection-times-as-text | o | RFC 7662, 2.2 | Introspection shows exp as text.
introspection-trusts-hint | o | RFC 7662, 2.1 | With a wrong token_type_hint a living token is shown as inactive.
callback-from-any-browser | p | OAuth 2.1, 7.11 | The identity provider's answer is accepted in a browser that did not begin the request.
callback-works-twice | p | OAuth 2.1, 7.11 | The state of a callback works more than once.
callback-for-latest-request | p | Pattern 3 configuration | The callback counts for the browser's latest request instead of the one that its state names.
upstream-state-is-clients-state | p | OAuth 2.1, 7.11 | The client's own state is used towards the identity provider.
upstream-gets-client-scopes | p | Pattern 3 configuration | The identity provider is asked for the client's scopes besides the configured ones.
upstream-scopes-with-commas | p | RFC 6749, 3.3 | The scopes for the identity provider are joined by commas.
upstream-without-pkce | p | Pattern 3 configuration | The flow with the identity provider has no PKCE.
upstream-pkce-plain | p | RFC 7636, 4.2 | The flow with the identity provider uses the challenge method plain.
upstream-verifier-omitted | p | RFC 7636, 4.5 | The token request to the identity provider has no code_verifier although a challenge was sent.
upstream-redirect-uri-omitted | p | RFC 6749, 4.1.3 | The token request to the identity provider has no redirect_uri.
upstream-credentials-not-encoded | p | RFC 6749, 2.3.1 | The Basic credentials for the identity provider are not form-encoded.
upstream-authenticated-twice | p | RFC 6749, 2.3 | The token request to the identity provider has the secret in the body besides the Basic credentials.
upstream-secret-in-url | p | RFC 6749, 2.3.1 | The address of the identity provider to which browsers are sent has the client secret.
upstream-token-in-query | p | MCP 2025-11-25, Token Requirements | The identity provider's token is sent to the user URL in the query.
upstream-token-type-unchecked | p | RFC 6749, 7.1 | A token of an unknown type from the identity provider is used.
upstream-token-type-case-sensitive | p | RFC 6749, 5.1 | A token_type "bearer" in lower case from the identity provider is refused.
upstream-token-handed-out | p | MCP 2025-11-25, Access Token Privilege Restriction | Clients get the identity provider's access token as theirs.
upstream-denial-says-server-error | p | RFC 6749, 4.1.2.1 | A denial at the identity provider is reported as server_error.
upstream-error-not-passed-on | p | RFC 6749, 4.1.2.1 | When the identity provider refuses, the client is not told.
upstream-user-failure-ignored | p | Pattern 3 configuration | When the user URL fails, the sign-in succeeds with an unknown user.
upstream-user-read-as-latin1 | p | Pattern 3 configuration | The user URL's answer is read as Latin-1, so non-ASCII properties come out wrong.
user-remembered-by-client | p | Pattern 3 configuration | The first user of a client is shown for everybody who signs in with that client.
user-remembered-by-browser | p | Pattern 3 configuration | The first user in a browser is shown for everybody who signs in there later.
user-properties-of-first-sign-in | p | Pattern 3 configuration | Later sign-ins show the e-mail address that the user had at the first one.
`

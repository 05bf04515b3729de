// Choices: behaviour that the document and its standards allow. Columns: name | patterns | where | does.
export const CHOICES = `
answers-as-event-stream | jpo | MCP 2025-11-25, Transports | Answers POST requests with an event stream of one message instead of a JSON body.
no-sessions | jpo | MCP 2025-11-25, Session Management | Never assigns a session; every request to /mcp stands alone.
get-opens-event-stream | jpo | MCP 2025-11-25, Transports | GET /mcp opens an event stream instead of answering 405.
session-end-not-offered | jpo | MCP 2025-11-25, Session Management | DELETE /mcp is answered with 405, so that clients cannot end a session.
accept-header-not-checked | jpo | MCP 2025-11-25, Transports | Serves POST requests whatever their Accept header says.
tools-in-other-order | jpo | Tool server transports | Lists the tools in the opposite order.
initialize-gives-instructions | jpo | MCP 2025-11-25, Lifecycle | The answer to initialize has instructions.
profile-with-name | jpo | Pattern 3 configuration | The profile tool returns the user's display name as well.
results-without-structure | jpo | Tool server transports | Tool results have text content only and no structuredContent.
challenge-with-realm | jpo | RFC 6750, 3 | WWW-Authenticate challenges begin with a realm.
errors-without-description | jpo | RFC 6749, 5.2 | Error answers and challenges have no error_description.
refusals-without-body | po | RFC 6750, 3 | Refusals of a token at /mcp have no body.
malformed-header-is-401 | po | RFC 6750, 3.1 | A malformed bearer token is answered 401 invalid_token instead of 400 invalid_request.
jwt-exp-required | j | Pattern 2 rules | Refuses tokens that have no exp claim.
jwt-leeway-thirty-seconds | j | RFC 7519, 4.1.4 | Allows 30 seconds of clock difference for exp and nbf.
jwt-other-scheme-is-403 | j | Pattern 2 rules | An Authorization header with another scheme than Bearer is answered 403 instead of 401.
jwt-empty-token-is-401 | j | Pattern 2 rules | A Bearer header without a token is answered 401 instead of 403.
jwt-other-refusal-words | j | Pattern 2 rules | Uses other short texts for the 401 and the 403.
jwt-long-lifetime-refused | j | Pattern 2 rules | Refuses tokens whose exp lies more than 60 minutes after iat.
jwt-future-iat-refused | j | RFC 7519, 4.1.6 | Refuses tokens that were issued in the future.
jwt-typ-checked | j | RFC 7519, 5.1 | Refuses tokens whose typ is given and is neither JWT nor at+jwt.
redirect-with-302 | po | OAuth 2.1, 4.1.2 | Sends browsers on with 302 instead of 303, except right after a password.
code-lifetime-ten-minutes | po | OAuth 2.1, 4.1.2 | Codes live ten minutes.
code-lifetime-thirty-seconds | po | OAuth 2.1, 4.1.2 | Codes live thirty seconds.
access-lifetime-one-hour | po | Pattern 4 | Access tokens live one hour.
access-lifetime-five-minutes | po | Pattern 4 | Access tokens live five minutes.
refresh-lifetime-one-day | po | Pattern 4 | Refresh tokens live one day.
refresh-expiry-absolute | po | OAuth 2.1, 4.3 | A rotated refresh token keeps the expiry time of the first one.
confidential-refresh-not-rotated | po | OAuth 2.1, 4.3.1 | Confidential clients keep their refresh token; the answer to a refresh has none.
refresh-ends-previous-access | po | OAuth 2.1, 4.3 | A refresh ends the earlier access tokens of the same grant.
refresh-ignores-wider-scope | po | OAuth 2.1, 1.4.1 | A refresh for a wider scope gets the scope of the grant instead of invalid_scope, and is told so.
refresh-replay-ends-only-refresh | po | OAuth 2.1, 4.3.1 | Reuse of a rotated refresh token ends the refresh tokens only; access tokens run out by themselves.
foreign-refresh-ends-grant | po | OAuth 2.1, 4.3 | A refresh token presented by another client is taken as stolen, and its grant ends.
new-authorization-ends-earlier-grants | po | Pattern 4 | A new authorization ends the earlier grants of the same user to the same client.
access-revocation-ends-grant | po | RFC 7009, 2.1 | Revoking an access token ends its refresh token as well.
refused-exchange-ends-code | po | OAuth 2.1, 4.1.3 | A refused exchange by the right client uses up the code.
missing-verifier-says-invalid-grant | po | RFC 7636, 4.6 | A missing code_verifier is answered invalid_grant instead of invalid_request.
malformed-verifier-says-invalid-request | po | RFC 7636, 4.6 | A malformed code_verifier is answered invalid_request instead of invalid_grant.
verifier-syntax-unchecked | po | RFC 7636, 4.6 | A code_verifier that fits is accepted even when it is shorter than 43 characters.
challenge-syntax-unchecked | po | RFC 7636, 4.4 | A malformed code_challenge is taken; it can never be met.
token-redirect-uri-ignored | po | OAuth 2.1, 10.2 | A redirect_uri at the token endpoint is ignored, as OAuth 2.1 no longer has it.
either-secret-method-accepted | po | OAuth 2.1, 2.4.1 | Confidential clients may send their secret by either method, whatever they registered.
invalid-client-400-without-header | po | RFC 6749, 5.2 | invalid_client has status 400 when the client sent no Authorization header.
wrong-media-type-415 | po | OAuth 2.1, 3.2 | A token request that is not form-encoded has status 415 instead of 400.
scope-omitted-when-as-requested | po | RFC 6749, 5.1 | The token answer has no scope when the granted scope is the requested one.
default-scope-read-only | po | OAuth 2.1, 1.4.1 | An authorization request without scope is for notes:read only.
unknown-scope-dropped | po | OAuth 2.1, 1.4.1 | Unknown scopes beside known ones are dropped instead of refused with invalid_scope.
resource-required | po | RFC 8707, 2 | An authorization request without resource is refused with invalid_target.
resource-origin-accepted | po | RFC 8707, 2 | The origin of the server is accepted as a name of the resource.
resource-trailing-slash-accepted | po | RFC 8707, 2 | The resource is accepted with a trailing slash as well.
localhost-port-must-match | po | OAuth 2.1, 8.4.2 | Redirection URIs on the name localhost must match with their port; loopback addresses need not.
authorize-accepts-post | po | OAuth 2.1, 3.1 | The authorization endpoint accepts POST with form parameters too.
no-iss-parameter | po | RFC 9207, 2 | Authorization answers have no iss, and the metadata do not announce it.
code-with-reserved-characters | po | OAuth 2.1, 4.1.2 | Codes have characters that must be escaped in a query or form.
access-token-is-jwt | po | RFC 6750, 1.2 | Access tokens look like JWTs instead of random text.
long-access-tokens | po | RFC 6749, 5.1 | Access tokens have 800 characters.
client-id-with-reserved-characters | po | RFC 7591, 3.2.1 | Client identifiers have colons, slashes, a plus sign and a space.
client-id-short | po | RFC 7591, 3.2.1 | Client identifiers have eight characters.
client-secret-expires-after-ninety-days | po | RFC 7591, 3.2.1 | Client secrets expire after ninety days, and the registration answer says so.
register-adds-refresh-grant | po | RFC 7591, 3.2.1 | Every client is registered for refresh tokens, also when it did not ask.
no-refresh-for-public-clients | po | OAuth 2.1, 4.3 | Public clients are registered without the refresh grant and get no refresh tokens.
register-drops-unknown-scopes | po | RFC 7591, 3.2.1 | Unknown scopes beside known ones are left out of a registration instead of refused.
register-drops-unsupported-grants | po | RFC 7591, 3.2.1 | Unsupported grant types beside supported ones are left out of a registration instead of refused.
registration-rate-limited | po | Pattern 3 configuration | More than 20 registrations in a minute are answered 429 with Retry-After.
cors-on-oauth-endpoints | po | Authorization endpoints (OAuth patterns) | Token, registration and revocation endpoint and the metadata allow requests from any web origin.
metadata-cacheable | jpo | RFC 8414, 3.2 | Metadata documents may be cached for five minutes.
metadata-also-openid-path | po | RFC 8414, 5 | The metadata are served at /.well-known/openid-configuration too.
metadata-endpoints-from-host-header | po | RFC 8414, 2 | Endpoint addresses in the metadata use the host name by which the client came.
metadata-scopes-incomplete | po | RFC 8414, 2 | The metadata list only one of the supported scopes.
metadata-more-members | po | RFC 8414, 2 | The metadata have service_documentation and ui_locales_supported.
metadata-without-introspection-methods | o | RFC 8414, 2 | The metadata do not say how to authenticate at the introspection endpoint.
resource-metadata-without-methods | jpo | RFC 9728, 2 | The protected resource metadata have no bearer_methods_supported.
form-action-absolute | po | Pattern 4 | The forms have absolute action addresses.
form-input-buttons | po | Pattern 4 | The consent form has input elements as buttons instead of button elements.
sign-in-and-consent-one-form | o | Pattern 4 | Sign-in and consent are one form with user name, password, and both buttons.
sign-in-answers-with-consent-page | o | Pattern 4 | The sign-in answers with the consent page itself instead of a redirect to it.
sign-in-every-time | o | Pattern 4 | Each authorization request asks for user name and password again.
consent-remembered-for-confidential-clients | po | OAuth 2.1, 7.3.1 | A confidential client that got consent for the same scopes is not asked about again for a day.
introspection-only-required-members | o | RFC 7662, 2.2 | Introspection of a living token shows only active, scope, client_id and exp.
introspection-of-refresh-tokens-inactive | o | RFC 7662, 2.2 | Refresh tokens are inactive for resource servers, which have no use for them.
introspection-accepts-credentials-in-body | o | RFC 7662, 2.1 | A resource server may send its credentials in the body too, as the metadata say.
introspection-without-token-is-inactive | o | RFC 7662, 2.1 | An introspection request without a token is answered active false instead of 400.
profile-asked-upstream-each-time | p | Pattern 3 configuration | The profile tool asks the identity provider at each call instead of using what it said at sign-in.
upstream-asked-to-prompt | p | Pattern 3 configuration | The request to the identity provider has prompt=consent.
upstream-client-id-in-body-too | p | Pattern 3 configuration | The token request to the identity provider has client_id in the body besides the Basic credentials.
upstream-failure-says-temporarily-unavailable | p | RFC 6749, 4.1.2.1 | A failing identity provider is reported as temporarily_unavailable instead of server_error.
upstream-error-code-copied | p | RFC 6749, 4.1.2.1 | Any error code of the identity provider is passed on to the client unchanged.
`

// Violations at the protected resource, in the metadata and in pattern 2. Columns: name | patterns | where | does.
export const RESOURCE_VIOLATIONS = `
jwt-absent-header-is-403 | j | Pattern 2 rules | A request without Authorization header is answered 403.
jwt-invalid-token-is-401 | j | Pattern 2 rules | A token that fails verification is answered 401.
jwt-expired-token-is-401 | j | Pattern 2 rules | A token whose only fault is its expiry is answered 401; all other bad tokens get 403.
jwt-exp-ignored | j | RFC 7519, 4.1.4 | The exp claim is never checked.
jwt-served-in-second-of-expiry | j | RFC 7519, 4.1.4 | A token is still served in the second that begins at its exp.
jwt-leeway-one-hour | j | RFC 7519, 4.1.4 | Expired tokens are served for one more hour, far beyond a few minutes of leeway.
jwt-text-exp-never-ends | j | RFC 7519, 4.1.4 | An exp that is text instead of a number never expires.
jwt-exp-zero-means-none | j | RFC 7519, 4.1.4 | An exp of 0 is treated like no exp.
jwt-fractional-times-refused | j | RFC 7519, 2 | Tokens with fractions of a second in exp, nbf or iat are refused.
jwt-good-once-good-forever | j | RFC 7519, 4.1.4 | A token that was good once is never checked again, so it outlives its exp.
jwt-nbf-ignored | j | RFC 7519, 4.1.5 | The nbf claim is never checked.
jwt-refused-in-second-of-nbf | j | RFC 7519, 4.1.5 | A token is refused during the second that begins at its nbf.
jwt-issuer-optional | j | Pattern 2 rules | A token without iss is served.
jwt-issuer-prefix-accepted | j | Pattern 2 rules | An iss that only begins with the issuer is accepted.
jwt-issuer-slash-ignored | j | RFC 7519, 4.1.1 | An iss that differs from the issuer by a trailing slash is accepted.
jwt-issuer-case-ignored | j | RFC 7519, 4.1.1 | Upper and lower case are not told apart in iss.
jwt-audience-optional | j | Pattern 2 rules | A token without aud is served.
jwt-empty-audience-accepted | j | RFC 7519, 4.1.3 | A token whose aud is an empty list is served.
jwt-audience-part-accepted | j | RFC 7519, 4.1.3 | An aud that only contains the audience as a part is accepted.
jwt-audience-case-ignored | j | RFC 7519, 4.1.3 | Upper and lower case are not told apart in aud.
jwt-audience-list-refused | j | RFC 7519, 4.1.3 | A token whose aud is a list is refused even when the audience is in it.
jwt-only-first-audience-read | j | RFC 7519, 4.1.3 | Only the first member of an aud list is compared.
jwt-alg-none-accepted | j | RFC 7519, 7.2 | Tokens with alg none and no signature are served.
jwt-alg-none-spelt-otherwise-accepted | j | RFC 7519, 7.2 | Unsigned tokens with alg None or NONE are served, though none is refused.
jwt-signature-cut-short-accepted | j | RFC 7515, 5.2 | A signature of which only the first bytes are given is accepted.
jwt-crit-ignored | j | RFC 7515, 4.1.11 | A critical header extension that is not understood is ignored.
jwt-padding-accepted | j | RFC 7515, 2 | Base64url parts with padding characters are accepted.
jwt-claims-read-as-latin1 | j | RFC 7519, 7.2 | Claims are read as Latin-1 instead of UTF-8, so non-ASCII logins come out wrong.
jwt-challenge-missing-on-401 | j | RFC 6750, 3 | The 401 has no WWW-Authenticate header.
bearer-scheme-case-sensitive | jpo | RFC 9110, 11.1 (by RFC 6750, 2.1) | The scheme name is accepted only as "Bearer", not as "bearer".
challenge-missing-for-invalid-token | jpo | RFC 6750, 3 | Refusals of an invalid token have no WWW-Authenticate header.
challenge-error-without-token | jpo | RFC 6750, 3.1 | The challenge for a request without a token has an error code.
challenge-names-missing-document | jpo | RFC 9728, 5.1 | Challenges name an address of metadata at which there is no document.
challenge-without-scope | po | MCP 2025-11-25, Protected Resource Metadata Discovery | The challenge for a request without a token names no scope.
absent-token-is-403 | po | MCP 2025-11-25, Error Handling | A request without a token is answered 403 instead of 401.
invalid-token-is-403 | po | MCP 2025-11-25, Token Handling | An invalid token is answered 403 instead of 401.
insufficient-scope-is-401 | po | RFC 6750, 3.1 | A token that lacks the scope is answered 401 instead of 403.
insufficient-scope-without-scope | po | MCP 2025-11-25, Runtime Insufficient Scope Errors | The challenge for a missing scope does not name the scope.
write-scope-unchecked | po | MCP 2025-11-25, Error Handling | A token for notes:read only can add notes.
scope-compared-by-first-part | po | RFC 6750, 3.1 | Scopes are compared up to the colon, so notes:write opens notes:read and the reverse.
token-in-query-accepted | jpo | MCP 2025-11-25, Token Requirements | A token in the query parameter access_token is accepted.
session-replaces-token | jpo | MCP 2025-11-25, Token Requirements | Requests with a known session need no Authorization header.
session-skips-second-check | jpo | MCP 2025-11-25, Token Handling | A token is checked when its session begins and never again within that session.
session-open-to-other-users | jp | MCP 2025-11-25, Security Best Practices | A session can be used by other users with tokens of their own.
get-without-token | jpo | MCP 2025-11-25, Token Requirements | GET /mcp needs no token.
delete-without-token | jpo | MCP 2025-11-25, Token Requirements | DELETE /mcp needs no token, so anybody can end a session.
ping-without-token | jpo | MCP 2025-11-25, Token Requirements | ping needs no token.
tool-list-without-token | jpo | MCP 2025-11-25, Token Requirements | tools/list needs no token.
initialize-without-token | jpo | MCP 2025-11-25, Token Requirements | initialize needs no token.
notification-without-token | jpo | MCP 2025-11-25, Token Requirements | Notifications need no token.
profile-of-session | jp | Pattern 3 configuration | The profile tool shows the user who began the session, whatever newer token the request carries.
profile-of-latest-request | jp | Pattern 3 configuration | Under parallel requests the profile tool shows the user of the latest request.
origin-unchecked | jpo | MCP 2025-11-25, Transports | Requests from pages of any other web origin are served.
session-survives-its-end | jpo | MCP 2025-11-25, Session Management | A session goes on after DELETE.
unknown-session-is-400 | jpo | MCP 2025-11-25, Session Management | An unknown or ended session is answered 400 instead of 404.
unknown-protocol-version-accepted | jpo | MCP 2025-11-25, Protocol Version Header | Unsupported values of MCP-Protocol-Version are accepted.
notification-answered-200 | jpo | MCP 2025-11-25, Transports | Notifications are answered 200 instead of 202.
has-more-at-exact-end | jpo | Pagination result (json format) | has_more is true on the last page.
limit-of-hundred-refused | jpo | Limits | A limit of exactly 100 is refused.
truncation-not-told | jpo | Truncation fields | A list cut to the character limit has no truncated and no truncation_message.
next-offset-skips-truncated | jpo | Pagination result (json format) | next_offset passes over the items that were cut off by the character limit.
next-offset-at-end | jpo | Pagination result (json format) | next_offset is a number on the last page, although has_more is false.
refresh-token-opens-resource | po | MCP 2025-11-25, Token Handling | A refresh token is accepted as access token at /mcp.
access-token-compared-by-prefix | po | RFC 6750, 3.1 | Access tokens are compared by their first 24 characters only.
access-outlives-its-expiry | po | RFC 6749, 5.1 | Access tokens work at /mcp for twice the time that expires_in says.
access-dies-early | po | RFC 6749, 5.1 | Access tokens are refused at /mcp after half the time that expires_in says.
resource-caches-verdict | po | RFC 7009, 2 | A token used at /mcp works there for five more minutes after its revocation.
revocation-unknown-to-resource | po | RFC 7009, 2.1 | Revoked access tokens still work at /mcp until they expire.
upstream-token-opens-resource | p | MCP 2025-11-25, Token Handling | Access tokens of the identity provider are accepted at /mcp.
metadata-issuer-with-trailing-slash | po | RFC 8414, 3.3 | The issuer in the metadata has a trailing slash that its identifier has not.
metadata-without-pkce | po | MCP 2025-11-25, Authorization Code Protection | The metadata have no code_challenge_methods_supported.
metadata-announces-plain | po | RFC 8414, 2 | The metadata announce the challenge method plain, which is refused.
metadata-without-response-types | po | RFC 8414, 2 | The metadata have no response_types_supported.
metadata-without-iss-support | po | RFC 9207, 3 | iss is sent but the metadata do not announce it.
metadata-empty-list | po | RFC 8414, 3.2 | The metadata have a member that is an empty list.
metadata-as-plain-text | po | RFC 8414, 3.2 | The authorization server metadata have the media type text/plain.
resource-metadata-names-origin | jpo | RFC 9728, 3.3 | The protected resource metadata name the origin as the resource instead of /mcp.
resource-metadata-with-trailing-slash | jpo | RFC 9728, 3.3 | The resource in the protected resource metadata has a trailing slash too many.
resource-metadata-without-servers | po | MCP 2025-11-25, Authorization Server Location | The protected resource metadata name no authorization server.
resource-metadata-server-with-slash | po | RFC 9728, 2 | The named authorization server differs from the issuer by a trailing slash.
resource-metadata-announces-query | jpo | RFC 9728, 2 | The protected resource metadata announce tokens in the query, which are refused.
`

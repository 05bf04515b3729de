"""Switches of the MCP endpoint, its door and its tools. Lines: kind patterns name | does; '@' sets the place."""
TEXT = """
@ MCP 2025-11-25 Authorization, Protected Resource Metadata Discovery
c XP challenge-without-metadata-url | The 401 challenge has no resource_metadata; clients use the well-known address.
v XP challenge-metadata-url-dead | The 401 challenge names a resource_metadata address that answers 404.
@ RFC 9728 section 5.1
v XP challenge-metadata-url-relative | The 401 challenge names resource_metadata as a path and not as a URL.
v XP challenge-unquoted-url | The resource_metadata value of the challenge is not a quoted string, so it cannot be parsed.
@ RFC 6750 section 3
c JXP challenge-has-realm | The challenge has a realm.
c XP challenge-without-scope | The challenges name no scope.
v XP challenge-error-without-token | A request without a token is answered with error="invalid_token" in the challenge.
v JXP challenge-names-basic | The 401 of a request without a token names the Basic scheme and not Bearer.
v XP challenge-bad-characters | error_description of the challenge has quotes, a backslash and a non-ASCII character.
@ RFC 9110 section 15.5.2
v JXP challenge-missing | A 401 answer has no WWW-Authenticate header.
@ Pattern 2 rules, rule 2
v J jwt-absent-403 | A request without the header is answered with 403.
v J jwt-absent-400 | A request without the header is answered with 400.
v J jwt-401-empty | The 401 answer has no text.
c J jwt-401-json | The unauthorized text of the 401 is a small JSON object.
v J jwt-401-long-text | The 401 text is long and tells issuer, audience and a trace.
c J jwt-empty-bearer-401 | A header "Bearer" without a token counts as absent: 401.
c J jwt-other-scheme-403 | A header of another scheme counts as a token that fails: 403.
@ Pattern 2 rules, rule 3
v J jwt-invalid-401 | A token that fails is answered with 401.
v J jwt-expired-401 | Only an expired token is answered with 401 and not 403.
v J jwt-wrong-audience-401 | Only a token for another audience is answered with 401 and not 403.
v J jwt-malformed-400 | A malformed token is answered with 400 and not 403.
v J jwt-403-empty | The 403 answer has no text.
c J jwt-403-json | The invalid-token text of the 403 is a small JSON object.
c J jwt-403-names-reason | The 403 text says "Invalid token" and names the failed check.
c J jwt-403-has-challenge | The 403 answer has a Bearer challenge with error="invalid_token".
@ Pattern 2 rules, rule 4
v J jwt-lockout-after-five | After five failed tokens of anybody every good token is refused too.
@ RFC 6750 section 3.1
v XP invalid-token-403 | An invalid token is answered with 403 and not 401.
v XP invalid-token-400 | An invalid token is answered with 400 and not 401.
v XP invalid-token-without-error | The challenge for an invalid token has no error="invalid_token".
v XP insufficient-scope-401 | A call without the needed scope is answered with 401 and not 403.
v XP insufficient-scope-wrong-error | The 403 of a missing scope says error="invalid_token".
v XP insufficient-scope-names-wrong-scope | The 403 of a missing scope names a scope that does not exist.
c XP insufficient-scope-names-all | The 403 of a missing scope names the granted scopes together with the missing one.
@ MCP 2025-11-25 Authorization, Scope Challenge Handling
v XP insufficient-scope-without-challenge | The 403 of a missing scope has no WWW-Authenticate header.
v XP insufficient-scope-is-tool-error | A missing scope is answered with 200 and a tool error.
@ RFC 6750 section 2.1
v JXP single-space-only | More than one space between Bearer and the token is refused.
v JXP token-without-scheme-accepted | A token as the whole Authorization value, without Bearer, is accepted.
v JXP other-scheme-accepted | A token after the scheme "Token" is accepted.
v JXP basic-password-accepted | A token as the password of Basic credentials is accepted.
c JXP first-authorization-header-wins | With two Authorization headers the first one counts (the default refuses with 400).
v JXP any-authorization-header-accepted | With two Authorization headers one good token among them is enough.
@ RFC 9110 section 11.1
v JXP bearer-scheme-case-sensitive | The scheme "bearer" in lower case is refused.
@ MCP 2025-11-25 Authorization, Access Token Usage
v JXP token-in-query-accepted | A token in the query (access_token) is accepted.
v JXP token-in-cookie-accepted | A token in a cookie (access_token) is accepted.
v JXP token-in-other-header-accepted | A token in X-Access-Token or X-Api-Key is accepted.
v JXP initialize-without-token | initialize is served without a token.
v JXP tools-list-without-token | tools/list is served without a token.
v JXP ping-without-token | ping is served without a token.
v JXP notifications-without-token | Notifications are accepted (202) without a token.
v JXP get-stream-without-token | GET /mcp without a token opens an event stream.
v JXP session-end-without-token | DELETE /mcp without a token ends a session.
v JXP connection-keeps-login | A request without a token on a keep-alive connection that had a good one is served.
v JXP connection-keeps-first-user | On one keep-alive connection a second user's token acts as the first user.
v JXP connection-poisoned-by-refusal | After a refused token a good one on the same connection is refused too.
v JXP token-remembered-by-address | A request without a token is served as the latest caller of the server.
v XP access-token-never-expires | Access tokens work after expires_in.
v XP refresh-token-opens-mcp | A refresh token is accepted as a bearer token at /mcp.
v XP code-opens-mcp | An authorization code is accepted as a bearer token at /mcp.
v X upstream-token-opens-mcp | The upstream provider's access token is accepted at /mcp.
v JXP verdict-cache-keyed-by-prefix | After a good token another with the same beginning but a wrong end is accepted.
v JXP verdict-cached-after-expiry | A token that was used before works after its expiry.
v XP verdict-cached-after-revocation | A token that was used before works after its revocation.
v XP token-case-insensitive | An access token in other letter case is accepted.
v XP token-trailing-characters-ignored | An access token with further characters at its end is accepted.
v XP access-token-used-once | An access token works only for one request.
v XP access-token-ends-early | Access tokens end after 300 seconds although expires_in says 1800.
@ MCP 2025-11-25 Security Best Practices, Session Hijacking
v JXP session-replaces-token | A request with a session id and no token is served as the session's user.
v JXP session-skips-verification | With a known session id any token at all is accepted.
v JXP session-keeps-first-user | With a session of the first user a second user's token acts as the first user.
v J session-skips-audience | With a known session id a token for another audience is accepted.
v JXP session-skips-expiry | With a known session id an expired token is accepted.
v XP session-keeps-first-scopes | With a session the scopes of its first token count for later tokens.
v XP session-skips-revocation | With a known session id a revoked token is accepted.
v JXP session-of-other-user-accepted | A session of one user is served with another user's token.
c XP session-of-other-client-accepted | A session of one client is served with another client's token of the same user.
v JXP other-user-ends-session | Another user's token ends a session by DELETE.
v JXP session-id-counts-up | Session ids are guessable: they count up.
v JXP session-id-is-token | The session id is the bearer token.
v JXP ended-session-still-works | A session ended by DELETE (204) is still served.
@ Pattern 3 configuration, context (login, email)
v JXP non-ascii-login-mangled | A non-ASCII login arrives at the tools wrongly decoded.
v JXP non-ascii-login-stripped | The non-ASCII characters of a login are dropped.
v J login-unicode-folded | Logins that differ only in Unicode compatibility forms become the same user.
v J login-case-folded | Logins that differ in letter case become the same user.
v JXP profile-cached-for-everyone | The profile of the first caller is answered to every user.
v JXP email-missing-in-profile | The profile never has the email.
v JXP current-user-held-globally | Parallel profile calls of two users can answer with the other user's profile.
v X upstream-token-in-profile | The profile tool hands the upstream access token to the client.
c JXP profile-json-escaped | The profile's JSON text escapes non-ASCII characters.
@ MCP 2025-11-25 Transports, Security Warning
v JXP origin-not-checked | A foreign Origin header is accepted.
v JXP origin-prefix-match | An Origin that only begins with the server's origin is accepted.
c JXP origin-null-accepted | The Origin "null" is accepted.
c JXP origin-localhost-accepted | Origins on http://localhost with any port are accepted.
@ MCP 2025-11-25 Lifecycle
v JXP unknown-version-echoed | initialize repeats an unknown protocol version as if it were supported.
c JXP has-instructions | initialize returns instructions.
@ Tool definition, server name
v JXP server-name-has-version | The server name has a version number.
@ MCP 2025-11-25 Transports, Session Management
c JXP no-sessions | The server has no sessions; no Mcp-Session-Id is given or needed.
c JXP session-optional | Requests without Mcp-Session-Id are served although sessions exist.
v JXP unknown-session-accepted | An unknown session id is accepted.
v JXP unknown-session-400 | An ended session is answered with 400 and not 404.
c JXP sessions-cannot-be-ended | DELETE /mcp answers 405.
c JXP session-end-200 | DELETE /mcp answers 200 and not 204.
@ MCP 2025-11-25 Transports, Streamable HTTP
c JXP get-opens-stream | GET /mcp with a token opens an event stream (the default answers 405).
c JXP answers-options | OPTIONS /mcp answers 204 with Allow and without a token.
c JXP accept-header-required | POST without both media types in Accept answers 406.
c JXP any-content-type-accepted | POST with another Content-Type than JSON is accepted.
c JXP answers-as-event-stream | Answers are sent as an event stream and not as JSON.
v JXP bad-version-header-accepted | An unsupported MCP-Protocol-Version header is accepted.
v JXP notification-answered-200 | A notification is answered with 200 and a body.
v JXP batch-accepted-in-new-versions | Batches are accepted in versions that removed them.
v JXP batch-refused-in-old-version | Batches are refused in version 2025-03-26.
v XP batch-checks-first-scope-only | In a batch only the first tool call's scope is checked.
@ JSON-RPC 2.0
v JXP number-ids-become-text | A number as id comes back as text.
v JXP unknown-method-wrong-code | An unknown method is answered with -32603 and not -32601.
v JXP parse-error-500 | A body that is not JSON is answered with 500.
@ MCP 2025-11-25 Server Features, Tools
c XP tools-list-follows-scopes | tools/list shows only the tools that the token's scopes allow.
c JXP tools-list-in-pages | tools/list is paginated with nextCursor.
c JXP unknown-tool-is-tool-error | An unknown tool is answered with a tool error and not a protocol error.
c JXP invalid-input-is-protocol-error | Input that violates the model is answered with -32602 and not a tool error.
c JXP structured-content-added | Results with JSON text also have structuredContent.
v JXP tool-errors-not-marked | Tool errors have isError false.
v JXP tools-have-output-schema | A tool announces an outputSchema but returns no structuredContent.
@ MCP 2025-11-25 Authorization, Token Handling
v XP scope-not-enforced | The writing tool works with a token without its scope.
v XP read-scope-not-enforced | The reading tools work with a token without items:read.
v XP scope-compared-as-text | The scope items:write:draft is taken for items:write because the text contains it.
v XP refused-scope-has-effect | A writing call refused for its scope adds the note anyway.
v JXP expired-token-has-effect | A writing call refused for an expired token adds the note anyway.
@ Errors
v JXP tool-errors-without-prefix | Tool errors do not begin with "Error:".
v JXP refused-input-has-effect | A writing call refused by validation adds the note anyway.
@ Authentication, users kept apart
v JXP notes-shared-between-users | All users see and change the same notes.
v JXP notes-of-others-readable | A user can read another user's note by its id.
@ Tool definition, annotations
v JXP write-tool-says-read-only | The writing tool says readOnlyHint true.
c JXP tools-without-annotations | The tools have no annotations.
@ Tool definition, input
c JXP extra-fields-ignored | Unknown input fields are ignored.
c JXP whitespace-stripped | Surrounding whitespace in input strings is stripped.
c JXP number-as-text-accepted | A number sent as text is accepted for limit and offset.
@ Common tool input fields
v JXP limit-above-100-accepted | A limit above 100 is accepted.
v JXP limit-zero-accepted | A limit of 0 is accepted.
v JXP negative-offset-accepted | A negative offset is accepted.
v JXP json-is-default-format | The default of response_format is json.
@ Pagination result (json format)
v JXP has-more-wrong-at-end | has_more is true on the last page.
v JXP next-offset-zero-at-end | next_offset is 0 and not null on the last page.
v JXP total-counts-page | total counts only the page.
"""

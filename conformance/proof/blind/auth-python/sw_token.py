"""Switches of the token, revocation and introspection endpoints (OAuth patterns)."""
TEXT = """
@ RFC 7636 section 4.6
v XP wrong-verifier-wrong-error | A wrong verifier gets invalid_request and not invalid_grant.
v XP challenge-of-latest-request | With two open requests of a client only the later verifier works.
v XP long-verifier-refused | A verifier of 128 characters is refused.
v XP verifier-with-dot-refused | A verifier with a dot or a tilde is refused.
v XP verifier-not-checked | The verifier is not checked.
v XP verifier-optional | The verifier may be left out.
v XP verifier-trimmed | Outer spaces of the verifier are ignored.
v XP any-verifier-accepted | A verifier that is too short is accepted.
v XP verifier-may-be-the-challenge | The challenge itself is accepted as the verifier.
v XP verifier-case-insensitive | The hash of the verifier is compared without regard to letter case.
v XP verifier-compared-by-prefix | Only the first eight characters of the hash are compared.
v XP verifier-of-other-request-accepted | The verifier of another open request is accepted.
v XP secret-replaces-verifier | A client with a secret needs no verifier.
c XP missing-verifier-is-invalid-grant | A missing verifier is invalid_grant and not invalid_request.
@ OAuth 2.1 section 4.1.3
v XP missing-code-wrong-error | A missing code gets invalid_grant and not invalid_request.
v XP unknown-code-wrong-error | An unknown code gets invalid_request and not invalid_grant.
v XP code-trimmed | Outer spaces of the code are ignored.
v XP code-case-insensitive | A code in other letter case is accepted.
v XP code-of-other-client-accepted | Another client can exchange the code.
c XP code-burnt-by-other-client | A refused exchange by another client uses up the code.
c XP other-client-ends-tokens-of-code | A refused exchange by another client revokes the tokens of the code.
v XP code-used-twice | A code can be exchanged twice.
v XP code-reuse-keeps-tokens | The refused second use of a code does not revoke its tokens.
v XP code-reuse-keeps-refresh-token | The refused second use of a code revokes only the access token.
v XP parallel-code-exchange | Parallel exchanges of one code all succeed.
c XP failed-exchange-burns-code | An exchange with a wrong verifier uses up the code.
v XP scope-widened-at-code-exchange | A scope sent with the code exchange replaces the granted one.
v XP tokens-for-latest-user | The code exchange gives tokens for the latest user who approved.
c XP new-grant-ends-older-ones | A new grant of the same user and client ends the older tokens.
c XP new-grant-of-user-ends-other-clients | A new grant ends the user's tokens at other clients.
@ OAuth 2.1 section 10.2 (redirect_uri at the token endpoint)
c XP redirect-uri-needed-at-token | redirect_uri is needed at /token when it was sent to /authorize.
v XP redirect-uri-not-checked-at-token | A wrong redirect_uri at /token is accepted.
v XP redirect-uri-prefix-at-token | A redirect_uri at /token that only begins with the right one is accepted.
@ RFC 8707 section 2.2
v XP resource-ignored-at-token | A wrong resource at the code exchange is accepted.
v XP resource-ignored-at-refresh | A wrong resource at refresh is accepted.
@ OAuth 2.1 section 3.2.3
v XP scope-not-told-when-defaulted | The answer has no scope although the request named none.
c XP scope-not-told-when-as-asked | The answer has no scope when the granted one is as requested.
v XP token-type-missing | The answer has no token_type.
v XP token-type-wrong | token_type is "mac".
c XP token-type-lower-case | token_type is "bearer" in lower case.
v XP expires-in-is-text | expires_in is a text.
v XP expires-in-is-a-time | expires_in is a point in time and not a lifetime.
v XP expires-in-milliseconds | expires_in is in milliseconds.
c XP expires-in-not-told | The answer has no expires_in.
v XP scope-is-array | scope is an array.
v XP token-null-members | The answer has refresh_token null when none is issued.
v XP token-as-html | The token answer is sent as text/html.
v XP token-answer-cacheable | The token answer has no Cache-Control: no-store.
c XP pragma-no-cache-added | The token answer has Pragma: no-cache too.
c XP token-open-to-browsers | The token answer allows all origins (CORS).
@ RFC 7591 section 2 (grant_types)
c XP refresh-token-always-issued | A refresh token is issued to clients that did not register the grant.
c XP refresh-token-never-issued | No refresh tokens are issued.
@ OAuth 2.1 section 4.3
v XP missing-refresh-token-wrong-error | A missing refresh token gets invalid_grant and not invalid_request.
v XP access-token-refreshes | An access token is accepted as a refresh token.
v XP refresh-of-other-client-accepted | Another client can use the refresh token.
c XP refresh-burnt-by-other-client | A refused refresh by another client uses up the refresh token.
c XP other-client-ends-grant | A refused refresh by another client revokes the whole grant.
v XP refresh-bad-scope-burns-token | A refresh refused for its scope uses up the refresh token.
v XP refresh-scope-widened | A refresh can ask for scopes that were not granted.
v XP refresh-narrowing-ignored | A refresh with fewer scopes gets all granted ones.
v XP refresh-narrowing-sticks | After a refresh with fewer scopes the new refresh token has only those.
v XP refresh-gives-latest-user | A refresh gives tokens for the latest user who approved.
v XP refresh-loses-email | After a refresh the profile has no email.
c XP refresh-token-lives-one-hour | Refresh tokens live one hour.
c XP refresh-ends-with-access-token | Refresh tokens end together with the access token.
c XP expired-refresh-token-works | Refresh tokens never expire (their end is announced nowhere).
@ OAuth 2.1 section 4.3.1
v XP old-refresh-token-works | A refresh token still works after its rotation.
v XP refresh-reuse-keeps-family | The refused reuse of a rotated refresh token does not revoke the newer one.
c XP refresh-reuse-keeps-access-tokens | The reuse of a rotated refresh token revokes refresh tokens but not access tokens.
v XP refresh-leaves-family | Tokens after a refresh are not revoked with the grant they come from.
v XP parallel-refresh | Parallel refreshes with one token all succeed.
c XP refresh-grace-ten-seconds | A rotated refresh token works for ten more seconds.
v XP refresh-not-rotated | Refresh tokens of public clients are not rotated.
c XP confidential-refresh-not-rotated | Refresh tokens of clients with a secret are not rotated.
c XP refresh-ends-old-access-token | A refresh ends the older access token.
v XP refresh-answer-without-new-token | A refresh ends the refresh token and gives no new one.
@ RFC 7009 section 2.1 (refresh after revocation)
v XP revoked-refresh-token-works | A revoked refresh token still refreshes.
@ OAuth 2.1 section 10.1 (removed grants)
v P password-grant-served | The password grant is served.
@ RFC 8414 section 2 (grant_types_supported)
v XP client-credentials-served | The client_credentials grant is served though not announced.
@ OAuth 2.1 section 3.2
v XP unsupported-grant-wrong-error | An unknown grant type gets invalid_request and not unsupported_grant_type.
v XP missing-grant-type-wrong-error | A missing grant_type gets unsupported_grant_type and not invalid_request.
v XP grant-type-guessed | A code without grant_type is exchanged.
v XP grant-type-case-insensitive | The grant type in upper case is accepted.
v XP token-by-get | GET /token is served.
v XP token-parameters-in-query | Parameters in the query of POST /token are accepted.
c XP token-accepts-json | /token also accepts a JSON body.
c XP token-any-content-type | /token accepts a form with another Content-Type.
v XP unknown-parameter-refused-at-token | An unknown parameter at /token is refused and not ignored.
@ RFC 7009 section 2
v XP revocation-by-get | GET /revoke revokes.
v XP revocation-parameters-in-query | The token in the query of POST /revoke is accepted.
@ RFC 7009 section 2.1
v XP refused-revocation-has-effect | A revocation refused for its client still revokes.
v XP missing-token-revocation-200 | A revocation without a token is answered with 200.
v XP revocation-without-client | Anybody can revoke without naming a client.
v XP unknown-hint-refused | An unknown token_type_hint is refused.
v XP revocation-hint-obeyed | With a wrong token_type_hint the token is not found.
c XP access-token-revocation-unsupported | Access tokens cannot be revoked (unsupported_token_type).
v XP revocation-by-prefix | The first characters of a token are enough to revoke it.
v XP revocation-by-other-client | Another client can revoke the token.
c XP foreign-revocation-answers-200 | A revocation of another client's token answers 200 without effect.
v XP revocation-without-effect | Revocation answers 200 and does nothing.
v XP refresh-token-revocation-without-effect | The revocation of a refresh token answers 200 and does nothing.
v XP revoked-refresh-keeps-access-tokens | Access tokens stay valid when their refresh token is revoked.
c XP access-revocation-ends-grant | The revocation of an access token ends its refresh token too.
v XP access-revocation-ends-all-access-tokens | The revocation of one access token ends all access tokens of the client.
v XP revocation-ends-other-grants-of-user | A revocation ends the user's grants at all clients.
@ RFC 7009 section 2.2
v XP unknown-token-revocation-400 | The revocation of an unknown token is answered with 400.
v XP second-revocation-400 | The second revocation of a token is answered with 400.
v XP revocation-status-204 | Revocation answers 204 and not 200.
c XP revocation-answers-json | Revocation answers with an empty JSON object.
@ RFC 7662 section 2.1
v P introspection-by-any-registered-client | Any registered client_id may introspect without its secret.
c P introspection-bearer-accepted | A caller with a good bearer token may introspect.
c P confidential-clients-introspect-own-tokens | A client with a secret may introspect its own tokens.
v P introspection-by-prefix | The first characters of a token are enough to introspect it.
v P introspection-open | Introspection without credentials is served.
v P introspection-secret-not-checked | The secret of the resource server is not checked.
c P introspection-by-get | GET /introspect is served.
v P introspection-hint-obeyed | With a wrong token_type_hint the token is not found.
@ RFC 7662 section 2.2
v P introspection-answers-cached | Introspection repeats its first answer after a revocation.
v P unknown-token-introspection-404 | An unknown token is answered with an error and not active false.
v P expired-token-introspects-active | Expired tokens are active.
v P revoked-token-introspects-active | Revoked tokens are active.
v P rotated-refresh-introspects-active | Rotated refresh tokens are active.
c P refresh-tokens-introspect-inactive | Refresh tokens always are inactive.
v P inactive-introspection-tells-more | The answer for an inactive token has further members.
v P introspection-consumes-refresh-token | Introspection uses up a refresh token.
c P introspection-cacheable | Introspection answers have no Cache-Control.
v P introspection-active-is-text | active is a text.
v P introspection-scope-is-array | scope is an array.
v P introspection-scope-wrong | scope names all scopes and not the granted ones.
v P introspection-exp-is-text | exp is a text.
v P introspection-exp-is-lifetime | exp is the rest of the lifetime and not a time.
v P introspection-exp-milliseconds | exp is in milliseconds.
v P introspection-audience-wrong | aud is the origin and not the MCP URL.
c P introspection-audience-is-array | aud is an array.
c P introspection-audience-not-told | aud is missing.
v P introspection-client-wrong | client_id is the asking resource server.
v P introspection-user-wrong | username and sub are of the latest user who approved.
c P introspection-user-not-told | username and sub are missing.
v P introspection-issuer-wrong | iss differs from the issuer.
c P introspection-short | iss, iat, sub and token_type are missing.
c P introspection-email-added | The email is a further member.
c P introspection-refresh-named-bearer | Refresh tokens have token_type Bearer too.
"""

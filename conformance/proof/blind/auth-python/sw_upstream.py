"""Switches of the upstream identity provider (pattern oauth-proxy)."""
TEXT = """
@ Limits, upstream request timeout
v X upstream-time-limit-two-seconds | The server gives up on the upstream after 2 seconds and not 30.
@ OAuth 2.1 section 7.1 (client credentials and tokens kept secret)
v X upstream-token-redirect-followed | A redirect of the upstream token endpoint is followed and carries the secret elsewhere.
v X upstream-user-redirect-followed | A redirect of the upstream user URL is followed and carries the token elsewhere.
v X upstream-secret-in-browser | The upstream client secret is sent through the browser.
v X upstream-secret-in-query | The upstream client secret is sent in the query of the token request.
v X upstream-token-in-query | The upstream token is sent in the query of the user request.
v X upstream-token-scheme-token | The upstream token is sent with the scheme "token" and not Bearer.
@ OAuth 2.1 section 7.10 (CSRF), MCP Security Best Practices
v X upstream-state-counts-up | The state for the upstream counts up and can be guessed.
v X upstream-state-is-client-state | The client's state is used as the state for the upstream.
v X upstream-state-is-request-id | The state for the upstream is the id already shown in the consent form.
v X upstream-state-missing | No state is sent to the upstream.
v X upstream-state-not-checked | A callback with an unknown state finishes the latest flow.
v X upstream-state-optional | A callback without state finishes the latest flow.
v X callback-without-consent-accepted | A callback with the id of a request that was not approved is accepted.
v X upstream-state-kept-after-error | After a callback with an error the same state still works.
v X upstream-state-used-twice | A callback with the same state works twice.
v X parallel-callbacks | Parallel callbacks with one state all succeed.
v X upstream-state-never-ends | A callback works after more than ten minutes.
v X callback-of-other-browser-accepted | A callback from another browser is accepted.
c X callback-of-other-browser-burns-state | A refused callback from another browser uses up the state.
@ OAuth 2.1 section 7.5.1 (code and PKCE at the upstream)
v X upstream-verifier-always-same | The same PKCE verifier is used for every flow.
c X upstream-without-pkce | No PKCE is used with the upstream.
v X upstream-pkce-plain | PKCE with the upstream uses the method plain.
v X upstream-verifier-missing | The verifier is not sent to the upstream token endpoint.
v X upstream-code-sent-twice | The upstream code is sent twice.
v X upstream-code-retried-after-failure | The upstream code is sent again after a 5xx answer.
v X upstream-code-trimmed | Equals signs at the end of the upstream code are cut off.
@ Pattern 3 configuration, scopes
v X upstream-scope-widened | The scope "admin" is added to the upstream scopes.
v X upstream-scope-of-client | The client's scopes are sent to the upstream.
v X upstream-scope-missing | No scope is sent to the upstream.
@ OAuth 2.1 section 4.1.1 (request to the upstream)
v X upstream-redirect-uri-of-client | The client's redirect URI is sent to the upstream.
v X upstream-query-lost | The query of the upstream authorize URL is lost.
c X upstream-always-asks | prompt=consent is sent to the upstream.
@ RFC 6749 section 4.1.3
v X upstream-redirect-uri-missing-at-token | redirect_uri is missing at the upstream token endpoint.
v X upstream-redirect-uri-differs-at-token | redirect_uri at the upstream token endpoint differs from the first one.
v X upstream-exchange-as-json | The upstream token request is JSON and not a form.
c X upstream-basic-auth | The upstream token request uses client_secret_basic.
@ OAuth 2.1 section 4.1.2.1 (answers of the upstream)
v X upstream-double-parameters-accepted | A callback with doubled parameters is accepted.
v X upstream-error-beside-code-ignored | A callback with an error and a code is accepted.
v X upstream-denial-signs-in-last-user | An upstream error signs in the latest user.
v X upstream-error-code-passed-on | Unknown upstream error codes are passed on to the client.
v X upstream-denial-is-server-error | An upstream access_denied becomes server_error.
v X upstream-error-text-passed-on | The upstream error_description is passed on with any characters.
v X upstream-failure-shown-not-redirected | Upstream failures are shown as 502 and not sent to the client.
c X upstream-failure-is-access-denied | Upstream failures become access_denied and not server_error.
v X upstream-bad-json-500 | Upstream answers that are not JSON become a 500.
@ OAuth 2.1 section 3.2.3 (answer of the upstream token endpoint)
v X upstream-token-status-ignored | An upstream token answer with an error status is accepted.
c X upstream-form-answer-accepted | A form-encoded upstream token answer is accepted.
v X upstream-error-in-200-ignored | An upstream token answer with an error and status 200 is accepted.
v X upstream-odd-token-500 | An upstream token with a line break becomes a 500.
v X upstream-missing-token-accepted | An upstream token answer without a token is accepted.
v X upstream-token-type-ignored | Any upstream token_type is accepted.
v X upstream-token-type-exact-case | The upstream token_type "bearer" in lower case is refused.
c X upstream-token-type-optional | An upstream token answer without token_type is accepted.
@ Pattern 3 configuration, context (login, email)
v X upstream-profile-cached-for-everyone | The first upstream profile is used for every user.
v X upstream-user-status-ignored | An upstream user answer with an error status is accepted.
v X upstream-email-kept-from-first-sign-in | A user's email stays that of the first sign-in although the upstream says another.
v X upstream-login-cut-at-20 | Upstream logins are cut to 20 characters, so two users can become one.
v X upstream-profile-latin1 | The upstream profile is decoded as Latin-1.
v X upstream-missing-login-accepted | An upstream user without login becomes the user "undefined".
c X upstream-number-login-accepted | A number as upstream login is accepted.
v X upstream-empty-login-accepted | An empty upstream login is accepted.
v X upstream-login-trimmed | Logins that differ in outer spaces become the same user.
v X upstream-login-lower-cased | Logins that differ in letter case become the same user.
c X upstream-email-missing-refused | An upstream user without email is refused.
v X upstream-email-of-previous-user | A user without email gets the email of an earlier user.
v X upstream-users-joined-by-email | Two upstream users with the same email become one.
v X upstream-name-replaces-login | The upstream name is used as the login.
"""

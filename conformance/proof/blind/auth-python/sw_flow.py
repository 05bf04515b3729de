"""Switches of the authorization endpoint, sign-in and consent (OAuth patterns)."""
TEXT = """
@ OAuth 2.1 section 8.4.2 (loopback)
c XP localhost-any-port | The port of http://localhost may differ as for loopback addresses.
v XP loopback-answer-to-registered-port | Another loopback port is accepted but the answer goes to the registered port.
v XP loopback-port-must-match | The port of a loopback address must be the registered one.
@ OAuth 2.1 section 2.3.1 (exact redirect URI)
v XP redirect-compared-by-prefix | A redirect URI that only begins with a registered one is accepted.
v XP redirect-compared-by-host | A redirect URI with the registered host and another path is accepted.
v XP redirect-case-insensitive | A redirect URI in other letter case is accepted.
v XP redirect-query-ignored | A redirect URI with a further query is accepted.
v XP redirect-trailing-slash-ignored | A redirect URI with a further slash is accepted.
v XP redirect-fragment-ignored | A redirect URI with a fragment is accepted.
v XP redirect-percent-decoded | A redirect URI in another percent-encoding is accepted.
v XP redirect-localhost-is-loopback-address | localhost and 127.0.0.1 are taken for the same.
v XP redirect-any-port | Another port of an https host is accepted.
v XP redirect-subdomain-accepted | A subdomain of the registered host is accepted.
v XP redirect-userinfo-ignored | A redirect URI with user information is accepted.
v XP redirect-scheme-ignored | The registered redirect URI with another scheme is accepted.
v XP redirect-default-port-ignored | The registered https URI with :443 is accepted.
v XP redirect-unchecked-after-first-grant | After a client's first grant any redirect URI is accepted for it.
v XP redirect-of-any-client-accepted | A redirect URI registered by another client is accepted.
c XP redirect-uri-always-needed | redirect_uri is needed even when only one is registered.
v XP redirect-uri-guessed | Without redirect_uri the first of several registered ones is used.
v XP redirect-replaced-by-registered | For a wrong redirect URI the registered one is used silently.
@ OAuth 2.1 section 4.1.2.1
v XP unknown-client-error-redirected | The error of an unknown client is redirected to the unchecked URI.
v XP bad-redirect-error-redirected | The error of an unregistered redirect URI is redirected to it.
v XP errors-shown-not-redirected | Errors of a good client are shown and not sent to its redirect URI.
v XP errors-in-fragment | Errors come back in the fragment and not in the query.
v XP response-type-wrong-error | An unknown response_type gets invalid_request and not unsupported_response_type.
v XP bad-scope-wrong-error | An unknown scope gets invalid_request and not invalid_scope.
v XP state-missing-in-errors | state is missing when an error comes back.
c XP authorize-errors-without-description | Errors at the redirect URI have no error_description.
@ OAuth 2.1 section 4.1.2
v XP state-not-returned | state never comes back.
v XP state-of-latest-request | With two open requests both answers have the state of the later one.
v XP redirect-of-latest-request | With two open requests of a client both answers go to the redirect URI of the later one.
v XP long-state-refused | A state longer than 200 characters is refused.
v XP state-cut-at-64 | state comes back cut to 64 characters.
v XP state-html-escaped | state comes back with HTML escapes.
v XP state-plus-becomes-space | A plus sign in state comes back as a space.
v XP state-non-ascii-lost | Non-ASCII characters of state come back as question marks.
v XP state-trimmed | state comes back without its outer spaces.
v XP state-lower-cased | state comes back in lower case.
v XP code-in-fragment | The code comes back in the fragment and not in the query.
v XP redirect-query-lost | The query of the redirect URI is lost in the answer.
v XP redirect-second-question-mark | The answer is added with a second question mark.
v XP code-lives-one-hour | Authorization codes live one hour (at most ten minutes are recommended).
c XP code-lives-ten-minutes | Authorization codes live ten minutes.
v XP codes-count-up | Authorization codes count up and can be guessed.
@ OAuth 2.1 section 7.5.2
v XP redirect-with-307 | The redirect after the consent form has the status 307.
c XP redirect-with-303 | Redirects have the status 303.
@ RFC 9207 section 2
v XP iss-not-sent-though-announced | iss is announced but not sent.
v XP iss-missing-in-errors | iss is missing when an error comes back.
v XP iss-differs-from-metadata | iss has a further slash and so differs from the issuer.
@ OAuth 2.1 section 1.4.1 (scope)
c XP all-scopes-by-default | A request without scope gets all scopes.
c XP unknown-scope-dropped | Unknown scopes beside known ones are dropped and not refused.
v XP unknown-scope-granted | Unknown scopes are granted.
v XP scope-case-insensitive | Scopes in other letter case are accepted.
v XP scope-comma-accepted | Scopes separated by commas are accepted.
v XP scope-order-matters | The scopes in another order are refused.
v XP registered-scope-not-enforced | A client gets scopes outside its registered scope.
v XP scope-of-latest-request | With two open requests of a client both codes have the scope of the later one.
v XP scopes-add-up | A grant has all scopes that the user ever gave the client.
v XP all-scopes-granted | Every grant has all scopes, more than the user approved.
@ OAuth 2.1 section 4.1.1 (PKCE), RFC 7636
v XP pkce-optional | A request without code_challenge is accepted.
v XP pkce-method-defaults-to-s256 | A challenge without a method is taken as S256.
v XP pkce-method-defaults-to-plain | A challenge without a method is accepted as plain.
v XP pkce-method-case-insensitive | The method s256 in lower case is accepted.
v XP pkce-unknown-method-accepted | An unknown challenge method is accepted as S256.
v XP pkce-plain-accepted | The method plain is accepted though not announced.
v XP pkce-padding-accepted | A challenge with padding at its end is accepted.
v XP pkce-any-challenge-accepted | A challenge that is too short is accepted.
@ OAuth 2.1 section 4.1.1
c XP state-required | A request without state is refused.
c XP authorize-by-post | POST /authorize is served like GET.
c XP request-object-refused | The parameters request and request_uri are refused and not ignored.
c XP short-state-refused | A state with fewer than eight characters is refused.
v XP response-type-optional | A request without response_type is served as code.
v XP implicit-grant-served | The response type token gives an access token in the fragment.
v XP unknown-parameter-refused-at-authorize | An unknown parameter is refused and not ignored.
@ OAuth 2.1 section 7.9 (clickjacking)
v XP consent-page-frameable | The pages may be shown in frames.
@ MCP 2025-11-25 Security Best Practices, Confused Deputy Problem
v XP browser-cookie-readable-by-scripts | The browser cookie is not HttpOnly.
v XP browser-cookie-without-same-site | The browser cookie has no SameSite.
v XP consent-skipped | No consent page is shown.
c XP consent-remembered | The consent is not asked again for the same browser or user, client, scopes and address.
v XP consent-remembered-across-clients | The consent for one client counts for all clients.
v P consent-remembered-across-users | The consent of one user counts for all users.
v XP consent-remembered-across-scopes | The consent for one scope counts for all scopes.
v XP consent-remembered-across-redirects | The consent counts for the client's other redirect URIs.
v XP consent-cookie-unsigned | A cookie notes_approved with the client_id skips the consent.
v XP client-name-not-escaped | The client name is put into the consent page without escapes.
v XP consent-hides-client-name | The consent page does not name the client.
v XP consent-name-of-latest-client | The consent page names the latest registered client and not the asking one.
v XP consent-hides-scopes | The consent page does not show the scopes.
v XP consent-shows-fewer-scopes | The consent page shows fewer scopes than are granted.
v XP consent-hides-redirect-uri | The consent page does not show the redirect URI.
v XP consent-shows-first-redirect-uri | The consent page shows the first redirect URI and not the used one.
v XP consent-form-redirect-trusted | A changed redirect_uri in the consent form is used unchecked.
v XP consent-form-scope-trusted | A changed scope in the consent form is granted.
v XP consent-form-state-trusted | A changed state in the consent form comes back.
c XP pending-request-never-ends | An open consent page can be approved after more than ten minutes (here up to an hour).
v XP consent-by-get | The consent can be given with GET.
v XP consent-without-csrf-check | The consent form works from another browser without its cookie and csrf value.
v XP consent-csrf-of-other-browser-accepted | The csrf value of another browser is accepted.
v XP consent-approves-latest-request | With two open consent pages the first form approves the request of the later page.
v XP denial-can-be-changed | After a denial the same form can still be sent as approval.
v XP consent-name-mangled | Non-ASCII characters of the client name are wrong in the consent page.
v XP consent-can-be-repeated | The same consent form can be sent twice.
v XP missing-decision-approves | A consent form without a decision counts as approval.
v XP denial-remembered-as-consent | After a denial the next request of the client is treated as approved.
v XP denial-gives-code | A denial is treated like an approval.
v XP denial-shown-not-redirected | A denial is shown and not sent to the client.
v XP denial-wrong-error | A denial gets invalid_request and not access_denied.
@ Pattern 4 (sign-in and user store)
c P sign-in-always-asked | The user signs in anew for each request.
c P sign-in-ends-after-ten-minutes | A browser's sign-in ends after ten minutes.
v P browser-cookie-is-user-name | The browser cookie is the user name and can be forged.
v P empty-password-accepted | The empty password is accepted.
v P password-first-eight-characters | Only the first eight characters of the password count.
v P password-case-insensitive | The password in other letter case is accepted.
c P password-trimmed | Outer spaces of the typed password are ignored.
v P password-non-ascii-ignored | Non-ASCII characters of the password are ignored.
v P password-of-any-user-accepted | The password of another user is accepted.
v P sign-in-from-query-accepted | The password is accepted in the query of a GET request.
v P sign-in-without-csrf-check | The sign-in form works without its csrf value and cookie.
c P user-name-case-insensitive | The user name in other letter case is accepted.
c P user-name-trimmed | Outer spaces of the user name are ignored.
c P sign-in-locked-after-ten | A user with ten wrong passwords is locked out.
c P unknown-user-told | The sign-in page tells whether a user exists.
v P wrong-password-still-signs-in | After a wrong password the browser counts as signed in for the next request.
c P failed-sign-in-401 | A wrong password is answered with 401 and the form.
v P second-sign-in-keeps-first-user | A second user's sign-in (any browser) acts as the first user.
v P browser-cookie-kept-at-sign-in | The browser cookie stays the same at sign-in (session fixation).
c P sign-in-redirects-to-consent | After sign-in the browser is redirected to the consent page.
v XP parallel-consents | Parallel submissions of one consent form all succeed.
v P consent-uses-last-signed-in-user | A consent without sign-in is taken for the last signed-in user.
v P code-for-last-signed-in-user | The code is issued for the last signed-in user of any browser.
v XP slow-code-held-globally | Two sign-ins finished in parallel can get each other's user.
"""

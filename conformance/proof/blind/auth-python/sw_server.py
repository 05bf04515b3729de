"""Switches of metadata, client authentication, resources and registration (OAuth patterns)."""
TEXT = """
@ RFC 8414 section 3.3
v XP issuer-has-trailing-slash | issuer in the metadata has a slash at its end.
v XP issuer-other-host | issuer in the metadata names localhost although the metadata is at 127.0.0.1.
v XP issuer-is-mcp-url | issuer in the root metadata is the URL of the MCP endpoint.
v XP metadata-follows-host-header | The metadata addresses follow the Host header of the request.
v XP metadata-keeps-first-host-header | The metadata addresses follow the Host header of the first request for all later ones.
v XP metadata-follows-forwarded-host | The metadata addresses follow the X-Forwarded-Host header.
@ RFC 8414 section 2
v XP introspection-announced-elsewhere | introspection_endpoint in the metadata is an address that answers 404.
v XP revocation-announced-elsewhere | revocation_endpoint in the metadata is an address that answers 404.
v XP plain-pkce-announced | The metadata announces the PKCE method plain, which is refused.
v XP implicit-announced | The metadata announces the response type token, which is refused.
v XP client-credentials-announced | The metadata announces the grant client_credentials, which is refused.
v XP refresh-not-announced | The metadata does not announce the grant refresh_token, which is served.
v XP private-key-jwt-announced | The metadata announces private_key_jwt, which is not served.
v XP unknown-scope-announced | The metadata announces a scope that is refused.
v XP fragment-mode-announced | The metadata announces the response mode fragment, which is not served.
v XP dead-jwks-announced | The metadata announces a jwks_uri that answers 404.
v XP metadata-without-response-types | The metadata has no response_types_supported.
v XP metadata-without-token-endpoint | The metadata has no token_endpoint.
c XP registration-not-announced | The metadata does not announce the registration endpoint.
c XP revocation-not-announced | The metadata does not announce the revocation endpoint.
c XP scopes-not-announced | The server metadata does not list scopes.
c XP response-modes-not-announced | The server metadata does not list response modes.
c XP metadata-has-documentation-link | The server metadata has service_documentation.
@ MCP 2025-11-25 Authorization, Authorization Code Protection
v XP metadata-without-pkce-methods | The metadata has no code_challenge_methods_supported.
@ RFC 8414 section 3.2
v XP metadata-empty-array | The server metadata has an empty array.
v XP metadata-as-plain-text | The metadata documents are sent as text/plain.
c XP metadata-cacheable | The metadata documents may be cached for an hour.
c XP metadata-open-to-browsers | The metadata documents allow all origins (CORS).
v XP metadata-needs-token | The metadata documents need an Authorization header.
@ RFC 8414 section 3.1
c XP server-metadata-without-mcp-path | The server metadata is not served with the /mcp suffix.
c XP openid-configuration-served | The metadata is also at /.well-known/openid-configuration.
@ RFC 9207 section 3
v XP iss-flag-missing | The metadata does not announce the iss parameter, which is sent.
v XP iss-flag-is-text | The announced iss flag is a text and not a boolean.
c XP no-iss-parameter | The iss parameter is neither announced nor sent.
@ RFC 9728 section 3.3
v XP resource-metadata-names-origin | resource in the metadata of /mcp is the origin without /mcp.
v XP resource-metadata-trailing-slash | resource in the metadata of /mcp has a slash at its end.
@ MCP 2025-11-25 Authorization, Authorization Server Location
v XP resource-metadata-without-servers | The resource metadata has no authorization_servers.
v XP resource-metadata-names-dead-server | The resource metadata names an authorization server without metadata.
c XP resource-metadata-only-with-mcp-path | The resource metadata is only at the address with the /mcp suffix.
v XP resource-metadata-only-at-root | The resource metadata is only at the root, not at the announced address.
@ RFC 9728 section 2
v XP resource-metadata-server-slash | The named authorization server has a further slash and so is not the issuer.
v XP query-bearer-announced | The resource metadata announces tokens in the query, which are refused.
v XP signed-resource-metadata-broken | The resource metadata has a signed_metadata that is no valid JWT.
c XP resource-metadata-short | The resource metadata has only resource and authorization_servers.
@ RFC 9728 section 3.2
v XP resource-metadata-empty-array | The resource metadata has an empty array.
@ OAuth 2.1 section 3.2.4
v XP invalid-grant-401 | invalid_grant is answered with 401.
v XP oauth-errors-200 | Errors of the OAuth endpoints are answered with 200.
v XP error-description-bad-characters | error_description of the OAuth endpoints has quotes, a line break and non-ASCII characters.
v XP error-field-is-object | error in the OAuth answers is an object.
v XP oauth-errors-as-plain-text | Errors of the OAuth endpoints are plain text.
c XP oauth-errors-cacheable | Errors of the OAuth endpoints have no Cache-Control: no-store.
c XP error-uri-added | Errors of the OAuth endpoints have an error_uri.
c XP oauth-errors-without-description | Errors of the OAuth endpoints have no error_description.
c XP invalid-client-always-challenges | Every invalid_client with 401 has a Basic challenge.
v XP invalid-client-no-challenge | invalid_client after Basic credentials has no WWW-Authenticate.
c XP invalid-client-400 | invalid_client without Basic credentials is answered with 400.
v XP invalid-basic-client-400 | invalid_client after Basic credentials is answered with 400.
c XP missing-client-is-invalid-client | A token request without client_id is invalid_client and not invalid_request.
v XP unknown-client-wrong-error | An unknown client at /token gets unauthorized_client and not invalid_client.
@ OAuth 2.1 section 3.1, 3.2
v XP duplicate-parameters-at-token | A doubled parameter at /token is accepted.
v XP duplicate-parameters-at-authorize | A doubled parameter at /authorize is accepted.
v XP empty-scope-is-invalid | An empty scope parameter is refused and not treated as omitted.
v XP empty-state-returned | An empty state parameter comes back and is not treated as omitted.
@ RFC 7591 section 3.2.1
v XP secret-ends-though-announced-endless | A client secret announced as endless (0) stops working after a day.
v XP secret-works-after-announced-end | A client secret announced to end after ten minutes works afterwards.
c XP secret-ends-after-90-days | Client secrets are announced to end after 90 days.
v XP secret-end-not-told | client_secret_expires_at is missing in the registration answer.
v XP registered-values-not-returned | The registration answer does not repeat the registered metadata.
v XP issued-at-in-milliseconds | client_id_issued_at is in milliseconds.
c XP issued-at-not-told | client_id_issued_at is missing in the registration answer.
v XP registration-status-200 | Registration answers 200 and not 201.
c XP registration-cacheable | The registration answer with the secret has no Cache-Control: no-store.
v XP client-id-follows-name | Two clients with the same name get the same client_id.
v XP client-id-by-redirect-uri | Two clients with the same redirect URI get the same client_id.
v XP client-ids-by-the-second | Clients registered in the same seconds get the same client_id.
v XP client-id-of-request-used | A client_id in the registration request is taken over.
v XP client-secret-of-request-used | A client_secret in the registration request is taken over.
v XP client-ids-unique-per-uri | A registration deletes the earlier client with the same redirect URIs.
v XP only-first-redirect-uri-kept | Only the first redirect URI works although all are confirmed.
@ OAuth 2.1 section 2.4
v XP secret-not-checked | Any client secret is accepted.
v XP secret-compared-by-prefix | A secret with the right first eight characters is accepted.
v XP secret-of-any-client-accepted | The secret of another client is accepted.
v XP secret-case-insensitive | The secret in other letter case is accepted.
v XP secret-optional | A client with a secret may leave it out.
v XP secret-optional-at-refresh | A client with a secret may leave it out when it refreshes.
v XP secret-optional-at-revoke | A client with a secret may leave it out when it revokes.
c XP secret-of-public-client-refused | A public client that sends a secret is refused.
v XP basic-auth-refused-though-announced | client_secret_basic is announced but refused.
v XP post-auth-refused-though-announced | client_secret_post is announced but refused.
v XP two-auth-methods-accepted | Basic credentials and a secret in the body together are accepted.
v XP body-client-id-wins | With Basic of one client and client_id of another in the body, the body counts.
c XP registered-auth-method-enforced | A client must use exactly the method it registered.
v XP client-id-optional-at-token | A public client may leave out client_id at /token.
v XP unknown-client-accepted-at-refresh | At refresh an unknown client is not answered with invalid_client.
@ RFC 8707 section 2
c XP resource-required | A request without resource is refused with invalid_target.
v XP resource-parameter-refused | Every resource parameter is refused as unknown.
v XP first-resource-only-checked | Of several resource parameters only the first is checked.
c XP several-resources-refused | Several resource parameters are refused.
c XP resource-trailing-slash-accepted | The resource with a slash at its end is accepted.
c XP resource-origin-accepted | The origin is accepted as the resource.
v XP resource-compared-by-prefix | A resource that only begins with the MCP URL is accepted.
v XP resource-fragment-accepted | A resource with a fragment is accepted.
v XP resource-compared-by-host | Another path on the same host is accepted as the resource.
c XP resource-query-ignored | The resource with a query is accepted.
v XP resource-not-checked | Any resource is accepted.
v XP resource-wrong-error | A wrong resource gets invalid_request and not invalid_target.
@ OAuth 2.1 section 7.1.3 (guessing)
v XP tokens-count-up | Codes and tokens count up and can be guessed.
@ OAuth 2.1 section 1.4, 3.2.3
v XP access-tokens-have-all-scopes | Access tokens work for all scopes although fewer were granted and told.
c XP access-token-lives-one-hour | Access tokens live one hour and say so.
v XP refresh-token-equals-access-token | The refresh token is the same text as the access token.
@ RFC 7591 section 2
v XP fragment-redirect-uri-registered | A redirect URI with a fragment is registered.
v XP relative-redirect-uri-registered | A relative redirect URI is registered.
v XP wildcard-redirect-uri-registered | A redirect URI with a star is registered and matches as a pattern.
v XP http-prefix-loopback-registered | An http URI whose host only begins with localhost is registered.
v XP plain-http-redirect-uri-registered | A plain http redirect URI of a foreign host is registered.
v XP script-redirect-uri-registered | javascript: and data: redirect URIs are registered.
c XP private-scheme-refused | Redirect URIs with a private-use scheme are refused.
c XP private-scheme-without-dot-accepted | Redirect URIs with a private-use scheme without a dot are registered.
v XP redirect-uris-as-text-accepted | redirect_uris as a text is registered.
v XP redirect-uris-optional-at-registration | A client of the code flow is registered without redirect_uris.
v XP only-first-redirect-uri-checked | Only the first redirect URI is checked at registration.
c XP several-redirect-uris-refused | Only one redirect URI may be registered.
c XP default-client-is-public | A client that names no method is registered with the method none.
v XP unsupported-auth-method-registered | An unsupported client authentication method is registered.
c XP unsupported-grant-refused-at-registration | An unsupported grant type is refused and not dropped.
v XP unsupported-grant-registered | An unsupported grant type is confirmed.
c XP inconsistent-registration-accepted | Grant types and response types that do not fit are accepted.
c XP refresh-grant-always-added | The grant refresh_token is added to every client and told.
c XP unknown-scope-dropped-at-registration | Unknown scopes are dropped at registration and not refused.
v XP unknown-metadata-refused | A registration with unknown metadata is refused.
v XP non-ascii-client-name-refused | A client name with non-ASCII characters is refused.
v XP public-client-gets-secret | A client with the method none gets a secret.
@ RFC 7591 section 3.2.2
v XP registration-wrong-error-code | Bad redirect URIs and metadata get invalid_request.
v XP bad-registration-500 | A registration that is not JSON is answered with 500.
v XP refused-registration-has-effect | A refused registration changes the name of the client whose id it names.
@ RFC 7591 section 3
v XP registered-clients-listed | GET /register lists all clients with their secrets.
v XP registration-needs-token | Registration needs an Authorization header although it is announced as open.
c XP registration-any-content-type | Registration accepts JSON with another Content-Type.
@ RFC 7592 section 3
v XP dead-management-address-told | The registration answer names a management address that answers 404.
"""

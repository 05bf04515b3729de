import { proxyChoice as choice, proxyViolation as violation } from './switch-builder.ts'

const config = 'Pattern 3 configuration'
const confusedDeputy = 'MCP security best practices, confused deputy'

export const proxySwitches = [
  // ---- allowed ----
  choice(
    'no-refresh-tokens-at-proxy',
    'RFC 6749 section 5.1',
    'No refresh tokens are issued and the grant type refresh_token is not offered.',
  ),
  choice(
    'registration-closed',
    `${config}, allowDynamicClientRegistration`,
    'Dynamic client registration is off: POST /register answers 404 and the metadata does not name it.',
  ),
  choice(
    'upstream-basic-auth',
    'RFC 6749 section 2.3.1',
    'The client secret goes to the upstream token endpoint in a Basic header instead of the body.',
  ),
  choice(
    'upstream-pkce',
    'RFC 7636',
    'The upstream authorization request carries an S256 challenge, the upstream token request its verifier.',
  ),
  choice(
    'upstream-extra-parameters',
    'RFC 6749 section 3.1',
    'The upstream authorization request carries the extra parameters prompt and access_type.',
  ),
  choice(
    'upstream-scopes-as-requested',
    `${config}, scopes`,
    'Upstream is asked only for those configured scopes that the client asked for.',
  ),
  choice(
    'other-callback-path',
    config,
    'Upstream redirects back to /oauth/return instead of /callback.',
  ),
  choice(
    'user-looked-up-each-call',
    `${config}, context`,
    'The user properties are fetched from upstream at every call of the profile tool, not only at sign-in.',
  ),
  choice(
    'upstream-failure-is-temporary',
    'RFC 6749 section 4.1.2.1',
    'When upstream fails, the client gets temporarily_unavailable instead of server_error.',
  ),
  choice(
    'token-rate-limit',
    'Pattern 3, recommended',
    'More than 30 requests to /token within one second are answered 429 with Retry-After.',
  ),
  choice(
    'proxy-consent-remembered',
    confusedDeputy,
    'In the same browser, a client and scopes that were approved once go upstream without the consent page.',
  ),
  choice(
    'long-upstream-state',
    'RFC 6749 section 4.1.1',
    'The state sent upstream has 700 characters.',
  ),
  choice(
    'whoami-more-properties',
    `${config}, context`,
    'The profile tool also returns the name of the identity provider and the granted scopes.',
  ),

  // ---- not allowed ----
  violation(
    'consent-screen-absent',
    `${config}, allowConsentScreen`,
    'The authorization endpoint redirects upstream at once, without a consent page.',
  ),
  violation(
    'consent-skipped-after-first-client',
    confusedDeputy,
    'After one approval in a browser, every other client goes upstream without the consent page.',
  ),
  violation(
    'consent-from-other-browser',
    confusedDeputy,
    'The consent form is accepted without the cookie of the browser that was shown the page.',
  ),
  violation(
    'consent-by-get',
    confusedDeputy,
    'The approval is accepted as a GET request with the form fields in the query.',
  ),
  violation(
    'consent-from-cookie-alone',
    confusedDeputy,
    'An approval without the hidden form field approves the latest pending request of the browser.',
  ),
  violation(
    'consent-hides-scopes',
    `${config}, allowConsentScreen`,
    'The consent page does not show the permissions.',
  ),
  violation(
    'denial-goes-upstream',
    `${config}, allowConsentScreen`,
    'After a denial the flow goes on to upstream as if the user had approved.',
  ),
  violation(
    'callback-from-other-browser',
    'RFC 6749 section 10.12',
    'The callback from upstream is accepted without the cookie of the browser that approved.',
  ),
  violation(
    'callback-state-ignored',
    'RFC 6749 section 10.12',
    'A callback with an unknown or missing state continues the latest pending request of the browser.',
  ),
  violation(
    'upstream-states-counted',
    'RFC 6749 section 10.12',
    'The states sent upstream are consecutive numbers.',
  ),
  violation(
    'upstream-denial-page',
    'RFC 6749 section 4.1.2.1',
    'When upstream reports access_denied the browser gets an error page instead of a redirect to the client.',
  ),
  violation(
    'upstream-denial-issues-code',
    'RFC 6749 section 4.1.2.1',
    'When upstream reports access_denied the client still gets a code, for an anonymous user.',
  ),
  violation(
    'upstream-code-forwarded',
    'RFC 6749 section 4.1.2',
    'The code that the client receives is the code that upstream issued.',
  ),
  violation(
    'upstream-token-as-token',
    'MCP authorization, access token handling',
    'The access token that the client receives is the upstream access token.',
  ),
  violation(
    'upstream-token-in-answer',
    'Pattern 3, secure token storage',
    'The token response carries the upstream access token as an extra field.',
  ),
  violation(
    'upstream-token-in-whoami',
    'Pattern 3, secure token storage',
    'The profile tool shows the upstream access token.',
  ),
  violation(
    'upstream-token-accepted',
    'MCP authorization, access token handling',
    'An unknown bearer token is accepted at /mcp when the upstream user endpoint accepts it.',
  ),
  violation(
    'upstream-secret-in-url',
    'RFC 6749 section 2.3.1',
    'The redirect to upstream carries the upstream client secret.',
  ),
  violation(
    'register-returns-upstream-client',
    config,
    'Registration returns the upstream client id and secret.',
  ),
  violation(
    'upstream-client-id-accepted',
    'RFC 6749 section 3.1.2.4',
    'The upstream client id is accepted as a client with any redirect URI.',
  ),
  violation(
    'upstream-scopes-widened',
    `${config}, scopes`,
    'Upstream is asked for the scope admin:all besides the configured ones.',
  ),
  violation(
    'upstream-scopes-left-out',
    `${config}, scopes`,
    'The request to upstream has no scope.',
  ),
  violation(
    'upstream-redirect-to-client',
    'RFC 6749 section 10.6',
    'The redirect_uri sent upstream is that of the client, so the upstream code goes to the client.',
  ),
  violation(
    'upstream-token-failure-ignored',
    'RFC 6749 section 4.1.2.1',
    'When upstream refuses the code, the client still gets a code, for an anonymous user.',
  ),
  violation(
    'upstream-user-failure-ignored',
    `${config}, context`,
    'When the upstream user endpoint fails, the client still gets a code, for an anonymous user.',
  ),
  violation(
    'first-user-kept',
    `${config}, context`,
    'The profile tool shows the first user that ever signed in.',
  ),
  violation(
    'latest-user-shown',
    `${config}, context`,
    'The profile tool shows the user that signed in last, whatever the token.',
  ),
  violation(
    'refresh-takes-latest-user',
    `${config}, context`,
    'A refreshed token belongs to the user that signed in last.',
  ),
  violation('email-dropped', `${config}, context`, 'The profile tool returns an empty email.'),
  violation('login-lower-cased', `${config}, context`, 'The login is changed to lower case.'),
] as const

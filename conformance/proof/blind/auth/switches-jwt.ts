import { jwtChoice as choice, jwtViolation as violation } from './switch-builder.ts'

const rules = 'Pattern 2 rules'

export const jwtSwitches = [
  // ---- allowed ----
  choice(
    'refusal-text-json',
    rules,
    'The texts of the 401 and 403 answers are JSON objects, sent as application/json.',
  ),
  choice(
    'refusal-text-rpc',
    rules,
    'The 401 and 403 answers carry JSON-RPC error objects, sent as application/json.',
  ),
  choice(
    'refusal-text-other-words',
    rules,
    'The short texts are other words: "Authentication required (unauthorized)" and "Not a valid token".',
  ),
  choice(
    'reason-in-text',
    rules,
    'The text of the 403 answer also names the reason, for example "Invalid token: expired".',
  ),
  choice(
    'challenge-with-details',
    'RFC 6750 section 3',
    'WWW-Authenticate carries realm on 401, and realm, error and error_description on 403.',
  ),
  choice('no-challenge-on-403', rules, 'The 403 answer has no WWW-Authenticate header.'),
  choice(
    'exp-required',
    'RFC 7519 section 4.1.4; Pattern 2 rule 6',
    'A token without exp is refused with 403.',
  ),
  choice(
    'future-iat-refused',
    'RFC 7519 section 4.1.6',
    'A token whose iat is more than 60 seconds in the future is refused with 403.',
  ),
  choice(
    'clock-leeway-60',
    'RFC 7519 sections 4.1.4 and 4.1.5',
    'exp and nbf are compared with a leeway of 60 seconds.',
  ),
  choice(
    'typ-checked',
    'RFC 7519 section 5.1',
    'A token whose typ is present and is neither JWT nor at+jwt is refused with 403.',
  ),
  choice(
    'hs384-hs512-verified',
    'RFC 7518 section 3.2',
    'Tokens with HS384 and HS512 are accepted when their signature with the same secret is right.',
  ),
  choice(
    'duplicate-claims-refused',
    'RFC 7519 section 4',
    'A token with a claim name that occurs twice is refused with 403 (by default the last one counts).',
  ),
  choice(
    'signature-spare-bits-accepted',
    'RFC 4648 section 3.5',
    'The signature is compared as bytes, so the two unused bits of its last character do not matter.',
  ),
  choice(
    'other-scheme-403',
    rules,
    'An Authorization header with another scheme gets 403 instead of 401.',
  ),
  choice(
    'empty-bearer-403',
    rules,
    'An Authorization header "Bearer" without a token gets 403 instead of 401.',
  ),
  choice(
    'lifetime-over-60-minutes-refused',
    'Pattern 2 rule 6',
    'A token whose exp is more than 60 minutes after its iat is refused with 403.',
  ),
  choice(
    'method-before-token',
    'MCP transports, listening for messages',
    'GET and DELETE on /mcp without a token get 405 instead of 401.',
  ),
  choice(
    'session-ids',
    'MCP transports, session management',
    'initialize returns Mcp-Session-Id; later requests without it get 400 and with an unknown one 404.',
  ),
  choice(
    'lower-case-header-names',
    'RFC 9110 section 5.1',
    'The headers of the application, such as Content-Type and WWW-Authenticate, are sent with lower-case names.',
  ),
  choice('unknown-path-asks-token', rules, 'Unknown paths without a token get 401 instead of 404.'),
  choice(
    'resource-document',
    'RFC 9728 section 3',
    'A protected resource metadata document is served and the 401 challenge names it.',
  ),
  choice(
    'close-after-refusal',
    'RFC 9112 section 9.6',
    'The connection is closed after each 401 and 403.',
  ),
  choice(
    'structured-whoami',
    'MCP tools, structured content',
    'The profile tool also returns structuredContent.',
  ),
  choice(
    'options-answered',
    'RFC 9110 section 9.3.7',
    'OPTIONS on /mcp is answered 204 with Allow and CORS headers, without a token.',
  ),
  choice(
    'accept-header-checked',
    'MCP transports, sending messages',
    'A POST with a valid token whose Accept does not list application/json and text/event-stream gets 406.',
  ),

  // ---- not allowed ----
  violation('no-header-403', `${rules} 2`, 'A request without Authorization gets 403.'),
  violation('bad-token-401', `${rules} 3`, 'Every token that fails verification gets 401.'),
  violation('expired-401', `${rules} 3`, 'An expired token gets 401; other bad tokens get 403.'),
  violation(
    'malformed-token-400',
    `${rules} 3`,
    'A bearer token that does not have the form of a JWT gets 400.',
  ),
  violation(
    'broken-json-500',
    `${rules} 3`,
    'A token whose header or payload is not JSON gets 500.',
  ),
  violation('refusal-in-200', `${rules} 2 and 3`, 'Refusals are JSON-RPC errors with status 200.'),
  violation(
    'missing-token-redirect',
    `${rules} 2`,
    'A request without Authorization is redirected (302) to /login.',
  ),
  violation('empty-401-text', `${rules} 2`, 'The 401 answer has no text.'),
  violation('empty-403-text', `${rules} 3`, 'The 403 answer has no text.'),
  violation(
    'no-challenge-on-401',
    'RFC 6750 section 3',
    'The 401 answer has no WWW-Authenticate header.',
  ),
  violation('expired-accepted', 'RFC 7519 section 4.1.4', 'exp is never checked.'),
  violation(
    'expired-one-day-accepted',
    'RFC 7519 section 4.1.4',
    'A token is accepted until 24 hours after its exp.',
  ),
  violation(
    'exp-text-ignored',
    'RFC 7519 section 4.1.4',
    'An exp that is a string is ignored, even when its time is past.',
  ),
  violation(
    'exp-fraction-refused',
    'RFC 7519 section 2 (NumericDate)',
    'A token whose exp has a fractional part is refused.',
  ),
  violation('nbf-ignored', 'RFC 7519 section 4.1.5', 'nbf is never checked.'),
  violation('nbf-text-ignored', 'RFC 7519 section 4.1.5', 'An nbf that is a string is ignored.'),
  violation(
    'alg-none-accepted',
    'RFC 7519 section 7.2; Pattern 2 rule 5',
    'A token with alg "none" is accepted without a signature.',
  ),
  violation(
    'alg-none-odd-case-accepted',
    'RFC 7519 section 7.2; Pattern 2 rule 5',
    'Unsigned tokens with alg "None" or "NONE" are accepted, those with "none" are refused.',
  ),
  violation(
    'alg-lower-case-accepted',
    'RFC 7515 section 4.1.1',
    'alg "hs256" is accepted as if it were "HS256".',
  ),
  violation(
    'hs512-unverified',
    'RFC 7515 section 5.2',
    'The signature of a token with alg HS512 is not checked.',
  ),
  violation(
    'unknown-alg-unverified',
    'RFC 7515 section 5.2',
    'The signature of a token is not checked when its alg does not begin with HS, for example RS256.',
  ),
  violation(
    'header-jwk-trusted',
    'Pattern 2 rule 5',
    'A symmetric key in the jwk header of the token is accepted as the secret.',
  ),
  violation(
    'kid-skips-signature',
    'RFC 7515 section 5.2',
    'The signature of a token with a kid header is not checked.',
  ),
  violation(
    'empty-secret-accepted',
    'Pattern 2 rule 5',
    'Tokens signed with the empty secret are accepted too.',
  ),
  violation(
    'secret-start-accepted',
    'Pattern 2 rule 5',
    'Tokens signed with only the first 16 characters of the secret are accepted too.',
  ),
  violation(
    'signature-start-compared',
    'RFC 7515 section 5.2',
    'Only the first 10 characters of the signature are compared.',
  ),
  violation(
    'signature-case-ignored',
    'RFC 7515 section 5.2',
    'The signature text is compared without regard to case.',
  ),
  violation(
    'signature-checked-once',
    'RFC 7515 section 5.2',
    'Once a header and payload were seen with a right signature, any signature is accepted for them.',
  ),
  violation(
    'verified-token-kept',
    'RFC 7519 section 4.1.4',
    'A token that was accepted once is accepted after its exp.',
  ),
  violation(
    'extra-segment-accepted',
    'RFC 7515 section 7.1',
    'A fourth dot-separated part after the signature is ignored.',
  ),
  violation(
    'foreign-characters-accepted',
    'RFC 7515 sections 2 and 5.2',
    'Padding ("=") and the characters + and / are accepted in the parts of a token.',
  ),
  violation(
    'crit-ignored',
    'RFC 7515 section 4.1.11',
    'A token with a crit header that names an unknown extension is accepted.',
  ),
  violation(
    'first-duplicate-claim-wins',
    'RFC 7519 section 4',
    'Of two claims with the same name the first one counts.',
  ),
  violation(
    'extra-claims-refused',
    'RFC 7519 section 4',
    'A token with a claim that the server does not know is refused.',
  ),
  violation(
    'extra-header-fields-refused',
    'RFC 7515 section 4',
    'A token with an unknown header parameter that is not listed in crit is refused.',
  ),
  violation(
    'claims-read-as-latin1',
    'RFC 7519 section 7.2',
    'The payload is read as Latin-1, so a login or email with a letter outside ASCII comes out wrong.',
  ),
  violation('issuer-ignored', 'Pattern 2 rule 5', 'iss is never checked.'),
  violation(
    'issuer-missing-accepted',
    'Pattern 2 rule 5',
    'A token without iss is accepted; a wrong iss is refused.',
  ),
  violation(
    'issuer-start-accepted',
    'Pattern 2 rule 5',
    'An iss that begins with the issuer is accepted.',
  ),
  violation(
    'issuer-slash-accepted',
    'Pattern 2 rule 5; RFC 7519 section 2 (StringOrURI)',
    'The issuer with one more slash at its end is accepted.',
  ),
  violation(
    'issuer-case-ignored',
    'Pattern 2 rule 5; RFC 7519 section 4.1.1',
    'iss is compared without regard to case.',
  ),
  violation('audience-ignored', 'RFC 7519 section 4.1.3', 'aud is never checked.'),
  violation(
    'audience-missing-accepted',
    'Pattern 2 rule 5',
    'A token without aud is accepted; a wrong aud is refused.',
  ),
  violation(
    'audience-start-accepted',
    'RFC 7519 section 4.1.3',
    'An aud that begins with the audience is accepted.',
  ),
  violation(
    'audience-list-unchecked',
    'RFC 7519 section 4.1.3',
    'Every aud that is a list is accepted.',
  ),
  violation(
    'audience-list-refused',
    'RFC 7519 section 4.1.3',
    'An aud that is a list is refused, even when it names the server.',
  ),
  violation(
    'audience-first-only',
    'RFC 7519 section 4.1.3',
    'Only the first entry of an aud list is looked at.',
  ),
  violation(
    'token-in-query-accepted',
    `${rules} 1 and 2`,
    'Without the header, a token in the query parameter access_token is accepted.',
  ),
  violation(
    'any-scheme-accepted',
    `${rules} 1`,
    'A JWT after another scheme, for example Basic or Token, is accepted.',
  ),
  violation(
    'bare-token-accepted',
    `${rules} 1`,
    'A JWT that is the whole value of the Authorization header is accepted.',
  ),
  violation('null-token-accepted', `${rules} 3`, 'The tokens "null" and "undefined" are accepted.'),
  violation('initialize-open', `${rules} 2`, 'initialize is served without a token.'),
  violation('ping-open', `${rules} 2`, 'ping is served without a token.'),
  violation('tools-list-open', `${rules} 2`, 'tools/list is served without a token.'),
  violation('notification-open', `${rules} 2`, 'Notifications without a token are answered 202.'),
  violation(
    'tools-list-open-after-use',
    `${rules} 2`,
    'After the first request with a good token, tools/list is served to everyone.',
  ),
  violation(
    'connection-remembered',
    `${rules} 2`,
    'After a good token, later requests on the same TCP connection need none.',
  ),
  violation(
    'array-body-open',
    `${rules} 2`,
    'A body that is a JSON array is answered without looking at the token.',
  ),
  violation(
    'slash-path-open',
    `${rules} 2`,
    'The path /mcp/ serves the same tools without a token.',
  ),
  violation(
    'every-fifth-request-unchecked',
    `${rules} 3`,
    'Every fifth bearer token is not verified.',
  ),
  violation('jti-once', `${rules} 4`, 'A token with a jti is refused from its second use on.'),
  violation(
    'first-identity-kept',
    `${rules} 4`,
    'The profile tool shows the user of the first token that was ever accepted.',
  ),
] as const

"""Switches of the JWT verification."""
TEXT = """
@ RFC 7515 section 2
v J jwt-padding-accepted | Base64url parts with padding characters are accepted.
v J jwt-standard-base64-accepted | A signature in the standard base64 alphabet is accepted.
v J jwt-junk-characters-ignored | Foreign characters within a part are ignored.
c J jwt-loose-last-character | A last base64 character with unused bits set is accepted.
@ RFC 7515 section 5.2
v J jwt-signature-not-checked | The signature is not checked at all.
v J jwt-signature-prefix-compared | A signature that is only the beginning of the right one (even empty) is accepted.
v J jwt-signature-hex-accepted | The signature in hexadecimal is accepted.
v J jwt-fourth-part-ignored | A token with a further part is accepted.
v J jwt-latin1-payload-accepted | A payload that is not UTF-8 is accepted.
@ RFC 7519 section 4
c J jwt-duplicate-claim-last-wins | Of doubled claims the last counts (the default refuses).
v J jwt-duplicate-claim-first-wins | Of doubled claims the first counts.
v J jwt-unknown-claim-refused | A token with an unknown claim is refused.
@ Pattern 2 rules, rule 3
v J jwt-malformed-token-500 | A token with characters outside base64url is answered with 500.
v J jwt-claims-array-500 | A token whose payload is an array is answered with 500.
v J jwt-non-ascii-token-500 | A token with a non-ASCII character is answered with 500.
@ RFC 8725 section 3.1
v J jwt-alg-none-accepted | An unsigned token with alg none is accepted.
v J jwt-alg-none-other-case-accepted | An unsigned token with alg None or NONE is accepted.
v J jwt-alg-missing-accepted | A token without alg is accepted when the HS256 signature fits.
v J jwt-alg-case-insensitive | The alg hs256 in lower case is accepted.
v J jwt-alg-header-ignored | Any alg value is accepted when the HS256 signature fits.
c J jwt-hs384-hs512-accepted | Tokens signed with HS384 and HS512 and the same secret are accepted.
@ Pattern 2 rules, rule 5 (secret)
v J jwt-header-key-trusted | A token signed with the key in its own jwk header is accepted.
v J jwt-unknown-kid-empty-key | A token with a kid may be signed with the empty key.
v J jwt-short-secret-accepted | A token signed with the first eight characters of the secret is accepted.
v J jwt-empty-secret-accepted | A token signed with the empty secret is accepted.
v J jwt-audience-is-a-secret | A token signed with the audience as the secret is accepted.
@ RFC 7515 section 4
v J jwt-crit-ignored | A token with an unknown critical header is accepted.
v J jwt-unknown-header-refused | A token with an unknown, not critical header is refused.
@ RFC 7519 section 5.1
v J jwt-typ-required | A token without typ is refused.
v J jwt-typ-exact-case | A token with typ "jwt" in lower case is refused.
@ RFC 7519 section 4.1.4
c J jwt-leeway-30-seconds | A token is accepted until 30 seconds after exp.
c J jwt-exp-optional | A token without exp is accepted (the default refuses).
v J jwt-expiry-grace-one-hour | A token is accepted until one hour after exp.
v J jwt-exp-ignored | exp is not checked.
v J jwt-exp-string-accepted | exp as text is accepted.
v J jwt-exp-zero-ignored | A token with exp 0 is accepted.
v J jwt-exp-null-ignored | A token with exp null is accepted.
v J jwt-exp-fraction-refused | A token with a fraction in exp is refused.
v J jwt-exp-32-bit | exp is read as a 32 bit number, so far dates count as past.
v J jwt-exp-inclusive | A token is still accepted in the second of its exp.
@ RFC 7519 section 4.1.5
v J jwt-nbf-ignored | nbf is not checked.
v J jwt-nbf-string-ignored | nbf as text is ignored.
@ RFC 7519 section 4.1.6
c J jwt-iat-future-refused | A token with iat in the future is refused.
c J jwt-old-iat-refused | A token issued more than an hour ago is refused.
c J jwt-long-lifetime-refused | A token with more than one hour between iat and exp is refused.
@ RFC 7519 section 4.1.1
v J jwt-issuer-ignored | iss is not checked.
v J jwt-issuer-missing-accepted | A token without iss is accepted.
v J jwt-issuer-array-accepted | An array as iss with the right issuer in it is accepted.
v J jwt-issuer-prefix | An iss that only begins with the issuer is accepted.
v J jwt-issuer-case-insensitive | An iss in other letter case is accepted.
v J jwt-issuer-trailing-slash-ignored | An iss with a further slash at its end is accepted.
v J jwt-issuer-host-only | An iss with the right host and another path is accepted.
@ RFC 7519 section 4.1.3
v J jwt-audience-ignored | aud is not checked.
v J jwt-audience-missing-accepted | A token without aud is accepted.
v J jwt-audience-array-refused | An array as aud is refused.
v J jwt-audience-empty-array-accepted | An empty array as aud is accepted.
v J jwt-audience-array-first-only | Of an aud array only the first value counts.
v J jwt-audience-array-all-must-match | An aud array with further values is refused.
v J jwt-audience-prefix | An aud that only begins with the audience is accepted.
v J jwt-audience-part-of-value | An aud that is a part of the audience is accepted.
v J jwt-audience-case-insensitive | An aud in other letter case is accepted.
v J jwt-audience-space-separated | A text with several audiences separated by spaces is accepted.
v J jwt-audience-trailing-slash-ignored | An aud with a further slash at its end is accepted.
@ Pattern 2 rules, rule 4
v J jwt-cached-by-jti | A token with the jti of an earlier token acts as the earlier token's user.
v J jwt-email-kept-from-first-token | A user's email stays that of the first token although later tokens say another.
v J jwt-long-token-refused | A token longer than 1000 characters is refused.
v J jwt-jti-used-once | A token with a jti works only once.
@ RFC 7519 section 4.1.2
v J jwt-number-subject-accepted | A number as sub is accepted.
v J jwt-login-of-previous-token | A token without sub and login acts as the user of an earlier token.
v J jwt-email-of-previous-token | A token without email shows the email of an earlier token.
c J jwt-missing-email-empty-text | The profile has an empty text when the token has no email.
"""

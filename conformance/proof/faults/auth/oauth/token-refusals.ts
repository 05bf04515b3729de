import { defaultRules, type OAuthRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { kindOfClient, tokenReply, withErrorCode, onTokenRefusal } from './token-replies.ts'

/** Accepts unknown client ids, as if a public client with this grant type had registered. */
const acceptUnknownClients = (
  grant: 'authorization_code' | 'refresh_token',
  rules: Partial<OAuthRules>,
) =>
  replaceRules({
    oauth: {
      clientForUnknownId: (id) =>
        id === undefined
          ? undefined
          : { id, method: 'none', redirectUris: [], grants: [grant], issuedAt: 0 },
      ...rules,
    },
  })

/**
 * Faults in which token requests are accepted instead of refused, or refused with another error
 * code or status.
 */
export const tokenRefusals: readonly AuthFault[] = [
  fault(
    'verifier-is-not-compared',
    'Accepts any string as the verifier.',
    ['AUTH-TOKEN-04'],
    replaceRules({ oauth: { isVerifierCorrect: (_, verifier) => verifier !== undefined } }),
  ),
  fault(
    'verifier-may-be-the-challenge',
    'Accepts the challenge itself as the verifier.',
    ['AUTH-TOKEN-04'],
    replaceRules({
      oauth: {
        isVerifierCorrect: (code, verifier) =>
          defaultRules.isVerifierCorrect(code, verifier) ||
          (verifier !== undefined && verifier === code.challenge),
      },
    }),
  ),
  fault(
    'verifier-is-cut',
    'Ignores all characters of a verifier after the 43rd.',
    ['AUTH-TOKEN-04'],
    replaceRules({
      oauth: {
        isVerifierCorrect: (code, verifier) =>
          defaultRules.isVerifierCorrect(code, verifier?.slice(0, 43)),
      },
    }),
  ),
  fault(
    'two-secrets-accepted',
    'Accepts a secret in the header and in the body of one request.',
    ['AUTH-TOKEN-27'],
    onTokenRefusal(['client-authenticates-twice'], tokenReply),
  ),
  fault(
    'two-secrets-crash',
    'Returns 500 for a secret in the header and in the body of one request.',
    ['AUTH-TOKEN-27', 'AUTH-TOKEN-17'],
    onTokenRefusal(['client-authenticates-twice'], (reply) => ({ ...reply, status: 500 })),
  ),
  fault(
    'longest-verifier-refused',
    'Refuses a verifier of 128 characters.',
    ['AUTH-TOKEN-01'],
    replaceRules({
      oauth: {
        isVerifierCorrect: (code, verifier) =>
          verifier?.length !== 128 && defaultRules.isVerifierCorrect(code, verifier),
      },
    }),
  ),
  fault(
    'wrong-verifier-as-invalid-request',
    'Reports a wrong verifier as invalid_request.',
    ['AUTH-TOKEN-04'],
    onTokenRefusal(['verifier-mismatch'], (reply, members, form) =>
      form?.get('code_verifier') === undefined
        ? undefined
        : withErrorCode('invalid_request')(reply, members),
    ),
  ),
  fault(
    'wrong-verifier-is-403',
    'Returns 403 for a wrong verifier.',
    ['AUTH-TOKEN-04'],
    onTokenRefusal(['verifier-mismatch'], withErrorCode('invalid_grant', 403)),
  ),
  fault(
    'verifier-may-be-missing',
    'Compares the verifier only if there is one.',
    ['AUTH-TOKEN-05'],
    replaceRules({
      oauth: {
        isVerifierCorrect: (code, verifier) =>
          verifier === undefined || defaultRules.isVerifierCorrect(code, verifier),
      },
    }),
  ),
  fault(
    'missing-verifier-crashes',
    'Returns 500 if the verifier is missing.',
    ['AUTH-TOKEN-05'],
    onTokenRefusal(['verifier-mismatch'], (reply, members, form) =>
      form?.get('code_verifier') === undefined
        ? withErrorCode('server_error', 500)(reply, members)
        : undefined,
    ),
  ),
  fault(
    'unknown-clients-are-accepted',
    'Accepts codes from clients that it does not know.',
    ['AUTH-TOKEN-06'],
    acceptUnknownClients('authorization_code', { isCodeOfClient: () => true }),
  ),
  fault(
    'unknown-clients-refresh',
    'Accepts refresh tokens from clients that it does not know.',
    ['AUTH-TOKEN-06'],
    acceptUnknownClients('refresh_token', { isRefreshTokenOfClient: () => true }),
  ),
  fault(
    'unknown-client-as-invalid-grant',
    'Reports an unknown client as invalid_grant.',
    ['AUTH-TOKEN-06'],
    onTokenRefusal(['client-not-authenticated'], withErrorCode('invalid_grant', 400)),
  ),
  fault(
    'unknown-client-as-unauthorized',
    'Reports an unknown client as unauthorized_client.',
    ['AUTH-TOKEN-06'],
    onTokenRefusal(['client-not-authenticated'], withErrorCode('unauthorized_client', 400)),
  ),
  fault(
    'secrets-are-not-compared',
    'Accepts any string as the secret of a client.',
    ['AUTH-TOKEN-07'],
    replaceRules({ oauth: { isClientSecret: (_, secret) => secret !== undefined } }),
  ),
  fault(
    'secret-may-be-missing',
    'Compares the secret of a client only if there is one.',
    ['AUTH-TOKEN-07', 'AUTH-PROVIDER-09'],
    replaceRules({
      oauth: {
        isClientSecret: (client, secret) =>
          secret === undefined || secret === '' || defaultRules.isClientSecret(client, secret),
      },
    }),
  ),
  fault(
    'wrong-secret-in-the-header-is-400',
    'Returns 400 for a wrong secret in the Authorization header.',
    ['AUTH-TOKEN-07'],
    onReply((reply, { incoming }, endpoint) =>
      endpoint === 'token' && reply.status === 401 && incoming.headers.authorization !== undefined
        ? { ...reply, status: 400 }
        : undefined,
    ),
  ),
  fault(
    'wrong-secret-as-invalid-request',
    'Reports a wrong secret in the body as invalid_request.',
    ['AUTH-TOKEN-07'],
    onTokenRefusal(['client-not-authenticated'], (reply, members, form) =>
      form?.get('client_secret') === undefined
        ? undefined
        : withErrorCode('invalid_request', 400)(reply, members),
    ),
  ),
  fault(
    'codes-are-for-all-clients',
    'Accepts a code from any client.',
    ['AUTH-TOKEN-08'],
    replaceRules({ oauth: { isCodeOfClient: () => true } }),
  ),
  ...(['public', 'confidential'] as const).map((kind) =>
    fault(
      `codes-are-for-all-${kind}-clients`,
      `Accepts a code from any ${kind} client.`,
      ['AUTH-TOKEN-08'],
      replaceRules({
        oauth: {
          isCodeOfClient: (code, client) =>
            kindOfClient(client) === kind || defaultRules.isCodeOfClient(code, client),
        },
      }),
    ),
  ),
  fault(
    'any-code-works',
    'Issues tokens for unknown codes.',
    ['AUTH-TOKEN-09'],
    onTokenRefusal(['code-unknown'], tokenReply),
  ),
  fault(
    'unknown-code-as-invalid-request',
    'Reports an unknown code as invalid_request.',
    ['AUTH-TOKEN-08', 'AUTH-TOKEN-09'],
    onTokenRefusal(['code-unknown'], withErrorCode('invalid_request')),
  ),
  fault(
    'unknown-code-is-404',
    'Returns 404 for an unknown code.',
    ['AUTH-TOKEN-08', 'AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    onTokenRefusal(['code-unknown'], withErrorCode('invalid_grant', 404)),
  ),
  fault(
    'password-grant-works',
    'Issues tokens for a user name and a password.',
    ['AUTH-TOKEN-14'],
    onTokenRefusal(['grant-type-unsupported'], (reply, _, form) =>
      form?.get('grant_type') === 'password' ? tokenReply(reply) : undefined,
    ),
  ),
  fault(
    'password-grant-is-an-invalid-request',
    'Reports the password grant as invalid_request.',
    ['AUTH-TOKEN-14'],
    onTokenRefusal(['grant-type-unsupported'], withErrorCode('invalid_request')),
  ),
  fault(
    'password-grant-is-401',
    'Returns 401 for the password grant.',
    ['AUTH-TOKEN-14', 'AUTH-TOKEN-17'],
    onTokenRefusal(['grant-type-unsupported'], withErrorCode('unsupported_grant_type', 401)),
  ),
  fault(
    'grant-type-may-be-missing',
    'Treats a request without grant_type as an authorization_code request.',
    ['AUTH-TOKEN-15'],
    replaceRules({ oauth: { grantTypeOf: (type) => type ?? 'authorization_code' } }),
  ),
  fault(
    'missing-grant-type-is-404',
    'Returns 404 for a request without a grant_type.',
    ['AUTH-TOKEN-15', 'AUTH-TOKEN-17'],
    onTokenRefusal(['grant-type-missing'], withErrorCode('invalid_request', 404)),
  ),
  fault(
    'parameters-may-repeat',
    'Uses the first value if a parameter is repeated.',
    ['AUTH-TOKEN-16'],
    replaceRules({ oauth: { mayRepeatParameter: () => true } }),
  ),
  ...['code', 'code_verifier', 'grant_type'].map((repeated) =>
    fault(
      `${repeated.replace('_', '-')}-may-repeat`,
      `Uses the first value if ${repeated} is repeated.`,
      ['AUTH-TOKEN-16'],
      replaceRules({
        oauth: {
          mayRepeatParameter: (name, times) =>
            name === repeated || defaultRules.mayRepeatParameter(name, times),
        },
      }),
    ),
  ),
]

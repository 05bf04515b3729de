import { defaultRules as right } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, onReply, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { granted, named, refusalsAs } from './answers.ts'

/** What should be refused at the token endpoint, and is not, or by another name. */
export const tokenRefusals: readonly AuthFault[] = [
  fault(
    'verifier-is-not-compared',
    'Takes any verifier.',
    ['AUTH-TOKEN-04'],
    replaceRules({ oauth: { verifies: (_, verifier) => verifier !== undefined } }),
  ),
  fault(
    'verifier-may-be-the-challenge',
    'Takes the challenge itself for a verifier.',
    ['AUTH-TOKEN-04'],
    replaceRules({
      oauth: {
        verifies: (code, verifier) =>
          right.verifies(code, verifier) || (verifier !== undefined && verifier === code.challenge),
      },
    }),
  ),
  fault(
    'verifier-is-cut',
    'Looks at the first 43 characters of a verifier only.',
    ['AUTH-TOKEN-04'],
    replaceRules({
      oauth: { verifies: (code, verifier) => right.verifies(code, verifier?.slice(0, 43)) },
    }),
  ),
  fault(
    'wrong-verifier-as-invalid-request',
    'Calls a wrong verifier an invalid request.',
    ['AUTH-TOKEN-04'],
    refusalsAs(['verifier-mismatch'], (reply, members, form) =>
      form?.get('code_verifier') === undefined
        ? undefined
        : named('invalid_request')(reply, members),
    ),
  ),
  fault(
    'wrong-verifier-is-403',
    'Refuses a wrong verifier with status 403.',
    ['AUTH-TOKEN-04'],
    refusalsAs(['verifier-mismatch'], named('invalid_grant', 403)),
  ),
  fault(
    'verifier-may-be-missing',
    'Compares verifiers where there is one.',
    ['AUTH-TOKEN-05'],
    replaceRules({
      oauth: {
        verifies: (code, verifier) => verifier === undefined || right.verifies(code, verifier),
      },
    }),
  ),
  fault(
    'missing-verifier-crashes',
    'Answers 500 where there is no verifier.',
    ['AUTH-TOKEN-05'],
    refusalsAs(['verifier-mismatch'], (reply, members, form) =>
      form?.get('code_verifier') === undefined
        ? named('server_error', 500)(reply, members)
        : undefined,
    ),
  ),
  fault(
    'unknown-clients-are-let-in',
    'Takes codes from whoever calls himself a client.',
    ['AUTH-TOKEN-06'],
    replaceRules({
      oauth: {
        unknownClient: (id) =>
          id === undefined
            ? undefined
            : { id, method: 'none', redirectUris: [], grants: ['authorization_code'], issuedAt: 0 },
        codeIsFor: () => true,
      },
    }),
  ),
  fault(
    'unknown-client-as-invalid-grant',
    'Calls a code invalid whose client is not known.',
    ['AUTH-TOKEN-06'],
    refusalsAs(['client-not-authenticated'], named('invalid_grant', 400)),
  ),
  fault(
    'unknown-client-as-unauthorized',
    'Calls a client that is not known unauthorized.',
    ['AUTH-TOKEN-06'],
    refusalsAs(['client-not-authenticated'], named('unauthorized_client', 400)),
  ),
  fault(
    'secrets-are-not-compared',
    'Takes any secret of a client.',
    ['AUTH-TOKEN-07'],
    replaceRules({ oauth: { authenticates: (_, secret) => secret !== undefined } }),
  ),
  fault(
    'secret-may-be-missing',
    'Compares the secrets of clients where there is one.',
    ['AUTH-TOKEN-07'],
    replaceRules({
      oauth: {
        authenticates: (client, secret) =>
          secret === undefined || secret === '' || right.authenticates(client, secret),
      },
    }),
  ),
  fault(
    'wrong-secret-in-the-header-is-400',
    'Refuses wrong secrets in the Authorization header with status 400.',
    ['AUTH-TOKEN-07'],
    onReply((reply, { incoming }, endpoint) =>
      endpoint === 'token' && reply.status === 401 && incoming.headers.authorization !== undefined
        ? { ...reply, status: 400 }
        : undefined,
    ),
  ),
  fault(
    'wrong-secret-as-invalid-request',
    'Calls a wrong secret an invalid request.',
    ['AUTH-TOKEN-07'],
    refusalsAs(['client-not-authenticated'], (reply, members, form) =>
      form?.get('client_secret') === undefined
        ? undefined
        : named('invalid_request', 400)(reply, members),
    ),
  ),
  fault(
    'codes-are-for-all-clients',
    'Takes a code from any client.',
    ['AUTH-TOKEN-08'],
    replaceRules({ oauth: { codeIsFor: () => true } }),
  ),
  fault(
    'codes-are-for-all-public-clients',
    'Takes a code from any client that keeps no secret.',
    ['AUTH-TOKEN-08'],
    replaceRules({
      oauth: {
        codeIsFor: (code, client) => client.secret === undefined || right.codeIsFor(code, client),
      },
    }),
  ),
  fault(
    'codes-are-for-all-confidential-clients',
    'Takes a code from any client that shows its secret.',
    ['AUTH-TOKEN-08'],
    replaceRules({
      oauth: {
        codeIsFor: (code, client) => client.secret !== undefined || right.codeIsFor(code, client),
      },
    }),
  ),
  fault(
    'any-code-works',
    'Gives tokens for codes that were never given.',
    ['AUTH-TOKEN-09'],
    refusalsAs(['code-unknown'], granted),
  ),
  fault(
    'unknown-code-as-invalid-request',
    'Calls a code that is not known an invalid request.',
    ['AUTH-TOKEN-08', 'AUTH-TOKEN-09'],
    refusalsAs(['code-unknown'], named('invalid_request')),
  ),
  fault(
    'unknown-code-is-404',
    'Refuses a code that is not known with status 404.',
    ['AUTH-TOKEN-08', 'AUTH-TOKEN-09', 'AUTH-TOKEN-17'],
    refusalsAs(['code-unknown'], named('invalid_grant', 404)),
  ),
  fault(
    'password-grant-works',
    'Gives tokens for a name and a password.',
    ['AUTH-TOKEN-14'],
    refusalsAs(['grant-type-unsupported'], (reply, _, form) =>
      form?.get('grant_type') === 'password' ? granted(reply) : undefined,
    ),
  ),
  fault(
    'password-grant-wants-more',
    'Calls a request with a password invalid.',
    ['AUTH-TOKEN-14'],
    refusalsAs(['grant-type-unsupported'], named('invalid_request')),
  ),
  fault(
    'password-grant-is-401',
    'Refuses a name and a password with status 401.',
    ['AUTH-TOKEN-14', 'AUTH-TOKEN-17'],
    refusalsAs(['grant-type-unsupported'], named('unsupported_grant_type', 401)),
  ),
  fault(
    'grant-type-may-be-missing',
    'Takes a request that does not say what it grants for one with a code.',
    ['AUTH-TOKEN-15'],
    replaceRules({ oauth: { grantOf: (type) => type ?? 'authorization_code' } }),
  ),
  fault(
    'missing-grant-type-is-404',
    'Answers a request without a grant_type as if there were nothing.',
    ['AUTH-TOKEN-15', 'AUTH-TOKEN-17'],
    refusalsAs(['grant-type-missing'], named('invalid_request', 404)),
  ),
  fault(
    'parameters-may-repeat',
    'Takes the first of parameters that come several times.',
    ['AUTH-TOKEN-16'],
    replaceRules({ oauth: { mayRepeat: () => true } }),
  ),
  ...['code', 'code_verifier', 'grant_type'].map((repeated) =>
    fault(
      `${repeated.replace('_', '-')}-may-repeat`,
      `Takes the first of several ${repeated}.`,
      ['AUTH-TOKEN-16'],
      replaceRules({
        oauth: { mayRepeat: (name, times) => name === repeated || right.mayRepeat(name, times) },
      }),
    ),
  ),
]

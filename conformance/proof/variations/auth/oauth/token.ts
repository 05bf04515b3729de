import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { membersOf } from '../../../faults/auth/oauth/token-replies.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes responses of the token endpoint: those with tokens, or refusals. */
const changeReply = (
  which: 'with tokens' | 'refusals',
  change: (reply: Reply) => Reply,
): AuthDeviation => ({
  changeReply: (endpoint, reply) =>
    endpoint === 'token' && (reply.status === 200) === (which === 'with tokens')
      ? change(reply)
      : reply,
})
const withHeaders =
  (headers: Record<string, string>) =>
  (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...headers } })

/** Choices about the token endpoint. */
export const token: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-TOKEN-15',
    name: 'request without a grant type',
    values: [
      {
        name: 'invalid_request',
        description: 'Reports a request without a grant_type as invalid_request.',
      },
      {
        name: 'unsupported_grant_type',
        description: 'Reports a request without a grant_type as unsupported_grant_type.',
        choices: { oauth: { missingGrantError: 'unsupported_grant_type' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-18',
    name: 'token requests in JSON',
    values: [
      { name: 'refused', description: 'Accepts only form-encoded token requests.' },
      {
        name: 'accepted',
        description: 'Accepts token requests in JSON as well.',
        choices: { oauth: { jsonForms: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-19',
    name: 'redirect_uri in a token request',
    values: [
      {
        name: 'compared if it is present',
        description: 'Compares the redirect URI of a token request, if there is one.',
      },
      {
        name: 'required and compared',
        description: 'Requires the redirect URI in token requests and compares it.',
        choices: { oauth: { tokenRedirect: 'required' } },
      },
      {
        name: 'ignored',
        description: 'Ignores the redirect URI of a token request.',
        choices: { oauth: { tokenRedirect: 'ignored' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-01',
    name: 'case of the token type',
    values: [
      { name: 'Bearer', description: 'Returns the token type Bearer.' },
      {
        name: 'bearer',
        description: 'Returns the token type bearer.',
        choices: { oauth: { tokenType: 'bearer' } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'form of access tokens',
    values: [
      { name: 'opaque', description: 'Issues opaque access tokens.' },
      {
        name: 'like a JWT',
        description: 'Issues opaque access tokens in the form of JWTs.',
        choices: { oauth: { tokenForm: 'like a JWT' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-03',
    name: 'lifetime of access tokens',
    values: [
      { name: 'returned', description: 'Returns the lifetime of access tokens.' },
      {
        name: 'not returned',
        description: 'Does not return the lifetime of access tokens.',
        choices: { oauth: { includesExpiry: false } },
        unmet: ['AUTH-TOKEN-03'],
      },
    ],
  },
  {
    requirement: 'none',
    name: 'scope of access tokens',
    values: [
      { name: 'returned', description: 'Returns the scope of every token.' },
      {
        name: 'returned if it differs',
        description: 'Returns the scope of a token only if it differs from the requested scope.',
        choices: { oauth: { includesScope: 'if different' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-04',
    name: 'code after a wrong verifier',
    values: [
      {
        name: 'still valid',
        description: 'Keeps a code valid after a wrong verifier.',
      },
      {
        name: 'no longer valid',
        description: 'Invalidates a code after a wrong verifier.',
        choices: { oauth: { wrongVerifier: 'ends the code' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-11',
    name: 'repeated code',
    values: [
      {
        name: 'refused, and its tokens are revoked',
        description: 'Revokes all tokens of a repeated code.',
      },
      {
        name: 'refused',
        description: 'Refuses a repeated code and revokes nothing.',
        choices: { oauth: { usedCodes: 'are refused' } },
        unmet: ['AUTH-TOKEN-11'],
      },
    ],
  },
  {
    requirement: 'none',
    name: 'previous grants',
    values: [
      { name: 'kept', description: 'Keeps previous grants if a user allows a client again.' },
      {
        name: 'revoked',
        description: 'Ends previous grants if a user allows a client again.',
        choices: { oauth: { previousGrants: 'end' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-06',
    name: 'status for unknown clients',
    values: [
      { name: '401', description: 'Returns 401 for an unknown client.' },
      {
        name: '400',
        description:
          'Returns 400 for an unknown client, or 401 if it used the Authorization header.',
        choices: { oauth: { clientFailureStatus: 400 } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-20',
    name: 'secrets in the Authorization header',
    values: [
      {
        name: 'accepted',
        description: 'Accepts client secrets in the Authorization header and in the body.',
      },
      {
        name: 'refused',
        description: 'Accepts client secrets only in the body, and declares that in its metadata.',
        choices: { oauth: { basic: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-02',
    name: 'Cache-Control of tokens',
    values: [
      { name: 'no-store', description: 'Returns tokens with the cache directive no-store.' },
      {
        name: 'several directives',
        description: 'Returns tokens with several cache directives in mixed case.',
        deviation: changeReply(
          'with tokens',
          withHeaders({ 'Cache-Control': 'private, No-Store ,max-age=0', Pragma: '' }),
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'content type of tokens',
    values: [
      { name: 'plain', description: 'Returns tokens as application/json.' },
      {
        name: 'with a charset',
        description: 'Returns tokens as application/json with a charset.',
        deviation: changeReply(
          'with tokens',
          withHeaders({ 'Content-Type': 'application/json; charset=utf-8' }),
        ),
      },
      {
        name: 'in mixed case',
        description: 'Returns tokens as Application/JSON.',
        deviation: changeReply(
          'with tokens',
          withHeaders({ 'Content-Type': 'Application/JSON;charset=UTF-8' }),
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'members of token responses',
    values: [
      { name: 'known ones', description: 'Returns only standard members with tokens.' },
      {
        name: 'more',
        description: 'Returns further members with tokens.',
        deviation: changeReply('with tokens', (reply) => ({
          ...reply,
          body: { ...membersOf(reply), id_token: null, user: { name: 'ada' }, 'x-note': ['more'] },
        })),
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-17',
    name: 'members of token refusals',
    values: [
      {
        name: 'error and description',
        description: 'Returns an error and a description when it refuses a request.',
      },
      {
        name: 'error alone',
        description: 'Returns only an error when it refuses a request.',
        deviation: changeReply('refusals', (reply) => ({
          ...reply,
          body: { error: membersOf(reply)['error'] },
          headers: { ...reply.headers, 'Cache-Control': '', Pragma: '' },
        })),
      },
      {
        name: 'more',
        description: 'Returns further members, one of them null, when it refuses a request.',
        deviation: changeReply('refusals', (reply) => ({
          ...reply,
          body: {
            ...membersOf(reply),
            error_uri: null,
            status: reply.status,
          },
          headers: { ...reply.headers, 'Content-Type': 'application/json;charset=UTF-8' },
        })),
      },
    ],
  },
]

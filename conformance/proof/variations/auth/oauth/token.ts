import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import { membersOf } from '../../../faults/auth/oauth/answers.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes answers of the token endpoint: those with tokens, or refusals. */
const answers = (
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

/** Freedoms of the token endpoint. */
export const token: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-TOKEN-15',
    name: 'a request that names no grant',
    levels: [
      { name: 'is invalid', description: 'Calls a request without a grant_type invalid.' },
      {
        name: 'is of no known grant',
        description: 'Says of a request without a grant_type that there is no such grant.',
        choices: { oauth: { missingGrantError: 'unsupported_grant_type' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-18',
    name: 'forms in JSON',
    levels: [
      { name: 'refused', description: 'Takes forms as forms only.' },
      {
        name: 'taken',
        description: 'Takes forms in JSON as well.',
        choices: { oauth: { jsonForms: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-19',
    name: 'redirect URI at the token endpoint',
    levels: [
      {
        name: 'compared',
        description: 'Compares the redirect URI at the token endpoint, where there is one.',
      },
      {
        name: 'required',
        description: 'Wants the redirect URI at the token endpoint, and compares it.',
        choices: { oauth: { tokenRedirect: 'required' } },
      },
      {
        name: 'passed over',
        description: 'Passes over a redirect URI at the token endpoint.',
        choices: { oauth: { tokenRedirect: 'ignored' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-01',
    name: 'case of the type of tokens',
    levels: [
      { name: 'capital', description: 'Calls the type of its tokens Bearer.' },
      {
        name: 'small',
        description: 'Calls the type of its tokens bearer.',
        choices: { oauth: { tokenType: 'bearer' } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'form of access tokens',
    levels: [
      { name: 'opaque', description: 'Gives access tokens of one part.' },
      {
        name: 'like a JWT',
        description: 'Gives access tokens that look like JWTs, and are none.',
        choices: { oauth: { tokenForm: 'like a JWT' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-03',
    name: 'lifetime of access tokens',
    levels: [
      { name: 'told', description: 'Tells for how long access tokens live.' },
      {
        name: 'not told',
        description: 'Does not tell for how long access tokens live.',
        choices: { oauth: { includesExpiry: false } },
        unmet: ['AUTH-TOKEN-03'],
      },
    ],
  },
  {
    requirement: 'form',
    name: 'scope of access tokens',
    levels: [
      { name: 'told', description: 'Tells the scope of every token.' },
      {
        name: 'told where it differs',
        description: 'Tells the scope of a token where it is not what was asked for.',
        choices: { oauth: { includesScope: 'where it differs' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-04',
    name: 'code with a wrong verifier',
    levels: [
      {
        name: 'stays',
        description:
          'Takes a code that came with a wrong verifier when it comes with the right one.',
      },
      {
        name: 'ends',
        description: 'Takes a code no more that came with a wrong verifier.',
        choices: { oauth: { wrongVerifier: 'ends the code' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-11',
    name: 'code that comes again',
    levels: [
      { name: 'ends all', description: 'Ends all tokens of a code that comes again.' },
      {
        name: 'is refused',
        description: 'Refuses a code that comes again, and no more.',
        choices: { oauth: { usedCodes: 'are refused' } },
        unmet: ['AUTH-TOKEN-11'],
      },
    ],
  },
  {
    requirement: 'form',
    name: 'former grants',
    levels: [
      { name: 'stay', description: 'Lets a user allow a client several times.' },
      {
        name: 'end',
        description: 'Ends what a user allowed a client formerly when the user allows it again.',
        choices: { oauth: { previousGrants: 'end' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-06',
    name: 'status for strangers',
    levels: [
      { name: '401', description: 'Refuses clients that it does not know with status 401.' },
      {
        name: '400',
        description:
          'Refuses clients that it does not know with status 400, unless they came by the Authorization header.',
        choices: { oauth: { clientFailureStatus: 400 } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-20',
    name: 'secrets in the Authorization header',
    levels: [
      {
        name: 'taken',
        description: 'Takes the secrets of clients in the Authorization header and in the body.',
      },
      {
        name: 'not taken',
        description: 'Takes the secrets of clients in the body only, and says so.',
        choices: { oauth: { basic: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-02',
    name: 'Cache-Control of tokens',
    levels: [
      { name: 'no-store', description: 'Forbids to store answers with tokens.' },
      {
        name: 'several words',
        description: 'Forbids to store answers with tokens, in several words and other letters.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Cache-Control': 'private, No-Store ,max-age=0', Pragma: '' }),
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'content type of tokens',
    levels: [
      { name: 'plain', description: 'Calls tokens application/json.' },
      {
        name: 'with a charset',
        description: 'Calls tokens application/json, with a charset.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Content-Type': 'application/json; charset=utf-8' }),
        ),
      },
      {
        name: 'in other letters',
        description: 'Calls tokens Application/JSON.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Content-Type': 'Application/JSON;charset=UTF-8' }),
        ),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'members of tokens',
    levels: [
      { name: 'known ones', description: 'Tells of tokens what OAuth knows.' },
      {
        name: 'more',
        description: 'Tells of tokens more than OAuth knows.',
        deviation: answers('with tokens', (reply) => ({
          ...reply,
          body: { ...membersOf(reply), id_token: null, user: { name: 'ada' }, 'x-note': ['more'] },
        })),
      },
    ],
  },
  {
    requirement: 'AUTH-TOKEN-17',
    name: 'members of refusals',
    levels: [
      { name: 'error and description', description: 'Tells what is wrong in words.' },
      {
        name: 'error alone',
        description: 'Tells what is wrong by its name alone.',
        deviation: answers('refusals', (reply) => ({
          ...reply,
          body: { error: membersOf(reply)['error'] },
          headers: { ...reply.headers, 'Cache-Control': '', Pragma: '' },
        })),
      },
      {
        name: 'more',
        description: 'Tells where to read about what is wrong.',
        deviation: answers('refusals', (reply) => ({
          ...reply,
          body: {
            ...membersOf(reply),
            error_uri: 'https://shelf.example/errors',
            status: reply.status,
          },
          headers: { ...reply.headers, 'Content-Type': 'application/json;charset=UTF-8' },
        })),
      },
    ],
  },
]

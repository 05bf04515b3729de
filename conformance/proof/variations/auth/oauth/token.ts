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
    row: 'AUTH-TOKEN-15',
    factor: 'a request that names no grant',
    levels: [
      { name: 'is invalid', says: 'Calls a request without a grant_type invalid.' },
      {
        name: 'is of no known grant',
        says: 'Says of a request without a grant_type that there is no such grant.',
        choices: { oauth: { missingGrantError: 'unsupported_grant_type' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-18',
    factor: 'forms in JSON',
    levels: [
      { name: 'refused', says: 'Takes forms as forms only.' },
      {
        name: 'taken',
        says: 'Takes forms in JSON as well.',
        choices: { oauth: { jsonForms: 'accepted' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-19',
    factor: 'redirect URI at the token endpoint',
    levels: [
      {
        name: 'compared',
        says: 'Compares the redirect URI at the token endpoint, where there is one.',
      },
      {
        name: 'required',
        says: 'Wants the redirect URI at the token endpoint, and compares it.',
        choices: { oauth: { tokenRedirect: 'required' } },
      },
      {
        name: 'passed over',
        says: 'Passes over a redirect URI at the token endpoint.',
        choices: { oauth: { tokenRedirect: 'ignored' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-01',
    factor: 'case of the type of tokens',
    levels: [
      { name: 'capital', says: 'Calls the type of its tokens Bearer.' },
      {
        name: 'small',
        says: 'Calls the type of its tokens bearer.',
        choices: { oauth: { tokenType: 'bearer' } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'form of access tokens',
    levels: [
      { name: 'opaque', says: 'Gives access tokens of one part.' },
      {
        name: 'like a JWT',
        says: 'Gives access tokens that look like JWTs, and are none.',
        choices: { oauth: { tokenForm: 'like a JWT' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-03',
    factor: 'lifetime of access tokens',
    levels: [
      { name: 'told', says: 'Tells for how long access tokens live.' },
      {
        name: 'not told',
        says: 'Does not tell for how long access tokens live.',
        choices: { oauth: { includesExpiry: false } },
        warns: ['AUTH-TOKEN-03'],
      },
    ],
  },
  {
    row: 'form',
    factor: 'scope of access tokens',
    levels: [
      { name: 'told', says: 'Tells the scope of every token.' },
      {
        name: 'told where it differs',
        says: 'Tells the scope of a token where it is not what was asked for.',
        choices: { oauth: { includesScope: 'where it differs' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-04',
    factor: 'code with a wrong verifier',
    levels: [
      {
        name: 'stays',
        says: 'Takes a code that came with a wrong verifier when it comes with the right one.',
      },
      {
        name: 'ends',
        says: 'Takes a code no more that came with a wrong verifier.',
        choices: { oauth: { wrongVerifier: 'ends the code' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-11',
    factor: 'code that comes again',
    levels: [
      { name: 'ends all', says: 'Ends all tokens of a code that comes again.' },
      {
        name: 'is refused',
        says: 'Refuses a code that comes again, and no more.',
        choices: { oauth: { usedCodes: 'are refused' } },
        warns: ['AUTH-TOKEN-11'],
      },
    ],
  },
  {
    row: 'form',
    factor: 'former grants',
    levels: [
      { name: 'stay', says: 'Lets a user allow a client several times.' },
      {
        name: 'end',
        says: 'Ends what a user allowed a client formerly when the user allows it again.',
        choices: { oauth: { previousGrants: 'end' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-06',
    factor: 'status for strangers',
    levels: [
      { name: '401', says: 'Refuses clients that it does not know with status 401.' },
      {
        name: '400',
        says: 'Refuses clients that it does not know with status 400, unless they came by the Authorization header.',
        choices: { oauth: { clientFailureStatus: 400 } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-20',
    factor: 'secrets in the Authorization header',
    levels: [
      {
        name: 'taken',
        says: 'Takes the secrets of clients in the Authorization header and in the body.',
      },
      {
        name: 'not taken',
        says: 'Takes the secrets of clients in the body only, and says so.',
        choices: { oauth: { basic: 'refused' } },
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-02',
    factor: 'Cache-Control of tokens',
    levels: [
      { name: 'no-store', says: 'Forbids to store answers with tokens.' },
      {
        name: 'several words',
        says: 'Forbids to store answers with tokens, in several words and other letters.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Cache-Control': 'private, No-Store ,max-age=0', Pragma: '' }),
        ),
      },
    ],
  },
  {
    row: 'form',
    factor: 'content type of tokens',
    levels: [
      { name: 'plain', says: 'Calls tokens application/json.' },
      {
        name: 'with a charset',
        says: 'Calls tokens application/json, with a charset.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Content-Type': 'application/json; charset=utf-8' }),
        ),
      },
      {
        name: 'in other letters',
        says: 'Calls tokens Application/JSON.',
        deviation: answers(
          'with tokens',
          withHeaders({ 'Content-Type': 'Application/JSON;charset=UTF-8' }),
        ),
      },
    ],
  },
  {
    row: 'form',
    factor: 'members of tokens',
    levels: [
      { name: 'known ones', says: 'Tells of tokens what OAuth knows.' },
      {
        name: 'more',
        says: 'Tells of tokens more than OAuth knows.',
        deviation: answers('with tokens', (reply) => ({
          ...reply,
          body: { ...membersOf(reply), id_token: null, user: { name: 'ada' }, 'x-note': ['more'] },
        })),
      },
    ],
  },
  {
    row: 'AUTH-TOKEN-17',
    factor: 'members of refusals',
    levels: [
      { name: 'error and description', says: 'Tells what is wrong in words.' },
      {
        name: 'error alone',
        says: 'Tells what is wrong by its name alone.',
        deviation: answers('refusals', (reply) => ({
          ...reply,
          body: { error: membersOf(reply)['error'] },
          headers: { ...reply.headers, 'Cache-Control': '', Pragma: '' },
        })),
      },
      {
        name: 'more',
        says: 'Tells where to read about what is wrong.',
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

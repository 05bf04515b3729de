import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { OAuthReason } from '../../../../../mocks/stateful/oauth/failure.ts'
import type { Parameters } from '../../../../../mocks/stateful/oauth/parameters.ts'
import { type MakeAuthDeviation, onReply } from '../building.ts'

// How faults of the endpoints for programs change answers.

type Members = Readonly<Record<string, unknown>>

/** The members of an answer; none where it is no object. */
export const membersOf = ({ body }: Reply): Members =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
    ? (body as Members)
    : {}

/** Changes answers with tokens: those to a code, to a refresh token, or both; nothing given back leaves one as it is. */
export const tokensAs = (
  change: (
    reply: Reply,
    members: Members,
    form: Parameters | undefined,
  ) => Reply | undefined | void,
  grant?: 'authorization_code' | 'refresh_token',
): MakeAuthDeviation =>
  onReply((reply, { parameters }, endpoint) => {
    if (
      endpoint !== 'token' ||
      reply.status !== 200 ||
      (grant !== undefined && parameters?.get('grant_type') !== grant)
    )
      return undefined
    return change(reply, membersOf(reply), parameters)
  })

/** Changes refusals of the token endpoint that have one of these reasons. */
export const refusalsAs = (
  reasons: 'all' | readonly OAuthReason[],
  change: (
    reply: Reply,
    members: Members,
    form: Parameters | undefined,
  ) => Reply | undefined | void,
): MakeAuthDeviation =>
  onReply((reply, { parameters }, endpoint) =>
    endpoint === 'token' &&
    reply.status >= 400 &&
    (reasons === 'all' || reasons.some((reason) => reason === reply.reason))
      ? change(reply, membersOf(reply), parameters)
      : undefined,
  )

/** The same refusal by another name. */
export const named =
  (error: string, status?: number) =>
  (reply: Reply, members: Members): Reply => ({
    ...reply,
    status: status ?? reply.status,
    body: { ...members, error },
  })

/** Tokens that nobody may have. */
export const granted = (reply: Reply): Reply => ({
  status: 200,
  headers: reply.headers ?? {},
  body: { access_token: `given-${(count += 1)}`, token_type: 'Bearer', expires_in: 3600 },
})
let count = 0

/** Everything that there is to say about an answer but its members. */
export const without = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { OAuthReason } from '../../../../../mocks/stateful/oauth/failure.ts'
import type { Parameters } from '../../../../../mocks/stateful/oauth/parameters.ts'
import type { ClientRecord } from '../../../../../mocks/stateful/oauth/records.ts'
import { type MakeAuthDeviation, onReply } from '../building.ts'

// Building blocks for faults of the token endpoint.

type Members = Readonly<Record<string, unknown>>

/** The members of a JSON body; empty if it is not an object. */
export const membersOf = ({ body }: Reply): Members =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
    ? (body as Members)
    : {}

/**
 * Changes successful token responses, optionally of one grant type. If `change` returns undefined,
 * the response is not changed.
 */
export const onTokenReply = (
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
export const onTokenRefusal = (
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

/** The same refusal with another error code, and optionally another status. */
export const withErrorCode =
  (error: string, status?: number) =>
  (reply: Reply, members: Members): Reply => ({
    ...reply,
    status: status ?? reply.status,
    body: { ...members, error },
  })

/** A response with an access token that the server does not know. */
export const tokenReply = (reply: Reply): Reply => ({
  status: 200,
  headers: reply.headers ?? {},
  body: { access_token: `given-${(count += 1)}`, token_type: 'Bearer', expires_in: 3600 },
})
let count = 0

/** Copies members, except those with these names. */
export const omit = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** A client with a secret is confidential. */
export const kindOfClient = ({ secret }: ClientRecord): 'public' | 'confidential' =>
  secret === undefined ? 'public' : 'confidential'

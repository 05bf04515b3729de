import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import {
  asProvider,
  fault,
  onReply,
  pathOf,
  replaceRules,
  type MakeAuthDeviation,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { peek } from '../open-messages.ts'
import { membersOf } from './token-replies.ts'

type Change = Parameters<typeof onReply>[0]
type RequestForm = NonNullable<Parameters<Change>[1]['parameters']>

/**
 * Changes replies of introspection or revocation. `isIssued` is true if the server has issued the
 * token in the request.
 */
const onStatus = (
  wanted: 'introspect' | 'revoke',
  change: (
    reply: Parameters<Change>[0],
    request: Parameters<Change>[1],
    isIssued: boolean,
  ) => ReturnType<Change>,
): MakeAuthDeviation =>
  asProvider((hit) => {
    const issued = new Set<unknown>()
    return onReply((reply, request, endpoint) => {
      if (endpoint === 'token')
        for (const name of ['access_token', 'refresh_token']) issued.add(membersOf(reply)[name])
      return endpoint === wanted
        ? change(reply, request, issued.has(request.parameters?.get('token')))
        : undefined
    })(hit)
  })

/** The same for issued tokens that were revoked before, by default access tokens. */
const onRevoked = (
  wanted: 'introspect' | 'revoke',
  change: (reply: Parameters<Change>[0]) => ReturnType<Change>,
  kind: 'access_token' | 'refresh_token' = 'access_token',
): MakeAuthDeviation =>
  asProvider((hit) => {
    const issued = new Set<unknown>()
    const revoked = new Set<unknown>()
    return onReply((reply, { parameters }, endpoint) => {
      if (endpoint === 'token') issued.add(membersOf(reply)[kind])
      const token = parameters?.get('token')
      const wasRevoked = revoked.has(token)
      if (endpoint === 'revoke' && reply.status === 200 && issued.has(token)) revoked.add(token)
      return endpoint === wanted && wasRevoked ? change(reply) : undefined
    })(hit)
  })

const active = { status: 200, body: { active: true } }

/** Changes the introspection of tokens that `select` selects from each response with tokens. */
const onIntrospected = (
  select: (form: RequestForm, members: Readonly<Record<string, unknown>>) => unknown,
  change: (reply: Parameters<Change>[0]) => ReturnType<Change>,
): MakeAuthDeviation =>
  asProvider((hit) => {
    const selected = new Set<unknown>()
    return onReply((reply, { parameters }, endpoint) => {
      if (endpoint === 'token' && reply.status === 200 && parameters !== undefined)
        selected.add(select(parameters, membersOf(reply)))
      const token = parameters?.get('token')
      return endpoint === 'introspect' && token !== undefined && selected.has(token)
        ? change(reply)
        : undefined
    })(hit)
  })

/**
 * Grants all scopes to each token, which only introspection shows. Token responses contain the
 * requested scope or no scope, depending on `tokenScope`.
 */
const withAllScopes = (tokenScope: 'without the scope' | 'with the scope'): MakeAuthDeviation =>
  asProvider(
    onReply((reply, _request, endpoint) => {
      const { scope, ...others } = membersOf(reply)
      if (endpoint === 'introspect' && scope !== undefined)
        return { ...reply, body: { ...others, scope: 'shelf:read shelf:write' } }
      return endpoint === 'token' && tokenScope === 'without the scope'
        ? { ...reply, body: others }
        : undefined
    }),
  )

/** Faults of introspection and revocation. */
export const tokenStatus: readonly AuthFault[] = [
  fault(
    'all-scopes-granted-in-silence',
    'Grants all scopes, and does not return the scope of a token.',
    ['AUTH-PROVIDER-12'],
    withAllScopes('without the scope'),
  ),
  fault(
    'more-scopes-than-returned',
    'Grants all scopes, but token responses contain only the requested ones.',
    ['AUTH-PROVIDER-12'],
    withAllScopes('with the scope'),
  ),
  fault(
    'hint-ends-the-search',
    'Revokes nothing if the request has a hint.',
    ['AUTH-PROVIDER-05'],
    asProvider((hit) => ({
      intercept(request, response, next) {
        if (pathOf(request) !== '/revoke') return next()
        peek(request, (body) => {
          if (!/token_type_hint=./.test(body)) return next()
          hit()
          request.resume()
          response.writeHead(200).end()
        })
      },
    })),
  ),
  fault(
    'revocation-of-an-unknown-token-is-400',
    'Returns 400 for the revocation of an unknown token.',
    ['AUTH-PROVIDER-08'],
    onStatus('revoke', (reply, _request, isIssued) =>
      isIssued ? undefined : { ...reply, status: 400, body: { error: 'invalid_request' } },
    ),
  ),
  fault(
    'revocation-of-an-unknown-token-with-a-hint-is-404',
    'Returns 404 for the revocation of an unknown token with a hint.',
    ['AUTH-PROVIDER-08'],
    onStatus('revoke', (reply, { parameters }, isIssued) =>
      isIssued || parameters?.get('token_type_hint') === undefined
        ? undefined
        : { ...reply, status: 404, body: { error: 'not_found' } },
    ),
  ),
  fault(
    'unknown-hint-is-refused',
    'Returns 400 for a revocation with an unknown hint.',
    ['AUTH-PROVIDER-08'],
    onStatus('revoke', (reply, { parameters }) =>
      ['access_token', 'refresh_token', undefined].includes(parameters?.get('token_type_hint'))
        ? undefined
        : { ...reply, status: 400, body: { error: 'unsupported_token_type' } },
    ),
  ),
  fault(
    'foreign-revocation-is-200',
    'Returns 200 if a client tries to revoke a token of another client.',
    ['AUTH-PROVIDER-14'],
    onStatus('revoke', ({ reason }) =>
      reason === 'token-of-another-client' ? { status: 200 } : undefined,
    ),
  ),
  fault(
    'revocation-of-nothing-is-200',
    'Returns 200 to a revocation that contains no token.',
    ['AUTH-PROVIDER-14'],
    onStatus('revoke', ({ reason }) => (reason === 'token-missing' ? { status: 200 } : undefined)),
  ),
  fault(
    'second-revocation-is-400',
    'Returns 400 for the revocation of a token that was revoked before.',
    ['AUTH-PROVIDER-08'],
    onRevoked('revoke', (reply) => ({ ...reply, status: 400, body: { error: 'invalid_request' } })),
  ),
  fault(
    'revoked-tokens-stay-active',
    'Reports revoked tokens as active.',
    ['AUTH-PROVIDER-04'],
    onRevoked('introspect', () => active),
  ),
  fault(
    'revoked-refresh-tokens-stay-active',
    'Reports revoked refresh tokens as active.',
    ['AUTH-PROVIDER-04'],
    onRevoked('introspect', () => active, 'refresh_token'),
  ),
  fault(
    'replaced-refresh-tokens-stay-active',
    'Reports refresh tokens as active after they were replaced.',
    ['AUTH-PROVIDER-04'],
    onIntrospected(
      (form) => form.get('refresh_token'),
      () => active,
    ),
  ),
  fault(
    'introspection-shows-the-scopes-of-the-grant',
    'Reports all scopes of the grant for a token with fewer scopes.',
    ['AUTH-PROVIDER-12'],
    onIntrospected(
      (form, members) =>
        form.get('refresh_token') !== undefined && form.get('scope') !== undefined
          ? members['access_token']
          : undefined,
      (reply) => ({
        ...reply,
        body: { ...membersOf(reply), scope: 'shelf:read shelf:write' },
      }),
    ),
  ),
  fault(
    'introspection-describes-inactive-tokens',
    'Returns the client of a token that is inactive.',
    ['AUTH-PROVIDER-15'],
    onRevoked('introspect', (reply) => ({
      ...reply,
      body: { active: false, client_id: 'client-of-a-revoked-token' },
    })),
  ),
  fault(
    'introspection-gives-a-reason',
    'Returns the reason why a token is inactive.',
    ['AUTH-PROVIDER-15'],
    onRevoked('introspect', (reply) => ({
      ...reply,
      body: { active: false, reason: 'revoked' },
    })),
  ),
  fault(
    'introspection-trusts-the-hint',
    'Reports a token as inactive if it is not of the kind in the hint.',
    ['AUTH-PROVIDER-04'],
    onStatus('introspect', (reply, { parameters }) =>
      parameters?.get('token_type_hint') === 'refresh_token'
        ? { ...reply, body: { active: false } }
        : undefined,
    ),
  ),
  fault(
    'revocation-with-a-hint-is-400',
    'Returns 400 for the revocation of an issued token with a hint.',
    ['AUTH-PROVIDER-05'],
    onStatus('revoke', (reply, { parameters }, isIssued) =>
      isIssued && parameters?.get('token_type_hint') !== undefined
        ? { ...reply, status: 400, body: { error: 'invalid_request' } }
        : undefined,
    ),
  ),
  fault(
    'clients-revoke-all-access-tokens',
    'Lets clients revoke the access tokens of all clients.',
    ['AUTH-PROVIDER-09'],
    asProvider(
      replaceRules({
        oauth: {
          mayRevoke: (token, client) =>
            token.expiresAt - token.issuedAt <= defaultRules.accessSeconds * 1000 ||
            defaultRules.mayRevoke(token, client),
        },
      }),
    ),
  ),
  fault(
    'clients-revoke-all-refresh-tokens',
    'Lets clients revoke the refresh tokens of all clients.',
    ['AUTH-PROVIDER-09'],
    asProvider(
      replaceRules({
        oauth: {
          mayRevoke: (token, client) =>
            token.expiresAt - token.issuedAt > defaultRules.accessSeconds * 1000 ||
            defaultRules.mayRevoke(token, client),
        },
      }),
    ),
  ),
  fault(
    'introspection-needs-no-client',
    'Describes tokens to callers without credentials.',
    ['AUTH-PROVIDER-10'],
    onStatus('introspect', ({ status }, { parameters, incoming }, isIssued) =>
      status === 401 &&
      isIssued &&
      parameters?.get('client_id') === undefined &&
      incoming.headers.authorization === undefined
        ? active
        : undefined,
    ),
  ),
  fault(
    'introspection-ignores-the-secret',
    'Describes tokens to clients with a wrong secret.',
    ['AUTH-PROVIDER-10'],
    onStatus('introspect', ({ status }, { parameters }, isIssued) =>
      status === 401 && isIssued && parameters?.get('client_id') !== undefined ? active : undefined,
    ),
  ),
  fault(
    'issued-tokens-stay-active',
    'Reports all issued tokens as active, even expired and revoked ones.',
    ['AUTH-PROVIDER-11', 'AUTH-PROVIDER-04'],
    onStatus('introspect', (reply, _request, isIssued) =>
      isIssued && membersOf(reply)['active'] === false ? active : undefined,
    ),
  ),
  fault(
    'introspection-of-an-expired-token-is-an-error',
    'Returns 400 for the introspection of an expired token.',
    ['AUTH-PROVIDER-11'],
    onStatus('introspect', (reply, _request, isIssued) =>
      isIssued && membersOf(reply)['active'] === false
        ? { ...reply, status: 400, body: { error: 'invalid_token' } }
        : undefined,
    ),
  ),
]

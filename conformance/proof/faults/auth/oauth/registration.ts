import type { OAuthReason } from '../../../../../mocks/stateful/oauth/failure.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import { fault, withChoices, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'

type Json = Record<string, unknown>

/**
 * Changes successful registration responses. If `change` returns undefined, the response is not
 * changed.
 */
const onRegistration = (change: (client: Json) => Json | undefined): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    if (endpoint !== 'register' || reply.status !== 201) return undefined
    const changed = change({ ...(reply.body as Json) })
    return changed === undefined ? undefined : { ...reply, body: changed }
  })

const omitMember = (client: Json, name: string): Json =>
  Object.fromEntries(Object.entries(client).filter(([member]) => member !== name))
const onSecret = (change: (client: Json) => Json): MakeAuthDeviation =>
  onRegistration((client) => ('client_secret' in client ? change(client) : undefined))

/** Changes refusals of registrations. */
const onRefusal = (
  change: (
    error: Json,
    reason: string | undefined,
  ) => { status?: number; body?: unknown; headers?: Record<string, string> } | undefined,
): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    if (endpoint !== 'register' || reply.status !== 400) return undefined
    const changed = change(reply.body as Json, reply.reason)
    return changed === undefined
      ? undefined
      : { ...reply, ...changed, headers: { ...reply.headers, ...changed.headers } }
  })
const toJsonBytes = (body: unknown) => Buffer.from(JSON.stringify(body))
/** Changes the error code of refusals for one reason. */
const withError = (about: OAuthReason, error: string): MakeAuthDeviation =>
  onRefusal((body, reason) => (reason === about ? { body: { ...body, error } } : undefined))

const isScript = (uri: string): boolean => /^javascript:/i.test(uri)

/** Validates only the first redirect URI. */
const validateOnlyFirst: MakeAuthDeviation = replaceRules((_rules, hit) => {
  let isLater = false
  return {
    oauth: {
      mayRegisterRedirectUri(uri, choices) {
        const isAllowed = defaultRules.mayRegisterRedirectUri(uri, choices)
        const passes = isAllowed || isLater
        if (passes !== isAllowed) hit()
        isLater ||= isAllowed
        queueMicrotask(() => (isLater = false))
        return passes
      },
    },
  }
})

/** Registers clients whose metadata `test` accepts, although registration is disabled. */
const registerIf = (test: (metadata: Readonly<Json>) => boolean): MakeAuthDeviation =>
  withChoices(
    { hosting: { registration: false } },
    replaceRules({ oauth: { mayRegister: (setting, metadata) => setting || test(metadata) } }),
  )

/** Returns the id of an earlier client if `keyOf` returns the same key for both clients. */
const shareIds =
  (keyOf: (client: Json) => unknown): MakeAuthDeviation =>
  (hit) => {
    const ids = new Map<unknown, unknown>()
    return onRegistration((client) => {
      const known = ids.get(keyOf(client))
      if (known !== undefined) return { ...client, client_id: known }
      ids.set(keyOf(client), client['client_id'])
      return undefined
    })(hit)
  }

/** Faults of client registration. */
export const registration: readonly AuthFault[] = [
  fault(
    'registration-returns-200',
    'Returns 200 instead of 201 for a registration.',
    ['AUTH-REGISTER-01'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201 ? { ...reply, status: 200 } : undefined,
    ),
  ),
  fault(
    'registration-without-an-id',
    'Registers clients without a client_id.',
    ['AUTH-REGISTER-01'],
    onRegistration((client) => omitMember(client, 'client_id')),
  ),
  fault(
    'registration-with-a-number-as-id',
    'Returns a number as client_id.',
    ['AUTH-REGISTER-01'],
    onRegistration((client) => ({ ...client, client_id: 7 })),
  ),

  fault(
    'secrets-without-an-expiry',
    'Returns secrets without client_secret_expires_at.',
    ['AUTH-REGISTER-02'],
    onSecret((client) => omitMember(client, 'client_secret_expires_at')),
  ),
  fault(
    'secrets-expire-on-a-date',
    'Returns client_secret_expires_at in ISO 8601.',
    ['AUTH-REGISTER-02'],
    onSecret((client) => ({ ...client, client_secret_expires_at: '2099-01-01T00:00:00Z' })),
  ),
  fault(
    'secrets-expire-before-1970',
    'Returns a client_secret_expires_at of -1.',
    ['AUTH-REGISTER-02'],
    onSecret((client) => ({ ...client, client_secret_expires_at: -1 })),
  ),

  fault(
    'clients-of-one-name-share-an-id',
    'Returns the same client_id to clients with the same name.',
    ['AUTH-REGISTER-03'],
    shareIds((client) => client['client_name']),
  ),
  fault(
    'clients-of-one-address-share-an-id',
    'Returns the same client_id to clients with the same redirect URIs.',
    ['AUTH-REGISTER-03'],
    shareIds((client) => JSON.stringify(client['redirect_uris'])),
  ),

  fault(
    'registration-hides-addresses',
    'Returns no redirect URIs.',
    ['AUTH-REGISTER-04'],
    onRegistration((client) => omitMember(client, 'redirect_uris')),
  ),
  fault(
    'registration-returns-one-address',
    'Returns only the first redirect URI.',
    ['AUTH-REGISTER-04'],
    onRegistration((client) => ({
      ...client,
      redirect_uris: (client['redirect_uris'] as string[]).slice(0, 1),
    })),
  ),
  fault(
    'registration-returns-addresses-without-query',
    'Returns redirect URIs without their queries.',
    ['AUTH-REGISTER-04'],
    onRegistration((client) => {
      const uris = client['redirect_uris'] as string[]
      return uris.some((uri) => uri.includes('?'))
        ? { ...client, redirect_uris: uris.map((uri) => uri.replace(/\?.*/, '')) }
        : undefined
    }),
  ),
  fault(
    'registration-hides-names',
    'Returns no client_name, although it shows the name on its consent page.',
    ['AUTH-REGISTER-04'],
    onRegistration((client) => omitMember(client, 'client_name')),
  ),
  fault(
    'registration-returns-grants-as-a-string',
    'Returns the grant types as one string.',
    ['AUTH-REGISTER-04'],
    onRegistration((client) => ({
      ...client,
      grant_types: (client['grant_types'] as string[]).join(' '),
    })),
  ),

  fault(
    'registers-without-addresses',
    'Registers clients without redirect URIs.',
    ['AUTH-REGISTER-05'],
    replaceRules({
      oauth: {
        hasRedirectUris: (uris) => uris === undefined || defaultRules.hasRedirectUris(uris),
      },
    }),
  ),
  fault(
    'registers-empty-lists-of-addresses',
    'Registers clients with an empty list of redirect URIs.',
    ['AUTH-REGISTER-05'],
    replaceRules({ oauth: { hasRedirectUris: (uris) => Array.isArray(uris) } }),
  ),
  fault(
    'registers-scripts',
    'Registers javascript: URIs as redirect URIs.',
    ['AUTH-REGISTER-06'],
    replaceRules({
      oauth: {
        mayRegisterRedirectUri: (uri, choices) =>
          isScript(uri) || defaultRules.mayRegisterRedirectUri(uri, choices),
      },
    }),
  ),
  fault(
    'registers-scripts-in-capitals',
    'Refuses javascript: URIs only if their scheme is in lower case.',
    ['AUTH-REGISTER-06'],
    replaceRules({
      oauth: {
        mayRegisterRedirectUri: (uri, choices) =>
          (isScript(uri) && !uri.startsWith('javascript:')) ||
          defaultRules.mayRegisterRedirectUri(uri, choices),
      },
    }),
  ),
  fault(
    'registers-scripts-after-addresses',
    'Validates only the first redirect URI.',
    ['AUTH-REGISTER-06'],
    validateOnlyFirst,
  ),
  fault(
    'registration-breaks-at-scripts',
    'Returns 500 for javascript: URIs as redirect URIs.',
    ['AUTH-REGISTER-06'],
    onRefusal((_body, reason) =>
      reason === ('redirect-uri-unacceptable' satisfies OAuthReason) ? { status: 500 } : undefined,
    ),
  ),

  fault(
    'registration-refuses-with-422',
    'Returns 422 when it refuses a registration.',
    ['AUTH-REGISTER-07'],
    onRefusal(() => ({ status: 422 })),
  ),
  fault(
    'registration-refuses-with-401',
    'Returns 401 when it refuses a registration.',
    ['AUTH-REGISTER-07'],
    onRefusal(() => ({ status: 401 })),
  ),
  fault(
    'registration-refuses-without-json',
    'Returns plain text when it refuses a registration.',
    ['AUTH-REGISTER-07'],
    onRefusal(() => ({ body: Buffer.from('no'), headers: { 'Content-Type': 'text/plain' } })),
  ),
  fault(
    'registration-refuses-without-error',
    'Returns JSON without the field `error` when it refuses a registration.',
    ['AUTH-REGISTER-07'],
    onRefusal((body) => ({ body: { message: body['error'] } })),
  ),
  fault(
    'registration-refuses-with-a-list',
    'Returns the field `error` as an array when it refuses a registration.',
    ['AUTH-REGISTER-07'],
    onRefusal((body) => ({ body: { error: [body['error']] } })),
  ),

  fault(
    'missing-addresses-with-another-error',
    'Reports missing redirect URIs as invalid_request.',
    ['AUTH-REGISTER-08'],
    withError('redirect-uris-missing', 'invalid_request'),
  ),
  fault(
    'scripts-with-another-error',
    'Reports a javascript: URI as invalid_request.',
    ['AUTH-REGISTER-08'],
    withError('redirect-uri-unacceptable', 'invalid_request'),
  ),
  fault(
    'unknown-methods-with-another-error',
    'Reports an unknown authentication method as invalid_redirect_uri.',
    ['AUTH-REGISTER-08'],
    withError('auth-method-unsupported', 'invalid_redirect_uri'),
  ),

  fault(
    'registers-while-disabled',
    'Registers every client although registration is disabled.',
    ['AUTH-REGISTER-09'],
    registerIf(() => true),
  ),
  fault(
    'registers-with-secrets-while-disabled',
    'Registers clients with a secret although registration is disabled.',
    ['AUTH-REGISTER-09'],
    registerIf((metadata) => metadata['token_endpoint_auth_method'] === 'client_secret_basic'),
  ),
  fault(
    'registers-minimal-clients-while-disabled',
    'Registers clients with only one metadata field although registration is disabled.',
    ['AUTH-REGISTER-09'],
    registerIf((metadata) => Object.keys(metadata).length === 1),
  ),

  fault(
    'registration-is-plain-text',
    'Returns new clients as text/plain.',
    ['AUTH-REGISTER-12'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201
        ? {
            ...reply,
            body: toJsonBytes(reply.body),
            headers: { ...reply.headers, 'Content-Type': 'text/plain' },
          }
        : undefined,
    ),
  ),
  fault(
    'registration-is-html',
    'Returns new clients as text/html.',
    ['AUTH-REGISTER-12'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201
        ? {
            ...reply,
            body: toJsonBytes(reply.body),
            headers: { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8' },
          }
        : undefined,
    ),
  ),
  fault(
    'registration-refuses-as-text',
    'Returns JSON labelled text/plain when it refuses a registration.',
    ['AUTH-REGISTER-12'],
    onRefusal((body) => ({ body: toJsonBytes(body), headers: { 'Content-Type': 'text/plain' } })),
  ),
]

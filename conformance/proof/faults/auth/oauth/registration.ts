import type { OAuthReason } from '../../../../../mocks/stateful/oauth/failure.ts'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { AuthFault } from '../fault.ts'
import { fault, hosted, type MakeAuthDeviation, onReply, replaceRules } from '../building.ts'

type Json = Record<string, unknown>

/** Changes what is told of a new client; nothing given back leaves it as it is. */
const told = (change: (client: Json) => Json | undefined): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) => {
    if (endpoint !== 'register' || reply.status !== 201) return undefined
    const changed = change({ ...(reply.body as Json) })
    return changed === undefined ? undefined : { ...reply, body: changed }
  })

const without = (client: Json, name: string): Json =>
  Object.fromEntries(Object.entries(client).filter(([member]) => member !== name))
const secretly = (change: (client: Json) => Json): MakeAuthDeviation =>
  told((client) => ('client_secret' in client ? change(client) : undefined))

/** Changes how registrations are refused. */
const refusals = (
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
const asText = (body: unknown) => Buffer.from(JSON.stringify(body))
/** Calls refusals for this reason otherwise. */
const called = (about: OAuthReason, error: string): MakeAuthDeviation =>
  refusals((body, reason) => (reason === about ? { body: { ...body, error } } : undefined))

const isScript = (uri: string): boolean => /^javascript:/i.test(uri)

/** Looks at the first address alone. */
const looksAtOne: MakeAuthDeviation = replaceRules((_rules, hit) => {
  let isLater = false
  return {
    oauth: {
      mayBeRegistered(uri, choices) {
        const isGood = defaultRules.mayBeRegistered(uri, choices)
        const passes = isGood || isLater
        if (passes !== isGood) hit()
        isLater ||= isGood
        queueMicrotask(() => (isLater = false))
        return passes
      },
    },
  }
})

/** Clients who may not register do, if they say this of themselves. */
const lets = (test: (metadata: Readonly<Json>) => boolean): MakeAuthDeviation =>
  hosted(
    { hosting: { registration: false } },
    replaceRules({ oauth: { mayRegister: (setting, metadata) => setting || test(metadata) } }),
  )

/** Gives clients the id of an earlier one. */
const sharedIds =
  (alike: (client: Json) => unknown): MakeAuthDeviation =>
  (hit) => {
    const ids = new Map<unknown, unknown>()
    return told((client) => {
      const known = ids.get(alike(client))
      if (known !== undefined) return { ...client, client_id: known }
      ids.set(alike(client), client['client_id'])
      return undefined
    })(hit)
  }

/** Faults of the registration of clients. */
export const registration: readonly AuthFault[] = [
  fault(
    'registration-is-answered-with-200',
    'Answers registrations with 200.',
    ['AUTH-REGISTER-01'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201 ? { ...reply, status: 200 } : undefined,
    ),
  ),
  fault(
    'registration-gives-no-id',
    'Registers clients, and gives them no client_id.',
    ['AUTH-REGISTER-01'],
    told((client) => without(client, 'client_id')),
  ),
  fault(
    'registration-gives-numbers-for-ids',
    'Gives numbers as client_ids.',
    ['AUTH-REGISTER-01'],
    told((client) => ({ ...client, client_id: 7 })),
  ),

  fault(
    'secrets-end-without-a-word',
    'Gives secrets without saying when they end.',
    ['AUTH-REGISTER-02'],
    secretly((client) => without(client, 'client_secret_expires_at')),
  ),
  fault(
    'secrets-end-on-a-date',
    'Says when secrets end in ISO 8601.',
    ['AUTH-REGISTER-02'],
    secretly((client) => ({ ...client, client_secret_expires_at: '2099-01-01T00:00:00Z' })),
  ),
  fault(
    'secrets-end-before-time',
    'Says of secrets that they end at -1.',
    ['AUTH-REGISTER-02'],
    secretly((client) => ({ ...client, client_secret_expires_at: -1 })),
  ),

  fault(
    'clients-of-one-name-share-an-id',
    'Gives clients of one name the same client_id.',
    ['AUTH-REGISTER-03'],
    sharedIds((client) => client['client_name']),
  ),
  fault(
    'clients-of-one-address-share-an-id',
    'Gives clients of the same redirect URIs the same client_id.',
    ['AUTH-REGISTER-03'],
    sharedIds((client) => JSON.stringify(client['redirect_uris'])),
  ),

  fault(
    'registration-hides-addresses',
    'Does not tell redirect URIs.',
    ['AUTH-REGISTER-04'],
    told((client) => without(client, 'redirect_uris')),
  ),
  fault(
    'registration-tells-one-address',
    'Tells the first redirect URI alone.',
    ['AUTH-REGISTER-04'],
    told((client) => ({
      ...client,
      redirect_uris: (client['redirect_uris'] as string[]).slice(0, 1),
    })),
  ),
  fault(
    'registration-tells-addresses-without-query',
    'Tells redirect URIs without their queries.',
    ['AUTH-REGISTER-04'],
    told((client) => {
      const uris = client['redirect_uris'] as string[]
      return uris.some((uri) => uri.includes('?'))
        ? { ...client, redirect_uris: uris.map((uri) => uri.replace(/\?.*/, '')) }
        : undefined
    }),
  ),
  fault(
    'registration-hides-names',
    'Does not tell names, and calls clients by them.',
    ['AUTH-REGISTER-04'],
    told((client) => without(client, 'client_name')),
  ),
  fault(
    'registration-tells-grants-as-a-text',
    'Tells grant types as one text.',
    ['AUTH-REGISTER-04'],
    told((client) => ({ ...client, grant_types: (client['grant_types'] as string[]).join(' ') })),
  ),

  fault(
    'registers-without-addresses',
    'Registers clients that give no redirect URIs.',
    ['AUTH-REGISTER-05'],
    replaceRules({
      oauth: { hasRedirects: (uris) => uris === undefined || defaultRules.hasRedirects(uris) },
    }),
  ),
  fault(
    'registers-empty-lists-of-addresses',
    'Registers clients with an empty list of redirect URIs.',
    ['AUTH-REGISTER-05'],
    replaceRules({ oauth: { hasRedirects: (uris) => Array.isArray(uris) } }),
  ),
  fault(
    'registers-scripts',
    'Registers scripts as redirect URIs.',
    ['AUTH-REGISTER-06'],
    replaceRules({
      oauth: {
        mayBeRegistered: (uri, choices) =>
          isScript(uri) || defaultRules.mayBeRegistered(uri, choices),
      },
    }),
  ),
  fault(
    'registers-scripts-in-capitals',
    'Knows scripts by small letters alone.',
    ['AUTH-REGISTER-06'],
    replaceRules({
      oauth: {
        mayBeRegistered: (uri, choices) =>
          (isScript(uri) && !uri.startsWith('javascript:')) ||
          defaultRules.mayBeRegistered(uri, choices),
      },
    }),
  ),
  fault(
    'registers-scripts-after-addresses',
    'Looks at the first redirect URI alone.',
    ['AUTH-REGISTER-06'],
    looksAtOne,
  ),
  fault(
    'registration-breaks-at-scripts',
    'Answers scripts as redirect URIs with 500.',
    ['AUTH-REGISTER-06'],
    refusals((_body, reason) =>
      reason === ('redirect-uri-unacceptable' satisfies OAuthReason) ? { status: 500 } : undefined,
    ),
  ),

  fault(
    'registration-refuses-with-422',
    'Refuses registrations with 422.',
    ['AUTH-REGISTER-07'],
    refusals(() => ({ status: 422 })),
  ),
  fault(
    'registration-refuses-with-401',
    'Refuses registrations with 401.',
    ['AUTH-REGISTER-07'],
    refusals(() => ({ status: 401 })),
  ),
  fault(
    'registration-refuses-in-words',
    'Refuses registrations with a text.',
    ['AUTH-REGISTER-07'],
    refusals(() => ({ body: Buffer.from('no'), headers: { 'Content-Type': 'text/plain' } })),
  ),
  fault(
    'registration-refuses-without-error',
    'Refuses registrations in JSON without error.',
    ['AUTH-REGISTER-07'],
    refusals((body) => ({ body: { message: body['error'] } })),
  ),
  fault(
    'registration-refuses-with-a-list',
    'Refuses registrations with a list of errors.',
    ['AUTH-REGISTER-07'],
    refusals((body) => ({ body: { error: [body['error']] } })),
  ),

  fault(
    'missing-addresses-are-called-otherwise',
    'Calls missing redirect URIs an invalid_request.',
    ['AUTH-REGISTER-08'],
    called('redirect-uris-missing', 'invalid_request'),
  ),
  fault(
    'scripts-are-called-otherwise',
    'Calls scripts as redirect URIs an invalid_request.',
    ['AUTH-REGISTER-08'],
    called('redirect-uri-unacceptable', 'invalid_request'),
  ),
  fault(
    'unknown-methods-are-called-addresses',
    'Calls an unknown method an invalid_redirect_uri.',
    ['AUTH-REGISTER-08'],
    called('auth-method-unsupported', 'invalid_redirect_uri'),
  ),

  fault(
    'registers-though-nobody-may',
    'Registers whoever asks, though the setting is off.',
    ['AUTH-REGISTER-09'],
    lets(() => true),
  ),
  fault(
    'registers-those-with-secrets-though-nobody-may',
    'Registers clients that want a secret, though the setting is off.',
    ['AUTH-REGISTER-09'],
    lets((metadata) => metadata['token_endpoint_auth_method'] === 'client_secret_basic'),
  ),
  fault(
    'registers-the-silent-though-nobody-may',
    'Registers clients that say of themselves only where they are, though the setting is off.',
    ['AUTH-REGISTER-09'],
    lets((metadata) => Object.keys(metadata).length === 1),
  ),

  fault(
    'clients-are-told-as-text',
    'Tells new clients as text/plain.',
    ['AUTH-REGISTER-12'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201
        ? {
            ...reply,
            body: asText(reply.body),
            headers: { ...reply.headers, 'Content-Type': 'text/plain' },
          }
        : undefined,
    ),
  ),
  fault(
    'clients-are-told-as-html',
    'Tells new clients as text/html.',
    ['AUTH-REGISTER-12'],
    onReply((reply, _request, endpoint) =>
      endpoint === 'register' && reply.status === 201
        ? {
            ...reply,
            body: asText(reply.body),
            headers: { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8' },
          }
        : undefined,
    ),
  ),
  fault(
    'registration-refuses-as-text',
    'Refuses registrations in JSON that it calls text/plain.',
    ['AUTH-REGISTER-12'],
    refusals((body) => ({ body: asText(body), headers: { 'Content-Type': 'text/plain' } })),
  ),
]

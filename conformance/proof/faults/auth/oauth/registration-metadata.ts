import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, onReply, replaceRules, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf } from './token-replies.ts'

/** Refuses registrations with a member for whose name `isRefused` returns true. */
const refuseMember = (isRefused: (name: string) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      mayRegister: (setting, metadata) =>
        setting && !Object.keys(metadata).some((name) => isRefused(name)),
    },
  })

/** Registers a redirect URI with a fragment if `test` accepts the URI. */
const withFragments = (test: (uri: string) => boolean): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      mayRegisterRedirectUri: (uri, choices) =>
        defaultRules.mayRegisterRedirectUri(
          uri,
          uri.includes('#') && test(uri) ? { ...choices, fragments: 'accepted' } : choices,
        ),
    },
  })

/** Changes the fields of a registered client in the response. */
const onRegistered = (
  change: (members: Readonly<Record<string, unknown>>) => object,
): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint === 'register' && reply.status === 201
      ? { ...reply, body: { ...membersOf(reply), ...change(membersOf(reply)) } }
      : undefined,
  )

/**
 * Registers every client, and adds the members that `change` selects from its metadata to the
 * response.
 */
const echoMember =
  (
    change: (metadata: Readonly<Record<string, unknown>>) => object | undefined,
  ): MakeAuthDeviation =>
  (hit) => {
    let added: object | undefined
    return {
      rules: {
        oauth: {
          mayRegister(setting, metadata) {
            added = change(metadata)
            // The response type is read later, from the same object.
            if (added !== undefined) Object.assign(metadata, { response_types: ['code'] })
            return setting
          },
        },
      },
      changeReply(endpoint, reply) {
        if (endpoint !== 'register' || added === undefined) return reply
        hit()
        return { ...reply, body: { ...membersOf(reply), ...added } }
      },
    }
  }

/** Makes a fault that returns metadata of one kind with the content type text/plain. */
const asText = (document: 'server metadata' | 'resource metadata'): MakeAuthDeviation =>
  onReply((reply, _request, endpoint) =>
    endpoint === document && reply.status === 200
      ? { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } }
      : undefined,
  )

/** Faults in how a server reads the metadata of clients, and in the server's own metadata. */
export const registrationMetadata: readonly AuthFault[] = [
  fault(
    'unknown-metadata-refused',
    'Refuses clients with metadata that it does not know.',
    ['AUTH-REGISTER-13'],
    refuseMember((name) => name.startsWith('touchstone')),
  ),
  fault(
    'languages-refused',
    'Refuses clients with a name in another language.',
    ['AUTH-REGISTER-13'],
    refuseMember((name) => name.includes('#')),
  ),
  fault(
    'registrations-read-as-latin-1',
    'Reads the names of clients as Latin-1.',
    ['AUTH-REGISTER-15'],
    onRegistered(({ client_name }) => ({
      client_name: Buffer.from(String(client_name)).toString('latin1'),
    })),
  ),
  fault(
    'letters-outside-ascii-lost',
    'Replaces letters outside ASCII in the names of clients.',
    ['AUTH-REGISTER-15'],
    onRegistered(({ client_name }) => ({
      client_name: String(client_name).replace(/[^ -~]/g, '?'),
    })),
  ),
  fault(
    'two-sets-of-keys',
    'Returns both the keys of a client and their URL.',
    ['AUTH-REGISTER-16'],
    echoMember((metadata) =>
      metadata['jwks'] === undefined
        ? undefined
        : { jwks: metadata['jwks'], jwks_uri: metadata['jwks_uri'] },
    ),
  ),
  fault(
    'two-sets-of-keys-with-an-empty-one',
    'Returns the URL of the keys of a client together with an empty set of keys.',
    ['AUTH-REGISTER-16'],
    echoMember(({ jwks_uri }) =>
      jwks_uri === undefined ? undefined : { jwks: { keys: [] }, jwks_uri },
    ),
  ),
  fault(
    'implicit-responses-registered',
    'Registers the response type token for clients without the grant type implicit.',
    ['AUTH-REGISTER-17'],
    echoMember(({ response_types }) =>
      Array.isArray(response_types) && response_types.includes('token')
        ? { response_types }
        : undefined,
    ),
  ),
  fault(
    'secret-expires-in-milliseconds',
    'Returns the expiry of a secret in milliseconds.',
    ['AUTH-REGISTER-02'],
    onRegistered(({ client_secret }) =>
      client_secret === undefined ? {} : { client_secret_expires_at: Date.now() + 9e9 },
    ),
  ),
  fault(
    'registered-in-milliseconds',
    'Returns the time of a registration in milliseconds.',
    ['AUTH-REGISTER-14'],
    onRegistered(() => ({ client_id_issued_at: Date.now() })),
  ),
  fault(
    'fragments-registered',
    'Registers redirect URIs with a fragment.',
    ['AUTH-REGISTER-11'],
    withFragments((uri) => !uri.endsWith('#')),
  ),
  fault(
    'empty-fragments-registered',
    'Registers redirect URIs with an empty fragment.',
    ['AUTH-REGISTER-11'],
    withFragments((uri) => uri.endsWith('#')),
  ),
  fault(
    'server-metadata-as-text',
    'Returns its metadata as text/plain.',
    ['AUTH-META-07'],
    asText('server metadata'),
  ),
  fault(
    'resource-metadata-as-text',
    'Returns the metadata of its resources as text/plain.',
    ['AUTH-META-07'],
    asText('resource metadata'),
  ),
]

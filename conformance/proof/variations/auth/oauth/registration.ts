import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'
import { mayRegisterRedirectUri } from '../../../../../mocks/stateful/oauth/redirects.ts'
import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

type Json = Record<string, unknown>

/** Changes successful registration responses. */
const changeRegistration = (
  change: (
    client: Json,
    reply: Parameters<ReplyMiddleware>[1],
  ) => Partial<Parameters<ReplyMiddleware>[1]>,
): AuthDeviation => ({
  changeReply: (endpoint, reply) =>
    endpoint === 'register' && reply.status === 201
      ? { ...reply, ...change(reply.body as Json, reply) }
      : reply,
})

/** Changes refusals of registrations. */
const changeRefusal = (
  change: (
    error: Json,
    reply: Parameters<ReplyMiddleware>[1],
  ) => Partial<Parameters<ReplyMiddleware>[1]>,
): AuthDeviation => ({
  changeReply: (endpoint, reply) =>
    endpoint === 'register' && reply.status === 400
      ? { ...reply, ...change(reply.body as Json, reply) }
      : reply,
})

/** Refuses redirect URIs on hosts other than loopback. */
const onlyLoopback: AuthDeviation = {
  rules: {
    oauth: {
      mayRegisterRedirectUri: (uri, choices) =>
        mayRegisterRedirectUri(uri, choices) && /^http:\/\/(127\.|\[::1\]|localhost\b)/.test(uri),
    },
  },
}

/** Choices about client registration. */
export const registration: readonly AuthFactor[] = [
  {
    requirement: 'none',
    name: 'number of redirect URIs',
    values: [
      { name: 'any', description: 'Registers clients with several redirect URIs.' },
      {
        name: 'one',
        notCombined: true,
        description: 'Registers only clients with one redirect URI.',
        deviation: {
          rules: {
            oauth: {
              hasRedirectUris: (uris) => Array.isArray(uris) && uris.length === 1,
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-09',
    name: 'registration of clients',
    values: [
      { name: 'dynamic', description: 'Lets clients register themselves.' },
      {
        name: 'by the operator',
        description: 'Leaves the registration of clients to its operator.',
        choices: { hosting: { registration: false } },
      },
      {
        name: 'both',
        description: 'Lets clients register themselves, and has a client of its operator.',
        choices: { hosting: { namesClient: true } },
        notCombined: true,
      },
      {
        name: 'both, and one grant for each client',
        description:
          'Has a client of its operator, and ends the earlier grant of a client when the user approves it again.',
        choices: { hosting: { namesClient: true }, oauth: { previousGrants: 'end' } },
        notCombined: true,
      },
      {
        name: 'by the operator, and one grant for each client',
        description:
          'Leaves the registration to its operator, and ends the earlier grant of a client when the user approves it again.',
        choices: { hosting: { registration: false }, oauth: { previousGrants: 'end' } },
        notCombined: true,
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-01',
    name: 'limit of registrations',
    values: [
      { name: 'none', description: 'Does not limit the number of registrations.' },
      {
        name: '429 after twenty',
        description: 'Returns 429 to registrations after twenty in an hour.',
        deviation: { rules: { oauth: { registrationsPerHour: 20 } } },
        notCombined: true,
      },
      {
        name: '403 after twenty',
        description: 'Returns 403 to registrations after twenty in an hour.',
        choices: { oauth: { registrationLimitStatus: 403 } },
        deviation: { rules: { oauth: { registrationsPerHour: 20 } } },
        notCombined: true,
      },
      {
        name: '403 after five',
        description: 'Returns 403 to registrations after five in an hour.',
        choices: { oauth: { registrationLimitStatus: 403 } },
        deviation: { rules: { oauth: { registrationsPerHour: 5 } } },
        notCombined: true,
      },
    ],
  },
  {
    requirement: 'none',
    name: 'clients with the same metadata',
    values: [
      { name: 'new clients', description: 'Returns a new client id to every registration.' },
      {
        name: 'one client',
        description: 'Returns the same client id to registrations with the same metadata.',
        choices: { oauth: { sameMetadata: 'one client' } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'hosts of redirect URIs',
    values: [
      { name: 'all', description: 'Accepts https redirect URIs on all hosts.' },
      {
        name: 'loopback',
        description: 'Registers only clients whose redirect URIs are on loopback.',
        deviation: onlyLoopback,
        notCombined: true,
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-10',
    name: 'redirect URIs with http',
    values: [
      { name: 'only on loopback', description: 'Accepts http redirect URIs only on loopback.' },
      {
        name: 'on any host',
        description: 'Accepts http redirect URIs everywhere.',
        choices: { oauth: { plainRedirects: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-11',
    name: 'redirect URIs with a fragment',
    values: [
      { name: 'refused', description: 'Refuses redirect URIs with a fragment.' },
      {
        name: 'accepted',
        description: 'Accepts redirect URIs with a fragment.',
        choices: { oauth: { fragments: 'accepted' } },
        unmet: ['AUTH-REGISTER-11'],
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-06',
    name: 'invalid redirect URIs among valid ones',
    values: [
      { name: 'refused', description: 'Refuses a client if one of its redirect URIs is invalid.' },
      {
        name: 'left out',
        description: 'Drops an invalid redirect URI and returns the others.',
        choices: { oauth: { invalidRedirects: 'omitted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-08',
    name: 'error for missing redirect URIs',
    values: [
      {
        name: 'invalid_redirect_uri',
        description: 'Reports missing redirect URIs as invalid_redirect_uri.',
      },
      {
        name: 'invalid_client_metadata',
        description: 'Reports missing redirect URIs as invalid_client_metadata.',
        choices: { oauth: { missingRedirects: 'invalid_client_metadata' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-04',
    name: 'grants of clients that request none',
    values: [
      {
        name: 'all',
        description: 'Allows clients that request no grant types to use refresh tokens.',
      },
      {
        name: 'code alone',
        description:
          'Allows clients that request no grant types to use only codes, the default of RFC 7591.',
        choices: { oauth: { defaultGrants: 'code only' } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'secrets of clients that request no method',
    values: [
      { name: 'issued', description: 'Issues a secret to clients that do not decline one.' },
      {
        name: 'not issued',
        description: 'Issues a secret only to clients that request one.',
        choices: { oauth: { secrets: 'on request' } },
      },
    ],
  },
  {
    requirement: 'AUTH-ENDPOINT-04',
    name: 'fields of registration responses',
    values: [
      { name: 'the registered metadata', description: 'Returns what it has registered.' },
      {
        name: 'the registered metadata and other fields',
        description:
          'Returns further members, some of them null, including a URL to change the client.',
        deviation: changeRegistration((client, { headers }) => ({
          body: {
            ...client,
            application_type: 'web',
            registration_access_token: 'for-changes-only',
            registration_client_uri: 'https://shelf.example/clients/1',
            contacts: [],
            logo_uri: null,
            // If the client has no secret, adds both members as null.
            ...('client_secret' in client
              ? {}
              : { client_secret: null, client_secret_expires_at: null }),
            'x-shelf': { rooms: 3 },
          },
          headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
        })),
      },
      {
        name: 'the registered metadata except the response types',
        notCombined: true,
        description: 'Returns neither the time of registration nor the response types.',
        deviation: changeRegistration(
          ({ client_id_issued_at: _, response_types: __, ...client }) => ({
            body: client,
          }),
        ),
      },
      {
        name: 'the registered metadata except the name of the client',
        description: 'Neither shows nor returns the names of clients.',
        choices: { oauth: { clientLabel: 'by id' } },
        deviation: changeRegistration(({ client_name: _, ...client }) => ({ body: client })),
        notCombined: true,
      },
      {
        name: 'the registered metadata, with normalized redirect URIs',
        description: 'Returns normalized redirect URIs.',
        deviation: changeRegistration(({ redirect_uris: uris, ...client }) => ({
          body: { ...client, redirect_uris: (uris as string[]).map((uri) => new URL(uri).href) },
        })),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'members of refused registrations',
    values: [
      { name: 'error and description', description: 'Returns an error and a description.' },
      {
        name: 'error alone',
        description: 'Returns an error only.',
        deviation: changeRefusal(({ error }) => ({ body: { error } })),
      },
      {
        name: 'more',
        description: 'Returns further members with an error.',
        deviation: changeRefusal((body, { headers }) => ({
          body: { ...body, error_uri: 'https://shelf.example/errors', status: 400 },
          headers: { ...headers, 'Content-Type': 'application/json;charset=UTF-8' },
        })),
      },
    ],
  },
]

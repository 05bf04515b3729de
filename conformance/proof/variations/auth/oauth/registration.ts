import type { ReplyMiddleware } from '../../../../../mocks/stateful/oauth/realm.ts'
import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

type Json = Record<string, unknown>

/** Tells of new clients in another way. */
const told = (
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

/** Tells in another way why nobody was registered. */
const refused = (
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

/** Freedoms of the registration of clients. */
export const registration: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-REGISTER-09',
    name: 'who registers clients',
    levels: [
      { name: 'they themselves', description: 'Clients register by themselves.' },
      {
        name: 'whoever runs the server',
        description: 'Clients are registered by whoever runs the server.',
        choices: { hosting: { registration: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-10',
    name: 'addresses with http',
    levels: [
      { name: 'on loopback', description: 'Takes addresses with http on loopback alone.' },
      {
        name: 'everywhere',
        description: 'Takes addresses with http everywhere.',
        choices: { oauth: { plainRedirects: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-11',
    name: 'addresses with a fragment',
    levels: [
      { name: 'refused', description: 'Refuses addresses with a fragment.' },
      {
        name: 'taken',
        description: 'Takes addresses with a fragment.',
        choices: { oauth: { fragments: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-06',
    name: 'bad addresses beside good ones',
    levels: [
      { name: 'refused', description: 'Refuses clients of which one address is bad.' },
      {
        name: 'left out',
        description: 'Leaves a bad address out, and tells which are left.',
        choices: { oauth: { badRedirects: 'left out' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-08',
    name: 'missing addresses',
    levels: [
      {
        name: 'invalid_redirect_uri',
        description: 'Calls it invalid_redirect_uri where there are no addresses.',
      },
      {
        name: 'invalid_client_metadata',
        description: 'Calls it invalid_client_metadata where there are no addresses.',
        choices: { oauth: { missingRedirects: 'invalid_client_metadata' } },
      },
    ],
  },
  {
    requirement: 'AUTH-REGISTER-04',
    name: 'what clients may do that do not say what they want to',
    levels: [
      { name: 'all', description: 'Lets them refresh tokens.' },
      {
        name: 'code alone',
        description: 'Lets them use codes, as RFC 7591 has it.',
        choices: { oauth: { defaultGrants: 'code alone' } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'secrets of clients that say nothing of them',
    levels: [
      { name: 'given', description: 'Gives a secret to clients that do not decline one.' },
      {
        name: 'not given',
        description: 'Gives a secret to clients that want one.',
        choices: { oauth: { secrets: 'on request' } },
      },
    ],
  },
  {
    requirement: 'AUTH-ENDPOINT-04',
    name: 'members of new clients',
    levels: [
      { name: 'known ones', description: 'Tells of a client what it has registered.' },
      {
        name: 'more',
        description: 'Tells of a client more than the standards know, and where it can be changed.',
        deviation: told((client, { headers }) => ({
          body: {
            ...client,
            application_type: 'web',
            registration_access_token: 'for-changes-alone',
            registration_client_uri: 'https://shelf.example/clients/1',
            contacts: [],
            logo_uri: null,
            'x-shelf': { rooms: 3 },
          },
          headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
        })),
      },
      {
        name: 'fewer',
        notCombined: true,
        description: 'Tells of a client neither when it was registered nor its response types.',
        deviation: told(({ client_id_issued_at: _, response_types: __, ...client }) => ({
          body: client,
        })),
      },
      {
        name: 'without names',
        description: 'Registers clients without their names, and tells none.',
        choices: { oauth: { clientLabel: 'by id' } },
        deviation: told(({ client_name: _, ...client }) => ({ body: client })),
        notCombined: true,
      },
      {
        name: 'addresses written anew',
        description: 'Tells addresses as programs write them.',
        deviation: told(({ redirect_uris: uris, ...client }) => ({
          body: { ...client, redirect_uris: (uris as string[]).map((uri) => new URL(uri).href) },
        })),
      },
    ],
  },
  {
    requirement: 'form',
    name: 'members of refused registrations',
    levels: [
      {
        name: 'error and description',
        description: 'Tells in words why a client was not registered.',
      },
      {
        name: 'error alone',
        description: 'Tells why a client was not registered by its name alone.',
        deviation: refused(({ error }) => ({ body: { error } })),
      },
      {
        name: 'more',
        description: 'Tells more of why a client was not registered.',
        deviation: refused((body, { headers }) => ({
          body: { ...body, error_uri: 'https://shelf.example/errors', status: 400 },
          headers: { ...headers, 'Content-Type': 'application/json;charset=UTF-8' },
        })),
      },
    ],
  },
]

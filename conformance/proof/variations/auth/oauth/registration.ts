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
    row: 'AUTH-REGISTER-09',
    factor: 'who registers clients',
    levels: [
      { name: 'they themselves', says: 'Clients register by themselves.' },
      {
        name: 'whoever runs the server',
        says: 'Clients are registered by whoever runs the server.',
        choices: { hosting: { registration: false } },
      },
    ],
  },
  {
    row: 'AUTH-REGISTER-10',
    factor: 'addresses with http',
    levels: [
      { name: 'on loopback', says: 'Takes addresses with http on loopback alone.' },
      {
        name: 'everywhere',
        says: 'Takes addresses with http everywhere.',
        choices: { oauth: { plainRedirects: 'accepted' } },
      },
    ],
  },
  {
    row: 'AUTH-REGISTER-11',
    factor: 'addresses with a fragment',
    levels: [
      { name: 'refused', says: 'Refuses addresses with a fragment.' },
      {
        name: 'taken',
        says: 'Takes addresses with a fragment.',
        choices: { oauth: { fragments: 'accepted' } },
      },
    ],
  },
  {
    row: 'AUTH-REGISTER-06',
    factor: 'bad addresses beside good ones',
    levels: [
      { name: 'refused', says: 'Refuses clients of which one address is bad.' },
      {
        name: 'left out',
        says: 'Leaves a bad address out, and tells which are left.',
        choices: { oauth: { badRedirects: 'left out' } },
      },
    ],
  },
  {
    row: 'AUTH-REGISTER-08',
    factor: 'missing addresses',
    levels: [
      {
        name: 'invalid_redirect_uri',
        says: 'Calls it invalid_redirect_uri where there are no addresses.',
      },
      {
        name: 'invalid_client_metadata',
        says: 'Calls it invalid_client_metadata where there are no addresses.',
        choices: { oauth: { missingRedirects: 'invalid_client_metadata' } },
      },
    ],
  },
  {
    row: 'AUTH-REGISTER-04',
    factor: 'what clients may do that do not say what they want to',
    levels: [
      { name: 'all', says: 'Lets them refresh tokens.' },
      {
        name: 'code alone',
        says: 'Lets them use codes, as RFC 7591 has it.',
        choices: { oauth: { defaultGrants: 'code alone' } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'secrets of clients that say nothing of them',
    levels: [
      { name: 'given', says: 'Gives a secret to clients that do not decline one.' },
      {
        name: 'not given',
        says: 'Gives a secret to clients that want one.',
        choices: { oauth: { secrets: 'on request' } },
      },
    ],
  },
  {
    row: 'AUTH-ENDPOINT-04',
    factor: 'members of new clients',
    levels: [
      { name: 'known ones', says: 'Tells of a client what it has registered.' },
      {
        name: 'more',
        says: 'Tells of a client more than the standards know, and where it can be changed.',
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
        alone: true,
        says: 'Tells of a client neither when it was registered nor its response types.',
        deviation: told(({ client_id_issued_at: _, response_types: __, ...client }) => ({
          body: client,
        })),
      },
      {
        name: 'without names',
        says: 'Registers clients without their names, and tells none.',
        choices: { oauth: { clientLabel: 'by id' } },
        deviation: told(({ client_name: _, ...client }) => ({ body: client })),
        alone: true,
      },
      {
        name: 'addresses written anew',
        says: 'Tells addresses as programs write them.',
        deviation: told(({ redirect_uris: uris, ...client }) => ({
          body: { ...client, redirect_uris: (uris as string[]).map((uri) => new URL(uri).href) },
        })),
      },
    ],
  },
  {
    row: 'form',
    factor: 'members of refused registrations',
    levels: [
      { name: 'error and description', says: 'Tells in words why a client was not registered.' },
      {
        name: 'error alone',
        says: 'Tells why a client was not registered by its name alone.',
        deviation: refused(({ error }) => ({ body: { error } })),
      },
      {
        name: 'more',
        says: 'Tells more of why a client was not registered.',
        deviation: refused((body, { headers }) => ({
          body: { ...body, error_uri: 'https://shelf.example/errors', status: 400 },
          headers: { ...headers, 'Content-Type': 'application/json;charset=UTF-8' },
        })),
      },
    ],
  },
]

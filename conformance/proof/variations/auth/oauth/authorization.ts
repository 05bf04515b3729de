import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

/** Tells errors by other names, by where they arose. */
const called = (names: Readonly<Record<string, string>>): AuthDeviation => ({
  changeReply(endpoint, reply) {
    const { Location } = reply.headers ?? {}
    if (endpoint !== 'authorize' || Location === undefined || !URL.canParse(Location)) return reply
    const url = new URL(Location)
    const name = names[url.searchParams.get('error') ?? '']
    if (name === undefined) return reply
    url.searchParams.set('error', name)
    url.searchParams.delete('error_description')
    return { ...reply, headers: { ...reply.headers, Location: url.href } }
  },
})

/** Freedoms of the authorization endpoint. */
export const authorization: readonly AuthFactor[] = [
  {
    row: 'AUTH-AUTHORIZE-15',
    factor: 'plain challenges',
    levels: [
      { name: 'refused', says: 'Refuses plain challenges.' },
      {
        name: 'taken',
        says: 'Takes plain challenges, and those that name no method for such.',
        choices: { oauth: { plainPkce: 'accepted' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-16',
    factor: 'requests without an address',
    levels: [
      { name: 'taken', says: 'Takes requests without an address where one is registered.' },
      {
        name: 'refused',
        says: 'Refuses requests without an address.',
        choices: { oauth: { omittedRedirect: 'refused' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-17',
    factor: 'unknown scopes',
    levels: [
      { name: 'dropped', says: 'Drops scopes that it does not know.' },
      {
        name: 'refused',
        says: 'Refuses scopes that it does not know.',
        choices: { oauth: { unknownScopes: 'refused' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-17',
    factor: 'requests without a scope',
    levels: [
      { name: 'all', says: 'Takes a request without a scope for one of all.' },
      {
        name: 'refused',
        says: 'Refuses requests without a scope.',
        choices: {
          oauth: { missingScope: 'refused' },
          hosting: { scope: 'shelf:read shelf:write' },
        },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-18',
    factor: 'parameters of authorization that come twice',
    levels: [
      { name: 'refused', says: 'Refuses parameters that come twice.' },
      {
        name: 'taken',
        says: 'Takes the first where a parameter comes twice.',
        choices: { oauth: { repeatedParameters: 'accepted' } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'PKCE of clients with a secret',
    levels: [
      { name: 'wanted', says: 'Wants PKCE of all clients.' },
      {
        name: 'not wanted',
        says: 'Wants PKCE of clients without a secret.',
        choices: { oauth: { confidentialPkce: 'optional' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-06',
    factor: 'status for users of strangers',
    levels: [
      { name: '400', says: 'Tells users with status 400 that it does not know who asks.' },
      {
        name: '401',
        alone: true,
        says: 'Tells users with status 401 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 401 } },
      },
      {
        name: '403',
        alone: true,
        says: 'Tells users with status 403 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 403 } },
      },
      {
        name: '404',
        says: 'Tells users with status 404 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 404 } },
      },
      {
        name: '422',
        alone: true,
        says: 'Tells users with status 422 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 422 } },
      },
      {
        name: '200',
        says: 'Tells users with status 200 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 200 } },
        warns: ['AUTH-AUTHORIZE-06'],
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-10',
    factor: 'who is told of wrong requests',
    levels: [
      { name: 'the client', says: 'Tells clients that a request is wrong.' },
      {
        name: 'the user',
        says: 'Tells users that a request is wrong.',
        choices: { oauth: { requestErrors: 'the user' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-10',
    factor: 'refusal of tokens as an answer',
    levels: [
      { name: 'in the query', says: 'Refuses tokens in the query.' },
      {
        name: 'in the fragment',
        says: 'Refuses tokens where they would be given.',
        choices: { oauth: { implicitErrors: 'in the fragment' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-12',
    factor: 'names of errors',
    levels: [
      { name: 'each its own', says: 'Tells types that it does not know from other mistakes.' },
      {
        name: 'one for all',
        says: 'Calls every mistake of a request invalid_request.',
        deviation: called({ unsupported_response_type: 'invalid_request' }),
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-13',
    factor: 'issuer in answers',
    levels: [
      { name: 'told', says: 'Sends its issuer along with answers.' },
      {
        name: 'not told',
        says: 'Does not send its issuer along, and says so.',
        choices: { oauth: { includesIssuer: false } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-14',
    factor: 'status of redirects',
    levels: [
      { name: '303', says: 'Sends users back with status 303.' },
      {
        name: '302',
        says: 'Sends users back with status 302.',
        choices: { oauth: { redirectStatus: 302 } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-01',
    factor: 'way back',
    levels: [
      { name: 'by a redirect', says: 'Sends users back by a redirect.' },
      {
        name: 'by a page',
        says: 'Sends users back by a page that leads on.',
        choices: { oauth: { redirectMethod: 'by a page' } },
      },
    ],
  },
  {
    row: 'AUTH-AUTHORIZE-03',
    factor: 'writing of addresses',
    levels: [
      { name: 'as registered', says: 'Sends users to addresses as they are registered.' },
      {
        name: 'anew',
        says: 'Writes addresses anew before it sends users there.',
        choices: { oauth: { normalisesRedirect: true } },
      },
    ],
  },
]

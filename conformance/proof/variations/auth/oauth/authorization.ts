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
    requirement: 'AUTH-AUTHORIZE-15',
    name: 'plain challenges',
    levels: [
      { name: 'refused', description: 'Refuses plain challenges.' },
      {
        name: 'taken',
        description: 'Takes plain challenges, and those that name no method for such.',
        choices: { oauth: { plainPkce: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-16',
    name: 'requests without an address',
    levels: [
      { name: 'taken', description: 'Takes requests without an address where one is registered.' },
      {
        name: 'refused',
        description: 'Refuses requests without an address.',
        choices: { oauth: { omittedRedirect: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-17',
    name: 'unknown scopes',
    levels: [
      { name: 'dropped', description: 'Drops scopes that it does not know.' },
      {
        name: 'refused',
        description: 'Refuses scopes that it does not know.',
        choices: { oauth: { unknownScopes: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-17',
    name: 'requests without a scope',
    levels: [
      { name: 'all', description: 'Takes a request without a scope for one of all.' },
      {
        name: 'refused',
        description: 'Refuses requests without a scope.',
        choices: {
          oauth: { missingScope: 'refused' },
          hosting: { scope: 'shelf:read shelf:write' },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-18',
    name: 'parameters of authorization that come twice',
    levels: [
      { name: 'refused', description: 'Refuses parameters that come twice.' },
      {
        name: 'taken',
        description: 'Takes the first where a parameter comes twice.',
        choices: { oauth: { repeatedParameters: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'PKCE of clients with a secret',
    levels: [
      { name: 'wanted', description: 'Wants PKCE of all clients.' },
      {
        name: 'not wanted',
        description: 'Wants PKCE of clients without a secret.',
        choices: { oauth: { confidentialPkce: 'optional' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-06',
    name: 'status for users of strangers',
    levels: [
      { name: '400', description: 'Tells users with status 400 that it does not know who asks.' },
      {
        name: '401',
        notCombined: true,
        description: 'Tells users with status 401 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 401 } },
      },
      {
        name: '403',
        notCombined: true,
        description: 'Tells users with status 403 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 403 } },
      },
      {
        name: '404',
        description: 'Tells users with status 404 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 404 } },
      },
      {
        name: '422',
        notCombined: true,
        description: 'Tells users with status 422 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 422 } },
      },
      {
        name: '200',
        description: 'Tells users with status 200 that it does not know who asks.',
        choices: { oauth: { unknownClientStatus: 200 } },
        unmet: ['AUTH-AUTHORIZE-06'],
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-10',
    name: 'who is told of wrong requests',
    levels: [
      { name: 'the client', description: 'Tells clients that a request is wrong.' },
      {
        name: 'the user',
        description: 'Tells users that a request is wrong.',
        choices: { oauth: { requestErrors: 'the user' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-10',
    name: 'refusal of tokens as an answer',
    levels: [
      { name: 'in the query', description: 'Refuses tokens in the query.' },
      {
        name: 'in the fragment',
        description: 'Refuses tokens where they would be given.',
        choices: { oauth: { implicitErrors: 'in the fragment' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-12',
    name: 'names of errors',
    levels: [
      {
        name: 'each its own',
        description: 'Tells types that it does not know from other mistakes.',
      },
      {
        name: 'one for all',
        description: 'Calls every mistake of a request invalid_request.',
        deviation: called({ unsupported_response_type: 'invalid_request' }),
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-13',
    name: 'issuer in answers',
    levels: [
      { name: 'told', description: 'Sends its issuer along with answers.' },
      {
        name: 'not told',
        description: 'Does not send its issuer along, and says so.',
        choices: { oauth: { includesIssuer: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-14',
    name: 'status of redirects',
    levels: [
      { name: '303', description: 'Sends users back with status 303.' },
      {
        name: '302',
        description: 'Sends users back with status 302.',
        choices: { oauth: { redirectStatus: 302 } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-01',
    name: 'way back',
    levels: [
      { name: 'by a redirect', description: 'Sends users back by a redirect.' },
      {
        name: 'by a page',
        description: 'Sends users back by a page that leads on.',
        choices: { oauth: { redirectMethod: 'by a page' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-03',
    name: 'writing of addresses',
    levels: [
      { name: 'as registered', description: 'Sends users to addresses as they are registered.' },
      {
        name: 'anew',
        description: 'Writes addresses anew before it sends users there.',
        choices: { oauth: { normalisesRedirect: true } },
      },
    ],
  },
]

import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { AuthFactor } from '../variation.ts'

/** Renames errors in redirects of /authorize. */
const renameErrors = (names: Readonly<Record<string, string>>): AuthDeviation => ({
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

/** Choices about the authorization endpoint. */
export const authorization: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-AUTHORIZE-15',
    name: 'challenges with the method plain',
    values: [
      { name: 'refused', description: 'Refuses plain challenges.' },
      {
        name: 'accepted',
        description: 'Accepts plain challenges, including those without a method.',
        choices: { oauth: { plainPkce: 'accepted' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-16',
    name: 'requests without redirect_uri',
    values: [
      {
        name: 'accepted',
        description: 'Accepts requests without a redirect URI if exactly one is registered.',
      },
      {
        name: 'refused',
        description: 'Refuses requests without a redirect URI.',
        choices: { oauth: { omittedRedirect: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-17',
    name: 'unknown scopes',
    values: [
      { name: 'ignored', description: 'Drops unknown scopes.' },
      {
        name: 'refused',
        description: 'Refuses unknown scopes.',
        choices: { oauth: { unknownScopes: 'refused' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-17',
    name: 'requests without a scope',
    values: [
      { name: 'all scopes granted', description: 'Grants all scopes if none is requested.' },
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
    name: 'repeated parameters of authorization requests',
    values: [
      { name: 'refused', description: 'Refuses repeated parameters.' },
      {
        name: 'accepted',
        description: 'Uses the first value of a repeated parameter.',
        choices: { oauth: { repeatedParameters: 'accepted' } },
        unmet: ['AUTH-AUTHORIZE-18'],
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-20',
    name: 'empty resource',
    values: [
      { name: 'omitted', description: 'Treats an empty resource as omitted.' },
      {
        name: 'invalid_target',
        notCombined: true,
        description: 'Refuses an empty resource with invalid_target.',
        deviation: {
          changeReply(endpoint, reply, { parameters }) {
            const uri = parameters?.get('redirect_uri')
            const isEmpty =
              parameters?.names().includes('resource') === true &&
              parameters.get('resource') === undefined
            if (endpoint !== 'authorize' || !isEmpty || uri === undefined) return reply
            const url = new URL(uri)
            url.searchParams.set('error', 'invalid_target')
            url.searchParams.set('state', parameters?.get('state') ?? '')
            return { status: 303, headers: { Location: url.href } }
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'PKCE of clients with a secret',
    values: [
      { name: 'required', description: 'Requires PKCE from all clients.' },
      {
        name: 'optional',
        description: 'Requires PKCE only from public clients.',
        choices: { oauth: { confidentialPkce: 'optional' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-06',
    name: 'status for users of unknown clients',
    values: [
      { name: '400', description: 'Shows users of unknown clients a page with status 400.' },
      {
        name: '401',
        notCombined: true,
        description: 'Shows users of unknown clients a page with status 401.',
        choices: { oauth: { unknownClientStatus: 401 } },
      },
      {
        name: '403',
        notCombined: true,
        description: 'Shows users of unknown clients a page with status 403.',
        choices: { oauth: { unknownClientStatus: 403 } },
      },
      {
        name: '404',
        description: 'Shows users of unknown clients a page with status 404.',
        choices: { oauth: { unknownClientStatus: 404 } },
      },
      {
        name: '422',
        notCombined: true,
        description: 'Shows users of unknown clients a page with status 422.',
        choices: { oauth: { unknownClientStatus: 422 } },
      },
      {
        name: '200',
        description: 'Shows users of unknown clients a page with status 200.',
        choices: { oauth: { unknownClientStatus: 200 } },
        unmet: ['AUTH-AUTHORIZE-06'],
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-10',
    name: 'recipient of request errors',
    values: [
      { name: 'the client', description: 'Reports errors of a request to the client.' },
      {
        name: 'the user',
        description: 'Reports errors of a request to the user.',
        choices: { oauth: { requestErrors: 'the user' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-10',
    name: 'refusal of the implicit grant',
    values: [
      {
        name: 'in the query',
        description: 'Reports the refusal of the implicit grant in the query.',
      },
      {
        name: 'in the fragment',
        description: 'Reports the refusal of the implicit grant in the fragment.',
        choices: { oauth: { implicitErrors: 'in the fragment' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-12',
    name: 'error code for an unsupported response type',
    values: [
      {
        name: 'unsupported_response_type',
        description: 'Reports an unsupported response type as unsupported_response_type.',
      },
      {
        name: 'invalid_request',
        description: 'Reports an unsupported response type as invalid_request.',
        deviation: renameErrors({ unsupported_response_type: 'invalid_request' }),
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-13',
    name: 'issuer in redirects',
    values: [
      { name: 'sent', description: 'Sends its issuer in redirects.' },
      {
        name: 'not sent',
        description: 'Does not send its issuer, and declares that in its metadata.',
        choices: { oauth: { includesIssuer: false } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-14',
    name: 'status of redirects',
    values: [
      { name: '303', description: 'Redirects back with status 303.' },
      {
        name: '302',
        description: 'Redirects back with status 302.',
        choices: { oauth: { redirectStatus: 302 } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-01',
    name: 'return to the client',
    values: [
      { name: 'by a redirect', description: 'Sends users back with a redirect.' },
      {
        name: 'by a page with a link',
        description: 'Sends users back with a page that contains a link.',
        choices: { oauth: { redirectMethod: 'by a page' } },
      },
    ],
  },
  {
    requirement: 'AUTH-AUTHORIZE-03',
    name: 'format of redirect URIs',
    values: [
      { name: 'as registered', description: 'Redirects to URIs exactly as they are registered.' },
      {
        name: 'normalized',
        description: 'Normalizes URIs before it redirects to them.',
        choices: { oauth: { normalisesRedirect: true } },
      },
    ],
  },
]

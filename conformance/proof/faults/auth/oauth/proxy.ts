import { createHash } from 'node:crypto'
import { basicOf } from '../../../../../mocks/stateful/oauth/upstream.ts'
import {
  onHttpRequest,
  fault,
  withChoices,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { signInAsGuest } from './proxy-return.ts'
import { leadsElsewhere, changeRedirect } from './redirects.ts'

/** Changes the authorization request to the identity provider. */
const changeUpstreamRequest = (
  change: (parameters: Record<string, string>) => Record<string, string>,
): MakeAuthDeviation => replaceRules({ oauth: { upstreamParameters: change } })
/** Changes the token request to the identity provider. */
const changeUpstreamTokenRequest = (
  change: (fields: Record<string, string>) => Record<string, string>,
): MakeAuthDeviation => replaceRules({ oauth: { upstreamTokenFields: change } })

/** Adds credentials in the header to token requests, which have them in the body. */
const addBasicCredentials = (secretOf: (secret: string) => string): MakeAuthDeviation =>
  replaceRules((_rules, hit) => ({
    oauth: {
      upstreamTokenHeaders: (headers, { client_id: id = '', client_secret: secret = '' }) => {
        hit()
        return { ...headers, authorization: basicOf(id, secretOf(secret)) }
      },
    },
  }))

const omitField =
  (name: string) =>
  ({ [name]: _, ...rest }: Record<string, string>): Record<string, string> =>
    rest

/**
 * Redirects to the identity provider with the client's own parameters, without a consent screen.
 */
const passClientParameters = (...names: readonly string[]): MakeAuthDeviation =>
  withChoices(
    { hosting: { consentScreen: false, consent: 'auto' } },
    onReply((reply, { parameters }, endpoint) =>
      endpoint !== 'authorize' || parameters === undefined
        ? undefined
        : changeRedirect(reply, (url) => {
            if (!url.searchParams.has('code_challenge')) return false
            for (const name of names) url.searchParams.set(name, parameters.get(name) ?? '')
            return true
          }),
    ),
  )

/** Moves a transport to another path. */
const moveTransport = (transport: 'http' | 'sse', to: string): MakeAuthDeviation =>
  withChoices(
    { hosting: { paths: { [transport]: to } } },
    onHttpRequest((request, _response, hit) => {
      if (pathOf(request) !== to) return
      request.url = (request.url ?? '').replace(to, transport === 'http' ? '/mcp' : '/sse')
      hit()
    }),
  )

/**
 * Faults in the requests of a proxy to the identity provider, and in the paths of its transports.
 */
export const proxy: readonly AuthFault[] = [
  fault(
    'upstream-request-with-the-clients-id',
    "Sends the client's client_id to the identity provider.",
    ['AUTH-PROXY-01'],
    passClientParameters('client_id'),
  ),
  fault(
    'upstream-request-with-the-servers-name',
    "Sends the server's name as client_id to the identity provider, not the configured one.",
    ['AUTH-PROXY-01'],
    changeUpstreamRequest((parameters) => ({ ...parameters, client_id: 'shelf_mcp' })),
  ),
  fault(
    'upstream-token-request-with-another-id',
    'Sends a client_id in token requests that differs from the one in authorization requests.',
    ['AUTH-PROXY-01'],
    changeUpstreamTokenRequest((fields) => ({ ...fields, client_id: 'shelf_mcp' })),
  ),

  fault(
    'upstream-without-a-secret',
    'Sends token requests to the identity provider without the client secret.',
    ['AUTH-PROXY-02'],
    changeUpstreamTokenRequest(omitField('client_secret')),
  ),
  fault(
    'upstream-secret-of-an-example',
    'Sends a placeholder from documentation in place of the configured client secret.',
    ['AUTH-PROXY-02'],
    changeUpstreamTokenRequest((fields) => ({ ...fields, client_secret: 'YOUR_CLIENT_SECRET' })),
  ),
  fault(
    'upstream-secret-cut-short',
    'Truncates the client secret to 16 characters.',
    ['AUTH-PROXY-02'],
    changeUpstreamTokenRequest(({ client_secret: secret = '', ...fields }) => ({
      ...fields,
      client_secret: secret.slice(0, 16),
    })),
  ),

  fault(
    'upstream-secret-in-header-and-body',
    'Sends its client secret to the identity provider in the header and in the body.',
    ['AUTH-PROXY-22'],
    addBasicCredentials((secret) => secret),
  ),
  fault(
    'upstream-secret-in-the-body-and-none-in-the-header',
    'Sends its client secret in the body, and its client id without a secret in the header.',
    ['AUTH-PROXY-22', 'AUTH-PROXY-02'],
    addBasicCredentials(() => ''),
  ),

  fault(
    'upstream-scopes-one-more',
    'Requests one scope more than is configured.',
    ['AUTH-PROXY-03'],
    changeUpstreamRequest((parameters) => ({
      ...parameters,
      scope: `${parameters['scope']} repo`,
    })),
  ),
  fault(
    'upstream-scopes-one-less',
    'Requests only the first of the configured scopes.',
    ['AUTH-PROXY-03'],
    changeUpstreamRequest((parameters) => ({
      ...parameters,
      scope: parameters['scope']!.split(/[ ,]/)[0]!,
    })),
  ),
  fault(
    'upstream-scopes-missing',
    'Requests no scope.',
    ['AUTH-PROXY-03'],
    changeUpstreamRequest(omitField('scope')),
  ),

  fault(
    'upstream-returns-to-the-client',
    "Sends the client's redirect URI to the identity provider.",
    ['AUTH-PROXY-14'],
    passClientParameters('redirect_uri'),
  ),
  fault(
    'upstream-request-of-the-client',
    "Passes the client's authorization request to the identity provider unchanged.",
    ['AUTH-PROXY-14'],
    passClientParameters('client_id', 'redirect_uri', 'state', 'code_challenge'),
  ),

  fault(
    'upstream-challenge-is-plain',
    'Sends the identity provider a challenge with the method plain.',
    ['AUTH-PROXY-15'],
    replaceRules({
      oauth: {
        upstreamParameters: (parameters) => ({ ...parameters, code_challenge_method: 'plain' }),
      },
    }),
  ),
  fault(
    'upstream-request-without-pkce',
    'Sends authorization requests to the identity provider without a challenge.',
    ['AUTH-PROXY-15'],
    changeUpstreamRequest((parameters) =>
      omitField('code_challenge_method')(omitField('code_challenge')(parameters)),
    ),
  ),
  fault(
    'upstream-pkce-never-used',
    'Does not use PKCE with the identity provider at all.',
    ['AUTH-PROXY-15'],
    withChoices(
      { oauth: { upstreamPkce: false } },
      changeUpstreamRequest((parameters) => ({
        ...parameters,
        nonce: createHash('sha256')
          .update(parameters['state'] ?? '')
          .digest('hex'),
      })),
    ),
  ),

  fault(
    'streamable-http-elsewhere',
    'Serves Streamable HTTP at /rpc.',
    ['AUTH-PROXY-08'],
    moveTransport('http', '/rpc'),
  ),
  fault(
    'events-elsewhere',
    'Serves server-sent events at /events.',
    ['AUTH-PROXY-08'],
    moveTransport('sse', '/events'),
  ),

  fault(
    'code-without-the-identity-provider',
    'Issues a code at once, without the identity provider.',
    ['AUTH-PROXY-18'],
    withChoices({ hosting: { consentScreen: false, consent: 'auto' } }, (hit) => ({
      changeReply(endpoint, reply, { parameters }) {
        const [back, state] = [parameters?.get('redirect_uri'), parameters?.get('state')]
        if (endpoint !== 'authorize' || back === undefined || !leadsElsewhere(reply, back))
          return reply
        hit()
        const url = new URL(back)
        for (const [name, value] of [
          [
            'code',
            createHash('sha256')
              .update(state ?? '')
              .digest('hex'),
          ],
          ['state', state ?? ''],
        ] as const)
          url.searchParams.set(name, value)
        return { ...reply, headers: { ...reply.headers, Location: url.href } }
      },
    })),
  ),
  fault(
    'unknown-upstream-code-is-a-guest',
    'Signs the user in as a guest if the identity provider refuses the code.',
    ['AUTH-PROXY-18', 'AUTH-PROXY-16'],
    signInAsGuest(400),
  ),
]

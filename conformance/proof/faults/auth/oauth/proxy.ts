import { createHash } from 'node:crypto'
import {
  door,
  fault,
  hosted,
  type MakeAuthDeviation,
  onReply,
  pathOf,
  replaceRules,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { guest } from './proxy-return.ts'
import { elsewhere, redirected } from './redirected.ts'

/** Changes what the identity provider is asked; the same parameters leave it as it is. */
const asking = (
  change: (parameters: Record<string, string>) => Record<string, string>,
): MakeAuthDeviation => replaceRules({ oauth: { upstreamParameters: change } })
/** Changes with what a code is brought there. */
const bringing = (
  change: (fields: Record<string, string>) => Record<string, string>,
): MakeAuthDeviation => replaceRules({ oauth: { upstreamTokenFields: change } })

const without =
  (name: string) =>
  ({ [name]: _, ...rest }: Record<string, string>): Record<string, string> =>
    rest

/** Sends users to the identity provider with what their client asked for, in place of what the server would ask for. Nobody is asked here first. */
const passing = (...names: readonly string[]): MakeAuthDeviation =>
  hosted(
    { hosting: { consentScreen: false, consent: 'auto' } },
    onReply((reply, { parameters }, endpoint) =>
      endpoint !== 'authorize' || parameters === undefined
        ? undefined
        : redirected(reply, (url) => {
            if (!url.searchParams.has('code_challenge')) return false
            for (const name of names) url.searchParams.set(name, parameters.get(name) ?? '')
            return true
          }),
    ),
  )

/** A server with one of its transports at another path. */
const moved = (transport: 'http' | 'sse', to: string): MakeAuthDeviation =>
  hosted(
    { hosting: { paths: { [transport]: to } } },
    door((request, _response, hit) => {
      if (pathOf(request) !== to) return
      request.url = (request.url ?? '').replace(to, transport === 'http' ? '/mcp' : '/sse')
      hit()
    }),
  )

/** Faults of what the identity provider behind a proxy is asked. */
export const proxy: readonly AuthFault[] = [
  fault(
    'upstream-asked-by-the-client',
    'The identity provider is asked under the id of the client, as if the server only passed on.',
    ['AUTH-PROXY-01'],
    passing('client_id'),
  ),
  fault(
    'upstream-asked-by-the-servers-name',
    'The identity provider is asked under the name of the server, whatever client id is configured.',
    ['AUTH-PROXY-01'],
    asking((parameters) => ({ ...parameters, client_id: 'shelf_mcp' })),
  ),
  fault(
    'upstream-token-asked-by-another',
    'Codes are brought to the identity provider under another client id than users were sent there.',
    ['AUTH-PROXY-01'],
    bringing((fields) => ({ ...fields, client_id: 'shelf_mcp' })),
  ),

  fault(
    'upstream-sees-no-secret',
    'Codes are brought to the identity provider without the client secret.',
    ['AUTH-PROXY-02'],
    bringing(without('client_secret')),
  ),
  fault(
    'upstream-secret-of-an-example',
    'The client secret of an example is shown, whatever secret is configured.',
    ['AUTH-PROXY-02'],
    bringing((fields) => ({ ...fields, client_secret: 'YOUR_CLIENT_SECRET' })),
  ),
  fault(
    'upstream-secret-cut-short',
    'The client secret is cut off after 16 characters.',
    ['AUTH-PROXY-02'],
    bringing(({ client_secret: secret = '', ...fields }) => ({
      ...fields,
      client_secret: secret.slice(0, 16),
    })),
  ),

  fault(
    'upstream-scopes-one-more',
    'The identity provider is asked for a scope more than is configured.',
    ['AUTH-PROXY-03'],
    asking((parameters) => ({ ...parameters, scope: `${parameters['scope']} repo` })),
  ),
  fault(
    'upstream-scopes-one-less',
    'The identity provider is asked for the first of the configured scopes alone.',
    ['AUTH-PROXY-03'],
    asking((parameters) => ({ ...parameters, scope: parameters['scope']!.split(/[ ,]/)[0]! })),
  ),
  fault(
    'upstream-scopes-forgotten',
    'The identity provider is asked without a scope.',
    ['AUTH-PROXY-03'],
    asking(without('scope')),
  ),

  fault(
    'upstream-returns-to-the-client',
    'The identity provider is told to send users to the client.',
    ['AUTH-PROXY-14'],
    passing('redirect_uri'),
  ),
  fault(
    'upstream-asked-as-the-client-asked',
    'The question of the client is passed on to the identity provider as it is.',
    ['AUTH-PROXY-14'],
    passing('client_id', 'redirect_uri', 'state', 'code_challenge'),
  ),

  fault(
    'upstream-asked-without-pkce',
    'The identity provider is asked without a challenge.',
    ['AUTH-PROXY-15'],
    asking((parameters) => without('code_challenge_method')(without('code_challenge')(parameters))),
  ),
  fault(
    'upstream-pkce-never-used',
    'The server knows no PKCE, neither where it sends users nor where it brings their codes.',
    ['AUTH-PROXY-15'],
    hosted(
      { oauth: { upstreamPkce: false } },
      asking((parameters) => ({
        ...parameters,
        nonce: createHash('sha256')
          .update(parameters['state'] ?? '')
          .digest('hex'),
      })),
    ),
  ),

  fault(
    'streamable-http-elsewhere',
    'Streamable HTTP is at /rpc.',
    ['AUTH-PROXY-08'],
    moved('http', '/rpc'),
  ),
  fault(
    'events-elsewhere',
    'Server-sent events are at /events.',
    ['AUTH-PROXY-08'],
    moved('sse', '/events'),
  ),

  fault(
    'code-without-the-identity-provider',
    'Users get a code at once: nobody is sent to the identity provider.',
    ['AUTH-PROXY-18'],
    hosted({ hosting: { consentScreen: false, consent: 'auto' } }, (hit) => ({
      changeReply(endpoint, reply, { parameters }) {
        const [back, state] = [parameters?.get('redirect_uri'), parameters?.get('state')]
        if (endpoint !== 'authorize' || back === undefined || !elsewhere(reply, back)) return reply
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
    'Whoever brings a code that the identity provider does not know is let in as a guest.',
    ['AUTH-PROXY-18', 'AUTH-PROXY-16'],
    guest(400),
  ),
]

import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { AuthFactor } from '../variation.ts'

/**
 * A state that the server need not store, because it contains the request, a nonce and a signature.
 */
function signedState(request: object): string {
  const body = Buffer.from(
    JSON.stringify({ request, nonce: randomBytes(16).toString('hex') }),
  ).toString('base64url')
  return `${body}.${createHmac('sha256', 'of this server only').update(body).digest('base64url')}`
}

/** Choices about the requests of a proxy to the identity provider. */
export const proxy: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PROXY-02',
    name: 'secret upstream',
    values: [
      {
        name: 'in the body',
        description: 'Sends its secret to the identity provider in the body.',
      },
      {
        name: 'in the header',
        description: 'Sends its secret to the identity provider with Basic authentication.',
        choices: { oauth: { upstreamSecret: 'in the header' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-15',
    name: 'PKCE upstream',
    values: [
      { name: 'used', description: 'Uses PKCE with the identity provider.' },
      {
        name: 'not used',
        description: 'Uses a state, but not PKCE, with the identity provider.',
        choices: { oauth: { upstreamPkce: false } },
        unmet: ['AUTH-PROXY-15'],
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-09',
    name: 'state upstream',
    values: [
      { name: 'random', description: 'Uses 256 random bits as the state.' },
      {
        name: 'uuid',
        notCombined: true,
        description: 'Uses a UUID as the state.',
        deviation: { rules: { oauth: { newUpstreamState: () => randomUUID() } } },
      },
      {
        name: 'short',
        notCombined: true,
        description: 'Uses 64 random bits as the state.',
        deviation: {
          rules: { oauth: { newUpstreamState: () => randomBytes(8).toString('base64url') } },
        },
      },
      {
        name: 'signed',
        description: 'Uses the signed request with a nonce as the state.',
        deviation: {
          rules: {
            oauth: {
              newUpstreamState: ({ clientId, redirectUri, state }) =>
                signedState({ clientId, redirectUri, state }),
            },
          },
        },
      },
      {
        name: 'none',
        description: 'Uses PKCE and a cookie instead of a state.',
        choices: { oauth: { upstreamState: 'none' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-03',
    name: 'scopes upstream',
    values: [
      { name: 'separated by spaces', description: 'Separates scopes with spaces, as configured.' },
      {
        name: 'separated by commas',
        description: 'Separates scopes with commas, as some identity providers require.',
        choices: { oauth: { upstreamScopes: 'commas' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-01',
    name: 'request upstream',
    values: [
      {
        name: 'plain',
        description: 'Sends only the parameters of OAuth to the identity provider.',
      },
      {
        name: 'with additional parameters',
        description:
          'Sends further parameters to the identity provider, and the scopes in another order.',
        deviation: {
          rules: {
            oauth: {
              upstreamParameters: ({ scope = '', ...parameters }) => ({
                access_type: 'offline',
                prompt: 'consent',
                allow_signup: 'false',
                response_mode: 'query',
                scope: /,/.test(scope) ? scope : scope.split(' ').reverse().join(' '),
                ...parameters,
              }),
            },
          },
        },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-13',
    name: 'token response upstream',
    values: [
      { name: 'json', description: 'Requests the token as JSON.' },
      {
        name: 'forms',
        description:
          'Requests a form-encoded token response, which some identity providers return by default.',
        choices: { oauth: { upstreamResponses: 'form' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-05',
    name: 'email upstream',
    values: [
      { name: 'with the user', description: 'Requests login and email together.' },
      {
        name: 'separately',
        description: 'Requests the email separately, as a list of addresses.',
        choices: { oauth: { upstreamEmail: 'separately' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-05',
    name: 'user in tool results',
    values: [
      { name: 'in text', description: 'Returns login and email as text in a tool result.' },
      {
        name: 'in structured content',
        description: 'Returns login and email also as structured content in a tool result.',
        choices: { server: { structured: 'data' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-14',
    name: 'callback',
    values: [
      { name: 'at /callback', description: 'Has its callback at /callback.' },
      {
        name: 'at a different path',
        description: 'Has its callback at another path.',
        choices: { oauth: { callbackPath: '/oauth/upstream/callback' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-18',
    name: 'consent before the identity provider',
    values: [
      {
        name: 'shown',
        description: 'Shows a consent screen before it redirects to the identity provider.',
      },
      {
        name: 'not shown',
        description: 'Redirects to the identity provider at once.',
        choices: { hosting: { consentScreen: false, consent: 'auto' } },
      },
    ],
  },
]

import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { AuthFactor } from '../variation.ts'

/** Signed, so that it need not be kept: what was asked, and something new. */
function signed(asked: object): string {
  const body = Buffer.from(
    JSON.stringify({ asked, nonce: randomBytes(16).toString('hex') }),
  ).toString('base64url')
  return `${body}.${createHmac('sha256', 'of this server alone').update(body).digest('base64url')}`
}

/** Freedoms of the identity provider behind a proxy. */
export const proxy: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-PROXY-02',
    name: 'secret upstream',
    levels: [
      { name: 'in the body', description: 'The server shows its secret in the body.' },
      {
        name: 'in the header',
        description: 'The server shows id and secret by Basic.',
        choices: { oauth: { upstreamSecret: 'in the header' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-15',
    name: 'PKCE upstream',
    levels: [
      { name: 'used', description: 'The identity provider is asked with a challenge.' },
      {
        name: 'not used',
        description: 'A state alone binds a return to its question.',
        choices: { oauth: { upstreamPkce: false } },
        unmet: ['AUTH-PROXY-15'],
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-09',
    name: 'state upstream',
    levels: [
      { name: 'drawn', description: 'The state is 256 bits, drawn at random.' },
      {
        name: 'uuid',
        notCombined: true,
        description: 'The state is a UUID.',
        deviation: { rules: { oauth: { newUpstreamState: () => randomUUID() } } },
      },
      {
        name: 'short',
        notCombined: true,
        description: 'The state is 64 bits, drawn at random.',
        deviation: {
          rules: { oauth: { newUpstreamState: () => randomBytes(8).toString('base64url') } },
        },
      },
      {
        name: 'signed',
        description: 'The state holds the question, something new, and a signature.',
        deviation: {
          rules: {
            oauth: {
              newUpstreamState: ({ clientId, redirectUri, state }) =>
                signed({ clientId, redirectUri, state }),
            },
          },
        },
      },
      {
        name: 'none',
        description: 'There is no state: PKCE and a cookie bind a return to its question.',
        choices: { oauth: { upstreamState: 'none' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-03',
    name: 'scopes upstream',
    levels: [
      { name: 'parted by spaces', description: 'Scopes are parted by spaces, as configured.' },
      {
        name: 'parted by commas',
        description: 'Scopes are parted by commas, as some identity providers have it.',
        choices: { oauth: { upstreamScopes: 'commas' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-01',
    name: 'question upstream',
    levels: [
      {
        name: 'plain',
        description: 'The identity provider is asked with the parameters of OAuth.',
      },
      {
        name: 'with more',
        description:
          'The identity provider is asked with parameters of its own, and for the scopes in another order.',
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
    name: 'answers upstream',
    levels: [
      { name: 'json', description: 'The token is asked for as JSON.' },
      {
        name: 'forms',
        description:
          'The token is read out of a form, as some identity providers answer whoever does not ask for JSON.',
        choices: { oauth: { upstreamAnswers: 'form' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-05',
    name: 'email upstream',
    levels: [
      { name: 'with the user', description: 'Login and email are asked for together.' },
      {
        name: 'apart',
        description: 'The email is asked for apart, in a list of addresses.',
        choices: { oauth: { upstreamEmail: 'apart' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-05',
    name: 'user told',
    levels: [
      { name: 'in text', description: 'A tool tells login and email in its text.' },
      {
        name: 'in structured content',
        description: 'A tool tells login and email in structured content too.',
        choices: { server: { structured: 'data' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-14',
    name: 'callback',
    levels: [
      { name: 'at /callback', description: 'Users come back to /callback.' },
      {
        name: 'elsewhere',
        description: 'Users come back to an address below /oauth.',
        choices: { oauth: { callbackPath: '/oauth/upstream/callback' } },
      },
    ],
  },
  {
    requirement: 'AUTH-PROXY-18',
    name: 'screen before the identity provider',
    levels: [
      { name: 'shown', description: 'Users are asked before they go to the identity provider.' },
      {
        name: 'not shown',
        description: 'Users go to the identity provider at once.',
        choices: { hosting: { consentScreen: false, consent: 'auto' } },
      },
    ],
  },
]

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
    row: 'AUTH-PROXY-02',
    factor: 'secret upstream',
    levels: [
      { name: 'in the body', says: 'The server shows its secret in the body.' },
      {
        name: 'in the header',
        says: 'The server shows id and secret by Basic.',
        choices: { oauth: { upstreamSecret: 'in the header' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-15',
    factor: 'PKCE upstream',
    levels: [
      { name: 'used', says: 'The identity provider is asked with a challenge.' },
      {
        name: 'not used',
        says: 'A state alone binds a return to its question.',
        choices: { oauth: { upstreamPkce: false } },
        warns: ['AUTH-PROXY-15'],
      },
    ],
  },
  {
    row: 'AUTH-PROXY-09',
    factor: 'state upstream',
    levels: [
      { name: 'drawn', says: 'The state is 256 bits, drawn at random.' },
      {
        name: 'uuid',
        alone: true,
        says: 'The state is a UUID.',
        deviation: { rules: { oauth: { newUpstreamState: () => randomUUID() } } },
      },
      {
        name: 'short',
        alone: true,
        says: 'The state is 64 bits, drawn at random.',
        deviation: {
          rules: { oauth: { newUpstreamState: () => randomBytes(8).toString('base64url') } },
        },
      },
      {
        name: 'signed',
        says: 'The state holds the question, something new, and a signature.',
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
        says: 'There is no state: PKCE and a cookie bind a return to its question.',
        choices: { oauth: { upstreamState: 'none' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-03',
    factor: 'scopes upstream',
    levels: [
      { name: 'parted by spaces', says: 'Scopes are parted by spaces, as configured.' },
      {
        name: 'parted by commas',
        says: 'Scopes are parted by commas, as some identity providers have it.',
        choices: { oauth: { upstreamScopes: 'commas' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-01',
    factor: 'question upstream',
    levels: [
      { name: 'plain', says: 'The identity provider is asked with the parameters of OAuth.' },
      {
        name: 'with more',
        says: 'The identity provider is asked with parameters of its own, and for the scopes in another order.',
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
    row: 'AUTH-PROXY-13',
    factor: 'answers upstream',
    levels: [
      { name: 'json', says: 'The token is asked for as JSON.' },
      {
        name: 'forms',
        says: 'The token is read out of a form, as some identity providers answer whoever does not ask for JSON.',
        choices: { oauth: { upstreamAnswers: 'form' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-05',
    factor: 'email upstream',
    levels: [
      { name: 'with the user', says: 'Login and email are asked for together.' },
      {
        name: 'apart',
        says: 'The email is asked for apart, in a list of addresses.',
        choices: { oauth: { upstreamEmail: 'apart' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-05',
    factor: 'user told',
    levels: [
      { name: 'in text', says: 'A tool tells login and email in its text.' },
      {
        name: 'in structured content',
        says: 'A tool tells login and email in structured content too.',
        choices: { server: { structured: 'data' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-14',
    factor: 'callback',
    levels: [
      { name: 'at /callback', says: 'Users come back to /callback.' },
      {
        name: 'elsewhere',
        says: 'Users come back to an address below /oauth.',
        choices: { oauth: { callbackPath: '/oauth/upstream/callback' } },
      },
    ],
  },
  {
    row: 'AUTH-PROXY-18',
    factor: 'screen before the identity provider',
    levels: [
      { name: 'shown', says: 'Users are asked before they go to the identity provider.' },
      {
        name: 'not shown',
        says: 'Users go to the identity provider at once.',
        choices: { hosting: { consentScreen: false, consent: 'auto' } },
      },
    ],
  },
]

import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes what refusals of the resource say in WWW-Authenticate. */
const challenges = (change: (challenge: string) => string): AuthDeviation => ({
  changeReply(endpoint, reply) {
    const challenge = reply.headers?.['WWW-Authenticate']
    return endpoint === 'resource' && challenge !== undefined
      ? { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': change(challenge) } }
      : reply
  },
})

/** Changes refusals of tokens. */
const refusals = (change: (reply: Reply) => Reply): AuthDeviation => ({
  changeReply: (endpoint, reply, { incoming }) =>
    endpoint === 'resource' && incoming.headers.authorization !== undefined ? change(reply) : reply,
})

/** Freedoms of the resource behind the tokens. */
export const resource: readonly AuthFactor[] = [
  {
    row: 'AUTH-RESOURCE-02',
    factor: 'challenge',
    levels: [
      { name: 'of the metadata', says: 'Challenges with what it has to say.' },
      {
        name: 'with a realm',
        alone: true,
        says: 'Challenges with a realm first.',
        deviation: challenges((challenge) =>
          challenge
            .replace(/^Bearer ?/, 'Bearer realm="Shelf, the Bearer of books", ')
            .replace(/, $/, ''),
        ),
      },
      {
        name: 'without quotes',
        alone: true,
        says: 'Challenges without quotes where they can be left out.',
        deviation: challenges((challenge) =>
          challenge.replace('error="invalid_token"', 'error=invalid_token'),
        ),
      },
      {
        name: 'in small letters',
        alone: true,
        says: 'Challenges with the scheme in small letters.',
        deviation: challenges((challenge) => challenge.replace(/^Bearer/, 'bearer')),
      },
      {
        name: 'of several schemes',
        says: 'Challenges with another scheme first.',
        deviation: challenges((challenge) => `DPoP algs="ES256 RS256", ${challenge}`),
      },
      {
        name: 'scheme alone',
        says: 'Challenges with the scheme and nothing beside it.',
        deviation: challenges(() => 'Bearer'),
        warns: ['AUTH-RESOURCE-04'],
      },
    ],
  },
  {
    row: 'AUTH-RESOURCE-04',
    factor: 'refusal of tokens',
    levels: [
      { name: 'in JSON', says: 'Tells in JSON why a token is refused.' },
      {
        name: 'in a text',
        says: 'Tells in a text why a token is refused.',
        deviation: refusals((reply) => ({
          ...reply,
          raw: 'Who are you?',
          headers: { ...reply.headers, 'Content-Type': 'text/plain' },
        })),
      },
      {
        name: 'as JSON-RPC',
        says: 'Refuses tokens as MCP refuses requests.',
        deviation: refusals((reply) => ({
          ...reply,
          body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } },
        })),
      },
      {
        name: 'with 403',
        alone: true,
        says: 'Refuses tokens with status 403.',
        deviation: refusals((reply) => ({ ...reply, status: 403 })),
        warns: ['AUTH-RESOURCE-04'],
      },
    ],
  },
]

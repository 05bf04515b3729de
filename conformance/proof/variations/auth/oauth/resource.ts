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
    requirement: 'AUTH-RESOURCE-02',
    name: 'challenge',
    levels: [
      { name: 'of the metadata', description: 'Challenges with what it has to say.' },
      {
        name: 'with a realm',
        notCombined: true,
        description: 'Challenges with a realm first.',
        deviation: challenges((challenge) =>
          challenge
            .replace(/^Bearer ?/, 'Bearer realm="Shelf, the Bearer of books", ')
            .replace(/, $/, ''),
        ),
      },
      {
        name: 'without quotes',
        notCombined: true,
        description: 'Challenges without quotes where they can be left out.',
        deviation: challenges((challenge) =>
          challenge.replace('error="invalid_token"', 'error=invalid_token'),
        ),
      },
      {
        name: 'in small letters',
        notCombined: true,
        description: 'Challenges with the scheme in small letters.',
        deviation: challenges((challenge) => challenge.replace(/^Bearer/, 'bearer')),
      },
      {
        name: 'of several schemes',
        description: 'Challenges with another scheme first.',
        deviation: challenges((challenge) => `DPoP algs="ES256 RS256", ${challenge}`),
      },
      {
        name: 'scheme alone',
        description: 'Challenges with the scheme and nothing beside it.',
        deviation: challenges(() => 'Bearer'),
        unmet: ['AUTH-RESOURCE-04'],
      },
    ],
  },
  {
    requirement: 'AUTH-RESOURCE-04',
    name: 'refusal of tokens',
    levels: [
      { name: 'in JSON', description: 'Tells in JSON why a token is refused.' },
      {
        name: 'in a text',
        description: 'Tells in a text why a token is refused.',
        deviation: refusals((reply) => ({
          ...reply,
          raw: 'Who are you?',
          headers: { ...reply.headers, 'Content-Type': 'text/plain' },
        })),
      },
      {
        name: 'as JSON-RPC',
        description: 'Refuses tokens as MCP refuses requests.',
        deviation: refusals((reply) => ({
          ...reply,
          body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } },
        })),
      },
      {
        name: 'with 403',
        notCombined: true,
        description: 'Refuses tokens with status 403.',
        deviation: refusals((reply) => ({ ...reply, status: 403 })),
        unmet: ['AUTH-RESOURCE-04'],
      },
    ],
  },
]

import type { AuthDeviation } from '../../../faults/auth/fault.ts'
import type { Reply } from '../../../../../mocks/stateful/http/reply.ts'
import type { AuthFactor } from '../variation.ts'

/** Changes the WWW-Authenticate headers of refusals. */
const changeChallenge = (change: (challenge: string) => string): AuthDeviation => ({
  changeReply(endpoint, reply) {
    const challenge = reply.headers?.['WWW-Authenticate']
    return endpoint === 'resource' && challenge !== undefined
      ? { ...reply, headers: { ...reply.headers, 'WWW-Authenticate': change(challenge) } }
      : reply
  },
})

/** Changes refusals of requests with a token. */
const changeRefusal = (change: (reply: Reply) => Reply): AuthDeviation => ({
  changeReply: (endpoint, reply, { incoming }) =>
    endpoint === 'resource' && incoming.headers.authorization !== undefined ? change(reply) : reply,
})

/** Choices about the protected endpoints. */
export const resource: readonly AuthFactor[] = [
  {
    requirement: 'AUTH-RESOURCE-02',
    name: 'challenge',
    values: [
      {
        name: 'with the URL of the metadata',
        description: 'Sends a challenge that refers to its metadata.',
      },
      {
        name: 'with a realm',
        notCombined: true,
        description: 'Sends a challenge with a realm first.',
        deviation: changeChallenge((challenge) =>
          challenge
            .replace(/^Bearer ?/, 'Bearer realm="Shelf, the Bearer of books", ')
            .replace(/, $/, ''),
        ),
      },
      {
        name: 'without quotes',
        notCombined: true,
        description: 'Sends a challenge without quotes where they are optional.',
        deviation: changeChallenge((challenge) =>
          challenge.replace('error="invalid_token"', 'error=invalid_token'),
        ),
      },
      {
        name: 'in lower case',
        notCombined: true,
        description: 'Sends a challenge with the scheme in lower case.',
        deviation: changeChallenge((challenge) => challenge.replace(/^Bearer/, 'bearer')),
      },
      {
        name: 'after a challenge of another scheme',
        description: 'Sends a challenge with another scheme first.',
        deviation: changeChallenge((challenge) => `DPoP algs="ES256 RS256", ${challenge}`),
      },
      {
        name: 'only the scheme',
        description: 'Sends a challenge that consists only of the scheme.',
        deviation: changeChallenge(() => 'Bearer'),
        unmet: ['AUTH-RESOURCE-04'],
      },
    ],
  },
  {
    requirement: 'AUTH-RESOURCE-04',
    name: 'refusal of tokens',
    values: [
      { name: 'in JSON', description: 'Returns JSON when it refuses a token.' },
      {
        name: 'in plain text',
        description: 'Returns plain text when it refuses a token.',
        deviation: changeRefusal((reply) => ({
          ...reply,
          raw: 'Who are you?',
          headers: { ...reply.headers, 'Content-Type': 'text/plain' },
        })),
      },
      {
        name: 'as JSON-RPC',
        description: 'Returns a JSON-RPC error when it refuses a token.',
        deviation: changeRefusal((reply) => ({
          ...reply,
          body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } },
        })),
      },
      {
        name: 'with 403',
        notCombined: true,
        description: 'Returns 403 when it refuses a token.',
        deviation: changeRefusal((reply) => ({ ...reply, status: 403 })),
        unmet: ['AUTH-RESOURCE-04'],
      },
    ],
  },
]

import { fault } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { endpoints, refuseAt, type FaultyEndpoint } from '../one-endpoint.ts'

const { postInSession, getInSession, deleteInSession, events, messages } = endpoints

/**
 * The endpoints other than POST /mcp. The faults in other files are already visible at POST /mcp.
 */
const others = [postInSession, getInSession, deleteInSession, events, messages] as const
const ofSse = [events, messages] as const

const atEach = (
  where: readonly FaultyEndpoint[],
  newFault: (endpoint: FaultyEndpoint) => AuthFault,
): AuthFault[] => where.map(newFault)

/** Faults of refusals at one endpoint of a server that refuses correctly at all other endpoints. */
export const refusalsAtOneEndpoint: readonly AuthFault[] = [
  ...atEach(others, (endpoint) =>
    fault(
      `absent-403-at-${endpoint.name}`,
      `Returns 403 without an Authorization header, at ${endpoint.description} only.`,
      ['AUTH-JWT-02'],
      refuseAt(endpoint, 401, { status: 403 }),
    ),
  ),
  ...atEach(others, (endpoint) =>
    fault(
      `invalid-401-at-${endpoint.name}`,
      `Returns 401 for invalid tokens, at ${endpoint.description} only.`,
      ['AUTH-JWT-04'],
      refuseAt(endpoint, 403, { status: 401 }),
    ),
  ),
  ...atEach(ofSse, (endpoint) =>
    fault(
      `absent-without-text-at-${endpoint.name}`,
      `Returns an empty body without an Authorization header, at ${endpoint.description} only.`,
      ['AUTH-JWT-03'],
      refuseAt(endpoint, 401, { text: '' }),
    ),
  ),
  ...atEach(ofSse, (endpoint) =>
    fault(
      `invalid-off-topic-at-${endpoint.name}`,
      `Does not say that a token is invalid, at ${endpoint.description} only.`,
      ['AUTH-JWT-05'],
      refuseAt(endpoint, 403, { text: 'Nothing to see' }),
    ),
  ),
  ...atEach(ofSse, (endpoint) =>
    fault(
      `refusal-with-a-stack-at-${endpoint.name}`,
      `Returns a stack trace for an invalid token, at ${endpoint.description} only.`,
      ['AUTH-JWT-17'],
      refuseAt(endpoint, 403, {
        text: 'Error: token is invalid\n    at verify (/srv/shelf/sse.js:20:11)',
      }),
    ),
  ),
  ...atEach(ofSse, (endpoint) =>
    fault(
      `challenge-missing-at-${endpoint.name}`,
      `Sends no challenge with 401, at ${endpoint.description} only.`,
      ['AUTH-JWT-31'],
      refuseAt(endpoint, 401, { challenge: undefined }),
    ),
  ),
]

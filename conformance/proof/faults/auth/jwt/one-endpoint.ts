import { fault } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { endpoints, refuseAt, type FaultyEndpoint } from '../one-endpoint.ts'

const { postInSession, getInSession, deleteInSession, events, messages } = endpoints

/**
 * The endpoints other than POST /mcp. The faults in other files are already visible at POST /mcp.
 */
const others = [postInSession, getInSession, deleteInSession, events, messages] as const
const ofSse = [events, messages] as const

interface RefusalFault {
  readonly name: string
  readonly description: string
  readonly violates: AuthFault['violates']
  /** The status of the refusals that change. */
  readonly status: 401 | 403
  readonly change: Parameters<typeof refuseAt>[2]
}

/** Makes the same fault for each of these endpoints. */
const atEach = (
  faultyEndpoints: readonly FaultyEndpoint[],
  { name, description, violates, status, change }: RefusalFault,
): AuthFault[] =>
  faultyEndpoints.map((endpoint) =>
    fault(
      `${name}-at-${endpoint.name}`,
      `${description}, at ${endpoint.description} only.`,
      violates,
      refuseAt(endpoint, status, change),
    ),
  )

/** Faults of refusals at one endpoint of a server that refuses correctly at all other endpoints. */
export const refusalsAtOneEndpoint: readonly AuthFault[] = [
  ...atEach(others, {
    name: 'absent-403',
    description: 'Returns 403 without an Authorization header',
    violates: ['AUTH-JWT-02'],
    status: 401,
    change: { status: 403 },
  }),
  ...atEach(others, {
    name: 'invalid-401',
    description: 'Returns 401 for invalid tokens',
    violates: ['AUTH-JWT-04'],
    status: 403,
    change: { status: 401 },
  }),
  ...atEach(ofSse, {
    name: 'absent-without-text',
    description: 'Returns an empty body without an Authorization header',
    violates: ['AUTH-JWT-03'],
    status: 401,
    change: { text: '' },
  }),
  ...atEach(ofSse, {
    name: 'invalid-off-topic',
    description: 'Does not say that a token is invalid',
    violates: ['AUTH-JWT-05'],
    status: 403,
    change: { text: 'Nothing to see' },
  }),
  ...atEach(ofSse, {
    name: 'refusal-with-a-stack',
    description: 'Returns a stack trace for an invalid token',
    violates: ['AUTH-JWT-17'],
    status: 403,
    change: { text: 'Error: token is invalid\n    at verify (/srv/shelf/sse.js:20:11)' },
  }),
  ...atEach(ofSse, {
    name: 'challenge-missing',
    description: 'Sends no challenge with 401',
    violates: ['AUTH-JWT-31'],
    status: 401,
    change: { challenge: undefined },
  }),
]

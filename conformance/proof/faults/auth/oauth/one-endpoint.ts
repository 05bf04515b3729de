import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, replaceRules } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { endpoints, isAtEndpoint, refuseAt } from '../one-endpoint.ts'
import { acceptInstead, inQuery } from './accept-instead.ts'

const { events, postInSession, getInSession, deleteInSession } = endpoints
const inSession = [postInSession, getInSession, deleteInSession] as const

/** Faults at one protected endpoint of a server that is correct at all other endpoints. */
export const atOneEndpoint: readonly AuthFault[] = [
  ...[endpoints.get, endpoints.delete, events].map((endpoint) =>
    fault(
      `no-token-is-403-at-${endpoint.name}`,
      `Returns 403 for a request without a token, at ${endpoint.description} only.`,
      ['AUTH-RESOURCE-02'],
      refuseAt(endpoint, 401, { status: 403 }),
    ),
  ),
  fault(
    'invalid-token-without-an-error-code-at-sse',
    'Returns a challenge without an error for an unknown token, at GET /sse only.',
    ['AUTH-RESOURCE-04'],
    refuseAt(events, 401, { challenge: 'Bearer' }),
  ),
  // DELETE has no such fault, because the suite sends no token in the query of DELETE. If the
  // server accepted the request, it would end a session that other checks use.
  ...inSession
    .filter((endpoint) => endpoint.method !== 'DELETE')
    .map((endpoint) =>
      fault(
        `token-in-query-at-${endpoint.name}`,
        `Accepts tokens in the query, at ${endpoint.description} only.`,
        ['AUTH-RESOURCE-05'],
        acceptInstead(
          (_, request, { access }) =>
            isAtEndpoint(endpoint, request) && access.includes(inQuery(request) ?? ''),
        ),
      ),
    ),
  fault(
    'code-is-a-token-at-sse',
    'Accepts codes as access tokens, at GET /sse only.',
    ['AUTH-RESOURCE-06'],
    acceptInstead(
      (token, request, { codes }) => isAtEndpoint(events, request) && codes.includes(token ?? ''),
    ),
  ),
  fault(
    'stream-of-a-session-without-a-token',
    'Requires no token for GET in a session.',
    ['AUTH-RESOURCE-07'],
    acceptInstead((token, request) => token === undefined && isAtEndpoint(getInSession, request)),
  ),
  fault(
    'scheme-is-case-sensitive-at-sse',
    'At GET /sse, accepts the scheme only if it is written Bearer.',
    ['AUTH-RESOURCE-08'],
    replaceRules({
      oauth: {
        bearerTokenOf: (request) =>
          isAtEndpoint(events, request) && !/^Bearer /.test(request.headers.authorization ?? '')
            ? undefined
            : defaultRules.bearerTokenOf(request),
      },
    }),
  ),
]

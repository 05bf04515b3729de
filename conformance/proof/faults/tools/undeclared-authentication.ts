import type { TransportName } from '../../../../mocks/stateful/tools.ts'
import { onHttpRequest, fault, over, pathOf, type MakeToolsDeviation } from './building.ts'

/** Requires a token at some paths, although the target file declares no authentication. */
const requireToken = (
  status: 401 | 403,
  transports: readonly TransportName[],
  paths: readonly string[],
): MakeToolsDeviation =>
  over(
    transports,
    onHttpRequest((request, response, hit) => {
      if (!paths.includes(pathOf(request)) || request.headers.authorization !== undefined)
        return false
      hit()
      request.resume()
      response
        .writeHead(status, { 'content-type': 'text/plain' })
        .end(status === 401 ? 'Unauthorized' : 'Forbidden')
      return true
    }),
  )

/** Servers that require authentication without declaring it. */
export const undeclaredAuthentication = [
  fault(
    'undeclared-authentication',
    'Returns 401 for requests without a token, although its target file declares no authentication.',
    ['AUTH-NONE-01'],
    requireToken(401, ['http'], ['/mcp']),
  ),
  fault(
    'undeclared-authorization',
    'Returns 403 for requests without a token, although its target file declares no authentication.',
    ['AUTH-NONE-01'],
    requireToken(403, ['http'], ['/mcp']),
  ),
  fault(
    'undeclared-authentication-for-events',
    'Returns 401 without a token over HTTP+SSE, although its target file declares no authentication.',
    ['AUTH-NONE-01'],
    requireToken(401, ['http', 'sse'], ['/sse', '/messages']),
  ),
]

import type { TransportName } from '../../../../mocks/stateful/tools.ts'
import { door, fault, over, pathOf, type MakeToolsDeviation } from './building.ts'

/** Sends whoever brings no token away from some paths, though its target file tells of none. */
const guards = (
  status: 401 | 403,
  transports: readonly TransportName[],
  paths: readonly string[],
): MakeToolsDeviation =>
  over(
    transports,
    door((request, response, hit) => {
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

/** Servers without authentication that do not serve whoever knows the URL. */
export const strangers = [
  fault(
    'token-asked-for',
    'Asks for a token of which nobody was told.',
    ['AUTH-NONE-01'],
    guards(401, ['http'], ['/mcp']),
  ),
  fault(
    'stranger-forbidden',
    'Forbids strangers to come.',
    ['AUTH-NONE-01'],
    guards(403, ['http'], ['/mcp']),
  ),
  fault(
    'token-asked-for-events',
    'Asks for a token of which nobody was told where events stream.',
    ['AUTH-NONE-01'],
    guards(401, ['http', 'sse'], ['/sse', '/messages']),
  ),
]

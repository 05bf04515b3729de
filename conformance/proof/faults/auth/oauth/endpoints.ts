import type { AuthFault } from '../fault.ts'
import { onHttpRequest, fault, type MakeAuthDeviation, onReply, pathOf } from '../building.ts'
import { combine } from './building.ts'

/** Moves an endpoint; the metadata contains the new path. */
const movedEndpoint = (path: string, member: string): MakeAuthDeviation =>
  combine(
    onHttpRequest((request, response, hit) => {
      const newPath = `/oauth${path}`
      if (pathOf(request) === newPath) {
        request.url = (request.url ?? '').replace(newPath, path)
        return false
      }
      if (pathOf(request) !== path) return false
      hit()
      response.writeHead(404).end()
      return true
    }),
    onReply((reply, _request, endpoint) => {
      const body = reply.body as Record<string, string> | undefined
      return endpoint === 'server metadata' && body?.[member] !== undefined
        ? { ...reply, body: { ...body, [member]: body[member].replace(path, `/oauth${path}`) } }
        : undefined
    }),
  )

/** Refuses one method at an endpoint. */
const withoutMethod = (method: string, path: string): MakeAuthDeviation =>
  onHttpRequest((request, response, hit) => {
    if (pathOf(request) !== path || request.method !== method) return false
    hit()
    response.writeHead(405, { Allow: method === 'GET' ? 'POST' : 'GET' }).end()
    return true
  })

/** Faults in the paths and methods of endpoints. */
export const endpoints: readonly AuthFault[] = [
  fault(
    'authorize-is-elsewhere',
    'Has the authorization endpoint at /oauth/authorize.',
    ['AUTH-ENDPOINT-01'],
    movedEndpoint('/authorize', 'authorization_endpoint'),
  ),
  fault(
    'authorize-refuses-get',
    'Returns 405 for GET /authorize.',
    ['AUTH-ENDPOINT-01'],
    withoutMethod('GET', '/authorize'),
  ),
  fault(
    'token-is-elsewhere',
    'Has the token endpoint at /oauth/token.',
    ['AUTH-ENDPOINT-02'],
    movedEndpoint('/token', 'token_endpoint'),
  ),
  fault(
    'token-refuses-post',
    'Returns 405 for POST /token.',
    ['AUTH-ENDPOINT-02'],
    withoutMethod('POST', '/token'),
  ),
  fault(
    'register-is-elsewhere',
    'Has the registration endpoint at /oauth/register.',
    ['AUTH-ENDPOINT-03'],
    movedEndpoint('/register', 'registration_endpoint'),
  ),
  fault(
    'register-refuses-post',
    'Returns 405 for POST /register.',
    ['AUTH-ENDPOINT-03'],
    withoutMethod('POST', '/register'),
  ),
]

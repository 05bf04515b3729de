import type { AuthFault } from '../fault.ts'
import { door, fault, type MakeAuthDeviation, onReply, pathOf } from '../building.ts'
import { both } from './building.ts'

/** An endpoint that is elsewhere, as the metadata say. */
const moved = (path: string, member: string): MakeAuthDeviation =>
  both(
    door((request, response, hit) => {
      const there = `/oauth${path}`
      if (pathOf(request) === there) {
        request.url = (request.url ?? '').replace(there, path)
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

/** An endpoint that knows another method alone. */
const closedTo = (method: string, path: string): MakeAuthDeviation =>
  door((request, response, hit) => {
    if (pathOf(request) !== path || request.method !== method) return false
    hit()
    response.writeHead(405, { Allow: method === 'GET' ? 'POST' : 'GET' }).end()
    return true
  })

/** Faults of where the endpoints are. */
export const endpoints: readonly AuthFault[] = [
  fault(
    'authorize-is-elsewhere',
    'Asks users at /oauth/authorize.',
    ['AUTH-ENDPOINT-01'],
    moved('/authorize', 'authorization_endpoint'),
  ),
  fault(
    'authorize-knows-no-get',
    'Answers GET /authorize with 405.',
    ['AUTH-ENDPOINT-01'],
    closedTo('GET', '/authorize'),
  ),
  fault(
    'token-is-elsewhere',
    'Gives tokens at /oauth/token.',
    ['AUTH-ENDPOINT-02'],
    moved('/token', 'token_endpoint'),
  ),
  fault(
    'token-knows-no-post',
    'Answers POST /token with 405.',
    ['AUTH-ENDPOINT-02'],
    closedTo('POST', '/token'),
  ),
  fault(
    'register-is-elsewhere',
    'Registers clients at /oauth/register.',
    ['AUTH-ENDPOINT-03'],
    moved('/register', 'registration_endpoint'),
  ),
  fault(
    'register-knows-no-post',
    'Answers POST /register with 405.',
    ['AUTH-ENDPOINT-03'],
    closedTo('POST', '/register'),
  ),
]

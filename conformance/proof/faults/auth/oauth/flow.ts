import {
  onHttpRequest,
  fault,
  withChoices,
  type MakeAuthDeviation,
  onReply,
  pathOf,
} from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { changeRedirect } from './redirects.ts'

/**
 * Makes a deviation that returns 403 at one path to requests whose User-Agent is oauth4webapi. The
 * suite uses this independent client library to test a whole flow.
 */
const refuseUntestedClients = (path: string): MakeAuthDeviation =>
  onHttpRequest((request, response, hit) => {
    if (pathOf(request) !== path || !/^oauth4webapi/.test(request.headers['user-agent'] ?? ''))
      return
    hit()
    request.resume()
    response
      .writeHead(403, { 'Content-Type': 'application/json' })
      .end('{"error":"access_denied","error_description":"This client is not supported"}')
    return true
  })

/** Changes redirects that contain a code and a state. */
const changeCodeRedirect = (change: (url: URL) => void): MakeAuthDeviation =>
  onReply((reply) =>
    changeRedirect(reply, (url) => {
      if (!url.searchParams.has('code') || !url.searchParams.has('state')) return false
      change(url)
      return true
    }),
  )

/** Adds members to successful token responses of one grant type. */
const addToTokenReply = (
  grant: 'authorization_code' | 'refresh_token',
  more: Readonly<Record<string, unknown>>,
): MakeAuthDeviation =>
  onReply((reply, { parameters }, endpoint) =>
    endpoint === 'token' && reply.status === 200 && parameters?.get('grant_type') === grant
      ? { ...reply, body: { ...(reply.body as object), ...more } }
      : undefined,
  )

/** Faults that an independent client library notices. */
export const flow: readonly AuthFault[] = [
  fault(
    'metadata-for-known-clients',
    'Returns metadata only to clients with a known User-Agent.',
    ['AUTH-FLOW-01'],
    refuseUntestedClients('/.well-known/oauth-authorization-server'),
  ),
  fault(
    'registration-for-known-clients',
    'Registers only clients with a known User-Agent.',
    ['AUTH-FLOW-01'],
    refuseUntestedClients('/register'),
  ),
  fault(
    'tools-for-known-clients',
    'Serves tools only to clients with a known User-Agent.',
    ['AUTH-FLOW-01'],
    refuseUntestedClients('/mcp'),
  ),
  fault(
    'redirect-with-a-foreign-issuer',
    'Redirects back with the issuer of another server, although its metadata does not announce iss.',
    ['AUTH-FLOW-01'],
    withChoices(
      { oauth: { includesIssuer: false } },
      changeCodeRedirect((url) => url.searchParams.set('iss', 'https://issuer.example')),
    ),
  ),
  fault(
    'issuer-comes-twice',
    'Redirects back with the issuer twice.',
    ['AUTH-FLOW-01'],
    changeCodeRedirect((url) => url.searchParams.append('iss', url.searchParams.get('iss') ?? '')),
  ),
  fault(
    'code-comes-twice',
    'Redirects back with the code twice.',
    ['AUTH-FLOW-01'],
    changeCodeRedirect((url) =>
      url.searchParams.append('code', url.searchParams.get('code') ?? ''),
    ),
  ),
  fault(
    'scope-is-a-list',
    'Returns the scope of a token as a list.',
    ['AUTH-FLOW-01'],
    addToTokenReply('authorization_code', { scope: ['shelf:read', 'shelf:write'] }),
  ),
  fault(
    'refresh-token-is-an-object',
    'Returns a refresh token inside an object.',
    ['AUTH-FLOW-01', 'AUTH-REFRESH-01'],
    addToTokenReply('authorization_code', { refresh_token: { value: 'x' } }),
  ),
  fault(
    'renewed-scope-is-a-list',
    'Returns the scope of a renewed token as a list.',
    ['AUTH-FLOW-01'],
    addToTokenReply('refresh_token', { scope: ['shelf:read', 'shelf:write'] }),
  ),
]

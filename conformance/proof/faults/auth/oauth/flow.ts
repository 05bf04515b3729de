import { door, fault, hosted, type MakeAuthDeviation, onReply, pathOf } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { redirected } from './redirected.ts'

/** Refuses programs that its maker has not tried, at one path. */
const forKnownPrograms = (path: string): MakeAuthDeviation =>
  door((request, response, hit) => {
    if (pathOf(request) !== path || !/^oauth4webapi/.test(request.headers['user-agent'] ?? ''))
      return
    hit()
    request.resume()
    response
      .writeHead(403, { 'Content-Type': 'application/json' })
      .end('{"error":"access_denied","error_description":"This program is not supported"}')
    return true
  })

/** Changes the address to which a browser is sent back with a code. */
const sentBackWith = (change: (url: URL) => void): MakeAuthDeviation =>
  onReply((reply) =>
    redirected(reply, (url) => {
      if (!url.searchParams.has('code') || !url.searchParams.has('state')) return false
      change(url)
      return true
    }),
  )

/** Changes what tokens are told with: those of a code, or of a refresh token. */
const toldWith = (
  grant: 'authorization_code' | 'refresh_token',
  more: Readonly<Record<string, unknown>>,
): MakeAuthDeviation =>
  onReply((reply, { parameters }, endpoint) =>
    endpoint === 'token' && reply.status === 200 && parameters?.get('grant_type') === grant
      ? { ...reply, body: { ...(reply.body as object), ...more } }
      : undefined,
  )

/** Faults of the flow as a whole: what a client by somebody else meets. */
export const flow: readonly AuthFault[] = [
  fault(
    'metadata-for-known-programs',
    'Metadata are for the programs that the server knows, by their User-Agent.',
    ['AUTH-FLOW-01'],
    forKnownPrograms('/.well-known/oauth-authorization-server'),
  ),
  fault(
    'registration-for-known-programs',
    'Only programs that the server knows, by their User-Agent, may register.',
    ['AUTH-FLOW-01'],
    forKnownPrograms('/register'),
  ),
  fault(
    'tools-for-known-programs',
    'Only programs that the server knows, by their User-Agent, are served.',
    ['AUTH-FLOW-01'],
    forKnownPrograms('/mcp'),
  ),
  fault(
    'sent-back-with-a-foreign-issuer',
    'Users come back with the issuer of somebody else, of which the metadata say nothing.',
    ['AUTH-FLOW-01'],
    hosted(
      { oauth: { includesIssuer: false } },
      sentBackWith((url) => url.searchParams.set('iss', 'https://issuer.example')),
    ),
  ),
  fault(
    'issuer-comes-twice',
    'Users come back with the issuer twice.',
    ['AUTH-FLOW-01'],
    sentBackWith((url) => url.searchParams.append('iss', url.searchParams.get('iss') ?? '')),
  ),
  fault(
    'code-comes-twice',
    'Users come back with the code twice.',
    ['AUTH-FLOW-01'],
    sentBackWith((url) => url.searchParams.append('code', url.searchParams.get('code') ?? '')),
  ),
  fault(
    'scope-told-as-a-list',
    'The scope of a token is told as a list.',
    ['AUTH-FLOW-01'],
    toldWith('authorization_code', { scope: ['shelf:read', 'shelf:write'] }),
  ),
  fault(
    'refresh-token-told-as-an-object',
    'A refresh token is told as an object that holds it.',
    ['AUTH-FLOW-01', 'AUTH-REFRESH-01'],
    toldWith('authorization_code', { refresh_token: { value: 'x' } }),
  ),
  fault(
    'renewed-scope-told-as-a-list',
    'The scope of a renewed token is told as a list.',
    ['AUTH-FLOW-01'],
    toldWith('refresh_token', { scope: ['shelf:read', 'shelf:write'] }),
  ),
]

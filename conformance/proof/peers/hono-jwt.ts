import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify } from 'hono/jwt'
import type { Target } from '../../target.ts'
import { newEventHandlers, newStreamableHandler } from './oidc-provider/transports.ts'
import type { AuthenticatedRequest } from './oidc-provider/guard.ts'

export interface JwtPeer {
  /** The `tools` section of a target file. */
  tools: { http: string; sse: string; auth: NonNullable<Target['tools']>['auth'] }
  close(): Promise<void>
}

const [issuer, audience] = ['https://issuer.example', 'shelf']

/**
 * Starts a tool server that uses the official SDK and verifies tokens with Hono. It listens at a
 * free port of the loopback address.
 */
export async function startHonoJwt(): Promise<JwtPeer> {
  const secret = randomBytes(32).toString('base64url')
  const [streamable, events] = [newStreamableHandler(), newEventHandlers()]
  const handlers = new Map([
    ['/mcp', streamable],
    ['/sse', events.open],
    ['/messages', events.post],
  ])

  const handle = async (request: AuthenticatedRequest, response: ServerResponse): Promise<void> => {
    const handler = handlers.get(new URL(request.url ?? '/', 'http://shelf').pathname)
    if (handler === undefined) return void response.writeHead(404).end()
    const { authorization } = request.headers
    if (authorization === undefined)
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Unauthorized')
    const [scheme, token] = authorization.split(' ')
    const claims =
      scheme !== 'Bearer' || token === undefined
        ? undefined
        : await verify(token, secret, { alg: 'HS256', iss: issuer, aud: audience }).catch(
            () => undefined,
          )
    if (claims === undefined) return void response.writeHead(403).end('Invalid token')
    request.auth = { token: token!, clientId: '', scopes: [], extra: { user: claims['sub'] } }
    await handler(request, response)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      auth: { pattern: 'jwt', secret, issuer, audience },
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from '../../target.ts'
import { newEventHandlers, newStreamableHandler } from './oidc-provider/transports.ts'
import {
  describeResource,
  newTokenGuard,
  type AuthenticatedRequest,
} from './oidc-provider/guard.ts'
import { newInteraction } from './oidc-provider/interaction.ts'
import { newProvider, scope } from './oidc-provider/provider.ts'
import { firstUser } from './oidc-provider/users.ts'

export interface OidcPeer {
  /** The `tools` section of a target file. */
  tools: {
    http: string
    sse: string
    calls: Record<string, Record<string, unknown>>
    auth: NonNullable<Target['tools']>['auth']
  }
  close(): Promise<void>
}

/**
 * Starts the package oidc-provider as the authorization server of a small tool server, in this
 * process, on a free port of the loopback address.
 */
export async function startOidcProvider(): Promise<OidcPeer> {
  let serve: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    serve = await newListener(origin)
  } catch (error) {
    await close()
    throw error
  }
  const { login, password } = firstUser
  return {
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      calls: { shelf_list_books: {}, shelf_get_book: { id: 'b-001' }, shelf_show_user: {} },
      auth: {
        pattern: 'oauth-provider',
        url: origin,
        scope,
        consent: 'form',
        form: { login, password },
        whoami: { tool: 'shelf_show_user', arguments: {} },
      },
    },
    close,
  }
}

/**
 * Serves the endpoints of the tool server to requests with a valid token, and the metadata of these
 * endpoints. All other paths belong to the provider.
 */
async function newListener(origin: string): Promise<RequestListener> {
  const provider = await newProvider(origin)
  const interact = newInteraction(provider)
  const hasAccess = newTokenGuard(provider, origin)
  const streamable = newStreamableHandler()
  const events = newEventHandlers()
  const handlers = new Map([
    ['/mcp', streamable],
    ['/sse', events.open],
    ['/messages', events.post],
  ])
  const serveProvider = provider.callback()

  const handle = async (request: AuthenticatedRequest, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', origin).pathname
    const handler = handlers.get(path)
    if (handler !== undefined) {
      if (!isAllowedOrigin(request, origin)) return void response.writeHead(403).end()
      if (await hasAccess(request, response, path)) await handler(request, response)
      return
    }
    const resource = request.method === 'GET' ? describeResource(origin, path) : undefined
    if (resource !== undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(resource))
    if (path.startsWith('/interaction/')) return interact(request, response)
    await serveProvider(request, response)
  }
  return (request, response) => {
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
}

/**
 * Pages of other origins must not send requests to the tool server, even with valid credentials.
 */
const isAllowedOrigin = ({ headers }: AuthenticatedRequest, origin: string): boolean =>
  headers.origin === undefined || headers.origin === origin

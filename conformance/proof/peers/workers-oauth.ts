import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from '../../target.ts'
import { newEventHandlers, newStreamableHandler } from './oidc-provider/transports.ts'
import type { AuthenticatedRequest } from './oidc-provider/guard.ts'
import { firstUser, type Profile } from './oidc-provider/users.ts'
import { IdentityClient, identityClient } from './workers-oauth/identity.ts'
import { MemoryNamespace } from './workers-oauth/kv.ts'
import { loadLibrary } from './workers-oauth/library.ts'
import { PagesHandler } from './workers-oauth/pages-handler.ts'

type WorkersPattern = 'oauth-proxy' | 'oauth-provider'

export interface WorkersOAuthPeer {
  /** The `tools` section of a target file. */
  tools: NonNullable<Target['tools']>
  close(): Promise<void>
}

const scope = 'shelf:read'

/**
 * Starts the package @cloudflare/workers-oauth-provider as the authorization server of a small tool
 * server, in this process, on a free port of the loopback address.
 */
export async function startWorkersOAuth(pattern: WorkersPattern): Promise<WorkersOAuthPeer> {
  let serve: Fetch = async () => new Response(null, { status: 503 })
  const server = createAdaptorServer({
    fetch: (request, env) => serve(request, env as HttpBindings),
    overrideGlobalObjects: false,
  }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    serve = await newWorker(origin, pattern)
  } catch (error) {
    await close()
    throw error
  }
  const { login, password } = firstUser
  const { clientId, clientSecret, scopes } = identityClient
  return {
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      calls: { shelf_list_books: {}, shelf_get_book: { id: 'b-001' }, shelf_show_user: {} },
      auth: {
        pattern,
        url: origin,
        scope,
        consent: 'form',
        whoami: { tool: 'shelf_show_user', arguments: {} },
        ...(pattern === 'oauth-provider'
          ? { form: { login, password } }
          : { upstream: { clientId, clientSecret, scopes, control: `${origin}/identity` } }),
      },
    },
    close,
  }
}

type Fetch = (request: Request, env: HttpBindings) => Promise<Response>

/** A worker that is both the authorization server and the protected tool server. */
async function newWorker(origin: string, pattern: WorkersPattern): Promise<Fetch> {
  const { OAuthProvider } = await loadLibrary()
  const events = newEventHandlers()
  const provider = new OAuthProvider({
    apiHandlers: {
      '/mcp': newApiHandler(origin, newStreamableHandler()),
      '/sse': newApiHandler(origin, events.open),
      '/messages': newApiHandler(origin, events.post),
    },
    defaultHandler: new PagesHandler(
      pattern === 'oauth-proxy' ? new IdentityClient(origin) : undefined,
    ) as never,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/token',
    clientRegistrationEndpoint: '/register',
    scopesSupported: [scope, 'offline_access'],
    resourceMetadata: { resource: origin, authorization_servers: [origin] },
    requiredScopes: [scope],
    // By default, it logs every error response.
    onError: () => {},
  })
  const namespace = new MemoryNamespace()
  return (request, bindings) =>
    provider.fetch(
      request,
      { ...bindings, OAUTH_KV: namespace } as never,
      { waitUntil: () => {}, passThroughOnException: () => {} } as never,
    )
}

/** Serves an endpoint of the tool server to requests that the provider has authorized. */
function newApiHandler(
  origin: string,
  handle: ReturnType<typeof newStreamableHandler>,
): { fetch(request: Request, env: unknown, context: unknown): Promise<Response> } {
  return {
    async fetch(_request, env, context) {
      const { incoming, outgoing } = env as HttpBindings
      const { props } = context as { props: Profile & { id: string } }
      if (incoming.headers.origin !== undefined && incoming.headers.origin !== origin)
        return new Response(null, { status: 403 })
      const request = incoming as AuthenticatedRequest
      request.auth = {
        token: '',
        clientId: '',
        scopes: [scope],
        extra: { user: props.id, profile: props },
      }
      await handle(request, outgoing as never)
      // The handler has responded by itself.
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
    },
  }
}

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from '../../target.ts'
import { newEventDoor, newStreamableDoor } from './oidc-provider/doors.ts'
import { describeResource, newGuard, type Known } from './oidc-provider/guard.ts'
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

/** Starts an authorization server by others, npm's oidc-provider, and in front of a small shelf of its own asks for its tokens. All in this process, on a free port of the loopback address. */
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
    serve = await newServe(origin)
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

/** What is the shelf's goes through its guard; everything else is the provider's. */
async function newServe(origin: string): Promise<RequestListener> {
  const provider = await newProvider(origin)
  const interact = newInteraction(provider)
  const mayPass = newGuard(provider, origin)
  const streamable = newStreamableDoor()
  const events = newEventDoor()
  const guarded = new Map([
    ['/mcp', streamable],
    ['/sse', events.open],
    ['/messages', events.post],
  ])
  const rest = provider.callback()

  const answer = async (request: Known, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', origin).pathname
    const door = guarded.get(path)
    if (door !== undefined) {
      if (!isOurs(request, origin)) return void response.writeHead(403).end()
      if (await mayPass(request, response, path)) await door(request, response)
      return
    }
    const resource = request.method === 'GET' ? describeResource(origin, path) : undefined
    if (resource !== undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(resource))
    if (path.startsWith('/interaction/')) return interact(request, response)
    await rest(request, response)
  }
  return (request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
}

/** Pages of other origins may not speak to the shelf, whatever their browser would send along. */
const isOurs = ({ headers }: Known, origin: string): boolean =>
  headers.origin === undefined || headers.origin === origin

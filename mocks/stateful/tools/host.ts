import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import { defaultForm, Refusal } from '../http/reply.ts'
import { send } from '../http/send.ts'
import { listen, closeServer } from '../http/server.ts'
import { named, pathOf } from './auth/guard.ts'
import type { OAuthGuard } from './auth/oauth.ts'
import type { ToolsContext, Serve } from './call.ts'
import { newEventDoor } from './sse.ts'
import { newStreamableDoor } from './streamable.ts'

interface Host {
  /**
   * Starts listening on the loopback address and gives the origin. A taken port rejects with its
   * `code` and `port`.
   */
  listen(port: number): Promise<string>
  /** Ends all sessions and connections at once. */
  close(): Promise<void>
}

/** Where a pattern of authentication asks who comes. */
const guarded: readonly string[] = ['/mcp', '/sse', '/messages']

/**
 * Both HTTP transports on one port, and the ways to point the server at another upstream or
 * identity provider and to set its clock.
 */
export function newHost(context: ToolsContext, hook: boolean): Host {
  const {
    guard,
    places: { intercept = (_request, _response, next) => next() },
  } = context
  const [streamable, events] = [newStreamableDoor(context), newEventDoor(context)]
  const ways: Readonly<Record<string, Serve>> = {
    '/mcp': streamable,
    '/sse': events.open,
    '/messages': events.post,
    ...(hook
      ? {
          '/_touchstone/upstream': redirection(context),
          '/_touchstone/clock': setting(context),
          '/_touchstone/identity': sending(context),
        }
      : {}),
  }
  const serve: Serve = async (request, response) => {
    // The authorization endpoints are for the browsers of users and for clients in web pages too.
    const own = guard.own(request)
    if (own !== undefined) return send(request, response, await own, defaultForm)
    const { origin } = request.headers
    if (origin !== undefined && !context.rules.trusts(origin))
      throw new Refusal(403, 'This origin may not talk to the server', -32000)
    const way = ways[pathOf(request)]
    if (way === undefined) throw new Refusal(404, 'There is nothing here', -32601)
    if (guarded.includes(pathOf(request))) {
      const admission = await guard.admit(request)
      if ('reply' in admission) return send(request, response, admission.reply, defaultForm)
      named(request, admission.user)
    }
    await way(request, response)
  }
  const allowed = allowedBy(context)
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.on('error', () => {})
    intercept(request, response, () => {
      serve(request, response).catch((error: unknown) => refuse(request, response, error, allowed))
    })
  })
  return {
    async listen(port) {
      const origin = await listen(server, port)
      guard.opened(origin)
      return origin
    },
    async close() {
      await Promise.allSettled([...context.sessions.values()].map((session) => session.close()))
      await closeServer(server)
    },
  }
}

/** What may be done at each path that does not take everything: a 405 has to say so. */
function allowedBy({
  choices: { sessions, getStream, deletes },
}: ToolsContext): Readonly<Record<string, string>> {
  return {
    '/mcp': [
      'POST',
      ...(sessions && getStream ? ['GET'] : []),
      ...(sessions && deletes ? ['DELETE'] : []),
    ].join(', '),
    '/sse': 'GET',
    '/messages': 'POST',
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  allowed: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const {
    status,
    message,
    code = -32000,
  } = error instanceof Refusal ? error : new Refusal(500, 'Internal error', -32603)
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  send(
    request,
    response,
    {
      status,
      body,
      ...(status === 405 ? { headers: { Allow: allowed[pathOf(request)] ?? 'POST' } } : {}),
    },
    defaultForm,
  )
}

const redirection =
  ({ upstream }: ToolsContext): Serve =>
  async (request, response) => {
    upstream.url = (await urlIn(request)) ?? upstream.home
    send(request, response, { status: 200, body: { url: upstream.url } }, defaultForm)
  }

const sending =
  ({ guard }: ToolsContext): Serve =>
  async (request, response) => {
    const url = await urlIn(request)
    if (!('sendTo' in guard)) throw new Refusal(404, 'There is no identity provider', -32601)
    const { sendTo } = guard as OAuthGuard
    sendTo(url ?? undefined)
    send(request, response, { status: 200, body: { url } }, defaultForm)
  }

/** The URL that a hook is told; null for the one that held in the beginning. */
async function urlIn(request: IncomingMessage): Promise<string | null> {
  const given =
    request.method === 'POST' ? jsonOf(await readBody(request, 10_000))?.value : undefined
  const url = isObject(given) ? given['url'] : undefined
  if (url === null) return null
  if (typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url)) return url
  throw new Refusal(400, 'POST {"url": URL or null}', -32600)
}

const setting =
  ({ clock }: ToolsContext): Serve =>
  async (request, response) => {
    const given =
      request.method === 'POST' ? jsonOf(await readBody(request, 10_000))?.value : undefined
    const seconds = isObject(given) ? given['offsetSeconds'] : undefined
    if (typeof seconds !== 'number' || !Number.isFinite(seconds))
      throw new Refusal(400, 'POST {"offsetSeconds": a number of seconds}', -32600)
    clock.move(seconds * 1000)
    send(request, response, { status: 200, body: { offsetSeconds: seconds } }, defaultForm)
  }

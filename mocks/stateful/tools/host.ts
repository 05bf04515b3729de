import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { restartDisturbers } from '../../serving/disturb.ts'
import { note } from '../../serving/notes.ts'
import { applyServing, type Serving } from '../../serving/serving.ts'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import { defaultForm, Refusal } from '../http/reply.ts'
import { send } from '../http/send.ts'
import { listen, closeServer } from '../http/server.ts'
import { attachUser, pathOf } from './auth/guard.ts'
import type { OAuthGuard } from './auth/oauth.ts'
import type { ToolsContext, RequestHandler } from './call.ts'
import type { ToolsChoices } from './choices.ts'
import { newSseEndpoint } from './sse.ts'
import { newStreamableEndpoint } from './streamable.ts'

interface Host {
  /**
   * Starts listening on the loopback address and returns the origin. If the port is in use, rejects
   * with an error that has a `code` and the `port`.
   */
  listen(port: number): Promise<string>
  /** Closes all sessions and connections at once. */
  close(): Promise<void>
}

/** The paths that require authentication. */
const protectedPaths: readonly string[] = ['/mcp', '/sse', '/messages']

/** Serves both HTTP transports and the control routes on one port. */
export function newHost(
  context: ToolsContext,
  controlRoutes: boolean,
  serving: Serving | undefined,
): Host {
  const {
    guard,
    transports,
    deviations: { intercept = (_request, _response, next) => next() },
  } = context
  const [streamable, events] = [
    newStreamableEndpoint(context),
    newSseEndpoint(context, serving?.onRequest),
  ]
  const handlers: Readonly<Record<string, RequestHandler>> = {
    ...(transports.includes('http') ? { '/mcp': streamable } : {}),
    ...(transports.includes('sse') ? { '/sse': events.open, '/messages': events.post } : {}),
    ...(controlRoutes
      ? {
          '/_touchstone/upstream': newUpstreamRoute(context),
          '/_touchstone/clock': newClockRoute(context),
          '/_touchstone/identity': newIdentityRoute(context),
          '/_touchstone/audit': newAuditRoute(context),
          '/_touchstone/reset': newResetRoute(context, serving),
        }
      : {}),
  }
  const handleRequest: RequestHandler = async (request, response) => {
    if (!context.rules.acceptsHost(request.headers.host))
      throw new Refusal(403, 'This host is not allowed', -32000)
    // The authorization endpoints also serve browsers, so their origin is not checked.
    const ownReply = guard.handleEndpoint(request)
    if (ownReply !== undefined) return send(request, response, await ownReply, defaultForm)
    const { origin } = request.headers
    if (origin !== undefined && !context.rules.acceptsOrigin(origin)) {
      note(request, { requirement: 'TOOL-HTTP-09' })
      throw new Refusal(403, 'This origin is not allowed', -32000)
    }
    const handler = handlers[pathOf(request)]
    if (handler === undefined) throw new Refusal(404, 'Not found', -32601)
    if (protectedPaths.includes(pathOf(request))) {
      const admission = await guard.admit(request)
      if ('reply' in admission) return send(request, response, admission.reply, defaultForm)
      attachUser(request, admission.user)
    }
    await handler(request, response)
  }
  const allowed = allowedMethods(context)
  const host: Server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.on('error', () => {})
    intercept(request, response, () => {
      handleRequest(request, response).catch((error: unknown) =>
        refuse(request, response, error, { allowed, form: context.choices.refusals }),
      )
    })
  })
  const server = applyServing(
    host,
    {
      name: 'tools',
      control: controlRoutes
        ? [
            'reset',
            'clock',
            'audit',
            'upstream',
            ...('useIdentityProvider' in guard ? ['identity' as const] : []),
          ]
        : [],
      pageOption: '--allow-origin',
    },
    serving,
  )
  return {
    async listen(port) {
      const origin = await listen(server, port, serving?.hostname)
      guard.setOrigin(origin)
      return origin
    },
    async close() {
      await Promise.allSettled([...context.sessions.values()].map((session) => session.close()))
      await closeServer(server)
    },
  }
}

/** The allowed methods of each path, for the Allow header of a 405. */
function allowedMethods({
  choices: { sessions, getStream, deleteSessions },
}: ToolsContext): Readonly<Record<string, string>> {
  return {
    '/mcp': [
      'POST',
      ...(sessions && getStream ? ['GET'] : []),
      ...(sessions && deleteSessions ? ['DELETE'] : []),
    ].join(', '),
    '/sse': 'GET',
    '/messages': 'POST',
    '/_touchstone/audit': 'GET',
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { allowed, form }: { allowed: Readonly<Record<string, string>>; form: ToolsChoices['refusals'] },
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
  // Codes from -32099 to -32000 are defined by servers. A refusal with such a code is about HTTP,
  // not about a JSON-RPC message.
  const isOwnCode = code > -32100 && code <= -32000
  const body =
    form === 'other JSON' && isOwnCode
      ? { error: message }
      : { jsonrpc: '2.0', error: { code, message }, id: null }
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

const newUpstreamRoute =
  ({ upstream }: ToolsContext): RequestHandler =>
  async (request, response) => {
    upstream.url = (await readUrl(request)) ?? upstream.initialUrl
    send(request, response, { status: 200, body: { url: upstream.url } }, defaultForm)
  }

const newIdentityRoute =
  ({ guard }: ToolsContext): RequestHandler =>
  async (request, response) => {
    const url = await readUrl(request)
    if (!('useIdentityProvider' in guard))
      throw new Refusal(404, 'This server has no identity provider', -32601)
    const { useIdentityProvider } = guard as OAuthGuard
    useIdentityProvider(url ?? undefined)
    send(request, response, { status: 200, body: { url } }, defaultForm)
  }

/** Reads the URL from the body of a control route; null means the initial URL. */
async function readUrl(request: IncomingMessage): Promise<string | null> {
  const body =
    request.method === 'POST' ? jsonOf(await readBody(request, 10_000))?.value : undefined
  const url = isObject(body) ? body['url'] : undefined
  if (url === null) return null
  if (typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url)) return url
  throw new Refusal(
    400,
    'The body must be {"url": URL}, with an http or https URL, or with null for the first one',
    -32600,
  )
}

const newAuditRoute =
  ({ audit }: ToolsContext): RequestHandler =>
  async (request, response) => {
    if (request.method !== 'GET') throw new Refusal(405, 'Method not allowed', -32000)
    send(request, response, { status: 200, body: { entries: audit.newestFirst() } }, defaultForm)
  }

const newResetRoute =
  (context: ToolsContext, { disturbance }: Serving = {}): RequestHandler =>
  async (request, response) => {
    if (request.method !== 'POST') throw new Refusal(405, 'Use POST', -32000)
    context.reset()
    if (disturbance !== undefined) restartDisturbers(disturbance)
    send(request, response, { status: 204 }, defaultForm)
  }

const newClockRoute =
  ({ clock }: ToolsContext): RequestHandler =>
  async (request, response) => {
    const body =
      request.method === 'POST' ? jsonOf(await readBody(request, 10_000))?.value : undefined
    const seconds = isObject(body) ? body['offsetSeconds'] : undefined
    if (typeof seconds !== 'number' || !Number.isFinite(seconds))
      throw new Refusal(
        400,
        'The body must be {"offsetSeconds": N}, with a number of seconds',
        -32600,
      )
    clock.setAhead(seconds * 1000)
    send(request, response, { status: 200, body: { offsetSeconds: seconds } }, defaultForm)
  }

import { emptyAnswer, mediaType, textAnswer, withHeaders } from './http.ts'
import type { Answer, Exchange, Handler } from './http.ts'
import { mcpHandler } from './mcp.ts'
import { authorize } from './oauth-authorize.ts'
import { consent } from './oauth-consent.ts'
import type { OAuthEnv } from './oauth-env.ts'
import { checkBearer } from './oauth-guard.ts'
import { resourceMetadata, serverMetadata } from './oauth-metadata.ts'
import { readRegistration, register } from './oauth-register.ts'
import { introspect, revoke } from './oauth-revoke.ts'
import { tokenEndpoint } from './oauth-token.ts'
import { callback, callbackPath } from './oauth-upstream.ts'

type Route = (exchange: Exchange) => Answer | Promise<Answer>

/** All paths of a server that is its own authorization server. */
export function oauthHandler(env: OAuthEnv): Handler {
  const { on } = env
  const routes = makeRoutes(env)
  return async (exchange) => {
    const route = routes.get(exchange.path) ?? managedRoute(env, exchange)
    if (on('cors-headers') && exchange.method === 'OPTIONS') {
      return withCors(emptyAnswer(204))
    }
    const answer = await (route === undefined ? textAnswer(404, 'Not found') : route(exchange))
    return finishing(env, answer)
  }
}

function managedRoute(env: OAuthEnv, exchange: Exchange): Route | undefined {
  return env.OAUTH_KV.managed.has(exchange.path)
    ? allowing(['GET'], (one) => readRegistration(env, one))
    : undefined
}

function makeRoutes(env: OAuthEnv): Map<string, Route> {
  const { on } = env
  const routes = new Map<string, Route>([
    ['/mcp', mcpHandler(on, (exchange) => checkBearer(env, exchange))],
    ['/authorize', authorizeRoute(env)],
    ['/consent', (exchange) => consent(env, exchange)],
    ['/token', (exchange) => tokenEndpoint(env, exchange)],
  ])
  if (env.registration) {
    routes.set(
      '/register',
      allowing(['POST'], (exchange) => register(env, exchange)),
    )
  }
  if (env.pattern === 'oauth-proxy') {
    routes.set(
      callbackPath(env),
      allowing(['GET'], (exchange) => callback(env, exchange)),
    )
  }
  if (!on('no-revocation-endpoint')) routes.set('/revoke', (exchange) => revoke(env, exchange))
  if (!on('no-introspection')) routes.set('/introspect', (exchange) => introspect(env, exchange))
  if (!on('no-discovery-documents')) {
    const server = allowing(['GET', 'HEAD'], () => serverMetadata(env))
    const resource = allowing(['GET', 'HEAD'], () => resourceMetadata(env))
    routes.set('/.well-known/oauth-authorization-server', server)
    routes.set('/.well-known/oauth-protected-resource', resource)
    routes.set('/.well-known/oauth-protected-resource/mcp', resource)
  }
  return routes
}

function authorizeRoute(env: OAuthEnv): Route {
  const { on } = env
  const methods = on('authorize-by-post') || on('form-posts-to-itself') ? ['GET', 'POST'] : ['GET']
  return allowing(methods, (exchange) => {
    // A form without an action is posted to the URL of its page.
    const isForm =
      exchange.method === 'POST' && mediaType(exchange) === 'application/x-www-form-urlencoded'
    if (
      on('form-posts-to-itself') &&
      isForm &&
      new URLSearchParams(exchange.body).has('transaction')
    ) {
      return consent(env, exchange)
    }
    return authorize(env, exchange)
  })
}

function allowing(methods: readonly string[], route: Route): Route {
  return (exchange) =>
    methods.includes(exchange.method)
      ? route(exchange)
      : withHeaders(textAnswer(405, 'Method not allowed'), { Allow: methods.join(', ') })
}

function withCors(answer: Answer): Answer {
  return withHeaders(answer, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
    'Access-Control-Expose-Headers': 'WWW-Authenticate',
  })
}

function finishing(env: OAuthEnv, answer: Answer): Answer {
  const { on } = env
  let finished = on('cors-headers') ? withCors(answer) : answer
  if (on('json-charset') && finished.headers['Content-Type'] === 'application/json') {
    finished = withHeaders(finished, { 'Content-Type': 'application/json; charset=utf-8' })
  }
  return finished
}

// Puts a server together: context, routes, clock. `startApp` is used by server.mjs and by effects.mjs.
import http from 'node:http'
import { KvStore } from './kv.mjs'
import { random, readBody, send, sendJson } from './http.mjs'
import { authorize, login, showConsent, decide } from './authorize.mjs'
import { callback } from './upstream.mjs'
import { tokenEndpoint } from './token.mjs'
import { register } from './register.mjs'
import { revoke, introspect } from './revoke.mjs'
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.mjs'
import { mcp } from './mcp.mjs'
import { makeUsers } from './users.mjs'

export const SCOPES = ['notes:read', 'notes:write']

/** Fixed windows are enough here: the limits only stop guessing and flooding. */
function makeLimiter(now) {
  const windows = new Map()
  return {
    hit(key, max, seconds) {
      const window = windows.get(key)
      if (!window || now() >= window.until) {
        windows.set(key, { count: 1, until: now() + seconds })
        return 0
      }
      window.count += 1
      return window.count > max ? Math.max(1, Math.ceil(window.until - now())) : 0
    },
    reset(key) {
      windows.delete(key)
    },
  }
}

/** Audit log on standard error; bounded, because a reader that never drains the pipe must not stop the server. */
function makeAudit(now, quiet) {
  let lines = 0
  return (event, details = {}) => {
    if (quiet || lines >= 300) return
    lines += 1
    process.stderr.write(
      `${JSON.stringify({ at: new Date(now() * 1000).toISOString(), event, ...details })}\n`,
    )
  }
}

export function jwtSettings(env) {
  return {
    secret: env.JWT_SECRET ?? 'notes-server-development-secret-0123456789abcdef',
    issuer: env.JWT_ISSUER ?? 'https://issuer.example',
    audience: env.JWT_AUDIENCE ?? 'notes-mcp',
  }
}

function makeContext({ pattern, switches, env, quiet }) {
  let offset = 0
  const now = () => Date.now() / 1000 + offset
  const ctx = {
    pattern,
    on: (name) => switches.has(name),
    now,
    advance: (seconds) => {
      offset += seconds
    },
    audit: makeAudit(now, quiet),
    limiter: makeLimiter(now),
    env: { ...env, OAUTH_KV: new KvStore(now) },
    jwt: jwtSettings(env),
    upstream: {
      authorizeUrl: env.UPSTREAM_AUTHORIZE_URL,
      tokenUrl: env.UPSTREAM_TOKEN_URL,
      userUrl: env.UPSTREAM_USER_URL,
      clientId: env.UPSTREAM_CLIENT_ID ?? '',
      clientSecret: env.UPSTREAM_CLIENT_SECRET ?? '',
      scopes: (env.UPSTREAM_SCOPES ?? '').split(' ').filter(Boolean),
    },
    resourceServer: { id: 'notes-resource-server', secret: random(24) },
    sessions: new Map(),
    notes: new Map(),
    memory: {}, // what single switches remember
  }
  ctx.kv = ctx.env.OAUTH_KV
  ctx.users = pattern === 'oauth-provider' ? makeUsers() : undefined
  ctx.lifetimes = {
    code: ctx.on('code-lives-an-hour')
      ? 3600
      : ctx.on('code-lifetime-ten-minutes')
        ? 600
        : ctx.on('code-lifetime-thirty-seconds')
          ? 30
          : 120,
    access: ctx.on('access-lifetime-one-hour')
      ? 3600
      : ctx.on('access-lifetime-five-minutes')
        ? 300
        : 1800,
    refresh: ctx.on('refresh-never-expires')
      ? Infinity
      : ctx.on('refresh-lifetime-one-day')
        ? 86400
        : 14 * 86400,
    transaction: 600,
    signIn: 3600,
  }
  return ctx
}

// Real limits of the endpoints; far above what a person or an ordinary client needs.
const PER_MINUTE = {
  '/authorize': 3000,
  '/token': 3000,
  '/register': 3000,
  '/revoke': 3000,
  '/introspect': 3000,
  '/login': 3000,
  '/consent': 3000,
}

function oauthRoutes(ctx) {
  const routes = {
    '/authorize': authorize,
    '/consent': (c, req, res, url) =>
      (req.method === 'POST' ? decide : showConsent)(c, req, res, url),
    '/token': tokenEndpoint,
    '/register': register,
    '/revoke': revoke,
    '/.well-known/oauth-authorization-server': authorizationServerMetadata,
  }
  if (ctx.on('metadata-also-openid-path'))
    routes['/.well-known/openid-configuration'] = authorizationServerMetadata
  if (ctx.pattern === 'oauth-provider')
    Object.assign(routes, { '/login': login, '/introspect': introspect })
  if (ctx.pattern === 'oauth-proxy') routes['/callback'] = callback
  return routes
}

/** Scripts of other origins may use what they call directly; never the authorization endpoint (OAuth 2.1, 3.1). */
function corsAllowed(ctx, path) {
  if (path === '/authorize') return ctx.on('cors-at-authorization-endpoint')
  return (
    ctx.on('cors-on-oauth-endpoints') &&
    (['/token', '/register', '/revoke'].includes(path) || path.startsWith('/.well-known/'))
  )
}

async function clockEndpoint(ctx, req, res) {
  if (req.method !== 'POST') return sendJson(res, 405, { error: 'use POST' }, { Allow: 'POST' })
  let seconds
  try {
    seconds = JSON.parse((await readBody(req)).toString('utf8')).advanceSeconds
  } catch {
    /* judged below */
  }
  if (typeof seconds !== 'number' || !Number.isFinite(seconds))
    return sendJson(res, 400, { error: 'advanceSeconds must be a number' })
  ctx.advance(seconds)
  return sendJson(res, 200, { now: ctx.now() })
}

export async function startApp({ pattern, switches = new Set(), env = {}, quiet = false }) {
  const ctx = makeContext({ pattern, switches, env, quiet })
  const routes = {
    '/mcp': mcp,
    '/.well-known/oauth-protected-resource/mcp': protectedResourceMetadata,
    ...(pattern === 'jwt' ? {} : oauthRoutes(ctx)),
  }
  if (env.CLOCK === '1') routes['/__clock'] = clockEndpoint

  const server = http.createServer(async (req, res) => {
    try {
      if (!URL.canParse(req.url, ctx.origin))
        return send(res, 400, { 'Content-Type': 'text/plain' }, 'Bad request')
      const url = new URL(req.url, ctx.origin)
      const route = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined
      if (!route) return send(res, 404, { 'Content-Type': 'text/plain' }, 'Not found')
      let max = PER_MINUTE[url.pathname]
      if (url.pathname === '/register' && ctx.on('registration-rate-limited')) max = 20
      const wait = max ? ctx.limiter.hit(`endpoint ${url.pathname}`, max, 60) : 0
      if (wait)
        return sendJson(
          res,
          429,
          { error: 'temporarily_unavailable', error_description: 'too many requests' },
          { 'Retry-After': String(wait) },
        )
      if (corsAllowed(ctx, url.pathname)) {
        res.setHeader('Access-Control-Allow-Origin', '*')
        if (req.method === 'OPTIONS') {
          return send(res, 204, {
            'Access-Control-Allow-Methods': 'GET, POST',
            'Access-Control-Allow-Headers': 'Authorization, Content-Type',
          })
        }
      }
      await route(ctx, req, res, url)
    } catch (error) {
      ctx.audit('failure', { message: error.message })
      sendJson(res, error.status ?? 500, {
        error: error.status ? 'invalid_request' : 'server_error',
      })
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  ctx.port = server.address().port
  ctx.origin = `http://127.0.0.1:${ctx.port}`
  ctx.mcpUrl = `${ctx.origin}/mcp`
  return {
    ctx,
    facts: facts(ctx, env),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function facts(ctx, env) {
  const all = {
    mcp: ctx.mcpUrl,
    origin: ctx.origin,
    whoami: { tool: 'notes_get_profile', arguments: {}, login: 'login', email: 'email' },
  }
  if (ctx.pattern === 'jwt') Object.assign(all, ctx.jwt)
  if (ctx.pattern === 'oauth-proxy') all.form = { fields: {}, submit: 'decision=allow' }
  if (ctx.pattern === 'oauth-provider') {
    all.form = {
      fields: { username: ctx.users.sample.name, password: ctx.users.sample.password },
      submit: 'decision=allow',
    }
    all.introspection = {
      url: `${ctx.origin}/introspect`,
      client_id: ctx.resourceServer.id,
      client_secret: ctx.resourceServer.secret,
    }
  }
  if (env.CLOCK === '1') all.clock = `${ctx.origin}/__clock`
  return all
}

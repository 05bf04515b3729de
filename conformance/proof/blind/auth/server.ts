import { BuiltInIdentity, controlHandler, Settings } from './control.ts'
import { listen } from './http.ts'
import type { Handler, Listening } from './http.ts'
import { jwtHandler } from './jwt-pattern.ts'
import { OAuthStore } from './oauth-env.ts'
import type { Account, OAuthEnv } from './oauth-env.ts'
import { oauthHandler } from './oauth-pattern.ts'
import { randomValue } from './oauth-values.ts'
import { Outbound } from './outbound.ts'
import { readSwitches } from './switches.ts'
import type { IsOn } from './switches.ts'
import { whoami } from './tools.ts'
import type { Pattern, Started, UpstreamClient } from './types.ts'

export type { Started } from './types.ts'

/** Starts one server. Servers share no state. */
export async function startServer(pattern: Pattern, on: readonly string[]): Promise<Started> {
  const isOn = readSwitches(on)
  return pattern === 'jwt' ? startJwt(isOn) : startOAuth(pattern, isOn)
}

async function startJwt(on: IsOn): Promise<Started> {
  const secret = randomValue(48)
  const issuer = 'https://issuer.example/desk'
  const audience = 'https://tools.example/mcp'
  const listening = await listen((origin) => jwtHandler({ on, origin, secret, issuer, audience }))
  return {
    mcpUrl: `${listening.origin}/mcp`,
    origin: listening.origin,
    whoami,
    secret,
    issuer,
    audience,
    close: () => listening.close(),
  }
}

async function startOAuth(pattern: 'oauth-proxy' | 'oauth-provider', on: IsOn): Promise<Started> {
  const isProxy = pattern === 'oauth-proxy'
  const settings = new Settings()
  const upstream: UpstreamClient = {
    clientId: `upstream-${randomValue(9)}`,
    clientSecret: randomValue(),
    scopes: ['read:user', 'user:email'],
  }
  const accounts = makeAccounts(isProxy)
  const [first] = accounts
  const identity = new BuiltInIdentity(upstream, first)
  const outbound = new Outbound()
  const control = await listen(() => controlHandler(settings, identity))

  const makeHandler = (origin: string): Handler => {
    const env: OAuthEnv = {
      on,
      pattern,
      origin,
      mcpUrl: `${origin}/mcp`,
      now: () => settings.now(),
      registration: !on('registration-closed'),
      scopes: ourScopes(on, isProxy, upstream),
      accounts,
      OAUTH_KV: new OAuthStore(),
      upstream,
      identityBase: () => settings.identityUrl ?? `${control.origin}/idp`,
      outbound,
    }
    if (on('upstream-client-id-accepted')) addUpstreamClient(env)
    return oauthHandler(env)
  }
  const listening = await listen(makeHandler)
  return {
    mcpUrl: `${listening.origin}/mcp`,
    origin: listening.origin,
    whoami,
    form:
      !isProxy && on('other-field-names')
        ? { email: first.user.email, passphrase: first.password }
        : { username: first.username, password: first.password },
    clockUrl: `${control.origin}/clock`,
    registration: !on('registration-closed'),
    ...(isProxy ? { upstream, identityControlUrl: `${control.origin}/identity` } : {}),
    close: () => closeAll(outbound, [listening, control]),
  }
}

async function closeAll(outbound: Outbound, servers: readonly Listening[]): Promise<void> {
  outbound.close()
  await Promise.all(servers.map((server) => server.close()))
}

function ourScopes(on: IsOn, isProxy: boolean, upstream: UpstreamClient): readonly string[] {
  const scopes = isProxy ? upstream.scopes : ['profile', 'email']
  return on('offline-access-scope') ? [...scopes, 'offline_access'] : scopes
}

function makeAccounts(isProxy: boolean): readonly [Account, Account] {
  const ada = isProxy
    ? { login: 'AdaL', email: 'ada@identity.example' }
    : { login: 'ada', email: 'ada@desk.example' }
  const grace = { login: 'grace', email: 'grace@desk.example' }
  return [
    { username: 'ada', password: 'Analytical-Engine-1843', user: ada },
    { username: 'grace', password: 'Mark-I-Compiler-1952', user: grace },
  ]
}

/** A switch lets the upstream client id pass as a client of this server. */
function addUpstreamClient(env: OAuthEnv): void {
  const { clientId } = env.upstream
  env.OAUTH_KV.clients.set(clientId, {
    id: clientId,
    secretExpiresAt: 0,
    name: 'Identity provider client',
    redirectUris: [],
    anyRedirect: true,
    authMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: env.scopes,
    exchanges: 0,
  })
}

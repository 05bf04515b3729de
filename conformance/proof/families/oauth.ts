import { mergeChoices, type AuthChoices, type AuthDeviation } from '../faults/auth/fault.ts'
import { faults } from '../faults/auth/oauth/index.ts'
import { mutants } from '../faults/auth/oauth/mutants.ts'
import { startTools, targetOf, type Auth } from '../../../mocks/stateful/tools.ts'
import { exclusions, factors } from '../variations/auth/oauth/index.ts'
import { authNullTargets } from '../null-targets/auth.ts'
import { operationOf } from '../doors.ts'
import type { Message } from '../../engine/index.ts'
import { defineFamily } from '../family.ts'
import { endpointOf } from './doors-of-tools.ts'

/** Tool servers of patterns 3 and 4: OAuth. */
export const oauth = defineFamily({
  name: 'oauth',
  contract: 'auth',
  faults,
  mutants,
  factors,
  exclusions,
  nullTargets: authNullTargets,
  doorOf,
  // The target file of the second reference contains `attempts`, the server's default limit of
  // token requests. So the check of this limit is covered.
  references: [{}, { hosting: { pattern: 'oauth-proxy', attempts: 3000 } }],
  async start(
    { choices: ownChoices, rules = {}, changeReply, ...deviation }: AuthDeviation,
    familyChoices: AuthChoices,
  ) {
    const {
      hosting = {},
      oauth: choices = {},
      server: serverChoices = {},
    } = mergeChoices(familyChoices, ownChoices)
    // Choices about an identity provider imply `oauth-proxy`, the pattern that uses one.
    const defaultPattern =
      Object.keys(choices).some((name) => /^(upstream|callback)/.test(name)) ||
      hosting.consentScreen !== undefined
        ? 'oauth-proxy'
        : 'oauth-provider'
    const {
      pattern = defaultPattern,
      transports = ['http', 'sse'],
      registration = true,
      namesClient = !registration,
      consentScreen = true,
      consent,
      paths = {},
      attempts,
      scope,
      namesResourceServer = false,
      omittedKeys = [],
    } = hosting
    const common = {
      choices,
      rules: rules.oauth ?? {},
      ...(changeReply === undefined ? {} : { changeReply }),
      allowDynamicClientRegistration: registration,
      ...(namesClient ? { clients: [registeredClient] } : {}),
      ...(namesResourceServer ? { resourceServers: [resourceServer] } : {}),
    }
    const auth: Auth =
      pattern === 'oauth-provider'
        ? // A cheap password hash is enough in the proof.
          { ...common, pattern, passwordCost: 2 }
        : {
            ...common,
            pattern: 'oauth-proxy',
            env: credentials,
            upstream: unreachableUpstream,
            allowConsentScreen: consentScreen,
          }
    const server = await startTools({
      ...deviation,
      choices: serverChoices,
      rules: rules.server ?? {},
      auth,
      controlRoutes: true,
    })
    const { http: _http, sse: _sse, stdio: _, auth: mockAuth, ...target } = targetOf(server).tools
    const section = {
      ...mockAuth,
      ...(namesClient
        ? {
            registration,
            clientId: registeredClient.id,
            redirectUri: registeredClient.redirectUris[0]!,
          }
        : {}),
      ...(consent === undefined ? {} : { consent }),
      ...(attempts === undefined ? {} : { attempts }),
      ...(scope === undefined ? {} : { scope }),
      ...(namesResourceServer
        ? {
            introspection: { clientId: resourceServer.id, clientSecret: resourceServer.secret },
          }
        : {}),
    }
    return {
      target: {
        tools: {
          ...target,
          ...(transports.includes('http') ? { http: withPath(server.mcp, paths.http) } : {}),
          ...(transports.includes('sse') ? { sse: withPath(server.sse, paths.sse) } : {}),
          auth: Object.fromEntries(
            Object.entries(section).filter(([key]) => !omittedKeys.includes(key)),
          ) as typeof section & { pattern: Auth['pattern'] },
        },
      },
      close: () => server.close(),
    }
  },
  completeTarget: (origin) => ({
    tools: {
      http: `${origin}/mcp`,
      sse: `${origin}/sse`,
      auth: {
        pattern: 'oauth-proxy',
        consent: 'form',
        form: { login: 'ada', password: 'ada-password' },
        whoami: { tool: 'shelf_show_status', arguments: {} },
        clock: `${origin}/clock`,
        attempts: 20,
        upstream: {
          clientId: 'shelf',
          clientSecret: 'shelf-upstream-secret',
          scopes: ['read:user'],
          control: `${origin}/hook`,
        },
      },
    },
  }),
})

/**
 * The doors of the token endpoint, by operation. The responses to both operations have requirements
 * in common.
 */
const tokenDoors = {
  token: 'the exchange of a code',
  refresh: 'the exchange of a refresh token',
}

/** The door of a message: the kind of exchange at the token endpoint, or the protected endpoint. */
function doorOf(message: Message): string | undefined {
  const operation = operationOf(message)
  return Object.hasOwn(tokenDoors, operation)
    ? tokenDoors[operation as keyof typeof tokenDoors]
    : endpointOf(message)
}

/** Replaces the path of a URL, if a path is given. */
const withPath = (url: string, path: string | undefined): string =>
  path === undefined ? url : new URL(path, url).href

/** A resource server that may introspect tokens. */
const resourceServer = { id: 'reading-room', secret: 'secret-of-the-reading-room' }

/** A client that the operator of the server has registered. */
const registeredClient = {
  id: 'touchstone',
  method: 'none' as const,
  redirectUris: ['http://127.0.0.1:8123/touchstone/back'],
  grants: ['authorization_code', 'refresh_token'],
  name: 'Touchstone',
  issuedAt: 0,
}

const credentials = { CLIENT_ID: 'shelf', CLIENT_SECRET: 'shelf-upstream-secret' }

/**
 * The addresses of the identity provider at the start. The suite plays the identity provider, and
 * replaces them with its own addresses.
 */
const unreachableUpstream = {
  authorizeUrl: 'http://127.0.0.1:9/authorize',
  tokenUrl: 'http://127.0.0.1:9/token',
  userUrl: 'http://127.0.0.1:9/user',
  scopes: ['read:user', 'user:email'],
}

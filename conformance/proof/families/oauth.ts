import { merged, type AuthChoices, type AuthDeviation } from '../faults/auth/fault.ts'
import { faults } from '../faults/auth/oauth/index.ts'
import { startTools, targetOf, type Auth } from '../../../mocks/stateful/tools.ts'
import { exclusions, factors, withoutLevels } from '../variations/auth/oauth/index.ts'
import { authNulls } from '../null-targets/auth.ts'
import { family } from '../family.ts'

/** Tool servers of patterns 3 and 4. */
export const oauth = family({
  name: 'oauth',
  contract: 'auth',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutLevels,
  nulls: authNulls,
  // The server's own limit: what it wants of whoever attacks it is tried once.
  references: [{}, { hosting: { pattern: 'oauth-proxy', attempts: 3000 } }],
  async start(
    { choices: own, rules = {}, changeReply, ...places }: AuthDeviation,
    given: AuthChoices,
  ) {
    const { hosting = {}, oauth: choices = {}, server: others = {} } = merged(given, own)
    // Whoever chooses how an identity provider is asked has one.
    const usual =
      Object.keys(choices).some((name) => /^(upstream|callback)/.test(name)) ||
      hosting.consentScreen !== undefined
        ? 'oauth-proxy'
        : 'oauth-provider'
    const {
      pattern = usual,
      transports = ['http', 'sse'],
      registration = true,
      consentScreen = true,
      consent,
      paths = {},
      attempts,
      scope,
      untold = [],
    } = hosting
    const common = {
      choices,
      rules: rules.oauth ?? {},
      ...(changeReply === undefined ? {} : { changeReply }),
      allowDynamicClientRegistration: registration,
      ...(registration ? {} : { clients: [known] }),
    }
    const auth: Auth =
      pattern === 'oauth-provider'
        ? // Nobody attacks these: their passwords may be hashed cheaply.
          { ...common, pattern, passwordCost: 2 }
        : {
            ...common,
            pattern: 'oauth-proxy',
            env: credentials,
            upstream: nowhere,
            allowConsentScreen: consentScreen,
          }
    const server = await startTools({
      ...places,
      choices: others,
      rules: rules.server ?? {},
      auth,
      hook: true,
    })
    const { http, sse, stdio: _, auth: told, ...target } = targetOf(server).tools
    const section = {
      ...told,
      ...(registration
        ? {}
        : { registration, clientId: known.id, redirectUri: known.redirectUris[0]! }),
      ...(consent === undefined ? {} : { consent }),
      ...(attempts === undefined ? {} : { attempts }),
      ...(scope === undefined ? {} : { scope }),
    }
    return {
      target: {
        tools: {
          ...target,
          ...(transports.includes('http') ? { http: at(http, paths.http) } : {}),
          ...(transports.includes('sse') ? { sse: at(sse, paths.sse) } : {}),
          auth: Object.fromEntries(
            Object.entries(section).filter(([key]) => !untold.includes(key)),
          ) as typeof section & { pattern: Auth['pattern'] },
        },
      },
      close: () => server.close(),
    }
  },
  nullTarget: (origin) => ({
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
          hook: `${origin}/hook`,
        },
      },
    },
  }),
})

/** An address, with another path where one is given. */
const at = (url: string, path: string | undefined): string =>
  path === undefined ? url : new URL(path, url).href

/** A client that whoever runs the server has registered. */
const known = {
  id: 'touchstone',
  method: 'none' as const,
  redirectUris: ['http://127.0.0.1:8123/touchstone/back'],
  grants: ['authorization_code', 'refresh_token'],
  name: 'Touchstone',
  issuedAt: 0,
}

const credentials = { CLIENT_ID: 'shelf', CLIENT_SECRET: 'shelf-upstream-secret' }

/** The suite plays the identity provider: until it says where, there is none. */
const nowhere = {
  authorizeUrl: 'http://127.0.0.1:9/authorize',
  tokenUrl: 'http://127.0.0.1:9/token',
  userUrl: 'http://127.0.0.1:9/user',
  scopes: ['read:user', 'user:email'],
}

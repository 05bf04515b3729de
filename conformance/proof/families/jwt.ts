import { merged, type AuthChoices, type AuthDeviation } from '../faults/auth/fault.ts'
import { faults } from '../faults/auth/jwt/index.ts'
import { startTools, targetOf, type JwtGuard } from '../../../mocks/stateful/tools.ts'
import { exclusions, factors, withoutLevels } from '../variations/auth/jwt/index.ts'
import { authNulls } from '../null-targets/auth.ts'
import { family } from '../family.ts'

/** Tool servers of pattern 2. */
export const jwt = family({
  name: 'jwt',
  contract: 'auth',
  faults,
  mutants: [],
  factors,
  exclusions,
  withoutLevels,
  nulls: authNulls,
  async start(
    { choices: own, rules = {}, changeReply: _, ...places }: AuthDeviation,
    given: AuthChoices,
  ) {
    const { hosting = {}, jwt: choices = {}, server: others = {} } = merged(given, own)
    const {
      transports = ['http', 'sse'],
      secret = 'a-secret-of-the-proof-for-servers-of-pattern-2',
      untold = [],
    } = hosting
    // Tokens tell times of the wall's clock: so does the server.
    const server = await startTools({
      ...places,
      choices: others,
      rules: rules.server ?? {},
      auth: { pattern: 'jwt', secret, choices, rules: rules.jwt ?? {} },
      hook: true,
    })
    const { http, sse, stdio: _stdio, auth, ...target } = targetOf(server).tools
    const token = untold.includes('secret')
      ? { token: await (server.context.guard as JwtGuard).token() }
      : {}
    const section = { ...auth, ...token, pattern: 'jwt' as const }
    return {
      target: {
        tools: {
          ...target,
          ...(transports.includes('http') ? { http } : {}),
          ...(transports.includes('sse') ? { sse } : {}),
          auth: Object.fromEntries(
            Object.entries(section).filter(([key]) => !untold.includes(key)),
          ) as Partial<typeof section> & { pattern: 'jwt' },
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
        pattern: 'jwt',
        secret: 'a-secret-that-nobody-ever-looks-at',
        issuer: 'https://issuer.example',
        audience: 'shelf_mcp',
      },
    },
  }),
})

import { mergeChoices, type AuthChoices, type AuthDeviation } from '../faults/auth/fault.ts'
import { faults } from '../faults/auth/jwt/index.ts'
import { mutants } from '../faults/auth/jwt/mutants.ts'
import { startTools, targetOf, type JwtGuard } from '../../../mocks/stateful/tools.ts'
import { exclusions, factors } from '../variations/auth/jwt/index.ts'
import { authNullTargets } from '../null-targets/auth.ts'
import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import type { Message } from '../../engine/index.ts'
import { defineFamily } from '../family.ts'
import { endpointOf, transportOf } from './doors-of-tools.ts'

/** Tool servers of pattern 2: JSON Web Tokens signed with a shared secret. */
export const jwt = defineFamily({
  name: 'jwt',
  contract: 'auth',
  faults,
  mutants,
  factors,
  exclusions,
  nullTargets: authNullTargets,
  doorOf,
  async start(
    { choices: ownChoices, rules = {}, changeReply: _, ...deviation }: AuthDeviation,
    familyChoices: AuthChoices,
  ) {
    const {
      hosting = {},
      jwt: choices = {},
      server: serverChoices = {},
    } = mergeChoices(familyChoices, ownChoices)
    const {
      transports = ['http', 'sse'],
      secret = 'a-secret-of-the-proof-for-servers-of-pattern-2',
      omittedKeys = [],
    } = hosting
    // Tokens contain real times, so the server uses the real clock.
    const server = await startTools({
      ...deviation,
      choices: serverChoices,
      rules: rules.server ?? {},
      auth: { pattern: 'jwt', secret, choices, rules: rules.jwt ?? {} },
      controlRoutes: true,
    })
    const { http, sse, stdio: _stdio, auth, ...target } = targetOf(server).tools
    const token = omittedKeys.includes('secret')
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
            Object.entries(section).filter(([key]) => !omittedKeys.includes(key)),
          ) as Partial<typeof section> & { pattern: 'jwt' },
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
        pattern: 'jwt',
        secret: 'a-secret-that-is-never-used',
        issuer: 'https://issuer.example',
        audience: 'shelf_mcp',
        whoami: { tool: 'shelf_show_status', arguments: {} },
      },
    },
  }),
})

/**
 * The endpoint or the transport of a message. Requirements of the contract `tools` have no door
 * here, because their faults are in the family `tools`.
 */
function doorOf(message: Message, requirement: RequirementId): string | undefined {
  const { contract } = requirements[requirement]
  return contract === 'auth' ? (endpointOf(message) ?? transportOf(message)) : undefined
}

import { keys } from './keys.ts'
import type { Value } from './value.ts'

/** How a tool server knows who comes: the `tools.auth` section. Which keys belong to which pattern, `keys.ts` tells. */
export interface AuthTarget {
  pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'

  secret?: string
  issuer?: string
  audience?: string
  claims?: Readonly<Record<string, unknown>>
  token?: string

  url?: string
  registration?: boolean
  clientId?: string
  clientSecret?: string
  redirectUri?: string
  scope?: string
  resource?: string
  consent?: 'auto' | 'form' | 'command'
  form?: Readonly<Record<string, string>>
  approve?: string
  deny?: string
  command?: { command: string; args?: readonly string[] }
  whoami?: { tool: string; arguments: Readonly<Record<string, unknown>> }
  /** `POST {"offsetSeconds": N}` to it moves the clock by which codes and tokens end. */
  clock?: string
  attempts?: number
  upstream?: { clientId: string; clientSecret?: string; scopes?: readonly string[]; hook?: string }
}

/** Keys that belong to some patterns only. What a pattern has no use for, a target of that pattern does not lack. */
const uses: readonly [paths: RegExp, patterns: readonly AuthTarget['pattern'][]][] = [
  [/^tools\.auth\.(secret|issuer|audience|claims|token)$/, ['jwt']],
  [/^(tools\.auth\.upstream(\..*)?|suite\.identity)$/, ['oauth-proxy']],
  [/^tools\.auth\..*/, ['oauth-proxy', 'oauth-provider']],
]

/** Whether a target with this pattern could give what stands at a path. */
export function concerns(path: string, pattern: AuthTarget['pattern']): boolean {
  const use = uses.find(([paths]) => paths.test(path))
  return use === undefined || use[1].includes(pattern)
}

/** Keys that are of no use without another. */
const together: readonly [path: string, other: string][] = [
  ['tools.auth.clientId', 'tools.auth.redirectUri'],
  ['tools.auth.redirectUri', 'tools.auth.clientId'],
  ['tools.auth.clientSecret', 'tools.auth.clientId'],
]

/** Mistakes that no single key shows, each with its place. */
export function problemsOfAuth(
  values: ReadonlyMap<string, Value>,
  placeOf: (path: string) => string,
): string[] {
  const pattern = values.get('tools.auth.pattern')
  if (pattern === undefined) return []
  const has = (path: string) => values.has(path)
  const problems = together
    .filter(([path, other]) => has(path) && !has(other))
    .map(([path, other]) => `${placeOf(path)}  ${path} is given without ${other}`)
  const pair = ['tools.auth.issuer', 'tools.auth.audience'].filter((path) => !has(path))
  if (pattern === 'jwt' && !has('tools.auth.secret') && !has('tools.auth.token')) {
    problems.push(
      `${placeOf('tools.auth.pattern')}  tools.auth needs secret, issuer and audience, or a token. Next: export TOOLS_JWT_SECRET=…, or TOOLS_TOKEN=…`,
    )
  }
  if (pattern === 'jwt' && has('tools.auth.secret') && pair.length > 0)
    problems.push(
      `${placeOf('tools.auth.secret')}  tools.auth.secret is given without ${pair.map(nameOf).join(' and ')}`,
    )
  if (values.get('tools.auth.consent') === 'command' && !has('tools.auth.command.command'))
    problems.push(
      `${placeOf('tools.auth.consent')}  tools.auth.consent is command, and tools.auth.command names none`,
    )
  if (
    values.get('tools.auth.registration') === false &&
    !has('tools.auth.clientId') &&
    String(pattern).startsWith('oauth')
  ) {
    problems.push(
      `${placeOf('tools.auth.registration')}  tools.auth.registration is false, so the suite needs clientId and redirectUri`,
    )
  }
  return problems
}

const nameOf = (path: string): string =>
  keys
    .find((key) => key.path === path)
    ?.path.split('.')
    .at(-1) ?? path

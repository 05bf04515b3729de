import type { Auth } from '../stateful/tools.ts'
import type { AuthPattern, BundledOptions, Mock, Running, StartOptions } from './entry.ts'
import { isNameOf } from '../serving/address.ts'
import { prepareAuth, describeAuth } from './auth.ts'

export const tools = {
  title: 'Tool server',
  hosts: ['mcp'],
  firstPort: 4050,
  start,
  bundled,
} satisfies Mock

/** Starts the tool server. It exists only as a stateful mock. */
async function start(options: StartOptions): Promise<Running> {
  const {
    ports,
    upstream,
    transport,
    onAuditEntry,
    serving = {},
    initial,
    everything = false,
    stateless = false,
  } = options
  const { completeChoices, defaultRules, startTools, targetOf } =
    await import('../stateful/tools.ts')
  const { auth, close } = await prepareAuth(options)
  const server = await startTools({
    auth,
    port: ports['mcp'] ?? 0,
    controlRoutes: true,
    serving,
    rules: {
      acceptsOrigin: (origin) =>
        serving.origins?.includes(origin) === true || defaultRules.acceptsOrigin(origin),
      acceptsHost: (host) =>
        defaultRules.acceptsHost(host) ||
        (serving.hostname !== undefined && isNameOf(serving.hostname, host)),
    },
    everything,
    ...(upstream === undefined ? {} : { upstream }),
    ...(initial === undefined ? {} : { initial }),
    ...(onAuditEntry === undefined ? {} : { onAuditEntry }),
    ...(transport === undefined ? {} : { transports: [transport === 'sse' ? 'sse' : 'http'] }),
    choices: { ...completeChoices, ...(stateless ? { sessions: false } : {}) },
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { mcp, sse, context } = server
  const { origin } = new URL(mcp)
  const { identifiers, tokens, notes } = await describeAuth(context.guard, auth, origin)
  const { bearer } = tokens
  const urls = {
    ...(transport === 'sse' ? {} : { mcp }),
    ...(transport === 'streamable_http' ? {} : { sse }),
  }
  const authorization: Record<string, string> =
    bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }
  const sessionNotes: Running['notes'] =
    transport === 'sse' ? [] : [['sessions', stateless ? 'none over streamable HTTP' : 'yes']]
  const isOAuth = auth.pattern === 'oauth-proxy' || auth.pattern === 'oauth-provider'
  return {
    kind: 'stateful',
    summary: 'tools of a small library of books, backed by an upstream API',
    urls,
    identifiers: { server: context.name, ...identifiers },
    tokens,
    tokenOf: bearer === undefined ? {} : { mcp: 'bearer', sse: 'bearer' },
    usesOAuth: isOAuth,
    control: [
      'clock',
      'audit',
      'upstream',
      ...(auth.pattern === 'oauth-proxy' ? ['identity'] : []),
    ],
    notes: [...notes, ['upstream', context.upstream.initialUrl], ...sessionNotes],
    example: () => {
      if (isOAuth) return { url: `${origin}/.well-known/oauth-authorization-server`, headers: {} }
      if (transport === 'sse') return { url: sse, headers: authorization }
      // With all mocks, a longer command does not fit a screen.
      if (
        transport === undefined &&
        !stateless &&
        bearer === undefined &&
        origin.startsWith('http:')
      )
        return { command: 'npx', args: ['touchstone', 'lint-tools', mcp] }
      return {
        url: mcp,
        headers: {
          ...authorization,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        json: { jsonrpc: '2.0', id: 1, ...(stateless ? callOfTool : initialization) },
      }
    },
    target: targetOf(
      server,
      transport === undefined
        ? stdioCommand([...process.execArgv, ...process.argv.slice(1, 2)])
        : undefined,
    ).tools,
    async close() {
      await Promise.all([server.close(), close()])
    },
  }
}

const initialization = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'curl', version: '1' },
  },
}

/** Without sessions, a single request is enough to call a tool. */
const callOfTool = {
  method: 'tools/call',
  params: { name: 'shelf_get_book', arguments: { id: 'b-001' } },
}

/**
 * The command that starts this server over standard input and output. The suite replaces
 * `{upstream}` by the URL of its fake upstream.
 */
const stdioCommand = (
  touchstoneArguments: readonly string[],
): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [
    ...touchstoneArguments,
    'mock',
    'tools',
    '--transport',
    'stdio',
    '--quiet',
    '--upstream',
    '{upstream}',
  ],
})

/**
 * The rate limit of each authorization endpoint of a bundled server, in requests per minute. A run
 * sends far fewer requests, except in the check that exceeds the limit on purpose.
 */
const requestsPerMinute = 600

async function bundled({ auth: pattern, touchstoneArguments, timers }: BundledOptions) {
  const { completeChoices, startTools, targetOf } = await import('../stateful/tools.ts')
  const server = await startTools({
    controlRoutes: true,
    choices: completeChoices,
    auth: bundledAuth(pattern),
    clock: { now: Date.now, elapsed: timers.now, after: timers.after },
  })
  const { auth, ...tools } = targetOf(server, stdioCommand(touchstoneArguments)).tools
  const authSection =
    auth === undefined
      ? {}
      : { auth: pattern.startsWith('oauth') ? { ...auth, attempts: requestsPerMinute } : auth }
  return { target: { ...tools, ...authSection }, close: () => server.close() }
}

/**
 * Returns the usual settings of an authentication pattern. For oauth-proxy, the suite runs a fake
 * identity provider, and sends the URLs of this provider to the tool server at the start of a run.
 * Until then, the tool server uses the URLs below: nothing listens on their port.
 */
function bundledAuth(pattern: AuthPattern): Auth {
  if (pattern === 'none' || pattern === 'jwt') return { pattern }
  const rules = { requestsPerMinute }
  if (pattern === 'oauth-provider') return { pattern, rules }
  const upstream = {
    authorizeUrl: 'http://127.0.0.1:9/authorize',
    tokenUrl: 'http://127.0.0.1:9/token',
    userUrl: 'http://127.0.0.1:9/user',
    scopes: ['read:user', 'user:email'],
  }
  return {
    pattern,
    rules,
    env: { CLIENT_ID: 'shelf', CLIENT_SECRET: 'shelf-upstream-secret' },
    upstream,
  }
}

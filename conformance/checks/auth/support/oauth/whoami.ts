import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { IdentityUser, McpExchange } from '../../../../wire/index.ts'
import { initializeAndListTools, isInitialized } from '../../../tools/support/handshake.ts'
import { Session } from '../../../tools/support/client-session.ts'
import type { AuthWorld } from '../world.ts'
import type { UpstreamTokens } from './upstream-login.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** What the tool that `tools.auth.whoami` of the target file names returned for one user. */
export interface WhoamiResult {
  user: IdentityUser
  /** All text of the result. */
  text: string
  summary: string
}

/**
 * Calls the tool that `tools.auth.whoami` names, in a session of the user or of `opener`, another
 * user.
 */
export async function callWhoami(
  world: AuthWorld,
  { login, tokens }: UpstreamTokens,
  opener: UpstreamTokens = { login, tokens },
): Promise<WhoamiResult> {
  const { tool, arguments: toolArguments } = world.auth.whoami!
  const { client } = await world.harness()
  const transport = world.target.http === undefined ? 'sse' : 'http'
  if (!client.transports.includes(transport))
    throw new NotCovered<ToolsNeed>('stdio has no authentication', ['tools.http', 'tools.sse'])
  const connection = await world.runThroughGate(() =>
    client.connect(transport, { headers: { Authorization: `Bearer ${opener.tokens.access}` } }),
  )
  try {
    const { handshake, listPages } = await world.runThroughGate(() =>
      initializeAndListTools(connection, world.record),
    )
    if (!isInitialized(handshake)) throw new Blocked(world.servedRequirement, handshake.summary)
    const { call } = new Session({ connection }, handshake, listPages, {
      run: async (_, send) => world.record(await world.runThroughGate(send)),
    })
    const exchange = await call(tool, toolArguments, {
      headers: { Authorization: `Bearer ${tokens.access}` },
    })
    return { user: login.upstreamRequest.user, text: textOf(exchange), summary: exchange.summary }
  } finally {
    await connection.close()
  }
}

/** All text of a result. */
function textOf({ result = {} }: McpExchange): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const parts = content.map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
  )
  // JSON may contain letters as \uXXXX. If the result is Markdown, characters of names may be
  // escaped with a backslash.
  return [...parts, JSON.stringify(result['structuredContent'] ?? null)]
    .join('\n')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll('\\', '')
    .normalize('NFC')
}

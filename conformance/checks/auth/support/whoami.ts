import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { initializeAndListTools, isInitialized } from '../../tools/support/handshake.ts'
import { Session } from '../../tools/support/client-session.ts'
import type { AuthWorld } from './world.ts'
import type { ToolsNeed } from '../../tools/target.ts'

/** What the tool that `tools.auth.whoami` of the target file names returned. */
export interface WhoamiResult {
  /** All text of the result. */
  readonly text: string
  readonly exchange: McpExchange
}

/** Calls the tool in one session, with the token of any user. */
type Whoami = (token: string) => Promise<WhoamiResult>

/** Opens a session with the token of `opener`, and closes it after `use`. */
async function withWhoami<T>(
  world: AuthWorld,
  opener: string,
  use: (whoami: Whoami) => Promise<T>,
): Promise<T> {
  const { tool, arguments: toolArguments } = world.auth.whoami!
  const { client } = await world.harness()
  const transport = world.target.http === undefined ? 'sse' : 'http'
  if (!client.transports.includes(transport))
    throw new NotCovered<ToolsNeed>('stdio has no authentication', ['tools.http', 'tools.sse'])
  const connection = await world.runThroughGate(() =>
    client.connect(transport, { headers: { Authorization: `Bearer ${opener}` } }),
  )
  try {
    const { handshake, listPages } = await world.runThroughGate(() =>
      initializeAndListTools(connection, world.record),
    )
    if (!isInitialized(handshake)) throw new Blocked(world.servedRequirement, handshake.summary)
    const { call } = new Session({ connection }, handshake, listPages, {
      run: async (_, send) => world.record(await send()),
    })
    return await use(async (token) => {
      const exchange = await call(tool, toolArguments, {
        headers: { Authorization: `Bearer ${token}` },
      })
      return { text: textOf(exchange), exchange }
    })
  } finally {
    await connection.close()
  }
}

/** Calls the tool with a token, in a session of the token or of `opener`, another token. */
export const callWhoami = (
  world: AuthWorld,
  token: string,
  opener = token,
): Promise<WhoamiResult> =>
  withWhoami(world, opener, (whoami) => world.runThroughGate(() => whoami(token)))

/**
 * Calls the tool several times for each of two users, alternately and at the same time. Each user
 * has a session. Returns the results of each user.
 */
export const callWhoamiInterleaved = (
  world: AuthWorld,
  tokens: readonly [string, string],
): Promise<readonly (readonly WhoamiResult[])[]> =>
  withWhoami(world, tokens[0], (first) =>
    withWhoami(world, tokens[1], async (second) => {
      const results: WhoamiResult[][] = [[], []]
      for (let round = 0; round < 5; round += 1) {
        const pair = await world.runConcurrently([() => first(tokens[0]), () => second(tokens[1])])
        pair.forEach((result, at) => results[at]!.push(result))
      }
      return results
    }),
  )

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

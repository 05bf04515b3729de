import { Blocked, NotCovered } from '../../../../engine/index.ts'
import type { IdentityUser, McpExchange } from '../../../../wire/index.ts'
import { initializeAndListTools, isInitialized } from '../../../tools/support/handshake.ts'
import { Session } from '../../../tools/support/client-session.ts'
import type { AuthWorld } from '../world.ts'
import type { Arrival } from './trip.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** What a tool told somebody who had come from the identity provider. */
export interface WhoamiResult {
  user: IdentityUser
  text: string
  summary: string
}

/** Has the tool of the target file tell who asks, in a session of that user. */
export async function whoami(world: AuthWorld, { trip, tokens }: Arrival): Promise<WhoamiResult> {
  const { tool, arguments: given } = world.auth.whoami!
  const { client } = await world.harness()
  const transport = world.access.http === undefined ? 'sse' : 'http'
  if (!client.transports.includes(transport))
    throw new NotCovered<ToolsNeed>('only stdio, where nobody is asked', [
      'tools.http',
      'tools.sse',
    ])
  const connection = await client.connect(transport, {
    headers: { Authorization: `Bearer ${tokens.access}` },
  })
  try {
    const { handshake, listPages } = await initializeAndListTools(connection, world.note)
    if (!isInitialized(handshake)) throw new Blocked(world.served, handshake.summary)
    const { call } = new Session(connection, handshake, listPages, {
      run: async (send) => world.note(await send()),
    })
    const exchange = await call(tool, given)
    return { user: trip.asked.user, text: textOf(exchange), summary: exchange.summary }
  } finally {
    await connection.close()
  }
}

/** All that a result says, whatever stands where. */
function textOf({ result = {} }: McpExchange): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const texts = content.map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
  )
  // Markdown may have escaped what stands in a name.
  return [...texts, JSON.stringify(result['structuredContent'] ?? null)]
    .join('\n')
    .replaceAll('\\', '')
    .toLowerCase()
}

import type { McpExchange, McpTransport } from '../../../wire/index.ts'
import type { ToolsWorld } from './world.ts'

/** The versions of MCP that have a handshake. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** The version in the result of a handshake. */
export const versionOf = ({ result }: McpExchange): unknown => result?.['protocolVersion']

/** Performs a handshake that requests this version, on a new connection. */
export async function requestVersion(
  { connect, runThroughGate }: ToolsWorld,
  transport: McpTransport,
  protocolVersion: string,
): Promise<McpExchange> {
  const connection = await connect(transport)
  return runThroughGate(() => connection.initialize({ protocolVersion }))
}

/** The versions that the server confirms if a client requests them, once in a run. */
export const supportedVersions = (
  { shared }: ToolsWorld,
  transport: McpTransport,
): Promise<readonly string[]> =>
  shared(`supported versions ${transport}`, async (world) => {
    const supported: string[] = []
    for (const version of revisions)
      if (versionOf(await requestVersion(world, transport, version)) === version)
        supported.push(version)
    await world.closeConnections()
    return supported
  })

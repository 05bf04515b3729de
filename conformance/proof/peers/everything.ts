import { createRequire } from 'node:module'
import { startListening } from './listening-process.ts'

/**
 * The path of the server "everything" of the MCP project. The server is independent of this suite.
 */
export const everythingEntry = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

export interface Everything {
  /** The `tools` section of a target file. */
  tools: { http: string; sse: string; stdio: { command: string; args: string[] } }
  close(): Promise<void>
}

/** Starts the server once for each HTTP transport; the suite starts it for stdio. */
export async function startEverything(): Promise<Everything> {
  const http = await startListening([everythingEntry, 'streamableHttp'])
  const sse = await startListening([everythingEntry, 'sse']).catch(async (error: unknown) => {
    await http.close()
    throw error
  })
  return {
    tools: {
      http: `${http.origin}/mcp`,
      sse: `${sse.origin}/sse`,
      stdio: { command: process.execPath, args: [everythingEntry, 'stdio'] },
    },
    close: async () => void (await Promise.all([http.close(), sse.close()])),
  }
}

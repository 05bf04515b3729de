import type { Running, StartOptions } from './entry.ts'
import { prepared, told } from './auth.ts'

/** Starts the tool server, of which there is one kind. */
export async function startTools(options: StartOptions): Promise<Running> {
  const { ports, upstream, stateless = false } = options
  const { shown, startTools: start, targetOf } = await import('../stateful/tools.ts')
  const { auth, close } = await prepared(options)
  const server = await start({
    auth,
    port: ports['mcp'] ?? 0,
    hook: true,
    ...(upstream === undefined ? {} : { upstream }),
    choices: { ...shown, ...(stateless ? { sessions: false } : {}) },
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { mcp, sse, context } = server
  const { tokens, notes } = await told(context.guard, auth, new URL(mcp).origin)
  const { bearer } = tokens
  const isOAuth = auth.pattern === 'oauth-proxy' || auth.pattern === 'oauth-provider'
  return {
    kind: 'stateful',
    says: 'a small library, behind an API of its own or another',
    urls: { mcp },
    owns: { server: context.name },
    tokens,
    tokenOf: bearer === undefined ? {} : { mcp: 'bearer' },
    notes: [
      ...notes,
      ['HTTP+SSE', sse],
      ['upstream', context.upstream.home],
      ['sessions', stateless ? 'none over streamable HTTP' : 'yes'],
    ],
    example: isOAuth
      ? { url: `${new URL(mcp).origin}/.well-known/oauth-authorization-server`, headers: {} }
      : {
          url: mcp,
          headers: {
            ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
            Accept: 'application/json, text/event-stream',
            'Content-Type': 'application/json',
          },
          json: {
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'curl', version: '1' },
            },
          },
        },
    target: targetOf(server, program()).tools,
    async close() {
      await Promise.all([server.close(), close()])
    },
  }
}

/** This very program, as one that serves over its standard streams. */
function program(): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [
      ...process.execArgv,
      ...process.argv.slice(1, 2),
      'mock',
      'tools',
      '--stdio',
      '--upstream',
      '{upstream}',
    ],
  }
}

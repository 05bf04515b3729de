import type { Running, StartOptions } from '../registry.ts'

/** Starts the tool server, of which there is one kind. */
export async function startTools({ ports, upstream, stateless = false }: StartOptions): Promise<Running> {
  const { shown, startTools: start, targetOf } = await import('../stateful/tools.ts')
  const server = await start({
    port: ports['mcp'] ?? 0,
    hook: true,
    ...(upstream === undefined ? {} : { upstream }),
    choices: { ...shown, ...(stateless ? { sessions: false } : {}) },
  })
  const { mcp, sse, context } = server
  return {
    kind: 'stateful',
    says: 'a small library, behind an API of its own or another',
    urls: { mcp },
    owns: { server: context.name },
    tokens: {},
    tokenOf: {},
    notes: [['HTTP+SSE', sse], ['upstream', context.upstream.home], ['sessions', stateless ? 'none over streamable HTTP' : 'yes']],
    example: {
      url: mcp,
      headers: { 'Accept': 'application/json, text/event-stream', 'Content-Type': 'application/json' },
      json: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1' } } },
    },
    target: targetOf(server, program()).tools,
    close: () => server.close(),
  }
}

/** This very program, as one that serves over its standard streams. */
function program(): { command: string; args: string[] } {
  return { command: process.execPath, args: [...process.execArgv, ...process.argv.slice(1, 2), 'mock', 'tools', '--stdio', '--upstream', '{upstream}'] }
}

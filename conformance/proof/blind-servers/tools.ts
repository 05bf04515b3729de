import { readFileSync } from 'node:fs'
import {
  blindPath,
  optionsOf,
  readSwitches,
  startBlindProcess,
  type BlindServer,
} from './blind-server.ts'
import { startLoopback } from './loopback.ts'

interface ToolFacts {
  search: { tool: string; arguments: Json; id: string; title: string }
  long: { tool: string; arguments: Json; id: string }
  get: { tool: string; arguments: Json }
  calls: { tool: string; arguments: Json }[]
  elicit: { tool: string; arguments: Json; content: Json }
  resource: string
}
type Json = Record<string, unknown>

export const tools: BlindServer = {
  name: 'tools',
  switches: readSwitches('tools'),
  skipped: [],
  unmet: {
    'TOOL-HTTP-08 returns 400 for an unknown protocol version › the end of the session: is refused':
      'accepts DELETE with an unknown MCP-Protocol-Version',
  },
  realTime: 'all',
  async start(on) {
    const { calls, resource, ...facts } = JSON.parse(
      readFileSync(blindPath('tools/facts.json'), 'utf8'),
    ) as ToolFacts
    const { facts: urls, close } = await startBlindProcess<
      Record<'http' | 'sse' | 'upstreamControl' | 'clock', string>
    >('tools/server.py', on, { args: ['--transport', 'http'] })
    // The author's tools use their own data if the API behind them returns an unknown object.
    const api = await startLoopback((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
    return {
      target: {
        tools: {
          http: urls.http,
          sse: urls.sse,
          stdio: {
            command: 'python3',
            args: [blindPath('tools/server.py'), '--transport', 'stdio', ...optionsOf(on)],
            env: { UPSTREAM_URL: '{upstream}', PYTHONDONTWRITEBYTECODE: '1' },
          },
          ...facts,
          ...(on.includes('resources-absent') ? {} : { resource }),
          calls: Object.fromEntries(calls.map((call) => [call.tool, call.arguments])),
          upstream: { control: urls.upstreamControl, forward: api.url },
          clock: urls.clock,
        },
      },
      async close() {
        await Promise.all([api.close(), close()])
      },
    }
  },
}

import { startPython } from '../python.ts'
import { blindPath, readSwitches, type BlindServer } from './blind-server.ts'
import { findFreePort, startLoopback } from './loopback.ts'

type Json = Record<string, unknown>
interface ToolCall {
  tool: string
  arguments: Json
}
interface ToolFacts {
  http: string
  search: ToolCall & { id: string; title: string }
  long: ToolCall & { id: string }
  upstreamTool: ToolCall
  calls: ToolCall[]
  elicit: ToolCall & { content: Json }
  resource: string
}

export const toolsPython: BlindServer = {
  name: 'tools-python',
  switches: readSwitches('tools-python'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const switched = on.flatMap((name) => ['--on', name])
    const script = blindPath('tools-python/server.py')
    const upstreamAddress = `127.0.0.1:${await findFreePort()}`
    const { facts, close } = await startPython<ToolFacts>([script, ...switched], {
      env: { UPSTREAM_URL: `http://${upstreamAddress}` },
    })
    const api = await startLoopback(({ url = '' }, response) => {
      const id = url.split('/').at(-1)
      response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ id, borrower: 'City Gallery', until: '2026-05-01' }))
    })
    const { http, search, long, upstreamTool, calls, elicit, resource } = facts
    return {
      target: {
        tools: {
          http,
          stdio: {
            command: 'python3',
            args: [script, '--transport', 'stdio', ...switched],
            env: { UPSTREAM_URL: '{upstream}', PYTHONDONTWRITEBYTECODE: '1' },
          },
          // The server states examples of ids and titles, and the target file names their fields.
          search: { ...search, id: 'id', title: 'title' },
          long: { ...long, id: 'id' },
          get: upstreamTool,
          elicit,
          resource,
          // The tool that elicits succeeds only for clients that support elicitation.
          calls: Object.fromEntries(
            calls
              .filter(({ tool }) => tool !== elicit.tool)
              .map((call) => [call.tool, call.arguments]),
          ),
          upstream: { listen: upstreamAddress, forward: api.url },
        },
      },
      async close() {
        await Promise.all([api.close(), close()])
      },
    }
  },
}

import type { Started } from '../family.ts'
import { blindPath, interpreterOf, optionsOf, startBlindProcess } from './blind-server.ts'
import { findFreePort, startLoopback } from './loopback.ts'

type Json = Record<string, unknown>
interface ToolCall {
  tool: string
  arguments: Json
}

/** What a tool server prints when it is ready. */
export interface ToolFacts {
  http: string
  sse?: string
  search: ToolCall & { id: string; title: string }
  long: ToolCall & { id: string }
  get: ToolCall
  upstreamTool: ToolCall
  calls: ToolCall[]
  elicit: ToolCall & { content: Json }
  resource: string
}

/** A program that serves tools, whose tool `upstreamTool` asks the API at `UPSTREAM_URL`. */
export interface ToolProgram {
  /** Its file in the folder of the blind implementations. */
  file: string
  /** The fields of an item with its id and its title, for the target file. */
  idField: string
  titleField: string
  /** What the API returns for the last segment of a path. */
  respond(id: string | undefined): Json
}

/** Starts a tool server over HTTP, and the API behind it. The suite starts it over stdio. */
export async function startToolServer(
  { file, idField, titleField, respond }: ToolProgram,
  on: readonly string[],
): Promise<Started> {
  const upstreamAddress = `127.0.0.1:${await findFreePort()}`
  const { facts, close } = await startBlindProcess<ToolFacts>(file, on, {
    env: { UPSTREAM_URL: `http://${upstreamAddress}` },
  })
  const api = await startLoopback(({ url = '' }, response) => {
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify(respond(url.split('/').at(-1))))
  })
  const { http, sse, search, long, get, upstreamTool, calls, elicit, resource } = facts
  return {
    target: {
      tools: {
        http,
        ...(sse === undefined ? {} : { sse }),
        stdio: {
          command: interpreterOf(file),
          args: [blindPath(file), '--transport', 'stdio', ...optionsOf(on)],
          env: { UPSTREAM_URL: '{upstream}', PYTHONDONTWRITEBYTECODE: '1' },
        },
        search: { ...search, id: idField, title: titleField },
        long: { ...long, id: idField },
        get: upstreamTool,
        elicit,
        resource,
        // The tool that elicits succeeds only for clients that support elicitation.
        calls: Object.fromEntries(
          [...calls, get]
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
}

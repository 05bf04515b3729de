import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Target } from '../../target.ts'
import { startListening } from './listening-process.ts'

const program = ['--import', 'tsx', fileURLToPath(new URL('fastmcp/server.ts', import.meta.url))]

export interface FastMcpPeer {
  /** The `tools` section of a target file. */
  tools: NonNullable<Target['tools']>
  close(): Promise<void>
}

/** Starts a server that is written with FastMCP, and the API behind its tools. */
export async function startFastMcp(): Promise<FastMcpPeer> {
  const api = await startLendingApi()
  const server = await startListening([...program, 'http', api.url]).catch(
    async (error: unknown) => {
      await api.close()
      throw error
    },
  )
  return {
    tools: {
      http: `${server.origin}/mcp`,
      sse: `${server.origin}/sse`,
      stdio: { command: process.execPath, args: [...program, 'stdio', '{upstream}'] },
      search: {
        tool: 'shelf_search_books',
        arguments: { query: 'the' },
        id: 'id',
        title: 'title',
      },
      long: { tool: 'shelf_report_inventory', arguments: { limit: 50 }, id: 'id' },
      get: { tool: 'shelf_get_loan', arguments: { id: 'b-001' } },
      calls: { shelf_get_book: { id: 'b-001' }, shelf_count_books: {} },
      elicit: { tool: 'shelf_suggest_book', arguments: {}, content: { author: 'Homer' } },
      resource: 'shelf://books/b-001',
      upstream: { control: `${server.origin}/upstream`, forward: api.url },
    },
    close: async () => void (await Promise.all([server.close(), api.close()])),
  }
}

/** The API behind the tools. It returns a loan of each book. */
async function startLendingApi(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(({ url = '' }, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ book: url.split('/').at(-1), borrower: 'Ada', due: '2026-12-24' })),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

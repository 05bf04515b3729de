import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clockOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'

const results: Readonly<Record<string, (params: { protocolVersion?: string }) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'one_mcp', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'one_say_hello', description: 'Says hello', inputSchema: { type: 'object' } }],
  }),
  'tools/call': () => ({ isError: true, content: [{ type: 'text', text: 'Error: unknown' }] }),
  ping: () => ({}),
}

function answerTo(body: string): { status: number; answer?: string } {
  let message: { id?: number; method: string; params: object }
  try {
    message = JSON.parse(body) as typeof message
  } catch {
    return { status: 400 }
  }
  if (message.id === undefined) return { status: 202 }
  const result = results[message.method]?.(message.params)
  const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }
  return { status: 200, answer: JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }) }
}

/** Starts a server that counts its open requests. */
async function startCounting() {
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    open += 1
    most = Math.max(most, open)
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () =>
      setTimeout(() => {
        const { status, answer } = answerTo(body)
        open -= 1
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(answer)
      }, 10),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { http: `http://127.0.0.1:${port}/mcp`, mostOpen: () => most }
}

test.each([
  { concurrency: 1, most: 2 },
  { concurrency: 2, most: 2 },
  { concurrency: 3, most: 3 },
  { concurrency: 64, most: 4 },
])('with concurrency $concurrency, at most $most requests are open', async (expected) => {
  const { http, mostOpen } = await startCounting()
  const run = await startSuite(
    {
      tools: { http, calls: { one_say_hello: {} } },
      suite: { ...suiteDefaults, concurrency: expected.concurrency },
    } as never,
    {
      clock: clockOf(20),
      selection: { only: ['TOOL-MCP-11'] },
      throwaway: true,
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const found = verdicts.filter(({ key }) => /^TOOL-MCP-11/.test(key))
  expect(found.map(({ verdict }) => verdict)).toContain('pass')
  expect(mostOpen()).toBe(expected.most)
})

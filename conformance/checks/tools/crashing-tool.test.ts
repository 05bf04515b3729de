import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { reasonForNoResult } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'

/** A server whose process ends in the call of one tool. */
const program = `
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' } })
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'one_mcp', version: '1' } }),
  'tools/list': () => ({ tools: [tool('one_crash'), tool('one_say_hello')] }),
  'tools/call': ({ name }) =>
    name === 'one_crash' ? process.exit(1) : { content: [{ type: 'text', text: 'hello' }] },
  ping: () => ({}),
}
const server = require('http').createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => setTimeout(() => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let message
    try {
      message = Object(JSON.parse(body))
    } catch {
      return response.writeHead(400).end()
    }
    const { id, method, params } = message
    if (id === undefined) return response.writeHead(202).end()
    const answer = !Object.hasOwn(results, method)
      ? { error: { code: -32601, message: 'unknown' } }
      : { result: results[method](Object(params)) }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }, 30))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

test('the report names the call in which the server crashed', async () => {
  const server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill())
  const [port] = (await once(server.stdout, 'data')) as [Buffer]
  const run = await startSuite(
    {
      tools: {
        http: `http://127.0.0.1:${String(port).trim()}/mcp`,
        calls: { one_say_hello: {}, one_crash: {} },
      },
      // The report names at most five requests that were in progress.
      suite: { ...suiteDefaults, concurrency: 4 },
    } as never,
    {
      selection: {
        only: ['TOOL-CALL-01', 'TOOL-MCP-05', 'TOOL-MCP-07', 'TOOL-MCP-08', 'TOOL-MCP-11'],
      },
      throwaway: true,
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  expect(reasonForNoResult(verdicts)).toMatch(
    // Another call may have been in progress as well.
    /^http:\/\/127\.0\.0\.1:\d+ has refused connections since (one of these .*: .*)?tools\/call one_crash/,
  )
})

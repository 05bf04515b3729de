import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { argumentsOf } from './stdio-program.testing.ts'

/** A server whose process ends when a call fails. */
const endsInFailedCalls = argumentsOf({
  tools: `[
    { name: 'one_get_book', description: 'get', annotations: { readOnlyHint: true }, inputSchema: {
        type: 'object', properties: { id: { type: 'string', pattern: '^b-[0-9]$' } }, required: ['id'] } },
    { name: 'one_say_hello', description: 'hello', inputSchema: { type: 'object' } }]`,
  call: `async ({ name, arguments: { id } }) => {
    if (name === 'one_say_hello') return { content: [{ type: 'text', text: 'hello' }] }
    if (name !== 'one_get_book' || !/^b-[0-9]$/.test(id)) process.exit(1)
    const signal = AbortSignal.timeout(5000)
    const { status } = await fetch(process.env.UPSTREAM + '/books', { signal }).catch(() => process.exit(1))
    return status === 200 ? { content: [{ type: 'text', text: 'a book' }] } : process.exit(1)
  }`,
})

test('over stdio, a process that ends in failed calls fails only their requirements', async () => {
  const api = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  onTestFinished(() => void api.close())
  await once(api, 'listening')
  const { port } = api.address() as { port: number }
  const run = await startSuite(
    {
      tools: {
        stdio: {
          command: process.execPath,
          args: endsInFailedCalls,
          env: { UPSTREAM: '{upstream}' },
        },
        get: { tool: 'one_get_book', arguments: { id: 'b-1' } },
        calls: { one_say_hello: {} },
        upstream: { listen: '127.0.0.1:0', forward: `http://127.0.0.1:${port}` },
      },
      suite: suiteDefaults,
    } as never,
    {
      selection: {
        only: [
          ...['TOOL-CALL-01', 'TOOL-CALL-06', 'TOOL-ERROR-01', 'TOOL-ERROR-02', 'TOOL-ERROR-11'],
          ...['TOOL-INVALID-01', 'TOOL-INVALID-02', 'TOOL-INVALID-06', 'TOOL-MCP-05'],
          ...['TOOL-MCP-07', 'TOOL-MCP-08', 'TOOL-MCP-11'],
        ],
      },
      throwaway: true,
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const requirementsWith = (outcome: string) =>
    verdicts.filter(({ verdict }) => verdict === outcome).map(({ requirement }) => requirement)
  expect(requirementsWith('fail')).toEqual([
    ...['TOOL-CALL-06', 'TOOL-ERROR-01', 'TOOL-INVALID-01', 'TOOL-INVALID-02', 'TOOL-INVALID-06'],
  ])
  expect(requirementsWith('blocked')).toEqual(['TOOL-ERROR-02', 'TOOL-MCP-11'])
})

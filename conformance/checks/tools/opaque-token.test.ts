import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clockOf } from '../../engine/index.ts'
import { findMistakes } from '../../preflight.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'

const fixedToken = 'a-fixed-token-without-dots'

const results: Readonly<Record<string, (params: { protocolVersion?: string }) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'one_mcp', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'one_say_hello', description: 'Says hello', inputSchema: { type: 'object' } }],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }] }),
  ping: () => ({}),
}

/** Starts a server that accepts one fixed token. Resolves to its target. */
async function newTarget(token: string) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { authorization } = request.headers
      if (authorization !== `Bearer ${fixedToken}`)
        return response.writeHead(authorization === undefined ? 401 : 403).end('unauthorized')
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body) as {
        id?: number
        method: string
        params: object
      }
      if (id === undefined) return response.writeHead(202).end()
      const result = results[method]?.(params)
      const answer =
        result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }
      return response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return {
    tools: { http, auth: { pattern: 'jwt', token }, calls: { one_say_hello: {} } },
    suite: suiteDefaults,
  } as never
}

test('an opaque token is sent as it is, and no token is derived from it', async () => {
  const target = await newTarget(fixedToken)
  expect(await findMistakes(target, { wait: 0 })).toEqual([])
  const run = await startSuite(target, {
    clock: clockOf(20),
    selection: {
      only: ['TOOL-CALL-01', 'AUTH-JWT-01', 'AUTH-JWT-02', 'AUTH-JWT-04', 'AUTH-JWT-06'],
    },
    throwaway: true,
  })
  const verdicts = await run.verdicts
  await run.finish()
  const verdictsOf = (id: string) =>
    verdicts.filter(({ requirement }) => requirement === id).map(({ verdict }) => verdict)
  expect(verdictsOf('AUTH-JWT-01')).toEqual(['pass'])
  expect(verdictsOf('AUTH-JWT-02')).toEqual(['pass', 'pass'])
  expect(verdictsOf('TOOL-CALL-01')).toContain('pass')
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  for (const id of ['AUTH-JWT-04', 'AUTH-JWT-06'])
    expect(verdicts.find(({ requirement }) => requirement === id)).toMatchObject({
      verdict: 'not covered',
      needs: ['tools.auth.secret'],
      reason: 'the suite cannot derive other tokens from tools.auth.token, because it is not a JWT',
    })
})

test('a wrong opaque token is reported before the run', async () => {
  expect(await findMistakes(await newTarget('another'), { wait: 0 })).toEqual([
    expect.stringMatching(/^403 for POST .*: tools\.auth\.token \(TOOLS_TOKEN\) was refused\.$/),
  ])
})

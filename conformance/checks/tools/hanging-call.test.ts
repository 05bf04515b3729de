import { expect, test } from 'vitest'
import { clockOf } from '../../engine/index.ts'
import { startSuite } from '../../suite.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { failed, piped, result, type SmallProcess } from '../../wire/mcp/mcp.testing.ts'

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } })
const results = new Map<unknown, object>(
  Object.entries({
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'one_mcp', version: '1' },
    },
    'tools/list': { tools: [tool('one_sleep_long'), tool('one_say_hello')] },
    'tools/call': { content: [{ type: 'text', text: 'hello' }] },
    ping: {},
  }),
)

/**
 * A server that handles one message at a time, and hangs in the call of one tool. Its process is
 * replaced, because the start of a process takes real time.
 */
const hanging = new WeakSet<SmallProcess>()
const stdio = piped(({ id, method, params }, process) => {
  if (method === 'tools/call' && (params as { name: string }).name === 'one_sleep_long')
    hanging.add(process)
  if (hanging.has(process) || id === undefined) return
  const found = results.get(method)
  process.say(found === undefined ? failed(id, -32601) : result(id, found))
})

test('a tool that hangs fails its own requirement, and no other', async () => {
  const run = await startSuite(
    {
      tools: {
        stdio,
        calls: { one_sleep_long: {}, one_say_hello: {} },
      },
      suite: suiteDefaults,
    } as never,
    {
      clock: clockOf(20),
      selection: { only: ['TOOL-CALL-01', 'TOOL-MCP-05', 'TOOL-MCP-07', 'TOOL-MCP-08'] },
      throwaway: true,
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const broken = verdicts.filter(({ verdict }) => verdict === 'fail')
  expect(broken.map(({ requirement }) => requirement)).toEqual(['TOOL-CALL-01'])
  const pings = verdicts.filter(({ key }) => key.startsWith('TOOL-MCP-07 responds to a ping'))
  expect(pings.map(({ verdict }) => verdict)).toEqual(['pass', 'blocked', 'not covered'])
  expect(pings[1]?.blockedBy).toBe('TOOL-CALL-01')
})

test('a cancelled run does not wait for a call that hangs', async () => {
  const clock = clockOf(4)
  const cancellation = new AbortController()
  let cancelledAt = Infinity
  const run = await startSuite(
    {
      tools: {
        stdio,
        calls: { one_sleep_long: {} },
      },
      suite: suiteDefaults,
    } as never,
    {
      clock,
      selection: { only: ['TOOL-CALL-01', 'TOOL-MCP-05', 'TOOL-MCP-07', 'TOOL-MCP-08'] },
      signal: cancellation.signal,
      throwaway: true,
      onExchange(total) {
        if (total !== 4) return
        // Until the call hangs, after the three messages of the handshake.
        setTimeout(() => {
          cancelledAt = clock.now()
          cancellation.abort()
        }, 200)
      },
    },
  )
  const verdicts = await run.verdicts
  await run.finish()
  expect(Math.abs(clock.now() - cancelledAt)).toBeLessThan(5000)
  expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(verdicts.find(({ requirement }) => requirement === 'TOOL-CALL-01')?.reasonCode).toBe(
    'cancelled',
  )
})

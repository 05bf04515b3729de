import { startProcess, startMock } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'
import { ToolsClient, type Call } from './tools-client.ts'

const rounds = 21
const perRound = 1000
/** The number of sessions, with one call at a time in each. */
const sessions = 8

/** Compares the time per call of the tools mock with that of an echo by the official SDK. */
export async function measureToolCalls(): Promise<Measurement[]> {
  const echo = await startProcess<{ url: string }>('tools-echo-server.js')
  const mock = await startMock('tools')
  const clients = (await Promise.all(
    [mock.firstMessage.urls['mcp']!, echo.firstMessage.url].map((url) =>
      ToolsClient.open(url, sessions),
    ),
  )) as [ToolsClient, ToolsClient]
  // This tool sends no request to the upstream, whose cost would be measured too.
  const status: Call = { name: 'shelf_show_status', arguments: '{}' }
  const same: Call = {
    name: 'echo',
    arguments: JSON.stringify({ message: await clients[0].text(status) }),
  }
  await clients[1].text(same)
  const [ours, against]: [number[], number[]] = [[], []]
  for (let round = -4; round < rounds; round += 1) {
    const times = [await roundOf(clients[0], status), await roundOf(clients[1], same)] as const
    // The first rounds are a warm-up.
    if (round < 0) continue
    ours.push(times[0])
    against.push(times[1])
  }
  for (const client of clients) client.close()
  echo.child.kill()
  mock.child.kill()
  return [
    comparePairs(
      {
        what: 'a call over streamable HTTP, tools mock',
        unit: 'µs',
        baseline: 'an echo by the bare MCP SDK',
        atMost: 1.25,
      },
      ours,
      against,
    ),
  ]
}

/** Returns the microseconds per call in a round. */
async function roundOf(client: ToolsClient, call: Call): Promise<number> {
  const begun = performance.now()
  await client.calls(call, perRound)
  return ((performance.now() - begun) * 1000) / perRound
}

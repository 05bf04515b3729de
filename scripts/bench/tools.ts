import { started, startedMock } from './process.ts'
import { paired, type Row } from './row.ts'
import { ToolsClient, type Call } from './tools-client.ts'

const rounds = 21
const perRound = 1000
/** Sessions, with one call under way on each. */
const sessions = 8

/** Calls that the tool server takes over streamable HTTP, against an echo by the official SDK, which gives back the same text. */
export async function toolCalls(): Promise<Row[]> {
  const echo = await started<{ url: string }>('tools-echo-server.js')
  const shelf = await startedMock('tools')
  const clients = (await Promise.all(
    [shelf.said.urls['mcp']!, echo.said.url].map((url) => ToolsClient.open(url, sessions)),
  )) as [ToolsClient, ToolsClient]
  // A tool that does not ask its upstream: what a request to there costs is not the server's.
  const status: Call = { name: 'shelf_show_status', arguments: '{}' }
  const same: Call = {
    name: 'echo',
    arguments: JSON.stringify({ message: await clients[0].text(status) }),
  }
  await clients[1].text(same)
  const [ours, against]: [number[], number[]] = [[], []]
  for (let round = -4; round < rounds; round += 1) {
    const times = [await roundOf(clients[0], status), await roundOf(clients[1], same)] as const
    // The first rounds warm both up.
    if (round < 0) continue
    ours.push(times[0])
    against.push(times[1])
  }
  for (const client of clients) client.close()
  echo.child.kill()
  shelf.child.kill()
  return [
    paired(
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

/** Microseconds that a call takes in a round. */
async function roundOf(client: ToolsClient, call: Call): Promise<number> {
  const begun = performance.now()
  await client.calls(call, perRound)
  return ((performance.now() - begun) * 1000) / perRound
}

import type { Expectation } from '../../../engine/index.ts'
import type { McpEndInRequests, McpExit } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { readingCalls } from '../support/plain-calls.ts'
import { isProblem } from '../support/problems.ts'
import type { ToolsWorld } from '../support/world.ts'

const describeExit = (exit: McpExit | undefined): string =>
  exit === undefined
    ? 'the process did not exit'
    : `the process exited by ${exit.by} after ${exit.milliseconds} ms`
const exitsItself: Expectation<McpExit | undefined> = {
  name: 'exits when its input ends',
  expected: 'an exit within five seconds, without a signal',
  test: (exit) => exit?.by === 'input' || exit?.by === 'itself',
  received: describeExit,
}

/** How many of the ends a failure describes. */
const maxShownEnds = 3

const describeEnd = ({ operations, why }: McpEndInRequests): string =>
  `${why} in ${[...new Set(operations)].slice(0, 4).join(', ')}${operations.length > 1 ? `, with ${operations.length} requests in progress` : ''}`

const staysAlive: Expectation<readonly McpEndInRequests[]> = {
  name: 'does not end before it has answered',
  expected: 'a process that responds to the requests in progress before it ends',
  test: (ends) => ends.length === 0,
  received: (ends) =>
    `${ends.length} processes ended while requests were in progress: ${ends.slice(0, maxShownEnds).map(describeEnd).join('; ')}`,
}

/** Sends calls and other requests over stdio at the same time. */
async function sendOverlapping(world: ToolsWorld): Promise<void> {
  const calls = await readingCalls(world, undefined)
  const session = world.withoutLock(await world.session('stdio'))
  await Promise.all([
    ...calls.map(({ call }) => session.call(call.tool, call.arguments)),
    session.request('tools/list'),
    ...calls.map(({ call }) => session.call(call.tool, call.arguments)),
    session.request('ping'),
  ])
}

export const stdioChecks = [
  watch('TOOL-STDIO-02', {
    title: 'writes only messages to standard output',
    root: 'TOOL-STDIO-01',
    examine: ({ transport, receivedCount, problems }) => {
      if (transport !== 'stdio' || (receivedCount === 0 && problems.length === 0)) return []
      const problem = problems.find((one) => isProblem(one, 'invalid-line'))
      return [
        {
          name: 'writes one message per line',
          held: problem === undefined,
          expected: 'lines that are JSON',
          received: problem?.text ?? 'as expected',
        },
      ]
    },
  }),

  check('TOOL-STDIO-03', {
    title: 'exits when its input is closed',
    async run({ openSession, expectValue }) {
      const { connection } = await openSession('stdio')
      await connection.close()
      expectValue(connection.exit, exitsItself)
    },
  }),

  check('TOOL-STDIO-04', {
    title: 'does not end while requests are in progress',
    async run(world) {
      await sendOverlapping(world)
      // A check that lost its process with the requests of other checks runs again alone, and may
      // pass. This check reports that, when all other checks have ended.
      await world.waitForStage('final')
      world.expectValue((await world.harness()).client.endsInRequests, staysAlive)
    },
  }),
]

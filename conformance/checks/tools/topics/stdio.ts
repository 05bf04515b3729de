import type { Expectation } from '../../../engine/index.ts'
import type { McpExit } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { isProblem } from '../support/problems.ts'

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
]

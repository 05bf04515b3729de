import type { Expectation } from '../../../engine/index.ts'
import type { McpExit } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { isProblem } from '../support/problems.ts'

const told = (exit: McpExit | undefined): string =>
  exit === undefined ? 'it did not end' : `it ended by ${exit.by}, after ${exit.milliseconds} ms`
const endsItself: Expectation<McpExit | undefined> = {
  name: 'ends when its input does',
  expected: 'an end within five seconds, without a signal',
  test: (exit) => exit?.by === 'input' || exit?.by === 'itself',
  received: told,
}

export const stdio = [
  watch('TOOL-STDIO-02', {
    title: 'writes messages to standard output, and nothing else',
    root: 'TOOL-STDIO-01',
    examine: ({ transport, receivedCount, problems }) => {
      if (transport !== 'stdio' || (receivedCount === 0 && problems.length === 0)) return []
      const problem = problems.find((one) => isProblem(one, 'output'))
      return [
        {
          name: 'is one message to a line',
          held: problem === undefined,
          expected: 'lines of JSON',
          received: problem?.text ?? 'as expected',
        },
      ]
    },
  }),

  check('TOOL-STDIO-03', {
    title: 'ends when its input is closed',
    async run({ openSession, expectOf }) {
      const { connection } = await openSession('stdio')
      await connection.close()
      expectOf(connection.exit, endsItself)
    },
  }),
]

import { expect, test } from 'vitest'
import { startEverything } from './everything.ts'
import { listVerdicts } from './reviewed.ts'

// A server that follows the MCP specification, but not the conventions of the document. Every line
// of the golden file was reviewed; everything.md contains the reasons.
test('on every transport, the verdicts on server-everything are those that were reviewed', async ({
  onTestFinished,
}) => {
  const { tools, close } = await startEverything()
  onTestFinished(close)
  const calls = {
    echo: { message: 'hello' },
    'get-sum': { a: 1, b: 2 },
    'get-tiny-image': {},
    'trigger-long-running-operation': { duration: 0.2, steps: 2 },
    'get-structured-content': { location: 'Chicago' },
  }
  await expect(
    await listVerdicts({ ...tools, calls }, { contracts: ['tools'] }),
  ).toMatchFileSnapshot('everything.golden.txt')
})

import { expect, test } from 'vitest'
import { startEverything } from './everything.ts'
import { listVerdicts } from './reviewed.ts'

// A server that does not follow the conventions of the document, but the MCP specification. Every
// line of the golden file was reviewed; everything.md gives the reasons.
test('the verdicts on the everything server are those that were reviewed, on every transport', async ({
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

import { expect, test } from 'vitest'
import { startEverything } from './everything.ts'
import { linesOn } from './reviewed.ts'

// A server that knows nothing of the document: it breaks conventions, and is convicted of them; where it keeps MCP, nothing may be held against it.
// Each line of the golden file was looked at: everything.md says why it stands.
test(
  'the verdicts on the everything server are those that were reviewed, on every transport',
  { timeout: 120_000 },
  async ({ onTestFinished }) => {
    const { tools, close } = await startEverything()
    onTestFinished(close)
    const calls = {
      echo: { message: 'hello' },
      'get-sum': { a: 1, b: 2 },
      'get-tiny-image': {},
      'trigger-long-running-operation': { duration: 0.2, steps: 2 },
      'get-structured-content': { location: 'Chicago' },
    }
    await expect(await linesOn({ ...tools, calls }, { contracts: ['tools'] })).toMatchFileSnapshot(
      'everything.golden.txt',
    )
  },
)

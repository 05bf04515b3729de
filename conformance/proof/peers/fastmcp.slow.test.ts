import { expect, test } from 'vitest'
import { startFastMcp } from './fastmcp.ts'
import { listVerdicts } from './reviewed.ts'

// A server on a widely used framework, which follows the conventions of the document. Every line of
// the golden file was reviewed; fastmcp.md contains the reasons.
test('on every transport, the verdicts on a server with FastMCP are those that were reviewed', async ({
  onTestFinished,
}) => {
  const { tools, close } = await startFastMcp()
  onTestFinished(close)
  await expect(await listVerdicts(tools, { contracts: ['tools'] })).toMatchFileSnapshot(
    'fastmcp.golden.txt',
  )
})

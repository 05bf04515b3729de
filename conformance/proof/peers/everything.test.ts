import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { startEverything } from './everything.ts'

// A server that knows nothing of the document: it breaks conventions, and is convicted of them; where it keeps MCP, nothing may be held against it.
// Each line of the golden file was looked at: everything.md says why it stands.
test('the verdicts on the everything server are those that were reviewed, on every transport', { timeout: 120_000 }, async ({ onTestFinished }) => {
  const { tools, close } = await startEverything()
  onTestFinished(close)
  const calls = { echo: { message: 'hello' }, 'get-sum': { a: 1, b: 2 }, 'get-tiny-image': {}, 'trigger-long-running-operation': { duration: 0.2, steps: 2 }, 'get-structured-content': { location: 'Chicago' } }
  const run = startSuite({ tools: { ...tools, calls }, suite: { settle: 0, pace: 0, patience: 10_000, watch: 1000, concurrency: 8, timeout: 10_000 } }, { selection: { contracts: ['tools'] } })
  const verdicts = await run.verdicts
  await run.finish()
  expect(verdicts.filter(({ verdict }) => verdict === 'error')).toEqual([])
  const lines = verdicts.map(({ key, verdict, blockedBy, expectations }) => {
    const broken = expectations.find(({ held }) => !held)
    return `${verdict.padEnd(14)} ${key}${blockedBy === undefined ? '' : ` (${blockedBy})`}${broken === undefined ? '' : `\n${' '.repeat(15)}${broken.name}: ${broken.received}`}`
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('everything.golden.txt')
})

import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { startOidcProvider } from './oidc-provider.ts'

// An authorization server that many use, with a shelf of its own behind it: where it keeps OAuth 2.1, nothing may be held against it.
// Each line of the golden file was looked at: oidc-provider.md says why it stands.
test('the verdicts on oidc-provider are those that were reviewed', { timeout: 120_000 }, async ({ onTestFinished }) => {
  const { tools, close } = await startOidcProvider()
  onTestFinished(close)
  const run = startSuite({ tools, suite: { settle: 0, pace: 0, patience: 10_000, watch: 1000, concurrency: 8, timeout: 10_000 } }, { selection: { contracts: ['auth'] } })
  const verdicts = await run.verdicts
  await run.finish()
  expect(verdicts.filter(({ verdict }) => verdict === 'error')).toEqual([])
  const lines = verdicts.map(({ key, verdict, blockedBy, expectations }) => {
    const broken = expectations.find(({ held }) => !held)
    return `${verdict.padEnd(14)} ${key}${blockedBy === undefined ? '' : ` (${blockedBy})`}${broken === undefined ? '' : `\n${' '.repeat(15)}${broken.name}: ${broken.received}`}`
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('oidc-provider.golden.txt')
})

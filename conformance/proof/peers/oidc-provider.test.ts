import { expect, test } from 'vitest'
import { startOidcProvider } from './oidc-provider.ts'
import { listVerdicts } from './reviewed.ts'

// A widely used authorization server that protects a tool server of ours. It follows OAuth 2.1 and
// must pass every check. Every line of the golden file was reviewed; oidc-provider.md gives the
// reasons.
test('the verdicts on oidc-provider are those that were reviewed', async ({ onTestFinished }) => {
  const { tools, close } = await startOidcProvider()
  onTestFinished(close)
  await expect(await listVerdicts(tools, { contracts: ['auth'] })).toMatchFileSnapshot(
    'oidc-provider.golden.txt',
  )
})

import { expect, test } from 'vitest'
import { startOidcProvider } from './oidc-provider.ts'
import { linesOn } from './reviewed.ts'

// An authorization server that many use, with a shelf of its own behind it: where it keeps OAuth 2.1, nothing may be held against it.
// Each line of the golden file was looked at: oidc-provider.md says why it stands.
test(
  'the verdicts on oidc-provider are those that were reviewed',
  { timeout: 120_000 },
  async ({ onTestFinished }) => {
    const { tools, close } = await startOidcProvider()
    onTestFinished(close)
    await expect(await linesOn(tools, { contracts: ['auth'] })).toMatchFileSnapshot(
      'oidc-provider.golden.txt',
    )
  },
)

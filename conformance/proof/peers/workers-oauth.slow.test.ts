import { expect, test } from 'vitest'
import { listVerdicts } from './reviewed.ts'
import { startWorkersOAuth } from './workers-oauth.ts'

// A published library for authorization servers, in both patterns that the document describes with
// its settings. Every line of the golden files was reviewed; workers-oauth.md contains the reasons.
test.for(['oauth-proxy', 'oauth-provider'] as const)(
  'the verdicts on workers-oauth-provider are those that were reviewed: %s',
  async (pattern, { onTestFinished }) => {
    const { tools, close } = await startWorkersOAuth(pattern)
    onTestFinished(close)
    await expect(await listVerdicts(tools, { contracts: ['auth'] })).toMatchFileSnapshot(
      `workers-${pattern}.golden.txt`,
    )
  },
)

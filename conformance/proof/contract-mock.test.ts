import { afterAll, beforeAll, expect, it } from 'vitest'
import { startContractImages } from '../../mocks/prism/images.ts'
import { totalsOf } from '../engine/index.ts'
import { startSuite } from '../suite.ts'

// The contract mock has no memory. Whatever does not need one must hold of it: its answers come from the documents, not from us.
let mock: Awaited<ReturnType<typeof startContractImages>>
beforeAll(async () => {
  mock = await startContractImages({})
}, 60_000)
afterAll(() => mock.close())

it('fails none of the checks that need no memory', async () => {
  const { account, tokens } = mock.options
  const images = { url: mock.account, account, token: tokens.api, limitedToken: tokens.limited, batch: { url: mock.batch, token: tokens.batch }, flexibleVariants: false, state: false }
  const run = startSuite({ images, suite: { pictures: {}, settle: 0, pace: 0, concurrency: 8, timeout: 30_000 } })
  const verdicts = await run.verdicts
  await run.finish()
  const unsound = verdicts.filter(({ verdict }) => ['fail', 'error', 'blocked', 'warn'].includes(verdict))
  expect(unsound.map(({ key, verdict, expectations }) => ({ key, verdict, broken: expectations.filter(({ held }) => !held) }))).toEqual([])
  expect(totalsOf(verdicts).pass).toBeGreaterThan(100)
}, 120_000)

import { afterEach, expect, it } from 'vitest'
import { startContractHooks } from '../../mocks/prism/hooks.ts'
import { startContractImages } from '../../mocks/prism/images.ts'
import { totalsOf, type Totals } from '../engine/index.ts'
import { startSuite } from '../suite.ts'
import type { Target } from '../target.ts'
import { suiteDefaults } from '../target-file/index.ts'

// The contract mocks have no memory. Their responses are generated from the documents, so they must
// pass every check that does not depend on earlier requests.
let close: () => Promise<void>
afterEach(() => close())

async function judgeContractMock(target: Omit<Target, 'suite'>): Promise<Totals> {
  const run = await startSuite({
    ...target,
    suite: {
      pictures: {},
      ...suiteDefaults,
      settle: 0,
      timeout: 30_000,
    },
  })
  const verdicts = await run.verdicts
  await run.finish()
  const unsound = verdicts.filter(({ verdict }) =>
    ['fail', 'error', 'blocked', 'warn'].includes(verdict),
  )
  expect(
    unsound.map(({ key, verdict, reason, expectations }) => ({
      key,
      verdict,
      reason,
      unmet: expectations.filter(({ held }) => !held),
    })),
  ).toEqual([])
  return totalsOf(verdicts)
}

it('the contract mock of images passes the checks that need no memory', async () => {
  const mock = await startContractImages({})
  close = () => mock.close()
  const { account, tokens } = mock.options
  const images = {
    url: mock.accountUrl,
    account,
    token: tokens.api,
    limitedToken: tokens.limited,
    batch: { url: mock.batchUrl, token: tokens.batch },
    flexibleVariants: false,
    state: false,
  }
  expect((await judgeContractMock({ images })).pass).toBeGreaterThan(100)
})

it('the contract mock of hooks passes the checks that need no memory', async () => {
  const mock = await startContractHooks()
  close = () => mock.close()
  const { project, token } = mock.options
  expect(
    (
      await judgeContractMock({
        hooks: { url: mock.url, project, token, testEvents: ['push_events'], state: false },
      })
    ).pass,
  ).toBeGreaterThan(20)
})

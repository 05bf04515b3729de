import { afterEach, expect, it } from 'vitest'
import { startContractHooks } from '../../mocks/prism/hooks.ts'
import { startContractImages } from '../../mocks/prism/images.ts'
import { totalsOf, type Totals } from '../engine/index.ts'
import { startSuite } from '../suite.ts'
import type { Target } from '../target.ts'

// A contract mock has no memory. Whatever does not need one must hold of it: its answers come from the documents, not from us.
let close: () => Promise<void>
afterEach(() => close())

async function judged(target: Omit<Target, 'suite'>): Promise<Totals> {
  const run = await startSuite({
    ...target,
    suite: {
      pictures: {},
      settle: 0,
      pace: 0,
      patience: 10_000,
      watch: 3000,
      concurrency: 8,
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
      broken: expectations.filter(({ held }) => !held),
    })),
  ).toEqual([])
  return totalsOf(verdicts)
}

it('of images fails none of the checks that need no memory', async () => {
  const mock = await startContractImages({})
  close = () => mock.close()
  const { account, tokens } = mock.options
  const images = {
    url: mock.account,
    account,
    token: tokens.api,
    limitedToken: tokens.limited,
    batch: { url: mock.batch, token: tokens.batch },
    flexibleVariants: false,
    state: false,
  }
  expect((await judged({ images })).pass).toBeGreaterThan(100)
}, 120_000)

it('of hooks fails none of the checks that need no memory', async () => {
  const mock = await startContractHooks()
  close = () => mock.close()
  const { project, token } = mock.options
  expect(
    (
      await judged({
        hooks: { url: mock.url, project, token, triggers: ['push_events'], state: false },
      })
    ).pass,
  ).toBeGreaterThan(20)
}, 120_000)

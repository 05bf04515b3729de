import { expect, test } from 'vitest'
import { startBundled } from '../../../scripts/commands/test/bundled.ts'
import { suiteDefaults } from '../../target-file/index.ts'
import { startLoad } from './load.ts'
import { runOnce } from './run.ts'

test('outcomes depend neither on the order of the checks nor on concurrency or load', async () => {
  const endLoad = startLoad(2)
  try {
    const runs = []
    for (const [seed, concurrency] of [
      [1, 1],
      [2, 8],
      [3, 64],
    ] as const) {
      const { target, suite, close } = await startBundled(['images', 'receiver'], 'none')
      runs.push(
        await runOnce(
          { ...target, suite: { ...suiteDefaults, ...suite } },
          {},
          { seed, concurrency },
        ),
      )
      await close()
    }
    const [first, ...later] = runs.map((outcomes) => [...outcomes].sort())
    expect(first!.length).toBeGreaterThan(300)
    for (const outcomes of later) expect(outcomes).toEqual(first)
  } finally {
    endLoad()
  }
})

import { expect, test } from 'vitest'
import { deviations, type FamilyName } from './deviations.ts'
import { judgeRandomServer } from './run.ts'

/**
 * How many changed messages each family must receive. With the variable, more can be tried by hand:
 * `TOUCHSTONE_RANDOM_MESSAGES=10000 npx vitest run conformance/proof/random-values`.
 */
const messages = Number(process.env['TOUCHSTONE_RANDOM_MESSAGES'] ?? 100)

const names = Object.keys(deviations) as FamilyName[]

/** Enough for this many messages, in milliseconds. A run that never ends must not delay others. */
const timeout = Math.max(10 * 60_000, messages * 2000)

test.for(names)(
  'random values from a server of %s are never blamed on the suite',
  { timeout },
  async (name) => {
    let changed = 0
    const errors: string[] = []
    for (let seed = 1; changed < messages; seed += 1) {
      const run = await judgeRandomServer(name, seed)
      errors.push(...run.errors.map((error) => `seed ${seed}: ${error}`))
      changed += run.changed
    }
    expect(errors).toEqual([])
  },
)

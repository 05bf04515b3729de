import { startImages, targetOf, type Choices } from '../../mocks/stateful/images.ts'
import type { Deviation } from '../../mocks/faults/fault.ts'
import { clockOf, type Verdict } from '../engine/index.ts'
import { startSuite, type SuiteOptions } from '../suite.ts'
import type { Target } from '../target/index.ts'

/** How much faster than the wall's the proof's clock runs: waits cost little, and time-outs stay long enough for a busy machine. */
const speed = 20

/** A file's largest size in the proof: small pictures on both sides of it. */
const maxFileBytes = 32 * 1024

export interface Trial {
  deviation?: Deviation
  choices?: Partial<Choices>
  /** Which checks are reported; all by default. */
  selected?: SuiteOptions['selected']
  /** Which checks act at all; those that watch live on them. */
  feeding?: (key: string) => boolean
  concurrency?: number
  heard?: SuiteOptions['heard']
}

/** Judges one deviating server, started and stopped for it. */
export async function tryServer({ deviation = {}, choices = {}, selected, feeding, heard, concurrency = 16 }: Trial): Promise<Verdict[]> {
  const server = await startImages({ maxFileBytes, ...deviation, choices: { ...choices, ...deviation.choices } })
  const target: Target = {
    images: targetOf(server),
    suite: { pictures: {}, settle: (choices.settleMs ?? 0) * 2 * speed, pace: 0, concurrency, timeout: 60_000 },
  }
  try {
    const run = startSuite(target, { clock: clockOf(speed), ...(selected === undefined ? {} : { selected }), ...(feeding === undefined ? {} : { feeding }), ...(heard === undefined ? {} : { heard }) })
    const verdicts = await run.verdicts
    await run.finish({ throwaway: true })
    return verdicts
  } finally {
    await server.close()
  }
}

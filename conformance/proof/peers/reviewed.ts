import { startSuite, type Selection } from '../../suite.ts'
import type { Target } from '../../target.ts'

/**
 * The verdicts on a server by others, as lines to be looked at: each with what is held against it. What does not apply to it, or is not covered, stands there
 * too. Rejects where the suite itself was at fault.
 */
export async function linesOn(
  tools: NonNullable<Target['tools']>,
  selection: Selection,
): Promise<string> {
  const run = await startSuite(
    {
      tools,
      suite: { settle: 0, pace: 0, patience: 10_000, watch: 1000, concurrency: 8, timeout: 10_000 },
    },
    { selection },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const errors = verdicts.filter(({ verdict }) => verdict === 'error')
  if (errors.length > 0)
    throw new Error(errors.map(({ key, reason }) => `${key}: ${reason ?? ''}`).join('\n'))
  const lines = verdicts.map(({ key, verdict, blockedBy, expectations }) => {
    const broken = expectations.find(({ held }) => !held)
    return `${verdict.padEnd(14)} ${key}${blockedBy === undefined ? '' : ` (${blockedBy})`}${broken === undefined ? '' : `\n${' '.repeat(15)}${broken.name}: ${broken.received}`}`
  })
  return `${lines.join('\n')}\n`
}

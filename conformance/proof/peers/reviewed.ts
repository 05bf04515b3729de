import { startSuite, type Selection } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { suiteDefaults } from '../../target-file/index.ts'

/**
 * Runs the suite against an independent server and returns one line for each verdict, with the
 * first unmet expectation. Rejects if the suite itself has an error.
 */
export async function listVerdicts(
  tools: NonNullable<Target['tools']>,
  selection: Selection,
): Promise<string> {
  const run = await startSuite(
    {
      tools,
      suite: {
        ...suiteDefaults,
        settle: 0,
        watch: 1000,
      },
    },
    { selection },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const errors = verdicts.filter(({ verdict }) => verdict === 'error')
  if (errors.length > 0)
    throw new Error(errors.map(({ key, reason }) => `${key}: ${reason ?? ''}`).join('\n'))
  const lines = verdicts.map(({ key, verdict, blockedBy, reason, reasonCode, expectations }) => {
    if (reasonCode === 'root-held-alone') return `${verdict.padEnd(14)} ${key} (${reason ?? ''})`
    const unmet = expectations.find(({ held }) => !held)
    return `${verdict.padEnd(14)} ${key}${blockedBy === undefined ? '' : ` (${blockedBy})`}${unmet === undefined ? '' : `\n${' '.repeat(15)}${unmet.name}: ${maskVariable(unmet.received)}`}`
  })
  return `${lines.join('\n')}\n`
}

/** The length of a long value that all runs have in common, whatever its masked parts contain. */
const commonLength = 120

/** Replaces what differs in each run: ports and the numbers of tokens. */
function maskVariable(received: string): string {
  const masked = received
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replaceAll(/(\$TOOLS_\w+?)_\d+/g, '$1')
  return masked !== received && masked.endsWith('…') && masked.length > commonLength
    ? `${masked.slice(0, commonLength)}…`
    : masked
}

import type { Behavior } from './behavior.ts'
import type { RunOutcome } from './run.ts'

/** What a run against a hostile target may need, compared with a run against the plain server. */
const limits = { moreMegabytes: 250, timesSeconds: 3, moreSeconds: 60 }

/** The longest run that is allowed, in seconds. */
export const secondsFor = (plain: Pick<RunOutcome, 'seconds'>): number =>
  limits.timesSeconds * plain.seconds + limits.moreSeconds

/**
 * Returns what is wrong with a run against a hostile target: a verdict that blames the suite, a
 * target that is called conformant, or a run that needs too much time or memory.
 */
export function findProblems(
  behavior: Pick<Behavior, 'isHarmless'>,
  run: RunOutcome,
  plain: Pick<RunOutcome, 'seconds' | 'megabytes'>,
): string[] {
  const problems: string[] = []
  const errors = run.verdicts.filter(({ verdict }) => verdict === 'error')
  const [first] = errors
  if (first !== undefined)
    problems.push(`${errors.length} checks in error, such as ${first.key}: ${first.reason ?? ''}`)
  if (run.output.includes('This is a defect of Touchstone'))
    problems.push('the command reports its own defect')
  const mostSeconds = secondsFor(plain)
  if (run.exit === null) problems.push(`the command did not end within ${mostSeconds} s`)
  else if (run.exit === 0 && behavior.isHarmless !== true)
    problems.push('the target is called conformant')
  else if (![0, 1, 3].includes(run.exit)) problems.push(`exit status ${run.exit}`)
  if (run.seconds > mostSeconds) problems.push(`more than ${Math.round(mostSeconds)} s`)
  const mostMegabytes = (plain.megabytes ?? 0) + limits.moreMegabytes
  if (run.megabytes !== undefined && run.megabytes > mostMegabytes)
    problems.push(`more than ${Math.round(mostMegabytes)} MB`)
  return problems
}

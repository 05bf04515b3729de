import { ExpectedFailures, type ExpectedFailure, type Verdict } from './engine/index.ts'
import { plan, SelectionError, type Planned, type Section, type Selection } from './suite.ts'
import { listMistakes, readExpectedFile, TargetError } from './target-file/index.ts'

/**
 * Loads a list of known failures for a run with these checks. Throws a `TargetError` that lists
 * the mistakes with their locations.
 */
export async function loadExpectedFailures(
  file: string,
  sections: readonly Section[],
  planned: readonly { readonly key: string }[],
): Promise<ExpectedFailures> {
  const located = await readExpectedFile(file)
  const entries = located.map(({ entry }) => entry)
  const running = new Set(planned.map(({ key }) => key))
  const partial = new Set<string>()
  const problems: string[] = []
  for (const { entry, location } of located) {
    const all = await plan({ only: [entry.id] }, sections).catch((error: unknown) => {
      if (!(error instanceof SelectionError)) throw error
      problems.push(`${location}  ${error.message}`)
      return []
    })
    if (!all.every(({ key }) => running.has(key))) partial.add(entry.id)
  }
  if (problems.length > 0) throw new TargetError(listMistakes(problems))
  return new ExpectedFailures(entries, {
    today: dayOf(new Date()),
    isWhole: ({ id }) => !partial.has(id),
  })
}

/**
 * Returns the selection for a run with known failures. If one of the selected checks is known to
 * fail, all checks send messages for it: it must not pass, and its entry not be stale, because the
 * check that causes the failure did not run.
 */
export function selectForKnown(
  selection: Selection,
  planned: readonly Planned[],
  expected: ExpectedFailures | undefined,
): Selection {
  const isKnown = planned.some(({ requirement }) => expected?.find(requirement) !== undefined)
  return isKnown ? { ...selection, alsoSending: 'all' } : selection
}

/** The day of a time in the local time zone: `2026-12-31`. */
export function dayOf(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** How a list of expected failures changed. */
export interface ExpectedChanges {
  readonly entries: readonly ExpectedFailure[]
  readonly added: number
  readonly removed: number
}

/**
 * Updates a list of known failures after a run. Removes entries whose checks pass, and adds an
 * entry for each requirement that is not met and not listed. Expired entries lose their last day.
 */
export function updateExpected(
  expected: ExpectedFailures | undefined,
  verdicts: readonly Verdict[],
  today: string,
): ExpectedChanges {
  const stale = new Set(
    verdicts
      .filter(({ verdict }) => verdict === 'stale')
      .map(({ expectedFailure }) => expectedFailure?.id),
  )
  const before = expected?.entries ?? []
  const kept = before.filter(({ id }) => !stale.has(id))
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail')
  const expired = new Set(failed.map(({ expectedFailure }) => expectedFailure?.id))
  const added = new Map(
    failed
      .filter(({ expectedFailure }) => expectedFailure === undefined)
      .map(({ requirement, title }) => [
        requirement,
        { id: requirement, reason: `not met on ${today}: ${title}` },
      ]),
  )
  return {
    entries: [
      ...kept.map(({ until, ...entry }) =>
        until === undefined || expired.has(entry.id) ? entry : { ...entry, until },
      ),
      ...added.values(),
    ],
    added: added.size,
    removed: before.length - kept.length,
  }
}

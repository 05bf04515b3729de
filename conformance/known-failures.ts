import { ExpectedFailures, type ExpectedFailure, type Verdict } from './engine/index.ts'
import { plan, SelectionError, type Planned, type Section, type Selection } from './suite.ts'
import { readExpectedFile, TargetError } from './target-file/index.ts'

/**
 * Loads a list of known failures for a run with these checks. Throws a `TargetError` that lists
 * the mistakes with their locations.
 */
export async function loadExpectedFailures(
  file: string,
  sections: readonly Section[],
  planned: readonly { readonly key: string }[],
): Promise<ExpectedFailures> {
  const entries = await readExpectedFile(file)
  const running = new Set(planned.map(({ key }) => key))
  const partial = new Set<string>()
  for (const { id } of entries) {
    const all = await plan({ only: [id] }, sections).catch((error: unknown) => {
      throw error instanceof SelectionError ? new TargetError(`${file}  ${error.message}`) : error
    })
    if (!all.every(({ key }) => running.has(key))) partial.add(id)
  }
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

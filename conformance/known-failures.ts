import { ExpectedFailures, type ExpectedFailure, type Verdict } from './engine/index.ts'
import { plan, SelectionError, type Planned, type Section, type Selection } from './suite.ts'
import { listMistakes, locationOf, readExpectedFile, TargetError } from './target-file/index.ts'

/**
 * Loads a list of known failures, or the file that contains it, for a run with these checks. Throws
 * a `TargetError` that lists the mistakes with their locations.
 */
export async function loadExpectedFailures(
  source: string | readonly ExpectedFailure[],
  sections: readonly Section[],
  planned: readonly { readonly key: string }[],
): Promise<ExpectedFailures> {
  const entries = typeof source === 'string' ? await readExpectedFile(source) : source
  const running = new Set(planned.map(({ key }) => key))
  const partial = new Set<string>()
  const problems: string[] = []
  for (const entry of entries) {
    const all = await plan({ only: [entry.id] }, sections).catch((error: unknown) => {
      if (!(error instanceof SelectionError)) throw error
      problems.push(`${locationOf(entry)}  ${error.message}`)
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
  /** The entries that stay although their last day has passed and a check of theirs fails. */
  readonly expired: readonly ExpectedFailure[]
}

/**
 * Updates a list of known failures after a run. Removes entries whose checks pass, and adds an
 * entry for each requirement that is not met and not listed. Expired entries stay as they are, so
 * their failures still count: only a person may extend an exception.
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
  const stillFailing = new Set(failed.map(({ expectedFailure }) => expectedFailure?.id))
  const unlisted = failed.filter(({ expectedFailure }) => expectedFailure === undefined)
  const added = [...new Set(unlisted.map(({ requirement }) => requirement))].map((id) => {
    const titles = unlisted
      .filter(({ requirement }) => requirement === id)
      .map(({ title }) => title)
    return { id, reason: `not met on ${today}: ${joinTitles(titles)}` }
  })
  return {
    entries: [...kept, ...added],
    added: added.length,
    removed: before.length - kept.length,
    expired: kept.filter(({ id }) => stillFailing.has(id)),
  }
}

/** The reason of an entry names at most this many checks. */
const maxTitles = 3

function joinTitles(titles: readonly string[]): string {
  const more = titles.length - maxTitles
  return more > 1
    ? `${titles.slice(0, maxTitles).join('; ')}; and ${more} more checks`
    : titles.join('; ')
}
